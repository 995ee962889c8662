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
