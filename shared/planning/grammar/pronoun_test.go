package grammar_test

import "testing"

// "Each one" stands for products that were named, as "every one" does.
func TestEachOne(t *testing.T) {
	const mugs = "Increase the price by 0.8 for products in category Mugs; round to 2 decimals."
	readsOneEach(t, map[string]string{
		"Our mugs are too cheap: could you add 80 cents to each one, please?": mugs,
		"For all mugs, could you add 80 cents to each one?":                   mugs,
		"Mugs: raise each one by 80 cents":                                    mugs,
		"Add 80 cents to each one of our mugs":                                mugs,
		"Each one of the mugs goes up 80 cents":                               mugs,
		"A101 and A102 are too dear: take $1 off each one":                    "Decrease the price by 1 for products with SKUs A101 or A102; round to 2 decimals.",
		"Set A101 and A102 to $9, each one":                                   "Set the price to 9 for products with SKUs A101 or A102; round to 2 decimals.",

		"Add 80 cents to each one":                                  "",
		"Raise mugs by 5%. Add 80 cents to each one.":               "",
		"Raise mugs by 5% and hats by 6%. Then add $1 to each one.": "",
		"Mugs each one $5":                                          "",
	}, "Hats", "Mugs")
}
