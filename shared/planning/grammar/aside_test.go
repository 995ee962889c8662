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

// A clause that only tells something is filler. Beside each stands one that could
// be a target, a condition, a date, a further rule or a correction.
func TestNewsBesideARule(t *testing.T) {
	const drop = "Decrease the price by 15% for products in category vinyl; round to 2 decimals."
	for _, pair := range []struct{ told, asked string }{
		{"it's just sitting there", "it's just the sold-out ones"},
		{"it's going stale", "it's going up"},
		{"they're gathering dust", "they're joining hats"},
		{"they're flying out the door", "they're flying out the door on Friday"},
		{"they've had theirs already", "they've had 5% already"},
		{"the cents are driving the cashiers mad", "the hats are following"},
		{"the new bags are here", "the new bags"},
		{"the new bags are here", "the new bags are here, mark them sold out"},
		{"our premium customers are moaning", "our premium ones"},
		{"fuel's killing us", "fuel's killing us, and hats"},
		{"the boss's nagging me", "the boss's nagging me about hats too"},
		{"nobody buys it", "nobody buys the rest"},
		{"it was a mistake", "it was a mistake, I meant hats"},
		{"it seems old", "it seems old unless it is in stock"},
		{"like the big shops do", "like the hats"},
		{"like the big shops do", "like the big shops do after easter"},
		{"can't get them anywhere", "can't get them under $5"},
		{"our costs are a joke", "our costs are up 5%"},
		{"it was slow", "it was slow until friday"},
		{"it was slow", "it was slow and hats likewise"},
		{"it was slow", "it should be hats"},
	} {
		for _, around := range []string{"Drop vinyl by 15%, @.", "Drop vinyl by 15%. @."} {
			instruction := strings.Replace(around, "@", pair.told, 1)
			if got := reading(t, instruction); got != drop {
				t.Errorf("%q: %q, want %q", instruction, got, drop)
			}
			instruction = strings.Replace(around, "@", pair.asked, 1)
			if got := reading(t, instruction); got != "" {
				t.Errorf("%q: %q, want a question", instruction, got)
			}
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
