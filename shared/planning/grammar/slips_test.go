package grammar_test

import "testing"

// A slip in the verb of a request is known after what asks for it politely, and a
// polite word by the verb after it, though both are misspelt.
func TestSlipsInRequests(t *testing.T) {
	const (
		up   = "Increase the price by 10% for products in category Hats; round to 2 decimals."
		less = "Decrease the price by 3 for products in category Mugs; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Plase rais the price of all hats by 10 percent, thank you": up,
		"Could you plase rais hats by 10%":                          up,
		"We want to increaze hats by 10%":                           up,
		"Could you reduse all mugs by $3?":                          less,
		"I'd like you to reduse mugs by $3":                         less,
		"Please could you reduse all mugs by $3":                    less,
		"Plase lowr mugs by $3":                                     less,

		"Plate rais hats by 10%":                    "",
		"We want prizes up 10%":                     "",
		"Could you bake mugs by 10%":                "",
		"Reduce hats by 10% and reduse mugs by 10%": "",
	}, "Hats", "Mugs")
}

// A slip in a name is looked for in how the name is written, and in how it is compared
// with others.
func TestSlipsInNames(t *testing.T) {
	readsOneEach(t, map[string]string{
		"Reduce Jewlery by 5%":              "Decrease the price by 5% for products in category Jewelry; round to 2 decimals.",
		"Reduce Jewellry over $1,500 by 5%": "Decrease the price by 5% for products in category Jewelry that are priced 1500.01 or more; round to 2 decimals.",
		"Raise Wathces by 4%":               "Increase the price by 4% for products in category Watches; round to 2 decimals.",
		"Raise brushse by $1":               "Increase the price by 1 for products in category Brushes; round to 2 decimals.",

		"Raise Benches by 4%": "", // or bunches
		"Raise Brags by 4%":   "",
		"Raise Hatches by 4%": "",
	}, "Jewelry", "Watches", "Brushes", "Bags", "Beaches", "Bunches")
}
