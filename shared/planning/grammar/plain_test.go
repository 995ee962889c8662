package grammar_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// A name that is not in the list is no slip of the pen for a verb or for prices.
func TestNamesAreNotCorrectedAway(t *testing.T) {
	for instruction, planned := range map[string]bool{
		"Raise prizes by 5%":         false,
		"Raise all produce by 5%":    false,
		"Mugs and drips 5% off":      false,
		"Mugs, chips by 5%":          false,
		"Mugs, raisin 5%":            false,
		"Please reduse mugs by 5%":   true,
		"Raise mugs by 5% excapt A1": true,
		"Raise mugs prcies by 5%":    true,
	} {
		draft, err := grammar.Planner{}.Plan(t.Context(), request(instruction, "Mugs", "Lamps"))
		if (err == nil) != planned {
			t.Errorf("%q: planned %v, want %v: %v %v", instruction, err == nil, planned, err, explained(draft))
		}
	}
}

// Instructions beside those above that have one meaning.
func TestLuresThatArePlain(t *testing.T) {
	for instruction, want := range map[string][]string{
		"Unless sold out, raise mugs by 5% and lamps by 3%": {
			"Increase the price by 5% for products in category mugs that are in stock; round to 2 decimals.",
			"Increase the price by 3% for products in category lamps that are in stock; round to 2 decimals.",
		},
		"Except for A103, raise mugs by 5% and lamps by 3%": {
			"Increase the price by 5% for products in category mugs, except SKU A103; round to 2 decimals.",
			"Increase the price by 3% for products in category lamps, except SKU A103; round to 2 decimals.",
		},
		"mugs: +5%\nlamps: +3%\nexcept A101": {
			"Increase the price by 5% for products in category mugs, except SKU A101; round to 2 decimals.",
			"Increase the price by 3% for products in category lamps, except SKU A101; round to 2 decimals.",
		},
		"mugs: +5%\nlamps: +3%\nif in stock": {
			"Increase the price by 5% for products in category mugs that are in stock; round to 2 decimals.",
			"Increase the price by 3% for products in category lamps that are in stock; round to 2 decimals.",
		},
		"Raise mugs except lamps by 5%": {
			"Increase the price by 5% for products in category mugs; round to 2 decimals.",
		},
	} {
		draft, err := grammar.Planner{}.Plan(t.Context(), request(instruction))
		if err != nil || !slices.Equal(plan.Explain(draft.Plan), want) {
			t.Errorf("%q: got %v %s, want %s", instruction, err, explained(draft), strings.Join(want, " "))
		}
	}
}

func explained(d planning.Draft) string {
	if d.Plan == nil {
		return ""
	}
	return strings.Join(plan.Explain(d.Plan), " ")
}
