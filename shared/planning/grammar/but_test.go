package grammar_test

import "testing"

// "But" right after products, before the first rule has said its amount, leaves out
// what it describes.
func TestButForWhatIsDescribed(t *testing.T) {
	const (
		allBut  = "Increase the price by 5% for all products, except category Mugs; round to 2 decimals."
		over    = "Increase the price by 5% for products that are priced 5 or more; round to 2 decimals."
		inStock = "Increase the price by 5% for products that are in stock; round to 2 decimals."
		mugs    = "Increase the price by 5% for products in category Mugs that are priced 5 or more; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Raise all prices but those of mugs by 5%":                   allBut,
		"Raise all but the prices of mugs by 5%":                     allBut,
		"Raise everything but the items in mugs by 5%":               allBut,
		"Raise everything but those in mugs by 5%":                   allBut,
		"Raise everything but all mugs by 5%":                        allBut,
		"Everything but the price of mugs goes up 5%":                allBut,
		"Raise prices but those of mugs by 5%":                       allBut,
		"Raise everything but items under $5 by 5%":                  over,
		"Raise everything but those under $5 by 5%":                  over,
		"Raise everything but products that cost less than $5 by 5%": over,
		"Raise everything but what is sold out by 5%":                inStock,
		"Raise all products but sold-out items by 5%":                inStock,
		"Raise all mugs but those under $5 by 5%":                    mugs,
		"Raise mugs but items under $5 by 5%":                        mugs,
		"Raise everything but SKU A101 by 5%":                        "Increase the price by 5% for all products, except SKU A101; round to 2 decimals.",
		"Increase everything but the sold-out mugs by 5%":            "Increase the price by 5% for all products, except category Mugs; round to 2 decimals. Increase the price by 5% for products in category Mugs that are in stock; round to 2 decimals.",
		"5% off everything but items in mugs":                        "Decrease the price by 5% for all products, except category Mugs; round to 2 decimals.",

		"Raise everything but items under $5 should go up by 3%": "",
		"Raise all prices but all mugs should go up by 3%":       "",
		"5% off everything but items under $5 get 3% off":        "",
		"5% off everything but items under $5 3% off":            "",
		"Raise hats by 5% and everything but those by 3%":        "",
		"Raise everything, but items under $5 by 3%":             "",
		"Raise everything, but items under $5, by 5%":            "",
		"Raise everything but at least 5%":                       "",
	}, "Hats", "Mugs")
}
