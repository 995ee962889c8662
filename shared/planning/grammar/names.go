package grammar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/planning/english"
)

// maxNameWords is the longest category that is taken from an instruction when
// the list is not known. Longer runs of unknown words are a sentence.
const maxNameWords = 4

// checkPortions asks where a noun for one of what a category holds may stand for one
// of those of another rule: "raise wine by 4%, and no bottle should exceed $95".
func (p *parser) checkPortions(ops []operation) {
	if p.known != nil {
		return
	}
	for i := range ops {
		op := &ops[i]
		portion := len(op.categories) == 1 && english.IsPortion(op.categories[0]) && !p.inQuotes(op.categories[0])
		if portion && slices.ContainsFunc(ops, func(other operation) bool { return other.categories != nil && namesApart(&other.rows, &op.rows) }) {
			p.fail(scope, op.clause.from, op.clause.to, "Is "+quoted(op.categories[0])+" a category, or one of the products named before? Write a category's name in quotation marks, or say \"no product\".")
			return
		}
	}
}

func (p *parser) inQuotes(name string) bool {
	return slices.ContainsFunc(p.symbols, func(s english.Symbol) bool {
		return s.Class == english.Name && s.Sense == english.InQuotes && s.Text == name
	})
}

// describes reports whether a name of several words only describes: "really soft
// mats", "yoga-related".
func describes(name string) bool {
	name = strings.ToLower(name)
	first, rest, _ := strings.Cut(name, " ")
	adverb := strings.HasSuffix(first, "ly") && onlyLetters(first) && rest != "" && onlyLetters(rest[:1])
	return (adverb || likeness[name[strings.LastIndexAny(name, " -")+1:]]) && !(rest != "" && lyNouns[first])
}

func onlyLetters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' })
}

var likeness = map[string]bool{"related": true, "based": true, "style": true, "type": true, "like": true, "themed": true, "inspired": true}

// lyNouns begin the names of categories: family games.
var lyNouns = map[string]bool{
	"family": true, "jelly": true, "supply": true, "assembly": true, "butterfly": true, "belly": true, "holly": true, "lily": true, "doily": true, "barfly": true, "fly": true, "ply": true,
}

// name makes a category of words that nothing else knows.
func (p *parser) name(symbol english.Symbol) (string, bool) {
	if p.known != nil {
		p.fail(unknownCategory, p.pos, p.pos+1, "%s is not among the categories. Which one is meant? They are "+p.categoryList()+".")
		return "", false
	}
	words := strings.Fields(symbol.Text)
	text := strings.Join(words, " ")
	if symbol.Sense == english.InQuotes { // in quotation marks: as written
		return symbol.Text, text != "" && len(symbol.Text) < 512 || p.unread(p.pos)
	}
	if len(words) > maxNameWords {
		return "", p.unread(p.pos)
	}
	if strings.ContainsAny(text, " -") && describes(text) {
		return "", p.fail(vagueTarget, p.pos, p.pos+1, "Which products does %s mean? Name categories or SKUs; a category's name can stand in quotation marks.")
	}
	if cases[strings.ToLower(text)] && p.inCases(p.pos) {
		return "", p.fail(scope, p.pos-1, p.pos+1, "Which rules or products are meant by %s? Say it in the sentence of each rule it belongs to.")
	}
	if len(words) > 1 && english.Describes(text, false) { // the hats look messy
		return "", p.unread(p.pos)
	}
	if p.classAt(p.pos+1) == english.SKUNoun && len(text) == 1 { // "all A SKUs"
		return "", p.fail(skuRange, p.pos, p.pos+2, "Which SKUs are %s? Name each one, for only the catalogue knows which there are.")
	}
	if p.classAt(p.pos+1) == english.Price {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "'s"), "’s")
	}
	return p.uncapital(text), true
}

// cases are nouns for what happens, where "in" stands before them.
var cases = map[string]bool{"case": true, "cases": true, "event": true, "events": true, "instance": true, "instances": true}

// inCases reports whether the name at i is said of what happens, and no category: in
// all cases, in each case.
func (p *parser) inCases(i int) bool {
	i = p.back(i)
	for p.classAt(i) == english.All {
		i = p.back(i)
	}
	return p.classAt(i) == english.In
}

// uncapital takes off the capital that the beginning of a sentence gave the name at
// p.pos. Where a later word of the name has one too, or the other names of the
// instruction have, or English writes the word so, it is the name's own.
func (p *parser) uncapital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if !p.begins(p.pos) || !unicode.IsUpper(first) || text[size:] != strings.ToLower(text[size:]) || p.capitals() || english.Proper(text) {
		return text
	}
	return string(unicode.ToLower(first)) + text[size:]
}

// begins reports whether the symbol at i stands where any word has a capital.
func (p *parser) begins(i int) bool {
	i = p.named(i)
	stopped := p.classAt(i-1) == english.Stop && (i == 0 || p.symbols[i-1].Text != ";")
	return stopped || p.tokens[p.symbols[i].From].LineStart
}

// named is where the name at i was said, if it is written out for another word: both.
func (p *parser) named(i int) int {
	name := &p.symbols[i]
	if name.Class != english.Name || strings.HasPrefix(name.Text, p.tokens[name.From].Text) {
		return i
	}
	return slices.IndexFunc(p.symbols, func(s english.Symbol) bool { return s.Class == english.Name && s.Text == name.Text })
}

// readCapitals reports whether all names within sentences have a capital, and some
// are there.
func (p *parser) readCapitals() bool {
	some := false
	for i := range p.symbols {
		if symbol := &p.symbols[i]; symbol.Class == english.Name && symbol.Sense != english.InQuotes && !p.begins(i) {
			if some = capital(symbol.Text); !some {
				return false
			}
		}
	}
	return some
}

func (p *parser) isName(i int) bool {
	return isNamed(p.classAt(i))
}

func isNamed(class english.Class) bool {
	return class == english.Name || class == english.Category || class == english.SKU
}

// pricesNames reports whether names follow at i that a price is for.
func (p *parser) pricesNames(i int) bool {
	return (p.classAt(i) == english.For || p.classAt(i) == english.In) && p.namesAhead(i+1)
}

// namesAhead reports whether products are named at i.
func (p *parser) namesAhead(i int) bool {
	i = p.after(i)
	for p.classAt(i) == english.All {
		i = p.after(i + 1)
	}
	return p.isName(i)
}

// someAhead reports whether products are told from others at i: mugs, the price of
// mugs, items under $5.
func (p *parser) someAhead(i int) bool {
	headed := false
	for ; ; i++ {
		switch p.classAt(i) {
		case english.Noise, english.All:
		case english.Price, english.Product:
			headed = true
		case english.Of, english.For, english.In:
			if !headed {
				return false
			}
		case english.Stock:
			return true
		case english.Rel, english.Under, english.Over, english.AtLeast, english.AtMost:
			return headed
		case english.At:
			return headed && p.classAt(i+1) == english.Amount && p.suffix(i+1) != 0
		default:
			return p.isName(i)
		}
	}
}
