package pricing

import (
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
)

func parsePrice(text string) (amount.Amount, bool) {
	block, at := cell.Block(text)
	return amount.Parse(block, at, '.')
}

func decimal(s string) *plan.Decimal { return ptr(plan.MustDecimal(s)) }

// TestNewPrice has the arithmetic by example. Each is worked out twice, on
// words and on numbers of any size.
func TestNewPrice(t *testing.T) {
	type options = plan.Options
	for _, test := range []struct {
		name    string
		action  plan.ActionType
		value   string
		options options
		old     string
		want    string // or the fault's advice-free name below
		fault   table.Kind
	}{
		{"10% of 29.99", plan.PercentIncrease, "10", options{}, "29.99", "32.99", table.Fine},
		{"5% off", plan.PercentDecrease, "5", options{}, "19.99", "18.99", table.Fine},
		{"half a cent up", plan.SetPrice, "0.125", options{}, "9", "0.13", table.Fine},
		{"a half that floats lose", plan.SetPrice, "1.005", options{}, "9", "1.01", table.Fine},
		{"half away from zero below it", plan.FixedDecrease, "0.005", options{MinPrice: decimal("0")}, "0", "0.00", table.Fine},
		{"rounds to zero from below", plan.FixedDecrease, "0.004", options{}, "0", "0.00", table.Fine},
		{"below zero", plan.FixedDecrease, "0.005", options{}, "0", "", negativePrice},
		{"further below zero", plan.FixedDecrease, "0.006", options{}, "0", "", negativePrice},
		{"more than everything off", plan.PercentDecrease, "150", options{}, "10", "", negativePrice},
		{"more than everything off, with a minimum", plan.PercentDecrease, "150", options{MinPrice: decimal("2.5")}, "10", "2.50", table.Fine},
		{"added", plan.FixedIncrease, "0.001", options{RoundTo: ptr(3)}, "9.9", "9.901", table.Fine},
		{"set", plan.SetPrice, "15", options{}, "3", "15.00", table.Fine},
		{"no digits", plan.PercentIncrease, "15", options{RoundTo: ptr(0)}, "9.99", "11", table.Fine},
		{"six digits", plan.PercentIncrease, "33.333333333", options{RoundTo: ptr(6)}, "0.000001", "0.000001", table.Fine},
		{"tens of nothing", plan.SetPrice, "0.005", options{RoundTo: ptr(1)}, "1", "0.0", table.Fine},
		{"ending below", plan.FixedIncrease, "0", options{PriceEnding: decimal("0.99")}, "10.20", "9.99", table.Fine},
		{"ending above", plan.FixedIncrease, "0", options{PriceEnding: decimal("0.99")}, "10.60", "10.99", table.Fine},
		{"ending, tie goes up", plan.FixedIncrease, "0", options{PriceEnding: decimal("0.99")}, "10.49", "10.99", table.Fine},
		{"ending not below zero", plan.FixedIncrease, "0", options{PriceEnding: decimal("0.99")}, "0.10", "0.99", table.Fine},
		{"ending of zero", plan.FixedIncrease, "0", options{PriceEnding: decimal("0")}, "0.49", "0.00", table.Fine},
		{"ending of a negative result", plan.FixedDecrease, "5", options{PriceEnding: decimal("0.99"), MinPrice: decimal("0.5")}, "1", "0.99", table.Fine},
		{"ending after rounding", plan.FixedIncrease, "0", options{PriceEnding: decimal("0.99")}, "10.489", "10.99", table.Fine},
		{"clamped up after the ending", plan.FixedIncrease, "0", options{PriceEnding: decimal("0.99"), MinPrice: decimal("10.5")}, "10.20", "10.50", table.Fine},
		{"clamped down", plan.PercentIncrease, "100", options{MaxPrice: decimal("15")}, "10", "15.00", table.Fine},
		{"nearest 50", plan.PercentIncrease, "10", options{RoundStep: decimal("50")}, "1100", "1200.00", table.Fine},
		{"nearest 50, tie goes up", plan.SetPrice, "1225", options{RoundStep: decimal("50")}, "1", "1250.00", table.Fine},
		{"nearest 50 of the exact result", plan.SetPrice, "1224.999", options{RoundStep: decimal("50")}, "1", "1200.00", table.Fine},
		{"nearest 0.05", plan.PercentIncrease, "10", options{RoundStep: decimal("0.05")}, "29.99", "33.00", table.Fine},
		{"nearest 5 of little is free", plan.SetPrice, "2.4", options{RoundStep: decimal("5"), RoundTo: ptr(0)}, "9", "0", table.Fine},
		{"nearest 5 of less than nothing", plan.FixedDecrease, "3", options{RoundStep: decimal("5")}, "0", "", negativePrice},
		{"nearest 5 of just less than nothing", plan.FixedDecrease, "2.5", options{RoundStep: decimal("5")}, "0", "0.00", table.Fine},
		{"tens that end in 9", plan.SetPrice, "14", options{RoundStep: decimal("10"), PriceEnding: decimal("9"), RoundTo: ptr(0)}, "1", "19", table.Fine},
		{"tens that end in 9, below the first", plan.SetPrice, "3", options{RoundStep: decimal("10"), PriceEnding: decimal("9")}, "1", "9.00", table.Fine},
		{"an ending and a step round first", plan.SetPrice, "13.996", options{RoundStep: decimal("10"), PriceEnding: decimal("9")}, "1", "19.00", table.Fine},
		{"up to the digits", plan.PercentIncrease, "10", options{Rounding: plan.RoundUp}, "29.91", "32.91", table.Fine},
		{"up to the digits, exact", plan.PercentIncrease, "10", options{Rounding: plan.RoundUp}, "29.90", "32.89", table.Fine},
		{"down to whole", plan.PercentIncrease, "10", options{Rounding: plan.RoundDown, RoundTo: ptr(0)}, "29.99", "32", table.Fine},
		{"up to 50", plan.SetPrice, "1200.001", options{Rounding: plan.RoundUp, RoundStep: decimal("50")}, "1", "1250.00", table.Fine},
		{"down to 50", plan.SetPrice, "1249.99", options{Rounding: plan.RoundDown, RoundStep: decimal("50")}, "1", "1200.00", table.Fine},
		{"down to nothing", plan.SetPrice, "49", options{Rounding: plan.RoundDown, RoundStep: decimal("50")}, "1", "0.00", table.Fine},
		{"down to an ending", plan.SetPrice, "12.98", options{Rounding: plan.RoundDown, PriceEnding: decimal("0.99")}, "1", "11.99", table.Fine},
		{"down to an ending, not rounded before", plan.SetPrice, "12.989", options{Rounding: plan.RoundDown, PriceEnding: decimal("0.99")}, "1", "11.99", table.Fine},
		{"down below the first ending is the first", plan.SetPrice, "0.5", options{Rounding: plan.RoundDown, PriceEnding: decimal("0.99")}, "1", "0.99", table.Fine},
		{"up to an ending", plan.SetPrice, "12.9901", options{Rounding: plan.RoundUp, PriceEnding: decimal("0.99")}, "1", "13.99", table.Fine},
		{"up from below zero", plan.FixedDecrease, "1", options{Rounding: plan.RoundUp, RoundStep: decimal("5")}, "0", "", negativePrice},
		{"up from below zero, with a minimum", plan.FixedDecrease, "1", options{Rounding: plan.RoundUp, RoundStep: decimal("5"), MinPrice: decimal("3")}, "0", "3.00", table.Fine},
		{"a step of more than the price", plan.PercentIncrease, "10", options{RoundStep: decimal("100000000000000000")}, "90000000000000000.123456789", "100000000000000000.00", table.Fine},
		{"largest", plan.SetPrice, "999999999999999999", options{}, "1", "999999999999999999.00", table.Fine},
		{"too large", plan.FixedIncrease, "1", options{RoundTo: ptr(0)}, "999999999999999999", "", priceTooLarge},
		{"too large by rounding", plan.FixedIncrease, "0", options{}, "999999999999999999.995", "", priceTooLarge},
		{"too large, clamped", plan.PercentIncrease, "900", options{MaxPrice: decimal("5")}, "999999999999999999", "5.00", table.Fine},
		{"a sum that no word holds", plan.FixedIncrease, "900000000000000000.5", options{RoundTo: ptr(1)}, "90000000000000000", "990000000000000000.5", table.Fine},
		{"27 digits", plan.PercentIncrease, "10", options{RoundTo: ptr(6)}, "123456789012345678.123456789", "135802467913580245.935802", table.Fine},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := newFormula(plan.Action{Type: test.action, Value: plan.MustDecimal(test.value)}, test.options)
			if err != nil {
				t.Fatal(err)
			}
			old, ok := parsePrice(test.old)
			if !ok {
				t.Fatalf("%q is no price", test.old)
			}
			for how, apply := range map[string]func(amount.Amount) (amount.Amount, table.Kind){"on words": f.apply, "exactly": f.applyExactly} {
				got, fault := apply(old)
				if fault != test.fault || fault == table.Fine && string(got.Append(nil, '.')) != test.want {
					t.Errorf("%s: %s, fault %d; want %s, fault %d", how, got.Append(nil, '.'), fault, test.want, test.fault)
				}
			}
		})
	}
}

// TestBounds compares prices of every scale with bounds of every scale.
func TestBounds(t *testing.T) {
	prices := []string{"0", "0.1", "0.10", "0.999999999", "1", "1.0", "1.000000001", "9.99", "10", "10.005", "123456789012345678", "999999999999999999.999999999"}
	for _, limit := range prices {
		d := plan.MustDecimal(limit)
		limit := bound(&d)
		for _, text := range prices {
			price, _ := parsePrice(text)
			order := plan.MustDecimal(text).Cmp(d)
			if got := price.Cmp(*limit); got != order {
				t.Errorf("%s against %s: %d, want %d", text, d, got, order)
			}
		}
	}
}
