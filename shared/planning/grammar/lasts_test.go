package grammar_test

import "testing"

// What is told of the last ones, or that products are the last of their kind, is why
// something is asked for. Of those that are spoken of before, it is more than that.
func TestLastOnes(t *testing.T) {
	const (
		out    = "Mark as out of stock for products with SKUs W-12 or W-13."
		double = "Increase the price by 100% for products with SKU RARE-1; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Would you mind marking W-12 and W-13 as out of stock? The last ones were damaged.": out,
		"Mark W-12 and W-13 as sold out (the last few were stolen)":                         out,
		"Mark W-12 and W-13 as sold out because the last of them broke":                     out,
		"Mark W-12 and W-13 as sold out, the last ones were damaged":                        out,
		"The last ones were recalled, so mark W-12 and W-13 as sold out":                    out,
		"Please double the price of RARE-1, as it is the last of its kind.":                 double,
		"Double the price of RARE-1 as it's our last one left":                              double,
		"Double the price of RARE-1. It's one of a kind.":                                   double,
		"It's the only one we have, so double the price of RARE-1":                          double,
		"Leave RARE-1 as it is. Raise mugs by 5%.":                                          "Increase the price by 5% for products in category Mugs, except SKU RARE-1; round to 2 decimals.",

		"Raise A101 and A102 by 5%. The last one should be 6%.":     "",
		"Raise A101 and A102 by 5%. The last one was wrong.":        "",
		"Raise A101 and A102 by 5%. The last one is sold out.":      "",
		"Mark A101 as sold out. The last ones as well.":             "",
		"Raise mugs by 5%. The last ones are back in stock.":        "",
		"Raise mugs by 5%. The last ones were returned to stock.":   "",
		"Raise mugs by 5% if they are the last of their kind":       "",
		"Raise mugs by 5% unless it's the last one we have":         "",
		"Raise mugs that are the last of their kind by 5%":          "",
		"Raise mugs by 5%. They are the only ones.":                 "",
		"Raise mugs by 5%; they are the only ones we have in stock": "",
	}, "Hats", "Mugs")
}
