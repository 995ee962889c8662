package grammar_test

import (
	"strings"
	"testing"
)

// A limit or an ending may be said to hold for all rules of its sentence: "" is a
// question.
func TestShapesOfAllRules(t *testing.T) {
	const (
		mugs6     = "Decrease the price by 5% for products in category mugs; round to 2 decimals, then raise any result below 6 to it."
		bowls6    = "Decrease the price by 4% for products in category bowls; round to 2 decimals, then raise any result below 6 to it."
		both6     = mugs6 + " " + bowls6
		three6    = both6 + " Decrease the price by 3 for products in category hats; round to 2 decimals, then raise any result below 6 to it."
		both99    = "Decrease the price by 5% for products in category mugs; round to 2 decimals, then move to the nearest price ending in .99. Decrease the price by 4% for products in category bowls; round to 2 decimals, then move to the nearest price ending in .99."
		stocked99 = "Decrease the price by 5% for products in category mugs that are in stock; round to 2 decimals, then move to the nearest price ending in .99. Decrease the price by 4% for products in category bowls that are in stock; round to 2 decimals, then move to the nearest price ending in .99."
		bothCap   = "Increase the price by 5% for products in category mugs; round to 2 decimals, then lower any result above 9 to it. Increase the price by 4% for products in category bowls; round to 2 decimals, then lower any result above 9 to it."
	)
	expectReadings(t, nil, map[string]string{
		"Cut mugs by 5%, bowls by 4% and hats by $3, in all three cases never below $6":   three6,
		"Cut mugs by 5%, bowls by 4% and hats by $3, in each case never below $6":         three6,
		"Cut mugs by 5%, bowls by 4% and hats by $3, with a floor of $6 for all three":    three6,
		"Cut mugs by 5%, bowls by 4% and hats by $3. None of the three may cost under $6": three6,
		"Cut mugs by 5%, bowls by 4% and hats by $3. None of them ever below $6.":         three6,
		"Cut mugs by 5%, bowls by 4% and hats by $3, keeping all three at $6 or more":     three6,
		"Cut mugs by 5% and bowls by 4%, never below $6 in either case":                   both6,
		"Cut mugs by 5% and bowls by 4%, with the same floor of $6 for both":              both6,
		"Cut mugs by 5% and bowls by 4%, each no lower than $6":                           both6,
		"Cut mugs by 5% and bowls by 4%, and have both end in .99":                        both99,
		"Cut mugs by 5% and bowls by 4%, ending each of them in .99":                      both99,
		"Raise mugs by 5% and bowls by 4%, and neither may end up above $9":               bothCap,
		"Raise mugs by 5% and bowls by 4%, but neither may exceed $9":                     bothCap,
		"Raise mugs by 5% and bowls by 4%, with neither above $9":                         bothCap,
		"Raise mugs by 5% and bowls by 4%, and cap each of these at $9":                   bothCap,
		"Raise mugs by 5%. Raise bowls by 4%. Never above $9 for all of the above.":       bothCap,
		"Cut mugs by 5%, bowls by 4% and hats by $3, both never below $6":                 "",
		"Cut mugs by 5%, bowls by 4% and hats by $3, all four never below $6":             "",
		"Cut mugs by 5%, bowls by 4%, in both cases never below $6, and hats by $3":       "",
		"Cut everything but mugs by 5% and hats by 3%, all three never below $6":          "",
		"Cut mugs by 5% and bowls by 4%, and none below $6":                               "",
		"Cut mugs by 5% and bowls by 4%; neither is below $6":                             "",
		"Cut mugs by 5%, neither may cost less than $6":                                   "",
		"Neither may cost less than $6":                                                   "",
		"Cut mugs by 5%, bowls by 4% and hats by $3; all three are in stock":              "",
		"No canoe under $100":                                                                                            "",
		"No changes to canoes under $100, no hat under $10":                                                              "",
		"No canoe under $100 gets a discount, no hat under $10 does":                                                     "",
		"No SKU under $4, no hat over $60":                                                                               "",
		"No canoe under $100 or over $500, no hat under $10":                                                             "",
		"No canoe under $100, no hat over $60":                                                                           "Set the price to 100 for products in category canoe that are priced 100 or less; round to 2 decimals. Set the price to 60 for products in category hat that are priced 60 or more; round to 2 decimals.",
		"Mark A-1 and A-2 as sold out and cut mugs by 5%, with a floor of $6":                                            "Mark as out of stock for products with SKUs A-1 or A-2. " + mugs6,
		"Mark A-1 as sold out, cut mugs by 5% and bowls by 4%, with a floor of $6":                                       "",
		"Mark A-1 as sold out and cut mugs by 5%, only in-stock ones":                                                    "",
		"Mark A-1 as sold out and cut mugs by 5% with a floor of $6 if they are in stock":                                "",
		"Put A-1 and A-2 back in stock and set their price to $9":                                                        "Mark as in stock for products with SKUs A-1 or A-2. Set the price to 9 for products with SKUs A-1 or A-2; round to 2 decimals.",
		"Put A-1 back in stock and A-2 out of stock, and set their price to $9":                                          "",
		"Cut mugs by 5% and bowls by 4%, skipping the sold-out ones in both, and have both end in .99":                   stocked99,
		"Hi, could you cut mugs by 5% and bowls by 4%, skipping sold-out ones in both, with both ending in .99? Thanks!": stocked99,
		"Cut mugs by 5% and bowls by 4%, skipping sold-out ones in both. Hats down 3%.":                                  "",
		"Cut mugs by 5% and bowls by 4%, only in-stock items in each, and have both end in .99":                          stocked99,
		"Cut mugs by 5% and bowls by 4%, ignoring sold-out items in each case, all ending in .99":                        stocked99,
		"Cut mugs by 5% and bowls by 4%, skipping sold-out ones in both, and hats by $3":                                 "",
		"Cut mugs by 5%, bowls by 4% and hats by $3, skipping sold-out ones in both":                                     "",
		"Cut mugs by 5% and bowls by 4%, skipping sold-out ones in both boxes":                                           "",
		"Cut mugs by 5% and bowls by 4%, skipping hats in both":                                                          "",
		"Mark mugs sold out and cut bowls by 4%, skipping sold-out ones in both":                                         "",
	})
}

// What is joined to a condition on the stock is another condition, and no limit.
func TestConditionsOnStockAndPrice(t *testing.T) {
	const rule = "Increase the price by 5% for products in category mugs that are in stock and priced 19.99 or less; round to 2 decimals."
	expectReadings(t, nil, map[string]string{
		"Raise mugs by 5%, but only if they are in stock and under $20":      rule,
		"Raise mugs by 5% if in stock and under $20":                         rule,
		"Raise mugs by 5% where the item is in stock and costs under $20":    rule,
		"Raise mugs by 5%, but only if they are in stock and at most $19.99": rule,
		"Raise in-stock mugs by 5%, and under $20":                           "",
		"Mark mugs as in stock and under $20":                                "",
	})
}

// Limits of several categories may leave out the verb after the first.
func TestLimitsInARow(t *testing.T) {
	const first = "Set the price to 2 for products in category hats that are priced 2 or less; round to 2 decimals. Set the price to 99 for products in category mugs that are priced 99 or more; round to 2 decimals."
	const last = "Set the price to 99 for products in category mugs that are priced 99 or more; round to 2 decimals. Set the price to 2 for products in category hats that are priced 2 or less; round to 2 decimals."
	expectReadings(t, nil, map[string]string{
		"Nothing in hats should cost less than $2, and nothing in mugs more than $99":                     first,
		"Nothing in hats may be priced under $2, nothing in mugs over $99":                                first,
		"Nothing in hats should cost less than $2, nothing in mugs over $99, and nothing in tea under $4": first + " Set the price to 4 for products in category tea that are priced 4 or less; round to 2 decimals.",
		"Cap mugs at $99 and make sure no hat sells for less than $2":                                     strings.ReplaceAll(last, "hats", "hat"),
		"Cap mugs at $99, no hat below $2":                                                                strings.ReplaceAll(last, "hats", "hat"),
		"Limit mugs to $99 and keep hats at or above $2":                                                  last,
		"Cap the price of mugs at $99, and hats must cost at least $2":                                    last,
		"Mugs should cost no more than $99 and hats no less than $2":                                      last,
		"No mugs may sell for more than $99, and no hats for less than $2":                                last,
		"Cap mugs at $99 and hats at $2":                                                                  "Set the price to 99 for products in category mugs that are priced 99 or more; round to 2 decimals. Set the price to 2 for products in category hats that are priced 2 or more; round to 2 decimals.",
		"Cap mugs at $99 and hats at least $2 by 5%":                                                      "",
		"Cap mugs at $99 and leave hats under $2 alone":                                                   "Set the price to 99 for products in category mugs that are priced 99 or more; round to 2 decimals.",
		"Cap mugs at $99, and no hats below $2 should change":                                             "",
		"Raise mugs by 5% capped at $99, and no hats below $2":                                            "",
		"If mugs cost at least $99, no hats below $2":                                                     "",
		"Nothing in hats under $5 should change, and nothing in mugs over $99":                            "",
		"Nothing in hats should cost less than $2, and nothing in mugs under $5 should change":            "",
		"Hats should cost $5, nothing in mugs over $99":                                                   "",
		"Raise hats by 5% but nothing in mugs over $99":                                                   "",
	})
}

// After its rules a sentence may say how the prices of one of them are shaped.
func TestShapesOfOneOfTheRules(t *testing.T) {
	const (
		mugs   = "Increase the price by 5% for products in category Mugs; round to 2 decimals. "
		hats99 = mugs + "Increase the price by 3% for products in category Hats; round to 2 decimals, then move to the nearest price ending in .99."
		hats9  = mugs + "Increase the price by 3% for products in category Hats; round to 2 decimals, then lower any result above 9 to it."
		each   = "Increase the price by 5% for products in category Mugs; round to 2 decimals, then move to the nearest price ending in .95. Increase the price by 3% for products in category Hats; round to 2 decimals, then move to the nearest price ending in .99."
	)
	readsOneEach(t, map[string]string{
		"Raise mugs by 5% and hats by 3%, with the hats ending in .99":                    hats99,
		"Make mugs 5% dearer and hats 3% dearer, with hats to end in .99":                 hats99,
		"Raise mugs by 5% and hats by 3%, with hat prices capped at $9":                   hats9,
		"Raise mugs by 5% and hats by 3%, with hats capped at $9":                         hats9,
		"Mugs up 5%, hats up 3%, with hats never above $9":                                hats9,
		"Raise mugs by 5% and hats by 3%, with hats rounded to the nearest dollar":        mugs + "Increase the price by 3% for products in category Hats; round to a whole number.",
		"Raise mugs by 5% and hats by 3%, with mugs ending in .95 and hats ending in .99": each,
		"Raise mugs by 5%, with hats ending in .99":                                       "",
		"Raise everything by 5%, with hats ending in .99":                                 "",
		"Raise mugs by 5%, with hats ending in .99 by 3%":                                 "",
		"Raise mugs by 5% and hats by 3%, with hats ending in .99 unchanged":              "",
		"Skip mugs, hats up 5%, with mugs ending in .99":                                  "",
		"Raise in-stock mugs by 5% and hats by 3%, with mugs ending in .99":               "",
		"Set mugs to $5 and raise hats by 3%, with mugs ending in .99":                    "",
		"Raise mugs by 5% and then hats by 3%, with hats ending in .99":                   "",
	}, "Hats", "Mugs")
}
