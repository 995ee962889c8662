package grammar_test

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// reading is what a plan of an instruction says, or "" where it asks.
func reading(t *testing.T, instruction string, categories ...string) string {
	t.Helper()
	draft, err := grammar.Planner{}.Plan(t.Context(), request(instruction, categories...))
	if err != nil {
		return ""
	}
	return strings.Join(plan.Explain(draft.Plan), " ")
}

// What people say around a rule adds nothing to it; what only looks like it is
// still part of the rule, or a question.
func TestAddressesAndTags(t *testing.T) {
	const up = "Increase the price by 5% for products in category Mugs; round to 2 decimals."
	categories := []string{"Mugs", "Love", "Evening"}
	for instruction, want := range map[string]string{
		"Hiya, mugs up 5%":                       up,
		"Mate, mugs up 5%":                       up,
		"Mate mugs up 5%":                        "",
		"Mugs up 5%, mate":                       up,
		"Mugs up 5% please hun":                  up,
		"Mugs up 5%, love":                       "", // it is a category here
		"Mugs up 5% will ya":                     up,
		"Mugs up 5%, go on sale":                 "",
		"Mugs up 5%, go on":                      up,
		"Mugs up 5%, thanks a million":           up,
		"Mugs up 5%, thanks a million mugs sold": "",
		"Rosie here, mugs up 5%":                 up,
		"Rosie, mugs up 5%":                      "",
		"Morning! Mugs up 5%":                    up,
		"Mugs up 5%, morning":                    "",
		"Mugs up 5% in the morning":              "",
		"Right so two things. Mugs up 5%":        up,
		"Right mugs up 5%":                       "",
		"Three wee jobs: mugs up 5%":             up,
		"Three wee mugs: up 5%":                  "",
		"Oh and mugs up 5%":                      up,
		"Good news, mugs up 5%":                  up,
		"Good mugs, up 5%":                       "",
	} {
		if got := reading(t, instruction, categories...); got != want {
			t.Errorf("%q: %q, want %q", instruction, got, want)
		}
	}
}

// "All prices" after a rule for some products may be those of the shop.
func TestAllPricesMayBeThoseOfTheShop(t *testing.T) {
	const up = "Increase the price by 5% for products in category tea; "
	for instruction, want := range map[string]string{
		"Raise tea by 5% and round all to whole dollars":                      up + "round to a whole number.",
		"Raise tea by 5% and round all prices to whole dollars":               "",
		"Raise tea by 5% and cap all prices at $20":                           "",
		"Raise tea by 5%, then round all prices in the shop to whole dollars": up + "round to 2 decimals. Increase the price by 0% for all products; round to a whole number.",
		"Raise all prices by 5% and round all prices to whole dollars":        "Increase the price by 5% for all products; round to a whole number.",
	} {
		if got := reading(t, instruction); got != want {
			t.Errorf("%q: %q, want %q", instruction, got, want)
		}
	}
}
