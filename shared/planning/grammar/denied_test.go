package grammar_test

import "testing"

// "No bulb above $9" is a limit where nothing else is asked for. Beside a rule it
// could leave bulbs out of it.
func TestPricesThatNoProductMayHave(t *testing.T) {
	const (
		cap9   = "Set the price to 9 for products in category Bulbs that are priced 9 or more; round to 2 decimals."
		floor1 = "Set the price to 1 for products that are priced 1 or less; round to 2 decimals."
		tea5   = "Increase the price by 5% for products in category Tea; round to 2 decimals"
	)
	readsOneEach(t, map[string]string{
		"No bulb above $9":                    cap9,
		"Hi, no bulb dearer than $9 pls":      cap9,
		"No product below $1":                 floor1,
		"no item cheaper than $1, thank you!": floor1,
		"Nothing under $1":                    floor1,
		"Raise tea by 5%. Nothing above $20.": tea5 + ", then lower any result above 20 to it.",

		"No bulbs above $9":                           "",
		"No tea above $9":                             "",
		"No bulb above 9%":                            "",
		"No bulb above $9 changes":                    "",
		"No bulb above $9 in stock":                   "",
		"No bulb above $9 except A101":                "",
		"No discount above $9":                        "",
		"No product below $1, raise tea by 5%":        "",
		"Raise tea by 5%. No bulb above $9.":          "",
		"Raise all by 5% but no product above $9":     "",
		"Nothing above $20 goes up":                   "",
		"Nothing above $20 is discounted":             "",
		"Raise tea by 5%. Nothing above $20 changes.": "",
	}, "Bulbs", "Tea")
}
