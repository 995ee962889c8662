package grammar_test

import "testing"

// "Marked as" says which stock products are to have where that is asked for, and
// which products are meant where something else is.
func TestMarkedAs(t *testing.T) {
	const (
		hatsOut = "Mark as out of stock for products in category Hats."
		outUp   = "Increase the price by 5% for products in category Hats that are out of stock; round to 2 decimals."
		skusIn  = "Mark as in stock for products with SKUs A101 or A102."
	)
	readsOneEach(t, map[string]string{
		"Please see that all hats are marked as unavailable":       hatsOut,
		"Please see to it that all hats are marked as unavailable": hatsOut,
		"Make sure hats are flagged as sold out":                   hatsOut,
		"I want all hats marked as unavailable, please":            hatsOut,
		"See that hats under $5 are listed as sold out":            "Mark as out of stock for products in category Hats that are priced 4.99 or less.",
		"Reinstate A101 and A102 as available":                     skusIn,
		"Restore A101 and A102 to stock":                           skusIn,

		"Make sure all hats that are marked as unavailable go up 5%":     outUp,
		"Make sure hats go up by 5% if they are marked as unavailable":   outUp,
		"If hats are marked as unavailable, make sure they go up 5%":     outUp,
		"Make sure that if hats are marked as unavailable they go up 5%": outUp,
		"I want all hats marked as unavailable to go up by 5%":           outUp,
		"I want to raise hats marked as unavailable by 5%":               outUp,

		"Hats are marked as unavailable":                  "",
		"Please note that hats are marked as unavailable": "",
		"Make sure no hats are marked as unavailable":     "",
		"Make sure hats are not marked as unavailable":    "",
		"I'm not sure hats are marked as unavailable":     "",
		"Reinstate A101":       "",
		"Reinstate hats at $5": "",
		"Reinstate the 5% discount on hats and mark mugs as available": "",
		"Restore hats to $5 and mark mugs as available":                "",
	}, "Hats", "Mugs")
}

// "All" may stand before any word for the stock of products that are meant.
func TestAllOfAStock(t *testing.T) {
	const prices = "Set the price to 8 for products in category Mugs that are out of stock; round to 2 decimals. Set the price to 11 for products in category Mugs that are in stock; round to 2 decimals."
	readsOneEach(t, map[string]string{
		"Price all out of stock mugs at $8 and all in stock mugs at $11":    prices,
		"All sold out mugs are $8 and all available mugs are $11":           prices,
		"Every out of stock mug is $8 and every in stock mug is $11":        prices,
		"Mugs are all out of stock":                                         "Mark as out of stock for products in category Mugs.",
		"Drop all out of stock items by 20% and mark them as back in stock": "Decrease the price by 20% for products that are out of stock; round to 2 decimals. Mark as in stock for products that are out of stock.",
		"Hats and mugs, all out of stock, go up 5%":                         "",
		"Raise mugs by 5%, all out of stock":                                "",
	}, "Hats", "Mugs")
}
