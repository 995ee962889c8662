package cell

// StockWord reads true/false, 1/0 and yes/no in any case from a cell of a block.
func StockWord(block []byte, at Span) (inStock, ok bool) {
	return StockText(Word(block, at.From) & LowBytes(at.Size()))
}

// StockText is StockWord of at most eight bytes in a word.
func StockText(word uint64) (inStock, ok bool) {
	const letters = 0x40 * EveryByte // the bit that makes a byte a letter
	word |= word & letters >> 1      // and half of it the one that makes it small
	entry := &stockTable[word*stockHash>>61]
	return entry.inStock, entry.word == word
}

// stockHash was found by trial: it gives each of the six words its own slot.
const stockHash = 0xe330b09923bfd0e7

// stockTable is a hash table in which each of the six words has a slot of its
// own: reading it takes no branch that depends on the row. The other two slots
// hold a word that is looked for elsewhere.
var stockTable = func() (table [8]stockEntry) {
	wordOf := func(text string) uint64 {
		block, _ := Block(text)
		return Word(block, 0)
	}
	for i := range table {
		table[i].word = wordOf("true")
	}
	for text, inStock := range StockWords {
		table[wordOf(text)*stockHash>>61] = stockEntry{wordOf(text), inStock}
	}
	return table
}()

// StockWords are the words that every stock column may have, in lower case.
var StockWords = map[string]bool{
	"true":  true,
	"1":     true,
	"yes":   true,
	"false": false,
	"0":     false,
	"no":    false,
}

type stockEntry struct {
	word    uint64
	inStock bool
}
