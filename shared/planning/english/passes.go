package english

// pass writes out what other words stand for. It changes nothing where a text has no
// symbol of some classes, which most have not: then it is left out.
type pass struct {
	write func([]Symbol) []Symbol
	of    []Class // one of these has to be there; none where any may
}

// passes are read in this order, and before what only tells something is known.
var passes = []pass{
	{factors, []Class{Refused}},
	{descents, []Class{Rel}},
	{pricedNow, []Class{All, Change}},
	{bandsFrom, []Class{From}},
	{bandsListed, []Class{Colon}},
	{backs, []Class{Arrived}},
	{reports, []Class{Report}},
	{whatevers, []Class{Rel, Refused}},
	{wheres, []Class{In}},
	{semicolons, nil},
	{neithers, []Class{Refused}},
	{commas, nil},
	{soDo, []Class{And}},
	{tooes, []Class{Noise}},
	{onlyThese, []Class{Which}},
	{saidAgain, []Class{Except, But}},
	{unlesses, []Class{If}},
	{exactly, []Class{Exactly}},
	{exempts, []Class{With, But, From, Refused}},
	{nothings, []Class{Refused}},
	{boths, []Class{For, In, All, Pronoun, And}},
	{thens, []Class{Then}},
	{referred, []Class{Alone, Refused}},
	{dearers, []Class{Up, Down, Refused}},
	{reasons, []Class{Cause, Fact}},
	{abouts, []Class{Refused}},
	{onlies, []Class{Only}},
	{lots, []Class{Stock, Restock}},
	{ones, []Class{Everything, Product}},
	{otherOnes, []Class{Rel, Pronoun}},
	{restOfThem, []Class{Rest}},
	{tallies, []Class{Pronoun, And, All, Noise}},
	{bothLimits, []Class{AtMost, AtLeast}},
}

// lastPasses come after it.
var lastPasses = []pass{
	{stays, nil},
	{trailing, []Class{But, Noise, Except}},
	{around, []Class{Refused, Leave, With, DoNot, At, For, AtMost, AtLeast, Rel, Price, Floor, Cap, NotUnder, NotOver, Copula, And, Do, EndIn, All, Pronoun, Round, Noise}},
	{restated, []Class{Floor, Cap}},
	{afterChange, []Class{Refused}},
	{apart, []Class{Floor, Cap, NotUnder, NotOver, Round, EndIn, Stock, Restock}},
	{pairs, []Class{Respectively}},
}

// rewritten is the symbols after some passes. What occurs is looked for again after
// each that may have changed it.
func rewritten(symbols []Symbol, passes []pass) []Symbol {
	said := classesOf(symbols)
	for i := range passes {
		if p := &passes[i]; p.of == nil || said.any(p.of) {
			symbols = p.write(symbols)
			said = classesOf(symbols)
		}
	}
	return symbols
}

// classes are those that occur, each a bit.
type classes [2]uint64

func classesOf(symbols []Symbol) classes {
	var said classes
	for i := range symbols {
		class := symbols[i].Class
		said[class>>6] |= 1 << (class & 63)
	}
	return said
}

// any reports whether one of some classes occurs.
func (c *classes) any(of []Class) bool {
	for _, class := range of {
		if c[class>>6]&(1<<(class&63)) != 0 {
			return true
		}
	}
	return false
}
