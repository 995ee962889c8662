package english

import (
	"math/big"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// "That" after an amount may stand for it: "mugs up to $50 by 6%, anything above
// that by 4%", "mugs up 10%, hats half that". It is written out where only one
// amount can be meant.

// referred writes out the amounts that "that" stands for.
func referred(symbols []Symbol) []Symbol {
	for i := 1; i < len(symbols); i++ {
		if symbols[i].Class == Alone && strings.EqualFold(symbols[i].Text, "the same") && symbols[i-1].Class == By {
			if change, ok := changeBefore(symbols[:i-1]); ok {
				symbols[i].Class, symbols[i].Amount = Amount, change
			}
			continue
		}
		if symbols[i].Class != Refused || !strings.EqualFold(symbols[i].Text, "that") {
			continue
		}
		switch before := &symbols[i-1]; before.Class {
		case Over, Under:
			if bound, ok := boundBefore(symbols[:i-1], before.Class); ok {
				symbols[i].Class, symbols[i].Refusal, symbols[i].Amount = Amount, NotRefused, bound
				ofNamed(symbols[:i-1])
			}
		case Amount:
			if share, ok := shareOf(before.Amount, symbols[:i-1]); ok && endsBreath(&symbols[i+1]) {
				before.Amount, before.To = share, symbols[i].To
				symbols = append(symbols[:i], symbols[i+1:]...)
			}
		}
	}
	return symbols
}

// ofNamed writes "anything", the last of symbols, out as "ones" where products are
// named before it in the sentence, for it stands for others of those.
func ofNamed(symbols []Symbol) {
	head := len(symbols) - 1
	for head >= 0 && (symbols[head].Class == Noise || symbols[head].Class == Rel || symbols[head].Class == Copula || symbols[head].Class == Price) {
		head--
	}
	if head < 0 || symbols[head].Class != Everything && symbols[head].Class != Product {
		return
	}
	for k := head - 1; k >= 0 && symbols[k].Class != Stop; k-- {
		if isName(&symbols[k]) {
			symbols[head] = Symbol{Class: Product, From: symbols[head].From, To: symbols[head].To, Text: "ones"}
			return
		}
	}
}

// boundBefore is the last bound of symbols, where what costs just that is within
// it: above what is "up to $50", below what is "$20 and up", on either side of
// what is "between $20 and $50".
func boundBefore(symbols []Symbol, side Class) (Value, bool) {
	i := len(symbols) - 1
	for i > 0 && (!isMoney(&symbols[i]) || changesAt(symbols, i)) {
		i--
	}
	if i < 1 {
		return Value{}, false
	}
	before, after := symbols[i-1].Class, Stop
	if i+1 < len(symbols) {
		after = symbols[i+1].Class
	}
	switch {
	case i > 2 && before == And && symbols[i-3].Class == Between:
		if side == Under {
			i -= 2
		}
		return symbols[i].Amount, true
	case side == Under:
		return symbols[i].Amount, before == AtLeast || after == AndUp
	default:
		return symbols[i].Amount, before == AtMost || after == AndDown
	}
}

// changesAt reports whether the amount at i is that of a change and no bound: add
// $1, by $1, $1 off.
func changesAt(symbols []Symbol, i int) bool {
	if i > 0 && (symbols[i-1].Class == By || actsClass(&symbols[i-1])) {
		return true
	}
	if i == 0 || i+1 == len(symbols) || symbols[i+1].Class != Up && symbols[i+1].Class != Down {
		return false
	}
	switch symbols[i-1].Class {
	case Comma, Colon, Amount, AndUp, AndDown, Name, Category, Product:
		return true
	}
	return false
}

// shareOf is the part of the last change before it that a fraction asks for.
func shareOf(fraction Value, symbols []Symbol) (Value, bool) {
	change, ok := changeBefore(symbols)
	if !ok || change.Fraction || !fraction.Fraction {
		return Value{}, false
	}
	scaled := new(big.Int).Mul(change.Number.Scaled(plan.DefaultRoundTo), fraction.Number.Scaled(plan.DefaultRoundTo))
	number, err := plan.FromScaled(scaled, 2*plan.DefaultRoundTo+2) // the two digits more divide by a hundred
	if err != nil || fraction.Number.Scale() > plan.DefaultRoundTo || change.Number.Scale() > plan.DefaultRoundTo {
		return Value{}, false // a third of it has no end
	}
	change.Number = number
	return change, true
}

// changeBefore is the one amount of a change in the sentence that symbols end in.
func changeBefore(symbols []Symbol) (Value, bool) {
	last := len(symbols) - 1
	for last >= 0 && symbols[last].Class != Amount && symbols[last].Class != Stop {
		last--
	}
	if last < 1 || !changesBy(symbols, last) {
		return Value{}, false
	}
	for k := last - 1; k > 0 && symbols[k].Class != Stop; k-- {
		if changesBy(symbols, k) && symbols[k].Amount.Number != symbols[last].Amount.Number {
			return Value{}, false
		}
	}
	return symbols[last].Amount, true
}

// changesBy reports whether the amount of a change stands at i.
func changesBy(symbols []Symbol, i int) bool {
	return symbols[i].Class == Amount && (symbols[i].Amount.Unit == Percent || symbols[i-1].Class == By)
}
