package english

import (
	"slices"
	"strings"
)

// Arrow reports whether a price, an arrow and another price stand at i, and so
// what the price was and what it becomes.
func Arrow(symbols []Symbol, i int) bool {
	return i+2 < len(symbols) && isMoney(&symbols[i]) && symbols[i+1].Class == To && strings.ContainsAny(symbols[i+1].Text, ">→") && isMoney(&symbols[i+2]) && !LeadingRange(symbols, i)
}

// LeadingRange reports whether two prices from symbol i on are a range of those
// that a change follows for: "$20 to $50: +5%", "($20 to $50)", "mugs $20 to $50
// up 5%". After a verb the second could be the new price.
func LeadingRange(symbols []Symbol, i int) bool {
	at := func(k int) *Symbol {
		if k < 0 || k >= len(symbols) {
			return &Symbol{Class: Stop}
		}
		return &symbols[k]
	}
	if at(i).Class != Amount || at(i+1).Class != To || at(i+2).Class != Amount || at(i).Amount.Unit == Percent || at(i+2).Amount.Unit == Percent || at(i).Amount.Sign != 0 {
		return false
	}
	if at(i+3).Class == Colon || at(i-1).Class == Comma && at(i-1).Text == "(" || at(i-1).Class == If {
		return true
	}
	for k := i - 1; at(k).Class != Stop && at(k).Class != Comma && at(k).Class != And; k-- {
		switch at(k).Class {
		case Up, Down, Do, Change, By, From, Copula:
			return false
		}
	}
	next := i + 3
	for at(next).Class == Noise {
		next++
	}
	switch at(next).Class {
	case Amount, Up, Down, Do:
		return true
	case Comma: // below $5, +$1, $5 to $10, +$2
		after := at(next + 1)
		return after.Class == Amount && after.Amount.Sign != 0
	case To, By:
		after := at(next + 1).Class
		return after == Amount || after == Up || after == Down
	}
	return false
}

// OrBand returns where another range of prices begins after the "or" at i, or i:
// under $5 or over $50, or those that cost over $50.
func OrBand(symbols []Symbol, i int) int {
	if symbols[i].Class != And || !strings.EqualFold(symbols[i].Text, "or") {
		return i
	}
	for k := i + 1; k < len(symbols); k++ {
		switch symbols[k].Class {
		case Noise, Rel, Pronoun, Price, Copula:
		case Under, Over, AtLeast, AtMost, Between:
			next := k + 1
			for symbols[next].Class == Noise {
				next++
			}
			if symbols[next].Class == Amount {
				return k
			}
			return i
		default:
			return i
		}
	}
	return i
}

// Beside reports whether nothing but filler and "each" parts the particle at i
// from an amount or a verb: 5% off, 5% each off, goes 5% up.
func Beside(symbols []Symbol, i int) bool {
	next := i + 1
	for symbols[next].Class == Noise || symbols[next].Class == By || symbols[next].Class == To {
		next++
	}
	if symbols[next].Class == Amount {
		return true
	}
	for i--; i >= 0; i-- {
		switch symbols[i].Class {
		case Amount, Do, Copula, Up, Down:
			return true
		case Noise, All, Price, Of, In, Pronoun, By, Colon, Comma:
		default:
			return false
		}
	}
	return false
}

// Puts reports whether the amount at i is put on something, and so added to its
// price: "put $2 on mugs".
func Puts(symbols []Symbol, i int) bool {
	on := i + 1
	for symbols[on].Class == Noise {
		on++
	}
	if text := strings.ToLower(symbols[on].Text); symbols[on].Class != In || text != "on" && text != "onto" || symbols[i].Amount.Sign != 0 {
		return false
	}
	for verb := i - 1; verb >= 0; verb-- {
		switch symbols[verb].Class {
		case Do:
			return putting[strings.ToLower(symbols[verb].Text)]
		case Stop, Up, Down, Change, Times, By, To, At, For, Of, Copula:
			return false
		}
	}
	return false
}

var putting = set("put puts putting stick sticks sticking slap slaps slapping pop pops popping chuck chucks chucking whack whacks whacking bung bungs bunging")

// descents reads "that cost $24 to $22" as the price that products have and the one
// that they are to have, for no range ends below its beginning.
func descents(symbols []Symbol) []Symbol {
	for i := 0; i+3 < len(symbols); i++ {
		from, to := &symbols[i+1], &symbols[i+3]
		if symbols[i].Class == Rel && isMoney(from) && symbols[i+2].Class == To && isMoney(to) && from.Amount.Number.Cmp(to.Amount.Number) > 0 {
			symbols = slices.Insert(symbols, i+1, Symbol{Class: Exactly, From: from.From, To: from.From, Text: "exactly"})
		}
	}
	return symbols
}

// pricedNow reads "all $5 mugs" as those at that price, where a verb before them and an
// amount after them say what becomes of it: "change all $5 mugs to $6", and where more
// such rules follow: "and all $9 mugs to $10".
func pricedNow(symbols []Symbol) []Symbol {
	var verb *Symbol // of the rules here
	goesOn := -1     // up to where they have been read
	for i := 1; i < len(symbols); i++ {
		s := &symbols[i]
		if s.Class != Amount || s.Amount.Unit != Money || s.Amount.Sign != 0 {
			continue
		}
		first := i
		if symbols[i-1].Class == All {
			first--
		}
		joint := first
		for joint > 0 && (symbols[joint-1].Class == And || symbols[joint-1].Class == Comma) {
			joint--
		}
		switch last := symbols[max(first-1, 0)]; {
		case actsClass(&last):
			verb = &last
		case joint == first || joint != goesOn:
			continue
		}
		if end := repriced(symbols, i, verb); end > i && (first < i || verb.Class == Change) {
			symbols = slices.Insert(symbols, i, Symbol{Class: Exactly, From: s.From, To: s.From, Text: "exactly"})
			i, goesOn = i+1, end+1
		}
	}
	return symbols
}

// repriced returns the end of the rule in which a verb changes products at the price at
// symbol i, or i.
func repriced(symbols []Symbol, i int, verb *Symbol) (end int) {
	noun := i + 1
	for classAt(symbols, noun) == Product || classAt(symbols, noun) == Price || noun < len(symbols) && isName(&symbols[noun]) {
		noun++
	}
	end = noun + 2
	if noun == i+1 || classAt(symbols, noun+1) != Amount || !endsBreath(&symbols[end]) && symbols[end].Class != Except {
		return i
	}
	now, next := &symbols[i].Amount, &symbols[noun+1].Amount
	to := symbols[noun].Class == To && next.Unit == Money
	switch verb.Class {
	case Do, Change:
		if to {
			return end
		}
	case Up, Down:
		rises := next.Number.Cmp(now.Number) > 0
		if verb.Sense == Verb && (symbols[noun].Class == By || to && rises == (verb.Class == Up)) {
			return end
		}
	}
	return i
}

// bandsFrom reads "from $20" as "at least $20" where a range of prices under $20 stands
// before it: "mugs under $20 up $1, those from $20 up $2".
func bandsFrom(symbols []Symbol) []Symbol {
	under := -1
	for i := 0; i+1 < len(symbols); i++ {
		switch {
		case symbols[i].Class == Under && isMoney(&symbols[i+1]):
			under = i + 1
		case symbols[i].Class == From && under > 0 && isMoney(&symbols[i+1]) && symbols[i+1].Amount.Number.Cmp(symbols[under].Amount.Number) == 0 && bandOpens(symbols, i) && bandCloses(symbols, i+2):
			symbols[i].Class = AtLeast
		}
	}
	return symbols
}

// bandOpens reports whether products or a pause stand before symbol i.
func bandOpens(symbols []Symbol, i int) bool {
	for i--; symbols[i].Class == Noise; i-- { // not before the range under it
	}
	switch symbols[i].Class {
	case Name, Category, Product, Price, Pronoun, Comma, And, But, Stop:
		return true
	}
	return false
}

// bandCloses reports whether no other end of a range stands at symbol i.
func bandCloses(symbols []Symbol, i int) bool {
	switch symbols[i].Class {
	case To, Dash, And, AndUp, AndDown:
		return false
	case Up, Down: // from $20 up $2, and from $20 up
		return symbols[i+1].Class == Amount || symbols[i+1].Class == By
	}
	return true
}

// bandsListed reads "lamps: 30% off above $150, 10% off below $75" as "if above $150":
// in a list after a colon, of which each change has a range of its own, no range is a limit.
func bandsListed(symbols []Symbol) []Symbol {
	for i := range symbols {
		if symbols[i].Class != Colon {
			continue
		}
		var starts []int
		end := i + 1
		for {
			start, next := bandListed(symbols, end)
			if next == end {
				break
			}
			starts, end = append(starts, start), next
			for symbols[end].Class == Comma || symbols[end].Class == And {
				end++
			}
		}
		if len(starts) < 2 || symbols[end].Class != Stop {
			continue
		}
		for _, start := range slices.Backward(starts) {
			s := &symbols[start]
			symbols = slices.Insert(symbols, start, Symbol{Class: If, From: s.From, To: s.From, Text: "if"})
		}
		return bandsListed(symbols)
	}
	return symbols
}

// bandListed is where the range of "30% off above $150" or "20% from $75 to $150" at
// symbol i begins, and the end of it, or i.
func bandListed(symbols []Symbol, i int) (start, end int) {
	start = i + 1
	switch class := classAt(symbols, start); {
	case classAt(symbols, i) != Amount:
		return i, i
	case class == Up || class == Down:
		start++
	case symbols[i].Amount.Unit != Percent:
		return i, i
	}
	end = start + 2
	if end >= len(symbols) || !isMoney(&symbols[start+1]) {
		return i, i
	}
	switch symbols[start].Class {
	case Under, Over:
		return start, end
	case AtLeast, AtMost: // 10% off up to $75 may be as much as $75 off
		if strings.HasPrefix(strings.ToLower(symbols[start].Text), "at or ") {
			return start, end
		}
	case From, Between:
		if joint := symbols[end].Class; (joint == To || joint == And) && isMoney(&symbols[end+1]) {
			return start, end + 2
		}
	}
	return i, i
}
