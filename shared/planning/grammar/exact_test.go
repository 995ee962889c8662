package grammar_test

import "testing"

// "Exactly" before an amount may say what becomes of prices, or which are meant.
func TestExactly(t *testing.T) {
	const (
		mugs9   = "Set the price to 9 for products in category Mugs; round to 2 decimals."
		exact10 = "Decrease the price by 10% for products in category Mugs that are priced exactly 9; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Can you make all mugs exactly $9, please?": mugs9,
		"Make mugs precisely $9":                    mugs9,
		"Make it exactly $9 for mugs":               mugs9,
		"Charge exactly $9 for mugs":                mugs9,
		"Exactly $9 for all mugs":                   mugs9,
		"Make all mugs exactly $9, except for A101": "Set the price to 9 for products in category Mugs, except SKU A101; round to 2 decimals.",
		"Set A101 and A102 exactly $9 each":         "Set the price to 9 for products with SKUs A101 or A102; round to 2 decimals.",
		"Charge exactly $9 for every mug in stock":  "Set the price to 9 for products in category Mugs that are in stock; round to 2 decimals.",
		"Make mugs exactly $9 and hats $20":         mugs9 + " Set the price to 20 for products in category Hats; round to 2 decimals.",
		"Lower mugs by exactly 10%":                 "Decrease the price by 10% for products in category Mugs; round to 2 decimals.",
		"Give mugs exactly 10% off":                 "Decrease the price by 10% for products in category Mugs; round to 2 decimals.",
		"Take exactly $2 off mugs":                  "Decrease the price by 2 for products in category Mugs; round to 2 decimals.",

		"Make mugs exactly $9 10% cheaper": exact10,
		"10% off mugs exactly $9":          exact10,
		"Set mugs exactly $9 off by 10%":   exact10,
		"Set mugs exactly $9 to $8":        "Set the price to 8 for products in category Mugs that are priced exactly 9; round to 2 decimals.",
		"Make mugs exactly $9 half price":  "Decrease the price by 50% for products in category Mugs that are priced exactly 9; round to 2 decimals.",
		"Make mugs exactly $9 sold out":    "Mark as out of stock for products in category Mugs that are priced exactly 9.",

		"Raise mugs exactly $9":                             "",
		"Make mugs exactly $9 and hats sold out":            "",
		"Make mugs exactly $9 and hats exactly $20 cheaper": "",
		"Make mugs exactly $9 or $10":                       "",
	}, "Hats", "Mugs")
}

// A price before a noun is what products cost now, and the one after it what becomes of
// that.
func TestPricesToPrices(t *testing.T) {
	const (
		five = "Set the price to 5.49 for products that are priced exactly 4.99; round to 2 decimals."
		ten  = " Set the price to 10.49 for products that are priced exactly 9.99; round to 2 decimals."
		mugs = "Increase the price by 5% for products in category mugs that are priced exactly 4.99; round to 2 decimals. Increase the price by 3% for products in category mugs that are priced exactly 9.99; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"Change $4.99 prices to $5.49":                                    five,
		"Change all $4.99 prices to $5.49 and all $9.99 prices to $10.49": five + ten,
		"Set all $4.99 items to $5.49, and every $9.99 item to $10.49":    five + ten,
		"Change $4.99 prices to $5.49 and $9.99 prices to $10.49":         five + ten,
		"Raise all $4.99 mugs by 5% and all $9.99 mugs by 3%":             mugs,

		"Change $4.99 to $5.49":                                  "",
		"Put $4.99 prices to $5.49":                              "",
		"Raise all $4.99 mugs to $5.49 and all $9.99 mugs to $8": "",
		"Change all $4.99 prices to $5.49 and all prices to $6":  "",
		"Change all mugs under $5 to $4 and all over $20 to $19": "",
	})
}

// What products cost exactly tells them from others before a verb of theirs; with none
// it is what they are to cost.
func TestExactPricesOfSubjects(t *testing.T) {
	const (
		nine = "Set the price to 10.49 for products that are priced exactly 9.99; round to 2 decimals."
		up   = "Increase the price by 5% for products in category mugs that are priced exactly 9.99; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"Items at exactly $9.99 go to $10.49":                                          nine,
		"Anything at exactly $9.99 should become $10.49":                               nine,
		"Items at exactly $9.99 go to $10.49 and items at exactly $19.99 go to $20.99": nine + " Set the price to 20.99 for products that are priced exactly 19.99; round to 2 decimals.",
		"Mugs at exactly $9.99 go up 5%":                                               up,

		"Mugs at exactly $9.99, hats go up 5%": "Set the price to 9.99 for products in category mugs; round to 2 decimals. Increase the price by 5% for products in category hats; round to 2 decimals.",

		"Mugs go at exactly $9.99 up":             "",
		"Mugs at exactly $9.99 go up":             "",
		"Mugs at exactly $9.99 are sold out":      "",
		"Mugs at exactly $9.99 or $8.99 go up 5%": "",
	})
}

// A stock beside the other one that it becomes tells which products are meant.
func TestStocksToStocks(t *testing.T) {
	const (
		back = "Mark as in stock for products that are out of stock."
		gone = "Mark as out of stock for products that are in stock."
	)
	expectReadings(t, nil, map[string]string{
		"Mark everything out of stock as in stock":   back,
		"Set everything sold out to available":       back,
		"Mark everything in stock as sold out":       gone,
		"Change everything out of stock to in stock": back,

		"Mark everything out of stock":                "Mark as out of stock for all products.",
		"Mark everything out of stock as sold out":    "",
		"Mark mugs and hats out of stock as in stock": "",
	})
}

// Those at exactly a price are those that cost it, where a rule says what becomes of
// them; sold or listed at it they are to cost it.
func TestAtExactly(t *testing.T) {
	const (
		to22   = "Set the price to 22 for products in category Mugs that are priced exactly 20; round to 2 decimals."
		hats20 = "Set the price to 20 for products in category Hats; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Change every mug at exactly $20 to $22, except A101":           "Set the price to 22 for products in category Mugs that are priced exactly 20, except SKU A101; round to 2 decimals.",
		"Set mugs at precisely $20 to $22":                              to22,
		"Mugs at exactly $20 become $22":                                to22,
		"Mugs at exactly $20 go to $22 and hats at exactly $9 go to $8": to22 + " Set the price to 8 for products in category Hats that are priced exactly 9; round to 2 decimals.",
		"Raise mugs and hats at exactly $20 by 5%":                      "Increase the price by 5% for products in categories Mugs or Hats that are priced exactly 20; round to 2 decimals.",
		"Take 10% off items at exactly $20":                             "Decrease the price by 10% for products that are priced exactly 20; round to 2 decimals.",
		"Sell hats at exactly $20":                                      hats20,
		"Offer hats at exactly $20 to all customers":                    hats20,
		"List hats at exactly $20 and raise mugs by 5%":                 hats20 + " Increase the price by 5% for products in category Mugs; round to 2 decimals.",
		"Sell mugs at exactly $20 to $22":                               "",
		"Take 10% off hats, mugs at exactly $20":                        "",
		"Raise hats by 5%, mugs at exactly $20":                         "",
		"Put mugs at exactly $20, up 5%":                                "",
	}, "Hats", "Mugs")
}
