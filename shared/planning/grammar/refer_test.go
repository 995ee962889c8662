package grammar_test

import "testing"

// "Those that are", joined to a rule, are others of what it names, and to its products
// they may be some of them or more.
func TestThoseThat(t *testing.T) {
	const (
		stocks = "Set the price to 18 for products in category mugs that are in stock; round to 2 decimals. Set the price to 15 for products in category mugs that are out of stock; round to 2 decimals."
		prices = "Increase the price by 5% for products in category mugs that are priced 10.01 or more; round to 2 decimals. Increase the price by 10% for products in category mugs that are priced 9.99 or less; round to 2 decimals."
		some   = "Increase the price by 5% for products in category mugs that are in stock; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"Sell mugs that are in stock at $18 and those that are out of stock at $15":    stocks,
		"Sell mugs that are in stock at $18, those that are out of stock at $15":       stocks,
		"Sell mugs that are in stock at $18 and the ones that are out of stock at $15": stocks,
		"Sell mugs that are in stock for $18 and those that are not for $15":           stocks,
		"Sell mugs that are in stock at $18 and those that aren't at $15":              stocks,
		"Mugs that are in stock should be $18; the ones that aren't should be $15":     stocks,
		"Raise mugs over $10 by 5% and those that are under $10 by 10%":                prices,
		"Raise mugs, those that are in stock, by 5%":                                   some,
		"Raise mugs by 5%, but just the ones that are in stock":                        some,
		"Sell mugs that are in stock at $18 and the rest of them at $15":               stocks,
		"Sell the in-stock mugs at $18. The rest of them should be $15.":               stocks,

		"Raise mugs by 5% and the rest of them by 3%":                               "",
		"Raise mugs over $10 by 5%, tea by 4% and the rest of them by 3%":           "",
		"Raise mugs except A101 by 5% and the rest of them by 3%":                   "",
		"Raise mugs over $10 and those that are out of stock by 5%":                 "",
		"Raise mugs over $10 and those out of stock by 5%":                          "",
		"Raise mugs by 5% and those that are in stock by 10%":                       "",
		"Raise mugs in stock by 5% and those that are over $20 by 10%":              "",
		"Raise mugs that are in stock by 5% and those that are not hats by 10%":     "",
		"Raise mugs in stock by 5%, hats by 3% and those that are sold out by 10%":  "",
		"Raise mugs except those that are under $5 and those that are sold out, 5%": "",
	})
}

// Those that are left alone after the one rule of what was named are of that.
func TestThoseThatAreLeftAlone(t *testing.T) {
	const (
		from15 = "Increase the price by 5% for products in category mugs that are priced 15 or more; round to 2 decimals."
		band   = "Increase the price by 5% for products in category mugs that are priced from 10.01 to 50; round to 2 decimals."
		stock  = "Increase the price by 5% for products in category mugs that are in stock; round to 2 decimals."
		hats3  = " Increase the price by 3% for products in category hats; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"Raise mugs by 5%, but leave those under $15 as they are":                   from15,
		"Raise mugs by 5%. Leave those under $15 unchanged.":                        from15,
		"Raise mugs by 5%, but those under $15 stay as they are":                    from15,
		"Raise mugs by 5%, but don't touch those under $15":                         from15,
		"Raise mugs over $10 by 5%, but leave those over $50 alone":                 band,
		"Raise mugs by 5%, but leave those that are sold out alone":                 stock,
		"Raise mugs by 5%, leave those under $15 as they are, and raise hats by 3%": from15 + hats3,
		"Raise everything by 5%, but leave those under $15 alone":                   "Increase the price by 5% for products that are priced 15 or more; round to 2 decimals.",
		"Mark mugs as sold out, but leave those under $15 as they are":              "Mark as out of stock for products in category mugs that are priced 15 or more.",
		"Raise mugs by 5% and hats by 3%, but leave those under $15 alone":          "",
		"Raise mugs by 5%. Raise hats by 3%. Leave those under $15 alone.":          "",
		"Raise mugs by 5%, the rest by 3%, but leave those under $15 alone":         "",
		"Raise mugs by 5%, but don't lower those under $15":                         "",
		"Raise mugs by 5%, but leave those under $15 at $15":                        "",
		"Leave those under $15 as they are, raise mugs by 5%":                       "",
		"Raise mugs by 5%. Hats are sold out. Leave those under $15 alone.":         "",
	})
}

// Who a pronoun speaks of right after what is left out is a question.
func TestPronounsAfterExceptions(t *testing.T) {
	const (
		up   = "Increase the price by 5% for products in category Mugs, except SKUs A101 and A102; round to 2 decimals. "
		both = "Decrease the price by 3% for products with SKUs A101 or A102; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Raise mugs by 5% except A101 and A102. Lower both by 3%.":           up + both,
		"Raise mugs by 5% except A101 and A102. Lower those two by 3%.":      up + both,
		"Raise everything by 5% except mugs, then lower those by 3%":         "",
		"Raise everything by 5% except mugs, then lower them by 3%":          "",
		"Raise mugs by 5% except the sold-out ones, then lower those by 3%":  "",
		"Raise mugs by 5% except A101 and A102, then mark them as sold out.": "",
		"Raise mugs by 5% except those over $20. Mark them as sold out.":     "",
	}, "Hats", "Mugs")
}
