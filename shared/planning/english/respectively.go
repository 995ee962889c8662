package english

import "slices"

// pairs writes "respectively" out: "raise tea and mugs by 5% and 10%
// respectively" has the symbols of "raise tea by 5% and mugs by 10%". Without
// two lists of the same length the word stays, and no rule consumes it.
func pairs(symbols []Symbol) []Symbol {
	for i := 0; i < len(symbols); i++ {
		if symbols[i].Class != Respectively {
			continue
		}
		start, end := sentenceAround(symbols, i)
		at, sentence := withoutPauses(symbols[start:end], i-start)
		paired := pairOff(sentence, at)
		if paired == nil {
			symbols[i].Class, symbols[i].Refusal = Refused, Unsupported
			continue
		}
		symbols = slices.Concat(symbols[:start], paired, symbols[end:])
		i = start + len(paired)
	}
	return symbols
}

// sentenceAround returns where the sentence of symbol i begins and its Stop.
func sentenceAround(symbols []Symbol, i int) (start, end int) {
	for start = i; start > 0 && symbols[start-1].Class != Stop; start-- {
	}
	for end = i; symbols[end].Class != Stop; end++ {
	}
	return start, end
}

// withoutPauses takes symbol i out of a sentence, with the commas around it.
func withoutPauses(sentence []Symbol, i int) (at int, left []Symbol) {
	from, to := i, i+1
	if from > 0 && sentence[from-1].Class == Comma {
		from--
	}
	if to < len(sentence) && sentence[to].Class == Comma {
		to++
	}
	return from, slices.Concat(sentence[:from], sentence[to:])
}

// series is a list of names or of values in a sentence: from up to to, with
// where each item of it ends.
type series struct {
	from, to int
	ends     []int
}

func (s series) item(symbols []Symbol, k int) []Symbol {
	from := s.from
	if k > 0 {
		from = s.ends[k-1]
		for symbols[from].Class == And || symbols[from].Class == Comma {
			from++
		}
	}
	return symbols[from:s.ends[k]]
}

func isName(s *Symbol) bool  { return s.Class == Name || s.Class == Category || s.Class == SKU }
func isValue(s *Symbol) bool { return s.Class == Amount || s.Class == Stock }

// listsOf finds the lists of two items and more.
func listsOf(symbols []Symbol, item func(*Symbol) bool) []series {
	var all []series
	for i := 0; i < len(symbols); i++ {
		if !item(&symbols[i]) {
			continue
		}
		list := series{from: i, to: i + 1, ends: []int{i + 1}}
		for {
			next := itemAfter(symbols, list.to, item)
			if next == list.to {
				break
			}
			list.to, list.ends = next, append(list.ends, next)
		}
		if len(list.ends) > 1 {
			all = append(all, list)
		}
		i = list.to - 1
	}
	return all
}

// itemAfter returns the end of the item that connectors join to what ends at i,
// or i.
func itemAfter(symbols []Symbol, i int, item func(*Symbol) bool) int {
	next := i
	for next < len(symbols) && (symbols[next].Class == And || symbols[next].Class == Comma) {
		next++
	}
	if next == i {
		return i
	}
	for next < len(symbols) && (symbols[next].Class == Noise || symbols[next].Class == All) {
		next++
	}
	if next < len(symbols) && item(&symbols[next]) {
		return next + 1
	}
	return i
}

// pairOff gives each name of a sentence its value, or returns nil. The lists
// are the values next to where "respectively" stood, and the names next to
// those.
func pairOff(sentence []Symbol, at int) []Symbol {
	var values, names *series
	lists := listsOf(sentence, isValue)
	for k := range lists {
		if values == nil || lists[k].from <= at {
			values = &lists[k]
		}
	}
	if values == nil {
		return nil
	}
	lists = listsOf(sentence, isName)
	for k := range lists {
		if names == nil || lists[k].to <= values.from {
			names = &lists[k]
		}
	}
	if names == nil || len(names.ends) != len(values.ends) {
		return nil
	}
	first, second := names, values
	if values.from < names.from {
		first, second = values, names
	}
	tail := second.to
	for tail < len(sentence) && (sentence[tail].Class == Up || sentence[tail].Class == Down || sentence[tail].Class == Product || sentence[tail].Class == Price) {
		tail++
	}
	middle := sentence[first.to:second.from]
	if slices.ContainsFunc(middle, partsRules) {
		return nil
	}
	sentence = withUnits(sentence, values)
	lead := leadOf(sentence, first.from)
	paired := slices.Clone(sentence[:lead])
	for k := range first.ends {
		if k > 0 {
			paired = append(paired, Symbol{Class: And, Text: "and", From: sentence[first.ends[k-1]].From, To: sentence[first.ends[k-1]].To})
		}
		paired = slices.Concat(paired, sentence[lead:first.from], first.item(sentence, k), middle, second.item(sentence, k), sentence[second.to:tail])
	}
	return append(paired, sentence[tail:]...)
}

// leadOf returns where the words begin that describe all of the list at i:
// in-stock tea and coffee.
func leadOf(sentence []Symbol, i int) int {
	lead := i
	for k := i - 1; k >= 0 && (sentence[k].Class == Stock || sentence[k].Class == Noise || sentence[k].Class == All); k-- {
		if sentence[k].Class == Stock {
			lead = k
		}
	}
	return lead
}

// partsRules reports whether a symbol between two lists may belong to another
// rule than both.
func partsRules(s Symbol) bool {
	switch s.Class {
	case And, But, Then, Comma, Stop, Amount, Name, Category, SKU, Between:
		return true
	}
	return false
}

// withUnits gives the amounts of a list without a unit the one that the others
// have: "by 5, 6 and 7%".
func withUnits(sentence []Symbol, values *series) []Symbol {
	var unit *Value
	for _, end := range values.ends {
		amount := &sentence[end-1].Amount
		if amount.Cents || unit != nil && amount.Unit != NoUnit && (amount.Unit != unit.Unit || amount.Currency != unit.Currency) {
			return sentence
		}
		if amount.Unit != NoUnit {
			unit = amount
		}
	}
	if unit == nil {
		return sentence
	}
	sentence = slices.Clone(sentence)
	for _, end := range values.ends {
		if amount := &sentence[end-1].Amount; amount.Unit == NoUnit {
			amount.Unit, amount.Currency = unit.Unit, unit.Currency
		}
	}
	return sentence
}
