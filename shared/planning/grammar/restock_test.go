package grammar_test

import "testing"

// A sentence may say of products that come to be in stock what they shall cost, too.
func TestRestockedAt(t *testing.T) {
	const (
		skus9 = "Mark as in stock for products with SKUs A101 or A102. Set the price to 9 for products with SKUs A101 or A102; round to 2 decimals."
		mugs9 = "Mark as in stock for products in category Mugs. Set the price to 9 for products in category Mugs; round to 2 decimals."
		off   = "Mark as in stock for products in category Mugs. Decrease the price by 10% for products in category Mugs; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Put A101 and A102 back in stock at $9 each":          skus9,
		"Mark A101 and A102 as available at $9, please":       skus9,
		"Make A101 and A102 available again for $9":           skus9,
		"Mark A101 and A102 back in stock with a price of $9": skus9,
		"Restock A101 and A102 at $9":                         skus9,
		"Mugs are back in stock at $9":                        mugs9,
		"Put all mugs back in stock at $9":                    mugs9,
		"Mugs should be back in stock at $9":                  mugs9,
		"Bring mugs back in stock at 10% off":                 off,
		"Bring mugs back in stock, 10% off":                   off,
		"Put mugs back in stock with a 10% discount":          off,
		"Put mugs back in stock at $9 and raise hats by 5%":   mugs9 + " Increase the price by 5% for products in category Hats; round to 2 decimals.",

		"Put A101 back in stock at $24 and up": "Mark as in stock for products with SKU A101 that are priced 24 or more.",

		"Mark mugs as available at $9":                            "",
		"Mark mugs back in stock with a price of $9":              "",
		"Restock mugs at $9":                                      "",
		"Sell mugs back in stock at $9":                           "",
		"Hats back in stock 10% off":                              "",
		"Hats back in stock at $9":                                "",
		"Mark A101 as sold out at $9":                             "",
		"Mugs are in stock at $9":                                 "",
		"Mugs are back in stock, so 10% off":                      "",
		"Put A101 back in stock at $9 or $10":                     "",
		"Put A101 back in stock at $9 to $10":                     "",
		"Don't put A101 back in stock at $9":                      "",
		"If A101 is back in stock at $9, raise it by 5%":          "",
		"Put A101 back in stock at $9 until Friday":               "",
		"Put A101 back in stock, but only at $9 for some of them": "",
	}, "Hats", "Mugs")
}
