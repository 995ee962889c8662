package grammar_test

import (
	"errors"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// A question about what was understood is open: no other reader can know the
// answer. One about words that were not understood leaves it to them.
func TestOpenQuestions(t *testing.T) {
	for _, tc := range []struct {
		instruction, class string
		open               bool
	}{
		{"Round tea up to the nearest dollar", "rounding", true},
		{"Round all tea prices up to the nearest dollar", "rounding", true},
		{"10% off our more expensive rugs", "vague_target", true},
		{"Raise the pricier mugs by 5%", "vague_target", true},
		{"Raise all cheaper products by 5%", "vague_target", true},
		{"5% off cheaper mugs", "vague_target", true},
		{"The dearer of the mugs up 5%", "vague_target", true},
		{"Raise higher-priced mugs by 5%", "vague_target", true},
		{"Take the 10% off tea back", "outside_data", true},
		{"Put tea back to $5", "outside_data", true},
		{"Put mugs on $2", "missing_direction", true},
		{"Raise tea by 5% or else", "scope", true},
		{"Raise tea 5% and mugs", "scope", true},
		{"Mark tea as out of stock, and A101", "scope", true},
		{"Tea says 5% off", "nothing_to_do", true},
		{"Mugs and tea: reads $5", "nothing_to_do", true},

		{"Put mugs on $2 off", "unknown_words", false},
		{"Raise tea which have arrived by 5%", "unknown_words", false},
		{"Flurb tea by 5%", "unknown_category", false},
	} {
		r := request(tc.instruction)
		r.Categories = []string{"Tea", "Mugs", "Rugs"}
		_, err := grammar.Planner{}.Plan(t.Context(), r)
		var asked *planning.ClarificationError
		if !errors.As(err, &asked) || asked.Class != tc.class || asked.Open != tc.open {
			t.Errorf("%q: got %+v, want a question of class %s, open %t", tc.instruction, asked, tc.class, tc.open)
		}
	}
}

// A comparison is a direction where it tells no products from others.
func TestComparisonsAreDirections(t *testing.T) {
	for instruction, want := range map[string]string{
		"Make the mugs cheaper by 5%":            "Decrease the price by 5% for products in category Mugs; round to 2 decimals.",
		"Make all mugs 5% more expensive":        "Increase the price by 5% for products in category Mugs; round to 2 decimals.",
		"5% off the cheaper than $20 mugs":       "Decrease the price by 5% for products in category Mugs that are priced 19.99 or less; round to 2 decimals.",
		"5% off anything higher priced than $20": "Decrease the price by 5% for products that are priced 20.01 or more; round to 2 decimals.",
		"Cheaper mugs: 5% off":                   "Decrease the price by 5% for products in category Mugs; round to 2 decimals.",
		"Our mugs should be 5% pricier":          "Increase the price by 5% for products in category Mugs; round to 2 decimals.",
		"Make 5% cheaper all mugs, not rugs":     "Decrease the price by 5% for products in category Mugs; round to 2 decimals.",
		"Round the mugs to the nearest dollar":   "Increase the price by 0% for products in category Mugs; round to a whole number.",
	} {
		r := request(instruction)
		r.Categories = []string{"Tea", "Mugs", "Rugs"}
		draft, err := grammar.Planner{}.Plan(t.Context(), r)
		if err != nil {
			t.Errorf("%q: %v", instruction, err)
		} else if got := plan.Explain(draft.Plan); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q, want %q", instruction, got, want)
		}
	}
}
