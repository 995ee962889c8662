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

		"Pleese reduse the price of lamsp by $1": true,
		"Pleaze lowr all lmaps by $1":            true,
		"Rais mugs by 5%":                        true,
		"Rasie everthing by 5%":                  true,
		"Rais and mugs 5% off":                   false,
		"Prizes up 5%":                           false,
		"Pleese prizes up 5%":                    false,
		"Thnks. Prises up 5%":                    false,
		"Please chips mugs by 5%":                false,
		"Hats rais 5%":                           false,
	} {
		draft, err := grammar.Planner{}.Plan(t.Context(), request(instruction, "Mugs", "Lamps"))
		if (err == nil) != planned {
			t.Errorf("%q: planned %v, want %v: %v %v", instruction, err == nil, planned, err, explained(draft))
		}
	}
}

// A word as near to one of a listed name as to a verb is a slip of the name, and one
// before a verb that is as near to "please" as to another word is that.
func TestSlipsOfWhatIsNearest(t *testing.T) {
	const up = "Increase the price by 5% for products in category "
	const round = "; round to 2 decimals."
	expectReadings(t, []string{"Sleeping Bags", "Mugs", "Place Mats", "Peas"}, map[string]string{
		"mark slepping bags as out of stok":              `Mark as out of stock for products in category "Sleeping Bags".`,
		"Rais slepping bags by 5%":                       up + `"Sleeping Bags"` + round,
		"Raise plase mats by 5%":                         up + `"Place Mats"` + round,
		"Pleas raise mugs by 5%":                         up + "Mugs" + round,
		"mark stepping stones as out of stok":            "",
		"Hello, plase incrase the prcies of mugs by 5%.": "", // or Place
	})
	expectReadings(t, nil, map[string]string{
		"Hello, plase incrase the prcies of mugs by five percent.": up + "mugs" + round,
		"Could you plase set coffe at $5?":                         "Set the price to 5 for products in category coffe; round to 2 decimals.",
		"Raise plase mats by 5%":                                   up + `"plase mats"` + round,
		"Plase mats up 5%":                                         "", // or "place"
	})
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

// A name is one in the plural and one in the singular, however its plural is made.
func TestSingularsOfNames(t *testing.T) {
	expectReadings(t, []string{"Cookies", "Potatoes", "Canoes", "Shoes", "Ties", "Scarves"}, map[string]string{
		"Raise each cookie by 5%":            "Increase the price by 5% for products in category Cookies; round to 2 decimals.",
		"Raise every potato by 5 cents":      "Increase the price by 0.05 for products in category Potatoes; round to 2 decimals.",
		"No canoe may cost less than $100":   "Set the price to 100 for products in category Canoes that are priced 100 or less; round to 2 decimals.",
		"Set the price of every shoe to $40": "Set the price to 40 for products in category Shoes; round to 2 decimals.",
		"A dollar off any tie":               "Decrease the price by 1 for products in category Ties; round to 2 decimals.",
		"Make each scarf $9":                 "Set the price to 9 for products in category Scarves; round to 2 decimals.",
	})
}

// Two f's before the end of a word are no plural in the making, as in knife and knives.
func TestNamesWithTwoFs(t *testing.T) {
	const up = "Increase the price by 5% for products in category "
	const round = "; round to 2 decimals."
	expectReadings(t, []string{"Coffee Machines", "Coffee Mugs", "Giraffe", "Knives"}, map[string]string{
		"Raise coffe machnes by 5%":  up + `"Coffee Machines"` + round,
		"Raise coffe machines by 5%": up + `"Coffee Machines"` + round,
		"Raise giraffes by 5%":       up + "Giraffe" + round,
		"Raise each knife by 5%":     up + "Knives" + round,
		"Raise coffe by 5%":          "",
		"Raise coffe beans by 5%":    "",
	})
}
