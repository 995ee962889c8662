package grammar_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// Ways to say what a rule reads, each with its plan.
func TestWordings(t *testing.T) {
	const (
		mugs5   = "Increase the price by 5% for products in category mugs; round to 2 decimals."
		outA101 = "Mark as out of stock for products with SKU A101."
	)
	for instruction, want := range map[string][]string{
		"Raise mugs by 5%, max $75":    {"Increase the price by 5% for products in category mugs; round to 2 decimals, then lower any result above 75 to it."},
		"Lower mugs by $2, minimum $6": {"Decrease the price by 2 for products in category mugs; round to 2 decimals, then raise any result below 6 to it."},

		"Raise mugs by 10% and hats by half that": {
			"Increase the price by 10% for products in category mugs; round to 2 decimals.",
			"Increase the price by 5% for products in category hats; round to 2 decimals."},
		"Raise anything up to $50 by 6% and anything above that by 4%": {
			"Increase the price by 4% for products that are priced 50.01 or more; round to 2 decimals.",
			"Increase the price by 6% for products that are priced 50 or less; round to 2 decimals."},
		"Mugs between $5 and $10 up 5%, below that 3%": {
			"Increase the price by 5% for products in category mugs that are priced from 5 to 10; round to 2 decimals.",
			"Increase the price by 3% for products in category mugs that are priced 4.99 or less; round to 2 decimals."},

		"Power Tools: $200 and up get 12% off, anything below that gets 6% off": {
			`Decrease the price by 6% for products in category "Power Tools" that are priced 199.99 or less; round to 2 decimals.`,
			`Decrease the price by 12% for products in category "Power Tools" that are priced 200 or more; round to 2 decimals.`},
		"For mugs, in-stock items go up 5% and out-of-stock items go up 3%": {
			"Increase the price by 5% for products in category mugs that are in stock; round to 2 decimals.",
			"Increase the price by 3% for products in category mugs that are out of stock; round to 2 decimals."},

		"Take 10% off anything under $5 or over $50": {
			"Decrease the price by 10% for products that are priced 4.99 or less; round to 2 decimals.",
			"Decrease the price by 10% for products that are priced 50.01 or more; round to 2 decimals."},
		"Raise in-stock mugs that cost $5 to $10 or more than $50 by 5%": nil,
		"Mark mugs between $5 and $10 or over $50 as sold out": {
			"Mark as out of stock for products in category mugs that are priced from 5 to 10.",
			"Mark as out of stock for products in category mugs that are priced 50.01 or more."},

		"Raise mugs by 5%. Thanks, Maria":                       {mugs5},
		"Raise mugs by 5%.\n\nThanks,\nMaria":                   {mugs5},
		"Raise mugs by 5%. - Joe":                               {mugs5},
		"Costs went up 8%, so raise mugs by 5%":                 {mugs5},
		"We got 3 boxes of lids in, so raise mugs by 5%":        {mugs5},
		"Raise mugs by 5% because the rent went up 12%":         {mugs5},
		"It's been 2 years since we did, so raise mugs by 5%":   {mugs5},
		"Leave A101 alone, push mugs up 5%":                     nil,
		"Leave A101 alone, push all prices up by 5%":            {"Increase the price by 5% for all products, except SKU A101; round to 2 decimals."},
		"A101 isn't available any more, set it to out of stock": {outA101},
		"A101 is sold out, please mark it that way":             {outA101},
		"Mark A101 unavailable, I mean out of stock":            {outA101},
		"30-1187 and 30-1188 are sold out":                      {"Mark as out of stock for products with SKUs 30-1187 or 30-1188."},

		"Raise White Wine by 5%":     {`Increase the price by 5% for products in category "White Wine"; round to 2 decimals.`},
		"Red Wine up 5%":             {`Increase the price by 5% for products in category "Red Wine"; round to 2 decimals.`},
		"20% off Winter Coats":       {`Decrease the price by 20% for products in category "Winter Coats"; round to 2 decimals.`},
		"Remove $5 from every price": {"Decrease the price by 5 for all products; round to 2 decimals."},
		"Set mugs at $5 and all tea towels at $9": {
			"Set the price to 5 for products in category mugs; round to 2 decimals.",
			`Set the price to 9 for products in category "tea towels"; round to 2 decimals.`},
		"Raise books 5%, except A101 and A102 which should be set to $15": {
			"Increase the price by 5% for products in category books, except SKUs A101 and A102; round to 2 decimals.",
			"Set the price to 15 for products with SKUs A101 or A102; round to 2 decimals."},
		"Raise everything by 5% except mugs, which stay the same": {"Increase the price by 5% for all products, except category mugs; round to 2 decimals."},
	} {
		draft, err := grammar.Planner{}.Plan(t.Context(), request(instruction))
		if want == nil {
			if err == nil {
				t.Errorf("%q is planned: %s", instruction, explained(draft))
			}
			continue
		}
		if err != nil || !slices.Equal(plan.Explain(draft.Plan), want) {
			t.Errorf("%q: got %v %s, want %s", instruction, err, explained(draft), strings.Join(want, " "))
		}
	}
}
