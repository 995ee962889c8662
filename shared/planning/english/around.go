package english

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
)

// Limits and endings may stand around what they are said of: "no toy may end up
// above $9", "keep every price at $4 or more", "finish them in .99". They are
// written out as the words that a limit begins with, so that one rule reads all.

// around rewrites the limits and endings of all sentences.
func around(symbols []Symbol) []Symbol {
	var written []Symbol
	for i := 0; i < len(symbols); i++ {
		read, end := limitAround(symbols, i)
		if end == i {
			if written != nil {
				written = append(written, symbols[i])
			}
			continue
		}
		if written == nil {
			written = append(make([]Symbol, 0, len(symbols)), symbols[:i]...)
		}
		if n := len(written); n > 0 && written[n-1].Class == With {
			written[n-1].Class = Comma
		}
		written = append(written, read...)
		i = end - 1
	}
	if written == nil {
		return symbols
	}
	return written
}

// limitAround reads what begins at symbol i, and returns its end, or i.
func limitAround(symbols []Symbol, i int) (read []Symbol, end int) {
	said := func(words map[string]bool) bool { return words[strings.ToLower(symbols[i].Text)] }
	switch class := symbols[i].Class; {
	case class == Refused && said(nones):
		return noneAround(symbols, i)
	case class == Leave && keeping[lastWord(symbols[i].Text)]:
		return keptAround(symbols, i)
	case class == With && symbols[i+1].Class == Amount:
		return limitNamed(symbols, i)
	case class == With && i > 0 && symbols[i-1].Class == Comma && namesFrom(symbols, i+1) > i+1:
		return shapedWith(symbols, i)
	case class == With && (symbols[i+1].Class == Price || symbols[i+1].Class == Pronoun) && strings.EqualFold(symbols[i+2].Text, "kept"): // with prices kept above $4
		read, end := keptAround(symbols, i+2)
		if end == i+2 {
			return nil, i
		}
		return append([]Symbol{{Class: Comma, From: symbols[i].From, To: symbols[i].To, Text: ","}}, read...), end
	case class == Refused && symbols[i+1].Class == DoNot && said(ourselves):
		return notOurs(symbols, i)
	case class == DoNot && letting(symbols, i) > i:
		return notLet(symbols, i)
	case class == DoNot:
		return notSold(symbols, i)
	case class == At || class == For:
		return soldAt(symbols, i)
	case (class == AtMost || class == AtLeast) && opensBreath(symbols, i):
		return limitFor(symbols, i)
	case class == With && risenWith(symbols, i):
		of := symbols[i]
		of.Class = For
		return []Symbol{of}, i + 1
	case class == Rel && pricedAt(symbols, i):
		at := symbols[i]
		at.Class = At
		return []Symbol{at}, i + 1
	case class == Rel && markedAs(symbols, i):
		mark := symbols[i]
		mark.Class = Do
		return []Symbol{mark}, i + 1
	case class == Price && symbols[i+1].Class == Of && symbols[i+2].Class == Pronoun && symbols[i+3].Class == To && symbols[i+4].Class == EndIn: // the prices of both to end in
		return []Symbol{symbols[i+2], symbols[i+4]}, i + 5
	case (class == Floor || class == Cap) && symbols[i].Sense == OfAll && noneOfAll(symbols, i) != "":
		limit := symbols[i]
		limit.Sense = 0
		return []Symbol{{Class: Pronoun, From: limit.From, To: limit.From, Text: noneOfAll(symbols, i)}, limit}, i + 1
	case (class == Floor || class == Cap || class == NotUnder || class == NotOver) && !isMoney(&symbols[i+1]):
		if read, end := limitTold(symbols, i); end > i {
			return read, end
		}
		if read, end := limitOfAmount(symbols, i); end > i {
			return read, end
		}
		return limitedTo(symbols, i)
	case class == Copula && obliging().MatchString(strings.ToLower(symbols[i].Text)), class == Copula && ensured(symbols, i):
		return obligedAround(symbols, i)
	case (class == And || class == Refused) && said(alternatives):
		return otherSide(symbols, i)
	case class == Do && said(finishing), class == EndIn && said(finishing) && symbols[i+1].Class == Pronoun:
		return endedAround(symbols, i)
	case class == All, class == Pronoun, class == Round, class == Noise:
		return shapedEach(symbols, i)
	}
	return nil, i
}

var (
	alternatives = set("or nor")
	nones        = set("no nothing none neither")
	keeping      = set("kept keep keeping keeps hold holding stay staying stays remain remaining remains")
	finishing    = set("finish finishing finishes end ends ending")
)

// objects steps over the products that are spoken of at i, and reports whether
// they are named: more than "prices", "them" and the like.
func objects(symbols []Symbol, i int) (end int, named bool) {
	for ; ; i++ {
		switch symbols[i].Class {
		case Noise, All, Price, Product, Pronoun, CatNoun, SKUNoun:
		case In, Of, For:
			switch symbols[i+1].Class {
			case Amount, Exactly, AtLeast, AtMost:
				return i, named
			}
		case Name, Category, SKU, Everything:
			named = true
		case And:
			if !isName(&symbols[i-1]) || !isName(&symbols[i+1]) {
				return i, named
			}
		default:
			return i, named
		}
	}
}

// endsBreath reports whether a symbol ends what was said before it.
func endsBreath(s *Symbol) bool {
	switch s.Class {
	case Stop, Comma, And, But, Then, Colon, Noise:
		return true
	}
	return false
}

func isMoney(s *Symbol) bool { return s.Class == Amount && s.Amount.Unit != Percent }

// limitFrom is a limit in the words of symbols, or in the last of them.
func limitFrom(limit Class, sense int32, symbols []Symbol, last bool) Symbol {
	first := symbols[0]
	if last {
		first = symbols[len(symbols)-1]
	}
	return Symbol{Class: limit, Sense: sense, From: first.From, To: symbols[len(symbols)-1].To, Text: symbols[len(symbols)-1].Text}
}

// keptAround reads "keep every price at $4 or more", from its "keep".
func keptAround(symbols []Symbol, i int) (read []Symbol, end int) {
	subject, named := objects(symbols, i+1)
	at := subject
	for symbols[at].Class == At || symbols[at].Class == Noise || symbols[at].Class == Price {
		at++
	}
	limits, end := limitsAt(symbols, at)
	if end == at || aloneAfter(symbols, end) {
		return nil, i
	}
	for symbols[end].Class == And {
		more, next := limitsAt(symbols, end+1)
		if next == end+1 {
			break
		}
		limits, end = append(limits, more...), next
	}
	if who, last := bothAt(symbols, i+1); last == subject {
		read = append(read, who)
	} else if named || i == 0 || symbols[i-1].Class == Stop {
		read = append(read, symbols[i+1:subject]...)
	}
	return append(read, limits...), end
}

// obliging are copulas that say what must be.
var obliging = lazyregexp.New(`^(?:all |now )?(?:should|must|shall|needs? to|has to|have to|ought to|is to|are to) `)

// ensured reports whether the sentence up to i asks to make sure, or says what it would
// be good if it were so.
func ensured(symbols []Symbol, i int) bool {
	for i--; i >= 0 && symbols[i].Class != Stop && symbols[i].Class != If; i-- {
		if symbols[i].Class == Noise && (ensuring().MatchString(strings.ToLower(symbols[i].Text)) || wereBe[lastWord(symbols[i].Text)]) {
			return true
		}
	}
	return false
}

// ensuring is filler that asks to make sure.
var ensuring = lazyregexp.New(`sure|^ensur|\bsee (?:that|to it)`)

// obligedAround reads "must be between $3 and $6", from its "must be".
func obligedAround(symbols []Symbol, i int) (read []Symbol, end int) {
	at := i + 1
	for symbols[at].Class == At || symbols[at].Class == Noise {
		at++
	}
	if read, end = limitsAt(symbols, at); end == at || !endsBreath(&symbols[end]) || symbols[end].Class == Colon {
		return nil, i
	}
	return read, end
}

// limitsAt reads "at least $4", "no less than $4" and "$4 or more" as a limit.
func limitsAt(symbols []Symbol, i int) (read []Symbol, end int) {
	limit := Class(0)
	switch symbols[i].Class {
	case Between:
		if isMoney(&symbols[i+1]) && symbols[i+2].Class == And && isMoney(&symbols[i+3]) {
			lower, upper := limitFrom(Floor, 0, symbols[i:i+1], true), limitFrom(Cap, 0, symbols[i+2:i+3], true)
			return []Symbol{lower, symbols[i+1], upper, symbols[i+3]}, i + 4
		}
		return nil, i
	case AtLeast, NotUnder, AndUp:
		limit = Floor
	case AtMost, NotOver, AndDown:
		limit = Cap
	case Amount:
		next := symbols[i+1].Class
		if !isMoney(&symbols[i]) || next != AndUp && next != AndDown {
			return nil, i
		}
		limit = Floor
		if next == AndDown {
			limit = Cap
		}
		return []Symbol{limitFrom(limit, 0, symbols[i+1:i+2], true), symbols[i]}, i + 2
	}
	if limit == 0 || !isMoney(&symbols[i+1]) {
		return nil, i
	}
	return []Symbol{limitFrom(limit, 0, symbols[i:i+1], true), symbols[i+1]}, i + 2
}

// notSold reads "don't sell mugs below $5", "don't charge less than $5 for mugs" and
// "never take anything past $9", from its "don't".
func notSold(symbols []Symbol, i int) (read []Symbol, end int) {
	verb := i + 1
	for symbols[verb].Class == Noise {
		verb++
	}
	text := strings.ToLower(symbols[verb].Text)
	if symbols[verb].Class != Do || !selling[text] && !carrying[text] {
		return nil, i
	}
	subject, named := objects(symbols, verb+1)
	at := subject
	for symbols[at].Class == For || symbols[at].Class == At {
		at++
	}
	limit, limits := limitOf(&symbols[at])
	if !limits || !isMoney(&symbols[at+1]) {
		return nil, i
	}
	bound := []Symbol{limitFrom(limit, 0, symbols[at:at+1], true), symbols[at+1]}
	switch next := &symbols[at+2]; {
	case endsBreath(next) && carrying[text] && !opensBreath(symbols, i) && !slices.ContainsFunc(symbols[verb+1:subject], func(s Symbol) bool { return isName(&s) }): // never take anything past $9
		bound[0].Class = deniedSides[limit]
		return bound, at + 2
	case endsBreath(next) && named:
		return append(append(read, symbols[verb+1:subject]...), bound...), at + 2
	case next.Class == For && !named:
		if last, more := objects(symbols, at+3); more && endsBreath(&symbols[last]) {
			return append(append(read, symbols[at+3:last]...), bound...), last
		}
	}
	return nil, i
}

// limitOf is the limit that remains of prices which may not be on one side of a
// bound: of none under $5, a floor.
func limitOf(side *Symbol) (limit Class, ok bool) {
	switch side.Class {
	case Under:
		return Floor, true
	case Over:
		return Cap, true
	case Refused:
		return Cap, beyond[strings.ToLower(side.Text)]
	default:
		return side.Class, false
	}
}

// deniedSides are the bounds that may as well say which products are left alone.
var deniedSides = map[Class]Class{Floor: NotUnder, Cap: NotOver}

var (
	beyond   = set("past beyond")
	selling  = set("sell charge list offer set")
	carrying = set("take bring") // a price to where it may not be
)

// pricedAt reports whether "priced at" says at symbol i what prices products are to
// have: have all mugs priced at $9.
func pricedAt(symbols []Symbol, i int) bool {
	if !strings.HasPrefix(strings.ToLower(symbols[i].Text), "priced") || !isMoney(&symbols[i+1]) || !endsBreath(&symbols[i+2]) {
		return false
	}
	return had(symbols, i)
}

// had reports whether what is said at symbol i is to be had of the products before
// it: have all mugs, I want all mugs.
func had(symbols []Symbol, i int) bool {
	for i--; i >= 0 && symbols[i].Class != Stop; i-- {
		switch text := strings.ToLower(symbols[i].Text); symbols[i].Class {
		case Do:
			return text == "have" || text == "get"
		case Noise:
			if wishing().MatchString(text) {
				return true
			}
		case All, Name, Category, SKU, And, Comma, Product:
		default:
			return false
		}
	}
	return false
}

// wishing is filler that says what somebody wants to have.
var wishing = lazyregexp.New(`^(?:i|we)(?: want| need|(?:'d| would) like)$`)

// markedAs reports whether "marked as" says at symbol i what stock products are to
// have, and not which are meant: "make sure all hats are marked as sold out".
func markedAs(symbols []Symbol, i int) bool {
	if symbols[i+1].Class != Stock || i == 0 || !marking[strings.ToLower(symbols[i].Text)] {
		return false
	}
	if symbols[i-1].Class == Copula {
		return ensured(symbols, i)
	}
	end := i + 2
	for symbols[end].Class == Noise || symbols[end].Class == Comma {
		end++
	}
	return symbols[end].Class == Stop && had(symbols, i)
}

var marking = map[string]bool{"marked as": true, "listed as": true, "flagged as": true, "shown as": true}

// limitTold reads "the minimum price in toys is $3" and "a minimum price of $2
// applies to pencils", from its limit.
func limitTold(symbols []Symbol, i int) (read []Symbol, end int) {
	limit := Floor
	if symbols[i].Class == Cap || symbols[i].Class == NotOver {
		limit = Cap
	}
	switch symbols[i+1].Class {
	case In, For, Of:
	default:
		return nil, i
	}
	subject, named := objects(symbols, i+1)
	if !named || symbols[subject].Class != Copula && symbols[subject].Class != Colon || !isMoney(&symbols[subject+1]) || !endsBreath(&symbols[subject+2]) {
		return nil, i
	}
	read = append(read, symbols[i+2:subject]...)
	return append(read, limitFrom(limit, 0, symbols[i:i+1], false), symbols[subject+1]), subject + 2
}

// risenWith reports whether "up 5%" and no more stands before the "with" at symbol
// i, and names after it: up 5% with all mugs.
func risenWith(symbols []Symbol, i int) bool {
	if i < 2 || symbols[i-1].Class != Amount || symbols[i-2].Class != Up && symbols[i-2].Class != Down || i > 2 && symbols[i-3].Class != Stop && symbols[i-3].Class != Noise {
		return false
	}
	for i++; symbols[i].Class == Noise || symbols[i].Class == All; i++ {
	}
	return isName(&symbols[i])
}

// limitNamed reads "with $6 as the maximum", from its "with".
func limitNamed(symbols []Symbol, i int) (read []Symbol, end int) {
	at := i + 2
	if !isMoney(&symbols[i+1]) || symbols[at].Class != As {
		return nil, i
	}
	for at++; symbols[at].Class == Noise || symbols[at].Class == Price; at++ {
	}
	limit := symbols[at].Class
	switch limit {
	case Floor, NotUnder:
		limit = Floor
	case Cap, NotOver:
		limit = Cap
	default:
		return nil, i
	}
	return []Symbol{limitFrom(limit, 0, symbols[at:at+1], true), symbols[i+1]}, at + 1
}

// aloneAfter reports whether "unchanged" follows in the same breath.
func aloneAfter(symbols []Symbol, i int) bool {
	for ; ; i++ {
		switch symbols[i].Class {
		case Alone:
			return true
		case Stop, Comma, And, But, Amount:
			return false
		}
	}
}

// endedAround reads "finish them in .99", from its "finish".
func endedAround(symbols []Symbol, i int) (read []Symbol, end int) {
	subject, named := objects(symbols, i+1)
	switch symbols[subject].Class {
	case In, With, At, Of:
	default:
		return nil, i
	}
	if !isMoney(&symbols[subject+1]) {
		return nil, i
	}
	if who, last := bothAt(symbols, i+1); last == subject {
		read = append(read, who)
	} else if named || i == 0 || symbols[i-1].Class == Stop {
		read = append(read, symbols[i+1:subject]...)
	}
	return append(read, limitFrom(EndIn, 0, symbols[i:subject+1], true)), subject + 1
}
