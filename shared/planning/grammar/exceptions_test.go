package grammar_test

import "testing"

// What is left out may be named and described in one list.
func TestListsOfWhatIsLeftOut(t *testing.T) {
	const (
		mugsToo = "Decrease the price by 5% for products that are in stock, except category Mugs; round to 2 decimals."
		skuToo  = "Decrease the price by 5% for products that are in stock, except category Mugs and except SKU A101; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"5% off everything except sold-out items and mugs":              mugsToo,
		"Everything except sold-out items and mugs gets 5% off":         mugsToo,
		"Lower everything except what is sold out and mugs by 5%":       mugsToo,
		"Except for sold-out items and mugs, lower everything by 5%":    mugsToo,
		"5% off everything, but not sold-out items or mugs":             mugsToo,
		"5% off everything except out-of-stock products, mugs and A101": skuToo,
		"5% off everything except mugs, sold-out items and A101":        skuToo,
		"5% off all mugs except sold-out items and A101":                "Decrease the price by 5% for products in category Mugs that are in stock, except SKU A101; round to 2 decimals.",
		"5% off everything except sold-out items and SKU A101":          "Decrease the price by 5% for products that are in stock, except SKU A101; round to 2 decimals.",
		"5% off everything except sold-out items and the category mugs": mugsToo,

		"Lower everything except sold-out items, mugs and A101 by 5%":             skuToo,
		"Everything except mugs, sold-out items and SKU A101 drops by 5%":         skuToo,
		"Put everything apart from sold-out items, mugs and A101 down 5%":         skuToo,
		"Lower hats except sold-out items, A101 and mugs by 5%":                   "",
		"Lower everything except sold-out items, A101 and mugs by 5%, hats by 3%": "",
		"Lower everything by 3% except sold-out items, A101 and mugs by 5%":       "",
		"Lower everything except sold-out items by 5%, A101 and mugs by 3%":       "",
		"Leave everything except sold-out items, A101 and mugs down 5%":           "",
		"5% off everything except items under $3 and SKU A101 to $5":              "",

		"5% off everything except sold-out items and mugs 3% off":   "",
		"5% off everything except sold-out items and mugs go up 3%": "",
		"5% off everything except sold-out items, mugs 3% off":      "",
		"5% off everything except sold-out items and mugs under $5": "",
		"5% off hats except sold-out items and mugs":                "",
		"Raise hats except sold-out items and mugs by 5%":           "",
	}, "Hats", "Mugs")
}

// Names and words for some of those that are to change may be left out together, in any
// order and before the amount.
func TestNamesAndOnesLeftOut(t *testing.T) {
	const (
		cheap = "Decrease the price by 15% for products in category Mugs that are priced 30 or more, except SKUs A101 and A102; round to 2 decimals."
		out   = "Decrease the price by 15% for products in category Mugs that are in stock, except SKU A101; round to 2 decimals."
		both  = "Decrease the price by 15% for products in category Mugs that are in stock and priced 30 or more, except SKU A101; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Reduce all items in mugs except A101, A102 and those under $30 by 15%":    cheap,
		"Mugs except A101, A102 and those under $30 drop 15%":                      cheap,
		"Lower all mugs by 15% except A101, those under $30 and A102":              cheap,
		"Lower mugs by 15%, excluding those under $30, A101 and A102":              cheap,
		"Take 15% off mugs, leaving out A101 and the sold-out ones":                out,
		"Reduce mugs except A101 and the sold-out ones by 15%":                     out,
		"Reduce mugs by 15%, leaving A101 and the sold-out ones as they are":       out,
		"15% off mugs, not counting A101, sold-out ones or anything under $30":     both,
		"Lower all mugs by 15% except A101, the sold-out ones and those under $30": both,
		"Lower everything by 15% except mugs and those under $30":                  "Decrease the price by 15% for products that are priced 30 or more, except category Mugs; round to 2 decimals.",

		"Reduce mugs except A101 and those under $30 and hats by 15%": "",
		"Reduce mugs except the sold-out ones and A101 by 15%":        "",
		"Reduce mugs except A101 and anything under $30 by 15%":       "",
		"Reduce mugs by 3% except A101 and those over $9 by 5%":       "",
		"Reduce mugs by 3% except A101 and the sold-out ones by 5%":   "",
		"Reduce mugs by 3% except A101 and those over $9 go up 5%":    "",
		"Reduce mugs by 3% except A101 and the expensive ones":        "",
		"Raise mugs by 5% except hats and those over $50":             "",
	}, "Hats", "Mugs")
}

// What is left out at the end is left out of what is done before as well as of how the
// prices shall look, and of a rule that does no more than that.
func TestLeftOutOfShaping(t *testing.T) {
	const (
		both   = "Increase the price by 4 for products in category Mugs, except SKU A101; round to 2 decimals, then move to the nearest price ending in .95."
		ending = "Increase the price by 0% for products in category Mugs that are in stock; round to 2 decimals, then move to the nearest price ending in .95."
		whole  = "Increase the price by 0% for products in category Mugs, except SKU A101; round to a whole number."
	)
	readsOneEach(t, map[string]string{
		"Increase mugs by 4 USD and have them all end in .95, leaving out A101": both,
		"Increase mugs by $4 and have them end in .95, but not A101":            both,
		"Increase mugs by $4 and make them end in .95, A101 excluded":           both,
		"Make all mugs end in .95, leaving sold-out ones alone":                 ending,
		"Mug prices end in .95, and leave the sold-out ones as they are":        ending,
		"Round mugs to whole dollars, leaving A101 unchanged":                   whole,
		"Round mugs to whole dollars. Leave A101 alone.":                        whole,
		"Round mugs to whole dollars, hats stay the same":                       "Increase the price by 0% for products in category Mugs; round to a whole number.",

		"Increase mugs by $4. Make them end in .95, leaving out A101.":    "",
		"Round mugs to whole dollars. Do not raise A101.":                 "",
		"Round mugs to whole dollars. Do not lower A101.":                 "",
		"Round mugs to whole dollars, hats the same":                      "",
		"Make mugs end in .95, don't raise anything in stock":             "",
		"Raise hats by 3%. Round mugs and A101 to whole dollars, hats up": "",
	}, "Hats", "Mugs")
}
