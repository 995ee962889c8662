package english

import (
	"slices"
	"strings"
)

// ofBoth are the ways to say at the end that a limit, a rounding or an ending is one
// of all rules of its sentence.
var ofBoth = map[string]bool{
	"for both": true, "for each": true, "for either": true, "for both of them": true, "for each of them": true, "for either of them": true,
	"in both cases": true, "in each case": true, "in either case": true, "in every case": true, "in all cases": true, "on both": true, "on each": true, "on either": true,
}

// boths puts "for both" before what it says that of: "lower tea by 5% and mugs by 3%,
// never below $7 for either".
func boths(symbols []Symbol) []Symbol {
	for i := 1; i < len(symbols); i++ {
		if symbols[i].Class != For && symbols[i].Class != In {
			continue
		}
		end, words := i, ""
		for ; !ofBoth[words] && symbols[end].Class != Stop && end < i+4; end++ {
			words = strings.TrimSpace(words + " " + strings.ToLower(symbols[end].Text))
		}
		if !ofBoth[words] || !endsBreath(&symbols[end]) || symbols[end-1].Class == Category {
			continue
		}
		if apart := onlySome(symbols, i, end); apart != nil {
			return apart
		}
		joined := i - 1
		for joined >= 0 && (!endsBreath(&symbols[joined]) || symbols[joined].Class == Noise) && !isName(&symbols[joined]) {
			joined--
		}
		if joined < 0 || !shapesPrices(symbols[joined+1].Class) || symbols[joined].Class != Comma && symbols[joined].Class != And {
			continue
		}
		first := symbols[joined+1].From
		both := Symbol{Class: Pronoun, From: first, To: first, Text: "both"}
		symbols = slices.Insert(slices.Delete(symbols, i, end), joined+1, both)
	}
	return symbols
}

func shapesPrices(class Class) bool {
	return class == Floor || class == Cap || class == Round || class == EndIn
}

// onlySome makes a sentence of its own of what is said at the end to hold for both of
// two rules, or for all of them, from i to end: "lower tea by 5% and mugs by 3%, only
// in-stock ones in both cases".
func onlySome(symbols []Symbol, i, end int) []Symbol {
	start, only := i, false
	for start > 0 && !endsBreath(&symbols[start-1]) {
		start--
		switch s := &symbols[start]; {
		case s.Class == Only || s.Class == Rel && strings.HasPrefix(strings.ToLower(s.Text), "only "):
			only = true
		case s.Class != Stock && s.Class != Product:
			return nil
		}
	}
	last := end == len(symbols)-1 || end == len(symbols)-2 && symbols[end].Class == Stop
	if !only || !last || symbols[max(start-1, 0)].Class != Comma {
		return nil
	}
	two := symbols[i+1].Class != All
	if rules := amountsIn(symbols[:start]); rules < 2 || two && rules > 2 {
		return nil
	}
	some := slices.Clone(symbols[start:i])
	for k := range some {
		switch s := &some[k]; s.Class {
		case Rel:
			s.Class = Only
		case Product:
			s.Text = "items"
		}
	}
	stop := Symbol{Class: Stop, From: symbols[start-1].From, To: symbols[start-1].To}
	return slices.Concat(symbols[:start-1], []Symbol{stop}, some, symbols[end:])
}

// amountsIn counts the amounts of one sentence that are no bounds; none are counted
// where it is more than one.
func amountsIn(symbols []Symbol) int {
	count := 0
	for i := range symbols {
		switch symbols[i].Class {
		case Stop:
			return 0
		case Amount:
			if i == 0 || !condition[symbols[i-1].Class] {
				count++
			}
		}
	}
	return count
}
