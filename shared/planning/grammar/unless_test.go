package grammar_test

import "testing"

// What is not done if a condition holds is done unless it does.
func TestUnless(t *testing.T) {
	const (
		stocked = "Increase the price by 5% for products in category Mugs that are in stock; round to 2 decimals."
		cheap   = "Increase the price by 5% for products in category Mugs that are priced 20 or less; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Raise mugs by 5%, but not if they're out of stock":     stocked,
		"Raise mugs by 5% but not when they're out of stock":    stocked,
		"Raise mugs by 5%, except if sold out":                  stocked,
		"Raise mugs by 5% (not if they are sold out)":           stocked,
		"Mugs up 5%, just not when they are sold out":           stocked,
		"Mugs go up 5%. Not if they're sold out though.":        stocked,
		"Unless they're sold out, mugs go up 5%":                stocked,
		"Except when they are sold out, mugs go up 5%":          stocked,
		"Raise mugs by 5%, though not if they cost over $20":    cheap,
		"Raise mugs by 5%, but not while they are over $20":     cheap,
		"Raise mugs by 5% except where the price is over $20":   cheap,
		"Raise mugs by 5%, no exceptions, if they are in stock": stocked,
		"I need A101 to be 10% off, but not if it's sold out":   "Decrease the price by 10% for products with SKU A101 that are in stock; round to 2 decimals.",
		"Mark mugs as sold out, but not if they cost over $20":  "Mark as out of stock for products in category Mugs that are priced 20 or less.",

		"Raise mugs by 5%, but not only if they are sold out":           "",
		"Raise mugs by 5%, not just if sold out":                        "",
		"Raise mugs by 5%, but not if they sell well":                   "",
		"Raise mugs by 5%, but not if Marta objects":                    "",
		"Raise mugs by 5%, but not if that takes them over $20":         "",
		"Raise mugs by 5%, but not if the new price is over $20":        "",
		"Raise mugs by 5%, but not if they are back in stock":           "",
		"Raise mugs by 5%, unless they are back in stock":               "",
		"Raise all prices by 5%, but not mugs if they are sold out":     "",
		"Raise mugs by 5% and hats by 6%, but not if they are sold out": "",
	}, "Hats", "Mugs")
}
