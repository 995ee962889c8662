package grammar_test

import "testing"

// A condition or an exception right after a rounding, an ending or a limit may say how
// far that goes alone, and so may what is rounded.
func TestConditionsOfShapes(t *testing.T) {
	const (
		rule  = "Increase the price by 5% for products in category Mugs that are in stock; round to a whole number."
		A101  = "Increase the price by 5% for products in category Mugs, except SKU A101; round to a whole number."
		limit = "Decrease the price by 5% for products in category Mugs that are priced 20.01 or more; round to 2 decimals, then move to the nearest price ending in .99."
	)
	readsOneEach(t, map[string]string{
		"Raise mugs by 5%, rounded to whole dollars, unless sold out":       rule,
		"Raise mugs by 5% if in stock, rounded to whole dollars":            rule,
		"Raise mugs by 5%, only in-stock ones, and round to whole dollars":  rule,
		"Raise mugs by 5%, rounded to whole dollars, except A101":           A101,
		"Raise mugs by 5% rounded to whole dollars except A101":             A101,
		"5% off mugs over $20, ending in .99":                               limit,
		"5% off all mugs over $20, prices ending in .99":                    limit,
		"5% off mugs over $20 ending in .99":                                "",
		"5% off mugs ending in .99":                                         "",
		"Raise mugs by 5% for in-stock ones ending in .99":                  "",
		"Raise mugs by 5% and round to whole dollars if over $20":           "",
		"Raise mugs by 5%, rounded to whole dollars if they're in stock":    "",
		"Raise mugs by 5% and round to whole dollars unless sold out":       "",
		"Raise mugs by 5% and round to whole dollars for in-stock ones":     "",
		"Raise mugs by 5%, rounded to whole dollars except for A101":        "",
		"Raise mugs by 5% and round those over $20 to whole dollars":        "",
		"Raise mugs by 5%, ending in .99 if in stock":                       "",
		"Raise mugs by 5%, only in-stock ones ending in .99":                "",
		"Raise mugs by 5%, never above $20 unless sold out":                 "",
		"Raise mugs by 5%, capped at $20 when in stock":                     "",
		"Raise mugs by 5%, capped at $20 except for A101":                   "",
		"Raise sold-out mugs by 5%, round everything to whole dollars":      "",
		"Raise mugs by 5%, hats by 6%, round to whole dollars if over $20":  "",
		"Raise everything by 5%, round everything except A101 to a dollar":  "",
		"Raise mugs by 5%, ending in .99 except where they cost over $20":   "",
		"Mugs up 5% and never above $20 where they are in stock, hats down": "",
	}, "Hats", "Mugs")
}

// Names and everything in one list are more than the names.
func TestEverythingBesideNames(t *testing.T) {
	const up = "Increase the price by 5% for products in category Mugs; round to 2 decimals."
	readsOneEach(t, map[string]string{
		"Mugs: everything up 5%":          up,
		"In mugs, raise everything by 5%": up,
		"Mugs, all of them, up 5%":        up,
		"Mugs (all of it): up 5%":         up,
		"Mugs, everything up 5%":          "",
		"Mugs, raise everything by 5%":    "",
		"Mugs, hats, everything up 5%":    "",
		"Raise mugs, everything, by 5%":   "",
	}, "Hats", "Mugs")
}

// Products of a stock and names in one breath may be the same or others, and so may all
// names that follow a stock.
func TestStockBesideNames(t *testing.T) {
	const (
		up   = "Increase the price by 5% for products in category Mugs that are in stock; round to 2 decimals."
		both = "Increase the price by 5% for products in categories Mugs or Hats that are in stock; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"In-stock products, raise mugs by 5%":  up,
		"For items in stock, mugs up 5%":       up,
		"In-stock items: mugs up 5%":           up,
		"In stock: raise mugs and hats by 5%":  both,
		"In-stock items, mugs up 5%":           "",
		"All items in stock, mugs up 5%":       "",
		"Items under $20, mugs up 5%, hats 3%": "",
		"Sold out: hats, mugs up 5%":           "",
		"In stock: mugs and hats up 5%":        "",
		"Sold out: hats; mugs 5% off":          "",
	}, "Hats", "Mugs")
}

// A number alone may limit how many there are, and both are two.
func TestNumbersOfLimits(t *testing.T) {
	const cap = "Set the price to 5 for products in category Mugs that are priced 5 or more; round to 2 decimals."
	readsOneEach(t, map[string]string{
		"Limit mugs to $5":                                             cap,
		"Limit the price of mugs to 5":                                 cap,
		"Cap mugs at 5":                                                cap,
		"Limit mugs to 5":                                              "",
		"Limit mugs to 5, hats to 6":                                   "",
		"Limit in-stock mugs to 5":                                     "",
		"Please limit the mugs to five":                                "",
		"Mugs 5%, hats 3%, lamps 2% up; cap both at $20":               "",
		"Raise mugs by 5%, hats by 3%, lamps by 2%; cap both at $20":   "",
		"Raise mugs, hats and lamps by 5%, lamps ending in 9, both up": "",
	}, "Hats", "Mugs", "Lamps")
}
