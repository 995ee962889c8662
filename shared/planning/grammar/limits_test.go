package grammar_test

import "testing"

// What may not be had, and what is sold at no less than a price, is a limit; what is
// not had, and what may say which products are meant, is a question.
func TestLimitsOfWhatMayBe(t *testing.T) {
	const (
		floor = "Set the price to 8 for products in category mugs that are priced 8 or less; round to 2 decimals."
		limit = "Set the price to 40 for products in category mugs that are priced 40 or more; round to 2 decimals."
		cut   = "Decrease the price by 10% for products in category mugs; round to 2 decimals, then raise any result below 8 to it."
	)
	expectReadings(t, nil, map[string]string{
		"We cannot let mugs cost less than $8":                   floor,
		"I can't have mugs above $40":                            limit,
		"I don't want mugs to cost more than $40":                limit,
		"We don't want to see mugs above $40":                    limit,
		"Don't allow mugs to go below $8":                        floor,
		"We shouldn't charge less than $8 for mugs":              floor,
		"Mugs can't have prices above $40":                       limit,
		"Mugs must remain at $8 or more":                         floor,
		"Sell mugs at no less than $8":                           floor,
		"Set mugs at $40 or less":                                limit,
		"Cut mugs by 10%. Prices must stay at $8 or more":        cut,
		"Cut mugs by 10%, but I can't have any of them below $8": cut,
		"Cut mugs by 10% without allowing them to go below $8":   cut,
		"Take 10% off mugs, at no less than $8":                  cut,
		"Keep mugs at $8 or more after a 10% cut":                cut,

		"I don't have mugs above $40":                              "",
		"We don't see mugs above $40":                              "",
		"We don't sell mugs below $8":                              "",
		"I can't have all mugs above $40":                          "",
		"We can't have everything above $40":                       "",
		"Cut mugs by 10%, I don't want mugs below $8":              "",
		"We can't allow mugs above $40 to be discounted":           "",
		"I can't have mugs above $40 go up 5%":                     "",
		"Mugs remain at $8 or more untouched":                      "",
		"Take 10% off mugs at no less than $8":                     "",
		"Take 10% off mugs, for at least $8":                       "",
		"Raise mugs by 10%, at no less than $8":                    "",
		"Mark mugs at no less than $8 and tea as sold out":         "",
		"Keep mugs at $8 or more after the 10% cut":                "",
		"Cut mugs by 10%. Keep mugs at $8 or more after a 10% cut": "",
		"Set mugs to $8 after a 10% cut":                           "",
		"Keep mugs at $8 or more after a 10% cut next week":        "",
	})
}

// Products may be known by what they cost now, or be some of those that a sentence
// begins with; an amount that may be the change is a question.
func TestPricedNow(t *testing.T) {
	const (
		mugs  = "Set the price to 5.49 for products in category mugs that are priced exactly 4.99; round to 2 decimals."
		all   = "Set the price to 5.49 for products that are priced exactly 4.99; round to 2 decimals."
		stock = "Decrease the price by 5% for products that are in stock and priced 20.01 or more; round to 2 decimals."
		dear  = "Decrease the price by 5% for products that are priced 20 or more; round to 2 decimals."
		out   = "Decrease the price by 5% for products in category mugs that are out of stock; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"Change all $4.99 prices to $5.49":                         all,
		"Change every $4.99 price to $5.49":                        all,
		"Set all $4.99 mugs to $5.49":                              mugs,
		"Raise all $4.99 mug prices to $5.49 please":               "Set the price to 5.49 for products in category mug that are priced exactly 4.99; round to 2 decimals.",
		"Of the items in stock, take 5% off those priced over $20": stock,
		"For items in stock, lower those over $20 by 5%":           stock,
		"Of the items over $20, those in stock get 5% off":         stock,
		"Whichever items are priced at $20 or more get 5% off":     dear,
		"Lower whatever products cost $20 or more by 5%":           dear,
		"Take 5% off whichever mugs are out of stock":              out,
		"Whichever of the mugs are out of stock drop 5%":           out,

		"Change the $4.99 prices to $5.49":                      "",
		"Lower all $4.99 mugs to $5.49":                         "",
		"Add $4.99 mugs to $5.49":                               "",
		"Raise $4.99 mugs by 5%":                                "",
		"Change all $5 mugs to $6 mugs":                         "",
		"Change all 5 mugs to $6":                               "",
		"Raise all $5 mugs and tea to $6":                       "",
		"Mark items in stock, those over $20 go up 5%":          "",
		"Of the items in stock, take 5% off those out of stock": "",
		"Whichever mugs sell best go up 5%":                     "",
		"Whichever mugs cost less go up 5%":                     "",
		"Whatever items cost now, mugs are $5":                  "",
		"Which items are priced at $20 or more?":                "",
	})
}

// Limits and roundings of several products, or of some by what they cost, may leave out
// the verb after the first.
func TestShapesInARow(t *testing.T) {
	const (
		caps   = "Set the price to 40 for products in category mugs that are priced 40 or more; round to 2 decimals. Set the price to 35 for products in category hats that are priced 35 or more; round to 2 decimals."
		rounds = "Increase the price by 0% for products that are priced 4.99 or less; round to 1 decimal. Increase the price by 0% for products that are priced 50 or more; round to a whole number."
	)
	expectReadings(t, nil, map[string]string{
		"Cap mugs at $40 and hats at $35":                                                                              caps,
		"Limit mugs to $40, hats to $35":                                                                               caps,
		"Cap the price of mugs at $40 and that of hats at $35":                                                         caps,
		"Cap mugs at $40 and cap hats at $35":                                                                          caps,
		"Cap mugs at $40, hats at $35 and pans at $9":                                                                  caps + " Set the price to 9 for products in category pans that are priced 9 or more; round to 2 decimals.",
		"Raise tea by 5%, cap mugs at $40 and hats at $35":                                                             "Increase the price by 5% for products in category tea; round to 2 decimals. " + caps,
		"Cap in-stock mugs at $40 and hats at $35":                                                                     "Set the price to 40 for products in category mugs that are in stock and priced 40 or more; round to 2 decimals. Set the price to 35 for products in category hats that are priced 35 or more; round to 2 decimals.",
		"Cap mugs at $40 and floor hats at $5":                                                                         "Set the price to 40 for products in category mugs that are priced 40 or more; round to 2 decimals. Set the price to 5 for products in category hats that are priced 5 or less; round to 2 decimals.",
		"Cap mugs at $40 and round hats to whole dollars":                                                              "Set the price to 40 for products in category mugs that are priced 40 or more; round to 2 decimals. Increase the price by 0% for products in category hats; round to a whole number.",
		"Round mugs to 1 decimal and hats to 2 decimals":                                                               "Increase the price by 0% for products in category mugs; round to 1 decimal. Increase the price by 0% for products in category hats; round to 2 decimals.",
		"Round items under $5 to ten cents and items at $50 and up to the nearest dollar":                              "",
		"Round items under $5 to the nearest ten cents and items at $50 and up to the nearest dollar":                  rounds,
		"Round prices of items under $5 to the nearest ten cents, prices of items at $50 and up to the nearest dollar": rounds,

		"Cap mugs at $40 and hats to $35":                                 "",
		"Cap mugs at $40 and hats by 5%":                                  "",
		"Cap mugs at $40 and hats":                                        "",
		"Cap mugs at $40, and hats at $35 go up 5%":                       "",
		"Cap mugs at $40 and hats at $35 or less go up 5%":                "",
		"Raise mugs by 5%, capped at $40, and hats at $35":                "",
		"Raise mugs by 5%, rounded to the nearest dollar and hats at $35": "",
		"Raise mugs by 5% and round items under $5 to the nearest dollar": "",
		"Raise mugs by 5% and round sold-out items to the nearest dollar": "",
		"Raise mugs by 5% and cap items over $50 at $40":                  "",
	})
}

// A limit may follow its amount, say twice that it is one, or be of what is not carried
// beyond it; an amount that may be what is taken off, or ordered, is a question.
func TestLimitsOfAmounts(t *testing.T) {
	const (
		cut    = "Decrease the price by 7% for products in category mugs; round to 2 decimals, then raise any result below 5 to it."
		rise   = "Increase the price by 7% for products in category mugs; round to 2 decimals, then lower any result above 40 to it."
		limit  = "Set the price to 40 for products in category mugs that are priced 40 or more; round to 2 decimals."
		second = " Set the price to 20 for products in category hats that are priced 20 or more; round to 2 decimals."
		hats   = "Decrease the price by 10% for products in category hats; round to 2 decimals. "
		stock  = "Set the price to 40 for products in category mugs that are in stock and priced 40 or more; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"Lower mugs by 7%, with a $5 minimum":                               cut,
		"Lower mugs by 7%, $5 minimum":                                      cut,
		"Lower mugs by 7%, with no price dropping below $5":                 cut,
		"Lower mugs by 7%, with nothing falling under $5":                   cut,
		"Lower mugs by 7%, but don't bring any below $5":                    cut,
		"Raise mugs by 7%, with a $40 max":                                  rise,
		"Raise mugs by 7%, but never take anything past $40":                rise,
		"Raise mugs by 7%, no price past $40":                               rise,
		"Raise mugs by 7%, limited to a maximum of $40":                     rise,
		"Put a $40 maximum on mugs":                                         limit,
		"Limit mugs to a maximum of $40":                                    limit,
		"Cap mugs at no more than $40":                                      limit,
		"Never take mugs past $40":                                          limit,
		"Limit mugs to a maximum of $40 and hats to a maximum of $20":       limit + second,
		"Limit all in-stock mugs to a maximum of $40 and give hats 10% off": hats + stock,
		"Give hats 10% off and cap in-stock mugs at $40":                    hats + stock,
		"Cap mugs except M-1 at $40":                                        "Set the price to 40 for products in category mugs that are priced 40 or more, except SKU M-1; round to 2 decimals.",

		"Raise mugs by 7%, with a $5 minimum":                                "",
		"20% off mugs with a $10 cap":                                        "",
		"20% off mugs, $10 max":                                              "",
		"10% off mugs, $50 minimum spend":                                    "",
		"10% off mugs with a $10 maximum discount":                           "",
		"10% off $5 minimum mugs":                                            "",
		"10% off mugs, 3 minimum":                                            "",
		"Lower mugs by 7%, no drops below $3":                                "",
		"Lower mugs by 7%, but never take anything past $3":                  "",
		"Raise mugs by 7%, but don't take any under $3":                      "",
		"Limit mugs to a maximum of 3":                                       "",
		"Limit mugs to a maximum of $40 off":                                 "",
		"Limit the discount on mugs to a maximum of $5":                      "",
		"Cap mugs at a minimum of $40":                                       "",
		"For in-stock items, cap mugs at $40 and raise hats by 5%":           "",
		"If in stock, cap mugs at $40 and hats at $30":                       "",
		"Cap mugs at $40 and hats at $30, only if in stock":                  "",
		"Cap mugs at $40 and hats at $30, except sold-out ones":              "",
		"Cap mugs at $40 and hats at $30, all rounded to the nearest dollar": "",
		"Cap mugs at $40 and raise hats by 5%, except sold-out ones":         "",
	})
}

// A limit that an exact price is within says nothing of it, and is that of the other
// rule; one that it is not within is a question.
func TestLimitsBesideExactPrices(t *testing.T) {
	const (
		set  = "Set the price to 12 for products in category hats; round to 2 decimals. "
		mugs = set + "Decrease the price by 10% for products in category mugs; round to 2 decimals, then raise any result below 5 to it."
	)
	expectReadings(t, nil, map[string]string{
		"Set hats to $12 and take 10% off mugs, never below $5":                    mugs,
		"Hats are $12 now, mugs go down 10%, nothing below $5":                     mugs,
		"Set hats to $12, and take 10% off everything else, but don't go under $5": set + "Decrease the price by 10% for all products, except category hats; round to 2 decimals, then raise any result below 5 to it.",
		"Set hats to $12 and take 10% off mugs, rounded to the nearest dollar":     set + "Decrease the price by 10% for products in category mugs; round to a whole number.",

		"Set hats to $12 and take 10% off mugs, never below $15":                  "",
		"Set hats to $12.50 and take 10% off mugs, rounded to the nearest dollar": "",
		"Set hats to $12 and take 10% off mugs, ending in .95":                    "",
		"Set hats to $12, raise tea by 3% and take 10% off mugs, never below $5":  "",
		"Set hats to $12 and take 10% off mugs, never below $5, if in stock":      "",
		"Set hats to $12 and take 10% off mugs, if in stock":                      "",
	})
}

// What products cost at the most or the least tells them from others before their verb.
func TestBoundsOfSubjects(t *testing.T) {
	const up = "Increase the price by 0.1 for products in category mugs that are priced 3 or less; round to 2 decimals."
	expectReadings(t, nil, map[string]string{
		"Mugs at no more than $3 go up by 10 cents":                                            up,
		"Mugs at most $3 go up by 10 cents":                                                    up,
		"Mugs at no more than $3 go up by 10 cents and hats at no less than $30 go down by $2": up + " Decrease the price by 2 for products in category hats that are priced 30 or more; round to 2 decimals.",

		"Take 10% off mugs at no less than $8":         "",
		"Raise mugs at no more than $3":                "",
		"Mugs go up by 10 cents at no more than $3":    "",
		"Mugs at no more than $3, hats go up 10 cents": "",
	})
}

// What shapes the prices of products with a stock is of those alone, wherever it stands.
func TestShapedByStock(t *testing.T) {
	expectReadings(t, shop, map[string]string{
		"Round everything in stock to whole dollars, except mugs.":         "Increase the price by 0% for products that are in stock, except category Mugs; round to a whole number.",
		"Round all mugs in stock to whole dollars, except A101.":           "Increase the price by 0% for products in category Mugs that are in stock, except SKU A101; round to a whole number.",
		"Cap mugs in stock at $50.":                                        "Set the price to 50 for products in category Mugs that are in stock and priced 50 or more; round to 2 decimals.",
		"Raise everything that does not cost more than $75 by 5%.":         "Increase the price by 5% for products that are priced 75 or less; round to 2 decimals.",
		"Round mugs and hats in stock to whole dollars.":                   "",
		"Round mugs to whole dollars, hats sold out.":                      "",
		"Raise mugs by 5%. Round everything in stock to whole dollars.":    "",
		"Raise mugs by 5% if they don't cost more than $20 after that.":    "",
		"Raise mugs by 5% as long as they do not cost more than $20 then.": "",
		"Raise mugs by 5% as long as they cost at most $20 after that.":    "",
		"Raise mugs that cost no more than $20 afterwards by 5%.":          "",
		"Raise mugs by 5% if they are under $20 afterwards, and hats 3%.":  "",
	})
}

// "None of them" is of what changes, after "but". What describes some of them may be left
// out, and without "but" it may be told of what there is.
func TestNoneOfThemIsALimit(t *testing.T) {
	const (
		up   = "Increase the price by 5% for products in category Mugs; round to 2 decimals, then lower any result above 9 to it."
		down = "Decrease the price by 50% for products in category Mugs that are in stock and priced 59.99 or less; round to 2 decimals, then raise any result below 9.99 to it."
	)
	expectReadings(t, shop, map[string]string{
		"Raise mugs by 5%, but none of them above $9":                                     up,
		"Mugs up 5% but none of it over $9, please":                                       up,
		"Raise mugs by 5%, none of which may cost over $9":                                up,
		"Half price on mugs that are in stock and under $60, but none of it below $9.99.": down,

		"Raise mugs by 5%, none of them above $9":                  "",
		"Raise mugs by 5%, but none of those above $9":             "",
		"Raise mugs by 5%, but none of them above $9 should go up": "",
		"Raise mugs by 5%, but none of it currently above $9":      "",
		"Raise mugs, but none of them above $9, by 5%":             "",
		"Mark mugs as sold out, but none of them above $9":         "",
		"Raise mugs by 5%, but none of it by more than $9":         "",
	})
}

// A sentence of limits may begin with the comma of what was said before it.
func TestLimitsAfterAComma(t *testing.T) {
	expectReadings(t, nil, map[string]string{
		", mugs cap at $40 and hats at $35":                               "",
		", mugs, cap rugs at $40 and hats at $35":                         "",
		", mugs round to the nearest dollar and hats to the nearest dime": "",
	})
}
