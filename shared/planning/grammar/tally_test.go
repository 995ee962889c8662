package grammar_test

import "testing"

// Products that are counted after they were named are those, where just as many are
// the last that were listed, or all of them.
func TestTallies(t *testing.T) {
	const (
		rules  = "Increase the price by 5% for products with SKU A101; round to 2 decimals. Increase the price by 6% for products with SKU A102; round to 2 decimals. "
		dollar = rules + "Increase the price by 1 for products with SKUs A101 or A102; round to 2 decimals."
		out    = rules + "Mark as out of stock for products with SKUs A101 or A102."
		prices = "Set the price to 10 for products in category mugs; round to 2 decimals. Set the price to 5 for products in category tea; round to 2 decimals. "
		five   = prices + "Increase the price by 5% for products in categories mugs or tea; round to 2 decimals."
		apart  = "Increase the price by 5% for all products, except SKUs A101 and A102; round to 2 decimals. Decrease the price by 2% for products with SKUs A101 or A102; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"Set mugs to $10 and tea to $5, then raise both by 5%":                    five,
		"Mugs at $10 and tea at $5, then both go up 5%":                           five,
		"Set mugs to $10. Set tea to $5. Then raise those two by 5%.":             five,
		"Raise A101 by 5% and A102 by 6%, then add $1 to both of them":            dollar,
		"Raise A101 by 5% and A102 by 6% and mark the two SKUs as sold out":       out,
		"Raise A101 by 5% and A102 by 6% and mark all of them as sold out":        out,
		"Raise A101 by 5% and A102 by 6%. Mark the pair as sold out.":             out,
		"Raise everything by 5% except A101 and A102, and make those two 2% less": apart,
		"Everything but A101 and A102 goes up 5%, and both go down 2%":            apart,

		"Set A101 and A102 to $5 and A103 to $6, then raise both by 5%":   "",
		"Set A101 to $5 and A102 and A103 to $6, then raise both by 5%":   "",
		"Raise mugs by 5% except A101, then lower both by 3%":             "",
		"Raise A101, A102 and A103 by 5% and mark both as sold out":       "",
		"Raise mugs by 5%, then mark both as sold out":                    "",
		"A101, A102 and A103: set both to $5":                             "",
		"Raise A101, A102 and A103 by 5% and mark those two as sold out":  "",
		"Raise mugs under $10 by 5% and tea by 3%, then add $1 to both":   "",
		"Raise in-stock mugs by 5% and tea by 3%, then add $1 to both":    "",
		"Mugs at $10 and tea at $5. Raise those two SKUs by 5%.":          "",
		"Raise mugs by 5%. Lower tea by 3%. Mark all of them as sold out": "",
		"Set mugs to $10 and tea to $5 and raise both by 5%":              "",
	})
}
