package planning

// Understanding is all that an instruction can mean. Exactly one reading and no
// question is a plan; anything else is a question.
type Understanding struct {
	// Readings differ in what they do to some table. Readings that do the same are
	// one.
	Readings []Reading
	// Asked says why there is no plan. It is nil where there is exactly one
	// reading.
	Asked *ClarificationError
}

// Reader keeps every reading of an instruction until the end. It asks nobody and
// has no state.
type Reader interface {
	Planner
	Read(r Request) Understanding
}

// Derivation is how the words of an instruction became a meaning, as a tree: a
// rule of the grammar with what it was made of, or a phrase of the lexicon.
type Derivation struct {
	Symbol string        // of the grammar or the lexicon
	Text   string        // the words that it covers
	Parts  []*Derivation // empty for a phrase of the lexicon
}
