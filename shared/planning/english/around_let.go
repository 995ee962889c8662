package english

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
)

// letting is where the verb of "don't let" ends that begins at i, or i.
func letting(symbols []Symbol, i int) int {
	if permitting[lastWord(symbols[i].Text)] {
		return i + 1
	}
	verb := i + 1
	for symbols[verb].Class == Noise {
		verb++
	}
	switch text := strings.ToLower(symbols[verb].Text); {
	case text == "let", text == "want", text == "see" && verb > i+1, text == "have" && (verb > i+1 || barring().MatchString(symbols[i].Text)):
		return verb + 1
	}
	return i
}

var (
	ourselves  = set("i we")
	permitting = set("allow permit allowing permitting")
	moved      = set("let want") // of what moves, or is: "don't want mugs above $40" may leave them out
)

// notOurs reads "we can't have mugs above $40", from its "we". What "we don't sell" may
// only be told.
func notOurs(symbols []Symbol, i int) (read []Symbol, end int) {
	if read, end = limitAround(symbols, i+1); end == i+1 || letting(symbols, i+1) == i+1 && !forbidding().MatchString(symbols[i+1].Text) {
		return nil, i
	}
	return read, end
}

// forbidding negations say what is not to be, and not what is not; barring are those of
// what cannot be, too.
var (
	forbidding = lazyregexp.New(`(?i)^(?:should|must|shall)`)
	barring    = lazyregexp.New(`(?i)^(?:can|should|must|shall)`)
)

// notLet reads "don't let any mug sell for less than $5" and "don't have mugs below $5",
// from its "don't".
func notLet(symbols []Symbol, i int) (read []Symbol, end int) {
	first := letting(symbols, i)
	subject, named := objects(symbols, first)
	at, moves := subject, !moved[lastWord(symbols[first-1].Text)]
	for ; predicate(&symbols[at], true) || symbols[at].Class == For || symbols[at].Class == At || symbols[at].Class == To; at++ {
		moves = true
	}
	limit, limits := limitOf(&symbols[at])
	if !limits || !moves || slices.ContainsFunc(symbols[first:subject], wholly) || !isMoney(&symbols[at+1]) || !endsBreath(&symbols[at+2]) {
		return nil, i
	}
	if named {
		read = append(read, symbols[first:subject]...)
	}
	return append(read, limitFrom(limit, 0, symbols[i:at+1], named), symbols[at+1]), at + 2
}

// wholly reports whether a symbol speaks of all at once, of which some may be what is
// not to be: "we can't have everything above $9".
func wholly(s Symbol) bool {
	text := strings.ToLower(s.Text)
	return s.Class == All && strings.HasPrefix(text, "all") || s.Class == Everything && text == "everything"
}

// opensBreath reports whether nothing but filler stands before i in its sentence.
func opensBreath(symbols []Symbol, i int) bool {
	for i--; i >= 0 && symbols[i].Class == Noise; i-- {
	}
	return i < 0 || symbols[i].Class == Stop
}

// soldAt reads "at no less than $5" after "sell mugs" and "10% off mugs,", from its
// "at". Right after products that change it may say which are meant.
func soldAt(symbols []Symbol, i int) (read []Symbol, end int) {
	read, end = limitsAt(symbols, i+1)
	if end == i+1 || len(read) > 2 || symbols[end].Class != Stop && symbols[end].Class != And {
		return nil, i
	}
	before, _ := sentenceAround(symbols, i)
	for symbols[before].Class == Noise {
		before++
	}
	if subject, named := objects(symbols, before+1); named && subject == i && symbols[before].Class == Do && selling[strings.ToLower(symbols[before].Text)] {
		return read, end
	}
	if symbols[i].Class != At || i == before || symbols[i-1].Class != Comma && symbols[i-1].Class != But || symbols[i+1].Class == Amount {
		return nil, i
	}
	for k := i - 1; k >= before; k-- {
		if class := symbols[k].Class; class == Up || class == Down {
			if (class == Down) == (read[0].Class == Floor) {
				return read, end
			}
			break
		}
	}
	return nil, i
}

// limitFor reads the sentence "no more than $25 for any mug", from its limit.
func limitFor(symbols []Symbol, i int) (read []Symbol, end int) {
	limit := Floor
	if symbols[i].Class == AtMost {
		limit = Cap
	}
	if symbols[i+1].Class != Amount || symbols[i+1].Amount.Unit != Money || symbols[i+2].Class != For {
		return nil, i
	}
	last, named := objects(symbols, i+3)
	if !named || symbols[last].Class != Stop {
		return nil, i
	}
	read = append(read, symbols[i+3:last]...)
	return append(read, limitFrom(limit, 0, symbols[i:i+1], true), symbols[i+1]), last
}

// OnlyLimits reports whether an instruction says nothing but what products may cost at
// the most or the least: "jackets max $120".
func OnlyLimits(symbols []Symbol) bool {
	for k := range symbols {
		switch symbols[k].Class {
		case Noise, Name, Category, SKU, SKUNoun, CatNoun, All, Product, Price, Comma, And, Colon, Stop, For, NotUnder, NotOver:
		case Amount:
			if symbols[k].Amount.Unit != Money || k == 0 || symbols[k-1].Class != NotUnder && symbols[k-1].Class != NotOver {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// restated makes filler of what only says once more what a limit asks for: "the
// minimum price of mugs is $3, please raise anything below that".
func restated(symbols []Symbol) []Symbol {
	for i := 1; i+1 < len(symbols); i++ {
		limit := symbols[i-1].Class
		if symbols[i].Class != Amount || limit != Floor && limit != Cap {
			continue
		}
		first := i + 1
		for symbols[first].Class == Comma || symbols[first].Class == And || symbols[first].Class == Stop && first+1 < len(symbols) {
			first++
		}
		if end := restatedEnd(symbols, first, limit); end > first && first > i+1 {
			symbols[first] = Symbol{Class: Noise, From: symbols[first].From, To: symbols[end-1].To, Text: "so"}
			symbols = slices.Delete(symbols, first+1, end)
		}
	}
	return symbols
}

// restatedEnd is the end of a sentence from i on that speaks of what a limit is not
// met by, and moves it there, or i.
func restatedEnd(symbols []Symbol, i int, limit Class) int {
	moves, spoken, named := false, false, false
	for k := i; ; k++ {
		s := &symbols[k]
		text := strings.ToLower(s.Text)
		switch s.Class {
		case Stop:
			if moves && spoken && named {
				return k
			}
			return i
		case Noise, Copula, To, Rel, At:
			ones := s.Class == Rel && strings.HasSuffix(text, " are") // fix the ones that are
			spoken, named = spoken || ones, named || ones && strings.Contains(text, "ones")
		case Everything, Product:
			named = true
		case Under, Over:
			spoken = spoken || (s.Class == Under) == (limit == Floor)
		case Up, Down:
			if text == "lower" || text == "higher" || text == "cheaper" {
				spoken = spoken || (s.Class == Down) == (limit == Floor)
				break
			}
			if (s.Class == Up) != (limit == Floor) {
				return i
			}
			moves = true
		case Do:
			moves = true
		case Refused:
			if text != "that" {
				return i
			}
		default:
			return i
		}
	}
}

// otherSide reads "or above $9" after "never below $2", from its "or": what is denied
// of either side is a limit on each.
func otherSide(symbols []Symbol, i int) (read []Symbol, end int) {
	if i < 2 || !isMoney(&symbols[i-1]) || !denying().MatchString(symbols[i-2].Text) || symbols[i+1].Class == Stop || !isMoney(&symbols[i+2]) || !endsBreath(&symbols[i+3]) {
		return nil, i
	}
	side := symbols[i+1]
	limit := map[[2]Class]Class{{Floor, Over}: Cap, {Cap, Under}: Floor, {NotUnder, Over}: NotOver, {NotOver, Under}: NotUnder}[[2]Class{symbols[i-2].Class, side.Class}]
	if limit == Unknown {
		return nil, i
	}
	and := symbols[i]
	and.Class, and.Refusal, and.Text = And, NotRefused, "and"
	side.Class = limit
	return []Symbol{and, side}, i + 2
}

// denying are limits that say what a price must not be.
var denying = lazyregexp.New(`(?i)\b(?:not|never|no|without|cannot|nothing)\b|n['’]t\b`)

func lastWord(text string) string {
	return strings.ToLower(text[strings.LastIndexByte(text, ' ')+1:])
}
