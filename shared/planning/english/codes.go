package english

import (
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
)

// skuRange is two codes that differ in their last digits alone.
var skuRange = lazyregexp.New(`^([A-Za-z_-]*)[0-9]+[-_]{1,2}([A-Za-z_-]+)[0-9]+$`)

// shortRange is A101-105.
var shortRange = lazyregexp.New(`^(?:[A-Za-z_-]*?[A-Za-z])?([0-9]+)-([0-9]+)$`)

// schedules are codes that name a time, measures those that name an amount of
// something: 1st, 5pm and Q4; 500g and 5k.
var (
	schedules = lazyregexp.New(`^(?i:[0-9]+(?:st|nd|rd|th|am|pm|min|h|hrs?|d|days?)|[qh][1-4]|fy-?[0-9]+|w(?:ee)?k[0-9]+)$`)
	measures  = lazyregexp.New(`^(?i:[0-9]+[a-z]{1,2}|[0-9]+-[a-z]+)$`)
)

func digit(c byte) bool { return '0' <= c && c <= '9' }

// opensTime reports whether a code that begins with c may name a time. Most begin
// otherwise.
func opensTime(c byte) bool { return digit(c) || strings.IndexByte("qhfw", c) >= 0 }

// lettered reports whether a code ends in a hyphen and one capital, as 550-A does,
// and so in no unit.
func lettered(code string) bool {
	n := len(code)
	return n > 2 && code[n-2] == '-' && code[n-1] >= 'A' && code[n-1] <= 'Z'
}

// wildcard reports whether a code ends like A1xx, where x is any digit.
func wildcard(code string) bool {
	fixed := strings.TrimRight(code, "x")
	return len(code)-len(fixed) > 1 && fixed != "" && fixed == strings.ToUpper(fixed)
}

// IsRange reports whether a code reads as two codes with a hyphen for "to", or
// as all codes of a pattern.
func IsRange(code string) bool {
	if !strings.ContainsAny(code, "-_") {
		return wildcard(code)
	}
	m := skuRange().FindStringSubmatch(code)
	if m != nil && strings.EqualFold(m[1], m[2]) && m[1] != "" {
		return true
	}
	m = shortRange().FindStringSubmatch(code)
	return m != nil && len(m[1]) == len(m[2]) && m[1] < m[2]
}

func (s *scan) sku() bool {
	token := &s.tokens[s.pos]
	hash := token.Text == "#" && s.pos+1 < len(s.tokens) && !s.tokens[s.pos+1].Spaced && (s.tokens[s.pos+1].Kind == Code || s.tokens[s.pos+1].Kind == Number)
	switch {
	case hash:
		s.pos++
		s.push(Symbol{Class: SKU}, s.pos+1)
	case token.Kind == Code && (s.categoryHere() || !s.inSKUs && inThousands(token.Text)):
		return false
	case token.Kind == Code:
		s.code(token)
	case s.numberHere():
		s.push(Symbol{Class: SKU}, s.pos+1)
		s.possessive()
	case s.joinedNumbers():
		s.push(Symbol{Class: SKU}, s.pos+3)
	case s.capitalsHere():
		end, _ := capitals(s.tokens, s.pos)
		s.push(Symbol{Class: SKU}, end)
	case s.inSKUs && !s.skuNoun() && s.bareSKU(token):
		end := s.glued()
		s.push(Symbol{Class: SKU}, end)
	default:
		return false
	}
	return true
}

// codeNext tells "A101..A110" from "by 5%...".
func (s *scan) codeNext() bool {
	return s.pos+1 < len(s.tokens) && (s.tokens[s.pos+1].Kind == Code || s.tokens[s.pos+1].Kind == Number)
}

func (s *scan) code(token *Token) {
	if symbol, end := s.phraseAt(s.pos); symbol != nil {
		s.push(*symbol, end)
		return
	}
	switch {
	case s.inSKUs:
	case opensTime(token.Norm[0]) && schedules().MatchString(token.Text):
		s.push(Symbol{Class: Refused, Refusal: Schedule}, s.pos+1)
		return
	case digit(token.Norm[0]) && measures().MatchString(token.Text) && !lettered(token.Text):
		s.push(Symbol{Class: Unknown}, s.pos+1)
		return
	}
	s.push(Symbol{Class: SKU}, s.pos+1)
	s.possessive()
}

// possessive steps over the 's of A101's.
func (s *scan) possessive() {
	if s.pos+1 < len(s.tokens) && strings.Contains("'’", s.tokens[s.pos].Text) && !s.tokens[s.pos].Spaced && s.tokens[s.pos+1].Norm == "s" {
		s.pos += 2
	}
}

// bareSKU reports whether a number or a word in capitals after the word SKU is
// one. A number with a unit is an amount.
func (s *scan) bareSKU(token *Token) bool {
	if token.Kind == Number {
		amount, _ := s.amountAt(s.pos)
		return amount.Unit == NoUnit
	}
	return token.Kind == Quoted || token.Kind == Word && len(token.Text) > 1 && token.Text == strings.ToUpper(token.Text)
}

// skuNoun reports whether the word SKU stands here again: SKU A101 and SKU B2.
func (s *scan) skuNoun() bool {
	symbol, _ := s.phraseAt(s.pos)
	return symbol != nil && symbol.Class == SKUNoun
}

// glued returns the end of the pieces that touch: 12345-AB.
func (s *scan) glued() int {
	end := s.pos + 1
	for end+1 < len(s.tokens) && !s.tokens[end].Spaced && !s.tokens[end+1].Spaced && strings.Contains("-_", s.tokens[end].Text) && s.tokens[end+1].Kind != Mark {
		end += 2
	}
	return end
}

// numberHere reports whether a number stands where products are named and is too
// long for a price, as 40012 is, or goes on with a list of SKUs.
func (s *scan) numberHere() bool {
	token := &s.tokens[s.pos]
	if token.Kind != Number || len(token.Text) < 4 || !onlyDigits(token.Text) {
		return false
	}
	if amount, end := s.amountAt(s.pos); amount.Unit != NoUnit || end != s.pos+1 {
		return false
	}
	before, linked := s.said()
	if before.Class == SKU {
		return linked && len(token.Text) != trailingDigits(before.Text) // "A1001, 1002" may be A1002
	}
	if before.Class == Product && !linked && !s.bounds(s.pos+1) || s.endsRange(before) { // items 5501 and 5502
		return true
	}
	return (len(token.Text) > 4 || before.Class == Restock || s.leavesOutSKUs()) && s.productsAfter(before, linked, s.pos+1)
}

// bounds reports whether what stands at i makes a bound of prices of the number
// before it: items 1500 or less.
func (s *scan) bounds(i int) bool {
	next, _ := s.phraseAt(i)
	return next != nil && (next.Class == AndUp || next.Class == AndDown)
}

// endsRange reports whether the number here is as long as the SKU that products of
// several are named by before it: items 5501 to 5510.
func (s *scan) endsRange(before *Symbol) bool {
	n := len(s.symbols)
	if before.Class != To && before.Class != Dash || n < 3 || s.symbols[n-2].Class != SKU || s.symbols[n-3].Class != Product {
		return false
	}
	return len(s.symbols[n-2].Text) == len(s.tokens[s.pos].Text) && strings.HasSuffix(strings.ToLower(s.symbols[n-3].Text), "s")
}

// leavesOutSKUs reports whether the exception that begins here is one of SKUs:
// every SKU except.
func (s *scan) leavesOutSKUs() bool {
	for i := len(s.symbols) - 1; i >= 0 && s.symbols[i].Class != Stop; i-- {
		if s.symbols[i].Class == Everything {
			text := strings.ToLower(s.symbols[i].Text)
			return s.follows(Except) && (strings.HasSuffix(text, "sku") || strings.HasSuffix(text, "skus"))
		}
	}
	return false
}

// said is the last symbol that is no filler or connector, and whether a connector
// follows it.
func (s *scan) said() (before *Symbol, linked bool) {
	for i := len(s.symbols) - 1; i >= 0; i-- {
		switch s.symbols[i].Class {
		case Noise:
		case And, Comma:
			linked = true
		default:
			return &s.symbols[i], linked
		}
	}
	return &Symbol{Class: Stop}, linked
}

// productsAfter reports whether products can be named after a symbol: the object
// of a verb, what a preposition is of, or the subject of the next rule.
func (s *scan) productsAfter(before *Symbol, linked bool, end int) bool {
	switch before.Class {
	case Stop:
		return true
	case Of, For, In, Except, Leave, Skip, Only, Do, Change, Restock, Times:
		return !linked
	case Amount:
		return linked && before.Amount.Unit != NoUnit && s.subjectTo(end)
	case Up, Down:
		return !linked && before.Sense == Verb
	}
	return false
}

// joinedNumbers reports whether two numbers with a hyphen stand where products are
// named and are no range of prices, whose ends are alike and mostly round: 30-1187.
func (s *scan) joinedNumbers() bool {
	end := s.pos + 2
	if end >= len(s.tokens) || s.tokens[s.pos].Kind != Number || s.tokens[s.pos+1].Text != "-" || s.tokens[end].Kind != Number || s.tokens[s.pos+1].Spaced || s.tokens[end].Spaced {
		return false
	}
	first, last := s.tokens[s.pos].Text, s.tokens[end].Text
	round := strings.HasSuffix(first, "0") && strings.HasSuffix(last, "0")
	if len(last) < 4 || len(first) == len(last) || round || !onlyDigits(first) || !onlyDigits(last) {
		return false
	}
	if amount, amountEnd := s.amountAt(end); amount.Unit != NoUnit || amountEnd != end+1 {
		return false
	}
	before, linked := s.said()
	return linked && before.Class == SKU || s.productsAfter(before, linked, end+1)
}

// trailingDigits counts the digits that a SKU ends in, where it has more than
// digits.
func trailingDigits(sku string) int {
	letters := strings.TrimRight(sku, "0123456789")
	if letters == "" {
		return 0
	}
	return len(sku) - len(letters)
}

// capitals returns the end of the pieces in capitals that hyphens join at i, as
// in TS-RED-M, or i. T-SHIRT and E-BIKES are words. It has looked up to a token
// before which no other such code begins.
func capitals(tokens []Token, i int) (end, looked int) {
	if i+2 >= len(tokens) || tokens[i+1].Spaced || !strings.Contains("-_", tokens[i+1].Text) { // most words
		return i, i
	}
	end = i
	for end < len(tokens) && tokens[end].Kind == Word && tokens[end].Text == strings.ToUpper(tokens[end].Text) {
		if end++; end+1 >= len(tokens) || tokens[end].Spaced || tokens[end+1].Spaced || !strings.Contains("-_", tokens[end].Text) {
			break
		}
		end++
	}
	if end < i+3 || end == i+3 && len(tokens[i].Text) == 1 || end < len(tokens) && tokens[end].Kind != Mark && !tokens[end].Spaced {
		return i, end
	}
	return end, end
}

// capitalsHere reports whether a SKU without digits stands here. A text that is
// in capitals throughout says nothing by them.
func (s *scan) capitalsHere() bool {
	if s.pos < s.noCapitals {
		return false
	}
	end, looked := capitals(s.tokens, s.pos)
	if end == s.pos {
		s.noCapitals = looked
		return false
	}
	if s.pos > 0 && !s.tokens[s.pos].Spaced && joins(s.tokens, s.pos-1) || s.shouted {
		return false
	}
	_, phraseEnd := s.phraseAt(s.pos)
	_, categoryEnd := s.category(s.pos)
	_, misspeltEnd := s.categories.misspelt(s.tokens, s.pos)
	return max(phraseEnd, categoryEnd, misspeltEnd) < end
}
