package grammar_test

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// What products need or want is to be done to them.
func TestNeeds(t *testing.T) {
	const cut = "Decrease the price by 5% for products in category Lamps; round to 2 decimals."
	cases := map[string]string{
		"Lamp prices want cutting by 5%":        cut,
		"Every lamp wants 5% knocking off":      cut,
		"Lamps require a 5% cut":                cut,
		"Lamps could do with cutting by 5%":     cut,
		"Karen wants 5% off lamps":              cut,
		"The owner wants 5% knocking off lamps": cut,
		"Lamps want doubling":                   "Increase the price by 100% for products in category Lamps; round to 2 decimals.",
		"Lamps need setting to $49":             "Set the price to 49 for products in category Lamps; round to 2 decimals.",
		"Lamps want marking as unavailable":     "Mark as out of stock for products in category Lamps.",
		"Lamps need putting back in stock":      "Mark as in stock for products in category Lamps.",
		"Lamps over $50 want trimming by 5%":    "Decrease the price by 5% for products in category Lamps that are priced 50.01 or more; round to 2 decimals.",

		"Lamps don't want cutting by 5%":       "",
		"Lamps might want cutting by 5%":       "",
		"Lamps wanted cutting by 5%":           "",
		"Do lamps want cutting by 5%?":         "",
		"If lamps want cutting by 5% do so":    "",
		"They want cutting by 5%":              "",
		"Lamps want cutting":                   "",
		"Lamps need putting back to $5":        "",
		"Customers want 5% off lamps":          "",
		"Lamps want mugs":                      "",
		"Lamps and mugs want the same":         "",
		"Raise lamps by 5% if they need it":    "",
		"Raise lamps that want mending by 5%":  "",
		"Raise lamps as mugs need cutting 5%":  "",
		"Lamps used to need cutting by 5%":     "",
		"Nobody wants lamps, cut them by 5%":   "",
		"Lamps want cutting boards raised 5%":  "",
		"Raise lamps by 5%, mugs want nothing": "",
	}
	readsOneEach(t, cases, "Lamps", "Mugs")
}

// readsOneEach checks what each instruction is planned as. "" is a question.
func readsOneEach(t *testing.T, cases map[string]string, categories ...string) {
	t.Helper()
	for instruction, want := range cases {
		draft, err := grammar.Planner{}.Plan(t.Context(), request(instruction, categories...))
		switch {
		case want == "" && err == nil:
			t.Errorf("%q is planned: %s", instruction, explained(draft))
		case want != "" && err != nil:
			t.Errorf("%q: %v", instruction, err)
		case want != "":
			if got := strings.Join(plan.Explain(draft.Plan), " "); got != want {
				t.Errorf("%q: %q, want %q", instruction, got, want)
			}
		}
	}
}
