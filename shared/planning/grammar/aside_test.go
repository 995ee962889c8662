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

// expectReadings compares the plan of each instruction in plain English with
// what is expected: "" is a question. One that breaks off early is answered too.
func expectReadings(t *testing.T, categories []string, want map[string]string) {
	t.Helper()
	for instruction, plan := range want {
		if got := reading(t, instruction, categories...); got != plan {
			t.Errorf("%q: %q, want %q", instruction, got, plan)
		}
		for words := strings.Fields(instruction); len(words) > 1; {
			words = words[:len(words)-1]
			reading(t, strings.Join(words, " "), categories...)
		}
	}
}

// What people say around a rule adds nothing to it; what only looks like it is
// still part of the rule, or a question.
func TestAddressesAndTags(t *testing.T) {
	const up = "Increase the price by 5% for products in category Mugs; round to 2 decimals."
	categories := []string{"Mugs", "Love", "Evening"}
	for instruction, want := range map[string]string{
		"Hiya, mugs up 5%":                                    up,
		"Mate, mugs up 5%":                                    up,
		"Mate mugs up 5%":                                     "",
		"Mugs up 5%, mate":                                    up,
		"Mugs up 5% please hun":                               up,
		"Mugs up 5%, love":                                    "", // it is a category here
		"Mugs up 5% will ya":                                  up,
		"5% up on all guys":                                   "",
		"5% up on the boss":                                   "",
		"Mugs up 5%, go on sale":                              "",
		"Mugs up 5%, go on":                                   up,
		"Mugs up 5%, thanks a million":                        up,
		"Mugs up 5%, thanks a million mugs sold":              "",
		"Rosie here, mugs up 5%":                              up,
		"Rosie, mugs up 5%":                                   "",
		"Morning! Mugs up 5%":                                 up,
		"Mugs up 5%, morning":                                 "",
		"Mugs up 5% in the morning":                           "",
		"Right so two things. Mugs up 5%":                     up,
		"Right mugs up 5%":                                    "",
		"Three wee jobs: mugs up 5%":                          up,
		"Three wee mugs: up 5%":                               "",
		"Oh and mugs up 5%":                                   up,
		"It's Moira from the Leith shop, mugs up 5%":          up,
		"It's Moira from the Leith shop mugs up 5%":           "",
		"It's the mugs, up 5%":                                "",
		"Hun could you put the mugs up 5%":                    up,
		"Hun mugs up 5%":                                      "",
		"As it's my birthday, mugs up 5%":                     up,
		"As it's half price, mugs up 5%":                      "",
		"Mugs up 5%, they're not shifting":                    up,
		"Mugs up 5%, they're not the ones":                    "",
		"Good news, mugs up 5%":                               up,
		"Good mugs, up 5%":                                    "",
		"Priya here from the Pune store. Mugs up 5%":          up,
		"Priya here from the mugs, up 5%":                     "",
		"Oi oi, mugs up 5% yeah?":                             up,
		"It'd be grand if you could put the mugs up 5%":       up,
		"It'd be grand if you could put the mugs up":          "",
		"Do us a favour and put 5% on the mugs":               up,
		"I think the mugs are 5% up":                          "",
		"How about we put the mugs up 5%":                     "",
		"Please be informed that the mugs should go up by 5%": up,
		"Please be informed that the mugs went up by 5%":      "",
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
		{"it was a flop", "it was a mistake"},
		{"they're not moving", "they're done already"},
		{"it's been slow", "it's been handled already"},
		{"he's nagging me", "he's joking"},
		{"it's just sitting there", "it's cancelled"},
		{"we're drowning in them", "we're wondering"},
		{"it's just sitting there", "I'm sitting there"},
		{"it seems old", "it seems old unless it is in stock"},
		{"like the big shops do", "like the hats"},
		{"like the big shops do", "like the big shops do after easter"},
		{"can't get them anywhere", "can't get them under $5"},
		{"our costs are a disgrace", "our costs are up 5%"},
		{"it was slow", "it was slow until friday"},
		{"it was slow", "it was slow and hats likewise"},
		{"it was slow", "it should be hats"},
		{"it was slow", "it was hats last time"},
		{"she did well lately", "she did hats"},
		{"the cents are driving the cashiers mad", "the hats are done"},
		{"the cents are driving the cashiers mad", "our hats are looking cheap"},
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

// What is said loosely is read where it can mean one thing only.
func TestLooseWays(t *testing.T) {
	for instruction, want := range map[string]string{
		"K200 is back in stock, can you update it":               "Mark as in stock for products with SKU K200.",
		"K200 is back in stock, can you update the rest":         "",
		"K200 and K205 are sold out, mark them so":               "Mark as out of stock for products with SKUs K200 or K205.",
		"K200 is up 5%, mark it so please":                       "",
		"Lower hats by ten. I mean ten percent.":                 "Decrease the price by 10% for products in category hats; round to 2 decimals.",
		"Lower hats by ten. I mean twelve percent.":              "",
		"Lower hats by 5%, I mean 6%":                            "", // something is taken back
		"Lower hats by 10, I mean percent":                       "Decrease the price by 10% for products in category hats; round to 2 decimals.",
		"Lower hats by 5%, I mean $6":                            "",
		"Lower hats by ten. I mean scarves.":                     "",
		"Hats: $2 more on each":                                  "Increase the price by 2 for products in category hats; round to 2 decimals.",
		"Hats: $2 more on each scarf":                            "",
		"Put on 10p for hats":                                    "Increase the price by 0.1 for products in category hats; round to 2 decimals.",
		"Put on 10% off hats":                                    "",
		"Whatever costs exactly $9 should cost $10 instead":      "Set the price to 10 for products that are priced exactly 9; round to 2 decimals.",
		"Lower hats by 5%, scarves instead":                      "",
		"Leave tea out of it, and milk as well. Raise all by 5%": "Increase the price by 5% for all products, except categories tea and milk; round to 2 decimals.",
		"Leave tea alone, and milk. Everything up 5%":            "Increase the price by 5% for all products, except categories tea and milk; round to 2 decimals.",
		"Raise jam 5%, leave tea alone, and milk":                "",
		"Leave tea alone, and milk up 5%":                        "Increase the price by 5% for products in category milk; round to 2 decimals.",
		"Raise laptop bags by 10% but no bag may cost over $50":  "Increase the price by 10% for products in category \"laptop bags\"; round to 2 decimals, then lower any result above 50 to it.",
		"Under $5 put on 10c, from $5 to $20 put on 50c":         "Increase the price by 0.5 for products that are priced from 5 to 20; round to 2 decimals. Increase the price by 0.1 for products that are priced 4.99 or less; round to 2 decimals.",
	} {
		if got := reading(t, instruction); got != want {
			t.Errorf("%q: %q, want %q", instruction, got, want)
		}
	}
	const bread = "Increase the price by 5% for products in category Bread; round to 2 decimals."
	for instruction, want := range map[string]string{
		"Every loaf in Bread up 5%":          bread,
		"Every bottle of Bread up 5%":        bread,
		"Every bottle in Bread up 5%":        "", // there may be cans too
		"Every bun in Bread up 5%":           "",
		"Every loaf up 5%":                   "",
		"Raise Bread 5%, with no loaf under": "",
	} {
		if got := reading(t, instruction, "Bread", "Cakes"); got != want {
			t.Errorf("%q: %q, want %q", instruction, got, want)
		}
	}
}

// That only some products should change leads the rules about them, or is said twice.
func TestOnlyTheseShouldChange(t *testing.T) {
	const (
		up    = "Increase the price by 5% for products in category mugs; round to 2 decimals."
		skus  = "Set the price to 5 for products with SKUs A101 or A102; round to 2 decimals."
		whole = "Increase the price by 5% for products in category mugs; round to a whole number."
	)
	expectReadings(t, nil, map[string]string{
		"Only mugs should change. Please increase them by 5 percent, and many thanks for your help.": up,
		"Only the mugs need changing today. Raise prices by 5%.":                                     up,
		"Mugs only, please. Raise them by 5%":                                                        up,
		"Only touch mugs. Raise them by 5%. Round to the nearest dollar.":                            whole,
		"Only A101 and A102 are to be changed. They should cost $5.":                                 skus,
		"Only mugs should change. Raise mugs by 5%.":                                                 up,
		"Raise mugs by 5%. Only mugs should change.":                                                 up,

		"Only mugs and hats should change. Raise mugs by 5%.":             "",
		"Only mugs should change. Raise them by 5% and lower tea by 3%.":  "",
		"Only mugs should change. Raise everything by 5%.":                "",
		"Only mugs should change. Raise all products by 5%.":              "",
		"Only mugs should change on Friday. Raise them by 5%.":            "",
		"Only mugs changed. Raise the prices by 5%":                       "",
		"Only mugs over $5 should change. Raise them by 5%":               "",
		"Should only mugs change? Raise them by 5%":                       "",
		"Lower tea by 3%. Only mugs should change. Raise them by 5%.":     "",
		"Lower prices by 3%. Only mugs should change. Raise prices by 5%": "",
		"Not only mugs should change. Raise prices by 5%":                 "",
	})
}
