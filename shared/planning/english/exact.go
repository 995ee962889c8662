package english

import "strings"

// exactly makes filler of "exactly" before an amount that says what becomes of
// prices, and not which products are meant: "exactly 5%", "exactly $2 off", "make
// mugs exactly $5", "mugs should cost exactly $5", "exactly $5 for mugs". Those at
// exactly a price are those that cost it where a rule has another amount.
func exactly(symbols []Symbol) []Symbol {
	for i := 0; i+2 < len(symbols); i++ {
		switch {
		case symbols[i].Class != Exactly || symbols[i+1].Class != Amount:
		case changesExactly(symbols, i):
			symbols[i].Class, symbols[i].Sense = Noise, 0
		case i > 1 && symbols[i-1].Class == At && costsExactly(symbols, i):
			symbols[i-1].Class = Rel
		}
	}
	return symbols
}

// costsExactly reports whether "exactly" at symbol i stands before what products cost, in
// a rule that says by what or to what their price changes: "change all mugs at exactly $5
// to $6", "mugs at exactly $5 go to $6", "10% off mugs at exactly $5".
func costsExactly(symbols []Symbol, i int) bool {
	noun := i - 2
	if !isMoney(&symbols[i+1]) || !isName(&symbols[noun]) && !spokenOf[symbols[noun].Class] {
		return false
	}
	joined, before := false, noun
	for before >= 0 && (isName(&symbols[before]) || spokenOf[symbols[before].Class] || ofProducts[symbols[before].Class]) {
		joined = joined || listed[symbols[before].Class]
		before--
	}
	next, class := i+2, Stop
	if before >= 0 {
		class = symbols[before].Class
	}
	switch {
	case symbols[next].Class == To, symbols[next].Class == By:
		return changesNext(symbols, next) && !offering[strings.ToLower(symbols[max(before, 0)].Text)]
	case class == Stop, class == Amount && listed[symbols[before+1].Class]: // mugs at exactly $5 go up 5%
		for saidFirst[symbols[next].Class] {
			next++
		}
		return next > i+2 && changesNext(symbols, next)
	case (class == Up || class == Down || class == To) && before > 0:
		class = symbols[before-1].Class
	}
	return !joined && class == Amount && endsBreath(&symbols[next])
}

// Classes of what rules speak of, of the other words about products, of what joins them,
// and of what says what becomes of them.
var (
	spokenOf   = [256]bool{Everything: true, Product: true, Price: true, Pronoun: true}
	ofProducts = [256]bool{All: true, Noise: true, And: true, Comma: true, In: true, Of: true, For: true, Stock: true}
	listed     = [256]bool{And: true, Comma: true}
	saidFirst  = [256]bool{Do: true, Copula: true, Colon: true, Noise: true, Up: true, Down: true}
	offering   = set("sell sells selling offer offers offering list lists listing listed charge charges charging")
)

func changesExactly(symbols []Symbol, i int) bool {
	before, after := Stop, &symbols[i+2]
	if i > 0 {
		before = symbols[i-1].Class
	}
	switch {
	case symbols[i+1].Amount.Unit == Percent, before == By, before == Copula && becomes(symbols, i-1):
		return true
	case after.Class == Down && strings.EqualFold(after.Text, "off"):
		return !changesNext(symbols, i+3)
	case after.Class == For && (before == Stop || before == Noise || before == Do):
		return true
	case i > 0 && isName(&symbols[i-1]) && endsBreath(after) && caused(symbols, i): // make mugs exactly $5 and hats $6
		return true
	}
	return madeExactly(symbols, i)
}

// changesNext reports whether an amount follows at i, maybe after a preposition.
func changesNext(symbols []Symbol, i int) bool {
	if class := classAt(symbols, i); class == By || class == To {
		i++
	}
	return classAt(symbols, i) == Amount
}

// madeExactly reports whether prices are made what "exactly" at symbol i stands
// before: a verb goes before the products, and nothing else says what becomes of them.
func madeExactly(symbols []Symbol, i int) bool {
	start, end := sentenceAround(symbols, i)
	verb := i - 1
	for ; verb >= start && symbols[verb].Class != Do; verb-- {
		switch class := symbols[verb].Class; {
		case class == Noise, class == All, class == Everything, class == Product, class == Price, class == Pronoun, class == And, class == Comma, isName(&symbols[verb]):
		case class == Amount && classAt(symbols, verb-1) == Noise && exact[strings.ToLower(symbols[verb-1].Text)]: // the price of those before
		default:
			return false
		}
	}
	if verb < start || !making[firstWord(symbols[verb].Text)] {
		return false
	}
	for k := i + 2; k < end; k++ {
		switch class := symbols[k].Class; class {
		case Amount:
			if symbols[k-1].Class != Exactly {
				return false
			}
		case Times, Stock, Restock, Up, Down, To, OnSale, At:
			return false
		case And, Comma, But, Then:
			if next := &symbols[k+1]; actsClass(next) || next.Class == Then {
				return true
			}
		}
	}
	return true
}

// making are verbs that a price may follow right after its products, and exact the
// words that may stand before it.
var (
	making = set("make set charge reprice reset making setting charging")
	exact  = set("exactly precisely")
)
