package grammar_test

import "testing"

// What "but" leaves out may be told by its stock alone, at any place.
func TestButTheSoldOutOnes(t *testing.T) {
	const (
		all  = "Increase the price by 5% for products that are in stock; round to 2 decimals."
		mugs = "Decrease the price by 5% for products in category Mugs that are in stock; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Lift the price of all items but the out-of-stock ones by 5%": all,
		"All items but the out-of-stock ones go up 5%":                all,
		"All items but sold-out ones: +5%":                            all,
		"Everything but the sold-out items goes up 5%":                all,
		"Take 5% off all mugs but the sold-out ones":                  mugs,
		"All mugs 5% off but the unavailable ones":                    mugs,
		"5% off all mugs but the in-stock ones":                       "Decrease the price by 5% for products in category Mugs that are out of stock; round to 2 decimals.",

		"Raise all mugs 5% but the sold-out ones 3%":                "",
		"All mugs but the sold-out ones go up 5%, those 3%":         "",
		"Raise all mugs 5% but mark the sold-out ones as available": "",
		"5% off mugs and hats but the sold-out ones":                "",
		"All mugs up 5% but sold-out ones down 3%":                  "",
		"Mark all mugs but the sold-out ones as available":          "",
	}, "Hats", "Mugs")
}
