package grammar_test

import "testing"

// A condition that is said of both of two rules, or of each of several, is of all of them;
// where more is said after it, or before, it is a question.
func TestConditionsOfBoth(t *testing.T) {
	const (
		stocked = "Increase the price by 5% for products in category mugs that are in stock; round to 2 decimals. Increase the price by 3 for products in category hats that are in stock; round to 2 decimals."
		under   = "Increase the price by 5% for products in category mugs that are priced 49.99 or less; round to 2 decimals. Increase the price by 3 for products in category hats that are priced 49.99 or less; round to 2 decimals."
		tea     = " Increase the price by 2% for products in category tea that are in stock; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"up 5% on mugs, up $3 on hats, both only where in stock":              stocked,
		"Raise mugs by 5% and hats by $3, both if in stock":                   stocked,
		"Raise mugs by 5% and hats by $3, but both of them only in stock":     stocked,
		"Raise mugs by 5% and hats by $3, each only if in stock":              stocked,
		"Raise mugs by 5% and hats by $3, each unless sold out":               stocked,
		"Raise mugs by 5% and hats by $3, all except sold-out items":          stocked,
		"Raise mugs by 5%, hats by $3, tea by 2%, all only where in stock":    stocked + tea,
		"Raise mugs by 5% and hats by $3, both only when they cost under $50": under,

		"Raise mugs by 5%, hats by $3, tea by 2%, both only where in stock":          "",
		"Raise mugs by 5% and hats by $3, each only if in stock, and tea by 2%":      "",
		"Raise mugs by 5% and hats by $3, each only if in stock and tea by 2%":       "",
		"Raise tea by 2%. Raise mugs by 5% and hats by $3, both only if in stock":    "",
		"Raise mugs by 5% and hats by $3, both only if in stock. Raise tea by 2%":    "",
		"Raise mugs by 5% and hats by $3, both only if in stock, to the next dollar": "",
		"Raise mugs by 5% and hats by $3, both except A101":                          "",
		"Raise mugs by 5% and hats by $3, all except tea by 2%":                      "",
		"Raise mugs by 5%, hats by 3%, and all that cost over $50 by 2%":             "",
	})
}
