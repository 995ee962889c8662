package english

import (
	"math/big"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// factors writes "multiply mugs by 1.1" out as the part of its price that becomes
// the new one: "set mugs to 110% of the price".
func factors(symbols []Symbol) []Symbol {
	for i := range symbols {
		if symbols[i].Class != Refused {
			continue
		}
		word := strings.ToLower(symbols[i].Text)
		if strings.HasSuffix(word, "ed") && (i == 0 || symbols[i-1].Class != Copula) { // what was done
			continue
		}
		if multiplies := strings.HasPrefix(word, "multipl"); multiplies || strings.HasPrefix(word, "divid") {
			symbols = factorsAfter(symbols, i, multiplies)
		}
	}
	return symbols
}

// factorsAfter writes out the factors of the verb at i: "by 1.1 and hats by 1.2".
func factorsAfter(symbols []Symbol, i int, multiplies bool) []Symbol {
	for k := i + 1; symbols[k].Class != Stop && !actsClass(&symbols[k]); k++ {
		amount := &symbols[k]
		if amount.Class != Amount || symbols[k-1].Class != By {
			continue
		}
		percent, exact := amount.Amount.factor(multiplies)
		if !exact {
			return symbols
		}
		symbols[i].Class, symbols[i].Refusal, symbols[i].Text = Do, NotRefused, "set"
		symbols[k-1].Class = To
		amount.Amount = Value{Number: percent, Unit: Percent}
		symbols = slices.Insert(symbols, k+1, Symbol{Class: Noise, Sense: OfPrice, From: amount.To, To: amount.To, Text: "of the price"})
	}
	return symbols
}

// factor is the percentage of a price that it becomes when it is multiplied by a
// bare number, or divided by it, where a plan can hold that.
func (v Value) factor(multiplies bool) (percent plan.Decimal, exact bool) {
	if v.Unit != NoUnit || v.Sign != 0 || v.Number.IsZero() {
		return plan.Decimal{}, false
	}
	hundred := big.NewRat(100, 1)
	number := new(big.Rat).SetFrac(v.Number.Scaled(plan.MaxFractionDigits), plan.MustDecimal("1").Scaled(plan.MaxFractionDigits))
	part := new(big.Rat)
	if multiplies {
		part.Mul(hundred, number)
	} else {
		part.Quo(hundred, number)
	}
	text := part.FloatString(plan.MaxFractionDigits)
	written, _ := new(big.Rat).SetString(text)
	percent, err := plan.ParseDecimal(text)
	return percent, err == nil && written.Cmp(part) == 0
}
