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
