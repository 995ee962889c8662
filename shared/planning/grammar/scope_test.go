package grammar_test

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// What stands at the end of several rules, or between them, is of those rules whose
// products are listed here; of none is a question.
func TestScope(t *testing.T) {
	for name, cases := range map[string]map[string]string{
		"a list under one lead": {
			"For mugs: 5% more if under $50, 3% more if $50 or over, rounded to the nearest 10 cents": "Mugs Mugs",
			"Mugs: under $50 up 5%, $50 and over up 3%, ending in .99":                                "Mugs Mugs",
			"Mugs: up 5% if in stock, up 3% if sold out, never above $90":                             "Mugs Mugs",
			"Mugs: under $50 up 5%, $50 and over up 3% rounded to whole dollars":                      "",
			"Mugs under $50 up 5%, $50 and over up 3%, rounded to whole dollars":                      "",
			"Under $50: 5% off, $50 and up: 3% off, rounded to whole dollars":                         "",
			"Take 5% off if in stock, 3% off if sold out, with a floor of $5":                         "",
			"Raise mugs by 5% if they are in stock, otherwise by 3%, rounded to whole dollars":        "",
		},
		"rules with conditions of their own": {
			"Raise mugs by 5% if they are in stock and lamps by 3%, rounded to whole dollars":              "",
			"Raise mugs by 5% if they are in stock and lamps by 3% if under $20, rounded to whole dollars": "",
			"Raise mugs by 5% rounded to whole dollars and lamps by 3% if in stock":                        "",
		},
		"words for all": {
			"Raise mugs by 5% and lamps by 3%, all prices ending in .99":                     "Mugs Lamps",
			"Raise mugs by 5% and lamps by 3%, both with prices ending in .50":               "Mugs Lamps",
			"Raise mugs by 5% and lamps by 3% and make those prices end in .90":              "Mugs Lamps",
			"Raise mugs by 5% and lamps by 3%, rounding those prices to whole dollars":       "Mugs Lamps",
			"Raise mugs by 5% and lamps by 3% without going over $99 on either":              "Mugs Lamps",
			"5% off mugs and 3% off lamps, none of them lower than $10":                      "Mugs Lamps",
			"5% off mugs, but none of them below $10":                                        "Mugs",
			"Cut mugs by 5% and lamps by 3%, but don't touch A101 in either":                 "Mugs Lamps",
			"Cut mugs by 5% and lamps by 3%, excluding A101 in both cases":                   "Mugs Lamps",
			"Cut mugs by 5% and lamps by 3%, except sold-out items":                          "Mugs Lamps",
			"Mugs and lamps go down by 8%, neither below $12, while hats go up by $10":       "Mugs Lamps",
			"Mugs, lamps and A101 go down by 8%, neither below $12, while hats go up by $10": "",
			"Raise mugs by 5%, hats by 4% and lamps by 3% without going over $99 on either":  "",
			"Raise mugs by 5% and lamps by 3%, all prices ending in .99 by 2%":               "",
			"Raise mugs by 5% and lamps by 3% and make these prices end in .90 by 2%":        "",
			"Mark mugs as sold out and cut lamps by 3%, except items in stock":               "",
			"Cut mugs by 5%, hats by 4% and lamps by 3%, but leave A101 alone in both":       "",
			"Cut mugs by 5% and lamps by 3%, but leave A101 alone in both, and hats by 2%":   "",
			"Cut mugs by 5% and lamps by 3%, but leave hats alone in both":                   "",
			"5% off mugs, none of them below $10, and 3% off lamps":                          "",
			"Raise mugs by 5%, none of them above $9":                                        "",
			"Cut mugs by 5%, then lamps by 3%, except sold-out items":                        "",
			"Raise mugs by 5% and lamps by 3%, never above $9 on either side":                "",
		},
		"products of any kind": {
			"Raise mugs by 5% and lamps by 3% for anything in stock":                       "",
			"Raise mugs by 5% and lamps by 3% for all items under $20":                     "",
			"5% off mugs and 3% off lamps for items in stock":                              "",
			"Raise mugs by 5% for anything in stock and lamps by 3% for anything in stock": "Mugs Lamps",
		},
		"between two rules": {
			"Mark mugs as sold out, but leave A101 as it is, and take 10% off lamps":         "Mugs",
			"Raise mugs by 5%, but don't touch A101, lower lamps by 10%":                     "Mugs",
			"Raise mugs by 5%, but A101 stays as is, then lower lamps by 10%":                "Mugs",
			"Raise mugs by 5%, but leave sold-out ones alone, and lower lamps by 10%":        "Mugs",
			"Raise mugs by 5%, leave A101 alone, and lower lamps by 10%":                     "Mugs Lamps",
			"Raise mugs by 5%, lower lamps by 10%, but leave A101 alone":                     "Mugs Lamps",
			"Raise mugs by 5%, hats by 3%, but leave A101 as is, and lower lamps by 10%":     "",
			"Raise everything by 5%, but leave hats as they are, and take 10% off the lamps": "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for instruction, want := range cases {
				if got := ofRules(t, instruction); got != want {
					t.Errorf("%q: of %q, want %q", instruction, got, want)
				}
			}
		})
	}
}

// ofRules names the products of the operations that have more than their rule, or nothing
// where the instruction is a question.
func ofRules(t *testing.T, instruction string) string {
	t.Helper()
	draft, err := grammar.Planner{}.Plan(t.Context(), request(instruction, "Hats", "Mugs", "Lamps"))
	if err != nil {
		return ""
	}
	var of []string
	for i := range draft.Plan.Operations {
		op := &draft.Plan.Operations[i]
		o, f := &op.Options, &op.Filter
		shaped := o.RoundTo != nil && *o.RoundTo != plan.DefaultRoundTo || o.PriceEnding != nil || o.MinPrice != nil || o.MaxPrice != nil
		if shaped || f.ExcludeSKUs != nil || f.ExcludeCategories != nil || f.InStock != nil && *f.InStock {
			of = append(of, append(f.Categories, f.SKUs...)...)
		}
	}
	return strings.Join(of, " ")
}
