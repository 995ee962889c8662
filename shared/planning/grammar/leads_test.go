package grammar_test

import "testing"

// A condition that a colon parts from a list is of all the list, whatever parts its
// rules.
func TestConditionsLeadLists(t *testing.T) {
	const (
		mugs  = "Increase the price by 8% for products in category Mugs that are in stock; round to 2 decimals. "
		lamps = "Decrease the price by 3 for products in category Lamps that are in stock; round to 2 decimals."
		two   = "Increase the price by 8% for products in category Mugs that are priced 29.99 or less; round to 2 decimals. " +
			"Increase the price by 5% for products in categories Hats or Lamps that are priced 29.99 or less; round to 2 decimals."
	)
	expectReadings(t, shop, map[string]string{
		"For in-stock items only: Mugs +8%; Lamps -$3.":           mugs + lamps,
		"On everything in stock: Mugs up 8%; Lamps down $3.":      mugs + lamps,
		"For items under $30: Mugs +8%; Hats and Lamps +5%.":      two,
		"Under $30: Mugs +8%, Hats and Lamps +5%.":                two,
		"For in-stock items: Mugs +8%; all Lamps -$3.":            "",
		"For in-stock items: Mugs +8%; out-of-stock Lamps -$3.":   "",
		"For in-stock items: Mugs +8%; Hats +5%. Lamps -$3.":      "",
		"For items under $30: Mugs +8%; Lamps are sold out.":      "",
		"For in-stock items: Mugs +8%; Lamps over $20 +5%.":       "",
		"For in-stock items, Mugs +8%; Lamps -$3.":                "",
		"For in-stock items: Mugs +8%; everything else -$3.":      "",
		"For in-stock items: Mugs +8%; mark Lamps as sold out.":   "",
		"For items under $30: Mugs +8%; Lamps over $50 cost $45.": "",
	})
}

// What a sentence leaves out may be a list of names that ends in products of a price or
// a stock.
func TestListsEndInDescriptions(t *testing.T) {
	const (
		upTo50  = "Decrease the price by 5% for products that are priced 50 or less, except categories Mugs and Hats; round to 2 decimals."
		inStock = "Decrease the price by 5% for products that are in stock, except category Mugs and except SKU A101; round to 2 decimals."
	)
	expectReadings(t, shop, map[string]string{
		"5% off everything. Skip mugs, hats, and anything over $50.":         upTo50,
		"5% off everything. Don't lower mugs, hats, or items over $50.":      upTo50,
		"5% off everything; leave out A101, mugs, and whatever is sold out.": inStock,
		"5% off everything, skip mugs, and anything over $50.":               "", // 5% off it too?
		"5% off everything. Skip mugs, and anything over $50 goes up 3%.":    "",
		"5% off everything. Skip mugs, and lamps over $50.":                  "",
		"Mugs up 5%, do not change hats, and anything over $50.":             "",
	})
}

// A range of prices after the last of some names is of all of them where they are named
// again with another one.
func TestNamesBandedAgain(t *testing.T) {
	const (
		rest  = "for products in categories Hats or Mugs that are priced "
		over  = "Increase the price by 4% " + rest + "60 or more; round to 2 decimals. "
		under = "Increase the price by 6% " + rest + "59.99 or less; round to 2 decimals."
	)
	expectReadings(t, shop, map[string]string{
		"Raise all hats and mugs at or above $60 by 4%, and all hats and mugs below $60 by 6%": over + under,
		"Hats and mugs $60 and up go up 4%. Hats and mugs under $60 go up 6%.":                 over + under,
		"Raise hats and mugs over $60 by 4%":                                                   "",
		"Raise hats and mugs over $60 by 4% and mugs under $60 by 6%":                          "",
		"Raise hats and mugs over $60 by 4% and hats and mugs over $20 by 6%":                  "",
		"Raise hats and mugs over $60 by 4% and lamps and mugs under $60 by 6%":                "",
		"Raise hats and mugs over $60 by 4%. Lower hats by 6%.":                                "",
	})
}

// Ranges of prices in a list after a colon, one for each change, are no limits.
func TestBandsAfterTheirChange(t *testing.T) {
	const two = "Decrease the price by 30% for products in category Mugs that are priced 150.01 or more; round to 2 decimals. " +
		"Decrease the price by 10% for products in category Mugs that are priced 74.99 or less; round to 2 decimals."
	expectReadings(t, shop, map[string]string{
		"Mugs: 30% off above $150, 10% off below $75":               two,
		"Mark mugs down: 30% off above $150 and 10% off below $75.": two,
		"Mark mugs down: 30% over $150, 10% under $75.":             two,

		"Mugs: 30% off above $150.":                                "",
		"Mugs: 30% off above $150, 10% off above $75.":             "",
		"Mugs: 30% above $150, 10% below $75.":                     "",
		"Mugs: 30% off above $150, hats 10% off below $75.":        "",
		"Mugs: 30% off up to $15, 10% off below $75.":              "",
		"Mugs: 30% off above $150, 10% off below $75, never $9.":   "",
		"Mugs: 30% off no less than $15, 10% off at most $75 now.": "",
	})
}
