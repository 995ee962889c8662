package grammar_test

import "testing"

// A rule may begin with its sign, where that is no "and".
func TestSigns(t *testing.T) {
	const (
		up   = "Increase the price by 5% for products in category Mugs; round to 2 decimals."
		both = "Decrease the price by 5% for products in category Hats; round to 2 decimals. " + up
	)
	readsOneEach(t, map[string]string{
		"Plus 5% on mugs":                                      up,
		"Hi, plus 5% on all mugs please":                       up,
		"+ 5% on mugs":                                         up,
		"Less 5% on hats. Plus 5% on mugs.":                    both,
		"Minus 5% for hats, plus 5% for mugs":                  both,
		"Minus 5% on hats and plus 5% on mugs; leave the rest": both,

		"5% off hats. Plus 5% on mugs.":     "",
		"Hats 5% off, plus 5% on mugs":      "",
		"Plus 5% off mugs":                  "",
		"Plus or minus 5% on mugs":          "",
		"Plus $20 mugs up 5%":               "",
		"Plus 5% on mugs plus $2":           "",
		"Less hats, plus 5% on mugs":        "",
		"Plus 5% on mugs plus 5% on hats":   "",
		"Discount hats by 5%. Plus 3% mugs": "",
	}, "Hats", "Mugs")
}

// A change of either sign, a condition in parentheses after several names, and how
// things are while a rule is for others, are questions.
func TestSignsAndStatesThatMayBeOther(t *testing.T) {
	const both = "Increase the price by 5% for products in category Mugs; round to 2 decimals. Set the price to 5 for products in category Hats; round to 2 decimals."
	readsOneEach(t, map[string]string{
		"Raise mugs by 5% while hats should be $5": both,
		"Raise mugs by 5% while hats go to $5":     both,
		"Mugs (in stock) up 5%":                    "Increase the price by 5% for products in category Mugs that are in stock; round to 2 decimals.",
		"Raise mugs by 5% while hats are $5":       "",
		"Mugs up 5% while hats cost $5":            "",
		"Mugs and hats (in stock) up 5%":           "",
		"Mugs, hats (over $5): 5% off":             "",
		"Mugs +/-5%":                               "",
		"Change mugs by +/- 5%":                    "",
	}, "Hats", "Mugs")
}
