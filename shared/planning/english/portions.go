package english

import "strings"

// What a category holds is counted by nouns of its own: "bottles of red wine",
// "every loaf in Bread", "in Music, titles under $10". Beside the category that
// they count they are products like any other.

// measure is such a noun, or the head of the category's own name. Only those of any
// form say nothing of which products are meant: a bottle in Drinks is no can.
type measure struct{ one, anyForm, head bool }

// portions are the nouns, by their singular and their plural.
var portions = counted("bottle bottles, bag bags, box boxes, jar jars, tin tins, pack packs, packet packets, bunch bunches, tub tubs, tube tubes, carton cartons, sheet sheets, roll rolls", "loaf loaves, piece pieces, pair pairs, unit, copy, title titles, line lines, goods goods")

// IsPortion reports whether a word is a noun for one of those that a category holds.
func IsPortion(word string) bool { return portions[strings.ToLower(word)].one }

func counted(forms, anyForm string) map[string]measure {
	all := map[string]measure{}
	for nouns, any := range map[string]bool{forms: false, anyForm: true} {
		for pair := range strings.SplitSeq(nouns, ", ") {
			one, many, both := strings.Cut(pair, " ")
			all[one] = measure{one: true, anyForm: any}
			if both {
				all[many] = measure{anyForm: any}
			}
		}
	}
	return all
}

// soldOnlyBy are the forms that say nothing of which products are meant of some
// categories, by the last words of those: a bottle in Wine is any of it.
var soldOnlyBy = map[string]map[string]bool{
	"bottle": set("wine spirit liquor liqueur whisky whiskey gin rum vodka tequila brandy cognac champagne prosecco perfume fragrance cologne"),
	"jar":    set("honey jam marmalade chutney pickle preserve"),
}

// countNoun reports whether the word here counts all of a category beside it.
func (s *scan) countNoun(phrase *Symbol) bool {
	noun, counts := portions[s.tokens[s.pos].Norm]
	switch {
	case !counts || phrase != nil && phrase.Class != Refused || s.follows(Amount):
		return false
	case noun.anyForm && s.someOfNamed():
		return true
	case s.follows(All):
	case s.categories == nil:
		return false
	case noun.one:
		if !s.anyOne() {
			return false
		}
	case noun.anyForm && s.ledByOne(), s.tokens[s.pos].Norm == "titles" && s.afterName(): // chess pieces are not all of chess
		return true
	}
	return s.countsCategory(noun)
}

// headNoun reports whether the word here counts all of the category whose last word
// it is: wines in White Wine.
func (s *scan) headNoun() bool {
	token := &s.tokens[s.pos]
	if token.Kind != Word || !s.categories.hasWord(token.Norm) || s.afterName() || s.follows(Amount) || joins(s.tokens, s.pos+1) {
		return false
	}
	one := stem(token.Norm) == token.Norm
	return (!one || s.follows(All) || s.anyOne()) && s.countsCategory(measure{anyForm: true, head: true})
}

// anyOne reports whether an article before the noun here makes it any of its kind:
// "a bag of flour goes up", but not one that is sold out or left as it is.
func (s *scan) anyOne() bool {
	n := len(s.symbols)
	if n == 0 || s.symbols[n-1].Class != Noise || !indefinite[strings.ToLower(s.symbols[n-1].Text)] {
		return false
	}
	for i := n - 1; i >= 0 && s.symbols[i].Class != Stop; i-- {
		switch s.symbols[i].Class {
		case Except, But, Leave, Skip, DoNot, NoChange, Stock, Restock:
			return false
		}
	}
	return !s.stockSoon()
}

var indefinite = set("a an")

// countsCategory reports whether a category follows that a noun here counts.
func (s *scan) countsCategory(noun measure) bool {
	of := s.pos + 1
	if noun.anyForm && s.categories != nil {
		of = s.afterCondition(of)
	}
	name := of + 1
	for name < len(s.tokens) && determiners[s.tokens[name].Norm] {
		name++
	}
	if of >= len(s.tokens) {
		return false
	}
	word, in := stem(s.tokens[s.pos].Norm), s.tokens[of].Norm == "in" || s.tokens[of].Norm == "from"
	if s.categories == nil {
		return s.nameable(name) && (s.tokens[of].Norm == "of" || in && soldOnlyBy[word][stem(s.tokens[name].Norm)] && !s.nameable(name+1))
	}
	if !s.categoryAt(name) {
		return false
	}
	end := s.named[name].end
	after, _ := s.phraseAt(end)
	last := stem(s.tokens[end-1].Norm)
	switch {
	case noun.head:
		return in && last == word
	case in:
		return noun.anyForm || soldOnlyBy[word][last] || after != nil && after.Class == CatNoun // every bottle in the Port category
	}
	return s.tokens[of].Norm == "of"
}

// afterCondition steps over a condition at token i: titles under $5 in Music.
func (s *scan) afterCondition(i int) int {
	between := false
	for i < len(s.tokens) {
		if _, end := s.amountAt(i); end > i {
			i = end
			continue
		}
		phrase, end := s.phraseAt(i)
		if phrase == nil || !condition[phrase.Class] && !(between && phrase.Class == And) {
			return i
		}
		between = phrase.Class == Between
		i = end
	}
	return i
}

var condition = map[Class]bool{Rel: true, Under: true, Over: true, AtLeast: true, AtMost: true, Between: true, Exactly: true, AndUp: true, AndDown: true, Stock: true}

// stockSoon reports whether the rest of the sentence speaks of stock.
func (s *scan) stockSoon() bool {
	for i := s.pos + 1; i < len(s.tokens) && !(s.tokens[i].Kind == Mark && strings.Contains(".;!?\n", s.tokens[i].Text)); i++ {
		if phrase, _ := s.phraseAt(i); phrase != nil && (phrase.Class == Stock || phrase.Class == Restock) {
			return true
		}
	}
	return false
}

// ledByOne reports whether one category, parted from the rest, leads the sentence:
// "in Music, ...".
func (s *scan) ledByOne() bool {
	start := len(s.symbols)
	for start > 0 && s.symbols[start-1].Class != Stop {
		start--
	}
	named := false
	for i := start; i < len(s.symbols); i++ {
		switch s.symbols[i].Class {
		case Noise, In, For, All, CatNoun, Product:
		case Category:
			if named {
				return false
			}
			named = true
		case Comma, Colon:
			return named
		default:
			return false
		}
	}
	return false
}

// someOfNamed reports whether the noun here, which a condition follows, stands for those
// of the one category before it that are left out or alone meant: "tops except pieces
// under $60".
func (s *scan) someOfNamed() bool {
	if s.categories == nil || s.afterCondition(s.pos+1) == s.pos+1 {
		return false
	}
	i := len(s.symbols) - 1
	for i >= 0 && ofProducts[s.symbols[i].Class] {
		i--
	}
	if i < 0 || !setsApart[s.symbols[i].Class] {
		return false
	}
	named := 0
	for ; i >= 0 && s.symbols[i].Class != Stop; i-- {
		if isName(&s.symbols[i]) {
			named++
		}
	}
	return named == 1
}

// setsApart are the classes of what leaves some out, or means them alone.
var setsApart = [256]bool{Except: true, Only: true, Leave: true, Skip: true, DoNot: true, NoChange: true}

// portionOf is the end of "a bottle" and "per metre" after a price, which is that of
// each, or here.
func (s *scan) portionOf() int {
	n, noun := len(s.symbols), s.pos+1
	if n == 0 || !isMoney(&s.symbols[n-1]) || noun >= len(s.tokens) {
		return s.pos
	}
	switch s.tokens[s.pos].Norm {
	case "a", "per", "each":
	default:
		return s.pos
	}
	ends := noun+1 == len(s.tokens) || s.pauses(noun+1)
	if portions[s.tokens[noun].Norm].one || ends && s.nameable(noun) && !strings.HasSuffix(s.tokens[noun].Norm, "s") { // 40 cents a metre
		return noun + 1
	}
	return s.pos
}
