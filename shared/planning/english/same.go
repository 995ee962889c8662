package english

import (
	"slices"
	"strings"
)

// sameParts are the classes that a rule may have for "same for" to repeat it.
// Conditions, exceptions and limits are none: whether they are meant again is
// for a person to say.
var sameParts = [256]bool{
	Noise: true, Up: true, Down: true, By: true, Amount: true, Of: true, And: true, Comma: true, All: true,
	Name: true, Category: true, SKU: true, Product: true, Price: true,
}

// same writes "same for" out: "raise mugs by 5%, same for hats" has the symbols
// of "raise mugs by 5%, raise by 5% for hats". Without one plain rule before it
// the symbol stays, and no rule consumes it.
func (s *scan) same(symbol Symbol, end int) {
	repeated, ok := repeatable(s.symbols)
	if !ok {
		s.push(symbol, end)
		return
	}
	if strings.EqualFold(s.tokens[s.pos].Text, "and") {
		repeated = append([]Symbol{{Class: And, Text: "and"}}, repeated...)
	}
	from := s.pos
	for _, again := range append(repeated, Symbol{Class: For, Text: "for"}) {
		s.pos = from
		s.push(again, end)
	}
}

// repeatable is the verb and the amount of the one rule before, of this
// sentence or the last.
func repeatable(symbols []Symbol) ([]Symbol, bool) {
	i := len(symbols)
	for i > 0 && (symbols[i-1].Class == Stop || symbols[i-1].Class == Comma || symbols[i-1].Class == Noise) {
		i--
	}
	var parts []Symbol
	verbs, amounts := 0, 0
	for end := i; i > 0 && symbols[i-1].Class != Stop; i-- {
		switch part := symbols[i-1]; part.Class {
		case Up, Down:
			verbs++
			part.Sense = Verb // it begins a rule, as in "goes down by 5%, and the same for"
			parts = append([]Symbol{part}, parts...)
		case Amount:
			amounts++
			parts = append([]Symbol{part}, parts...)
		case By:
			parts = append([]Symbol{part}, parts...)
		case Do:
			if word := strings.ToLower(part.Text); word != "go" && word != "goes" {
				return nil, false
			}
		default:
			if !sameParts[part.Class] || end == i && part.Class == And {
				return nil, false
			}
		}
	}
	return parts, verbs == 1 && amounts == 1
}

// tooSaid joins a name to the rule before.
var tooSaid = map[string]bool{"too": true, "as well": true}

// tooes writes "too" out: "raise mugs by 5% and hats too" has the symbols of
// "raise mugs by 5% and raise by 5% for hats".
func tooes(symbols []Symbol) []Symbol {
	for i := 1; i < len(symbols)-1; i++ {
		if symbols[i].Class != Noise || !tooSaid[strings.ToLower(symbols[i].Text)] || !isName(&symbols[i-1]) || !endsBreath(&symbols[i+1]) {
			continue
		}
		start := i - 1
		for start > 0 && (symbols[start-1].Class == Noise || symbols[start-1].Class == All) {
			start--
		}
		if start == 0 {
			continue
		}
		boundary := symbols[start-1].Class
		if boundary != And && boundary != Comma && boundary != Stop {
			continue
		}
		end := start - 1
		for end > 0 && (symbols[end-1].Class == And || symbols[end-1].Class == Comma) {
			end--
		}
		repeated, ok := repeatable(symbols[:end])
		if !ok || end == 0 || symbols[end-1].Class != Amount && boundary != Stop {
			continue
		}
		again := make([]Symbol, 0, len(repeated)+1)
		for _, part := range append(repeated, Symbol{Class: For, Text: "for"}) {
			part.From, part.To = symbols[start].From, symbols[start].From
			again = append(again, part)
		}
		symbols = slices.Concat(symbols[:start], again, symbols[start:i], symbols[i+1:])
		i += len(again) - 1
	}
	return symbols
}
