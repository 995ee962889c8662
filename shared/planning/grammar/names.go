package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/lazyregexp"
	"github.com/planwright/planwright/shared/planning/english"
)

// maxNameWords is the longest category that is taken from an instruction when
// the list is not known. Longer runs of unknown words are a sentence.
const maxNameWords = 4

// describing are names that only describe: "really soft mats", "yoga-related".
var describing = lazyregexp.New(`(?i)^[a-z]+ly [a-z]|[ -](?:related|based|style|type|like|themed|inspired)$`)

// lyNouns begin the names of categories: family games.
var lyNouns = lazyregexp.New(`(?i)^(?:family|jelly|supply|assembly|butterfly|belly|holly|lily|doily|barfly|fly|ply) `)

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
	if strings.ContainsAny(text, " -") && describing().MatchString(text) && !lyNouns().MatchString(text) {
		return "", p.fail(vagueTarget, p.pos, p.pos+1, "Which products does %s mean? Name categories or SKUs; a category's name can stand in quotation marks.")
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

// uncapital takes off the capital that the beginning of a sentence gave the name at
// p.pos. Where a later word of the name has one too, or the other names of the
// instruction have, it is the name's own.
func (p *parser) uncapital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if !p.begins(p.pos) || !unicode.IsUpper(first) || text[size:] != strings.ToLower(text[size:]) || p.capitals() {
		return text
	}
	return string(unicode.ToLower(first)) + text[size:]
}

// begins reports whether the symbol at i stands where any word has a capital.
func (p *parser) begins(i int) bool {
	stopped := p.classAt(i-1) == english.Stop && (i == 0 || p.symbols[i-1].Text != ";")
	return stopped || p.tokens[p.symbols[i].From].LineStart
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
