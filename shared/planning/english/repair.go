package english

// correctors stand between an amount and the same amount with its unit.
const correctors = "i mean, i meant, i mean to say, sorry, sorry i mean, sorry i meant, that is, that's"

// repairs gives an amount the unit that is said right after it: "by ten. I mean
// ten percent", "by 10, I mean percent". Another number takes something back,
// which is for a person to confirm.
func (s *scan) repairs() bool {
	corrector, end := lexicon().correctors.longest(s.tokens, s.pos)
	if corrector != nil && s.restates(end) {
		return true
	}
	last := len(s.symbols) - 1
	for last >= 0 && (s.symbols[last].Class == Stop || s.symbols[last].Class == Comma) {
		last--
	}
	if corrector == nil || last < 0 || last == len(s.symbols)-1 || s.symbols[last].Class != Amount {
		return false
	}
	said := &s.symbols[last].Amount
	meant, meantEnd := s.amountAt(end)
	if end < len(s.tokens) && units[s.tokens[end].Norm].Unit == Percent {
		meant, meantEnd = Value{Number: said.Number, Unit: Percent}, end+1
	}
	same := said.Unit == NoUnit && meant.Unit != NoUnit && said.Number.Cmp(meant.Number) == 0 && meant.Sign == 0
	if !same || meantEnd < len(s.tokens) && !s.pauses(meantEnd) {
		return false
	}
	meant.Sign = said.Sign
	*said = meant
	s.symbols = s.symbols[:last+1]
	s.push(Symbol{Class: Noise}, meantEnd)
	return true
}

// restates takes a stock word that only says in other words what the one before it
// says: "mark it unavailable, I mean out of stock".
func (s *scan) restates(i int) bool {
	stock, end := s.phraseAt(i)
	said, _ := s.said()
	if stock == nil || stock.Class != Stock || said.Class != Stock || said.Sense != stock.Sense || end < len(s.tokens) && !s.pauses(end) {
		return false
	}
	s.push(Symbol{Class: Noise}, end)
	return true
}
