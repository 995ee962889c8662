package english

import "strings"

// denied reads "no bulb above $9" as a limit of all bulbs where nothing else is asked
// for. Beside a rule it could leave them out.
func (s *scan) denied() bool {
	if s.tokens[s.pos].Norm != "no" || !s.nothingSaid() {
		return false
	}
	noun, end := s.category(s.pos + 1)
	if noun == nil {
		noun, end = s.phraseAt(s.pos + 1)
	}
	side, sideEnd := s.phraseAt(end)
	amount, amountEnd := s.amountAt(sideEnd)
	if noun == nil || side == nil || amount.Unit != Money || !s.oneOfSeveral(noun, end) || !s.onlyFiller(amountEnd) {
		return false
	}
	limit, limits := limitOf(side)
	if !limits {
		return false
	}
	s.push(Symbol{Class: All}, s.pos+1)
	s.push(*noun, end)
	s.push(Symbol{Class: limit}, sideEnd)
	return true
}

// nothingSaid reports whether an instruction has said nothing so far.
func (s *scan) nothingSaid() bool {
	for i := range s.symbols {
		if class := s.symbols[i].Class; class != Noise && class != Comma {
			return false
		}
	}
	return true
}

// oneOfSeveral reports whether a noun up to end is a singular, as "bulb" is where
// Bulbs is a category: "no tea" may be none of it.
func (s *scan) oneOfSeveral(noun *Symbol, end int) bool {
	last := s.tokens[end-1].Norm
	switch noun.Class {
	case Product:
		return !strings.HasSuffix(last, "s")
	case Category:
		return strings.HasSuffix(noun.Text, "s") && !strings.HasSuffix(normal(noun.Text), last)
	}
	return false
}

// onlyFiller reports whether nothing is said from token i on.
func (s *scan) onlyFiller(i int) bool {
	for i < len(s.tokens) {
		phrase, end := s.phraseAt(i)
		switch {
		case phrase != nil && phrase.Class == Noise:
			i = end
		case strings.Contains(".,!\n", s.tokens[i].Text):
			i++
		default:
			return false
		}
	}
	return true
}
