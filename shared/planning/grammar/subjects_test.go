package grammar_test

import "testing"

// Ways to say which products are meant, each beside its near misses, whose meaning
// differs: "" is a question.
func TestSubjects(t *testing.T) {
	t.Run("numbers after items are SKUs", func(t *testing.T) {
		expectReadings(t, nil, map[string]string{
			"Shave two dollars off items 5501, 5502 and 5510": "Decrease the price by 2 for products with SKUs 5501, 5502 or 5510; round to 2 decimals.",
			"Mark products 5501 / 5502 as sold out":           "Mark as out of stock for products with SKUs 5501 or 5502.",
			"Set articles 5501 and 5502 to $9.99":             "Set the price to 9.99 for products with SKUs 5501 or 5502; round to 2 decimals.",
			"Set product 5501 to 9.99":                        "Set the price to 9.99 for products with SKU 5501; round to 2 decimals.",
			"Change item 5501 from $10 to $12":                "Set the price to 12 for products with SKU 5501 that are priced exactly 10; round to 2 decimals.",
			"Raise everything by 5% except items 5501, 5502":  "Increase the price by 5% for all products, except SKUs 5501 and 5502; round to 2 decimals.",
			"Raise item no. 55 by 5%":                         "Increase the price by 5% for products with SKU 55; round to 2 decimals.",
			"Items 1500 and up get 5% off":                    "Decrease the price by 5% for products that are priced 1500 or more; round to 2 decimals.",
			"Items 15000 and up get 5% off":                   "Decrease the price by 5% for products that are priced 15000 or more; round to 2 decimals.",

			"Items 1500 to 2000 get 5% off":                   "",
			"Items 1500–2000 get 5% off":                      "",
			"Raise prices of items 5501 through 5510 by 5%":   "",
			"Set items 1500 to 2000":                          "",
			"Raise items 1500 rupees by 5%":                   "",
			"Take $5 off 1000 items":                          "",
			"Take $5 off items 5 dollars":                     "",
			"Item 1: mugs up 5%. Item 2: hats down 3%":        "",
			"Discount the products 2024 collection by 5%":     "",
			"Raise item no. 55. 6% off mugs, and no. 7 is in": "",
		})
	})
	t.Run("throughout is everywhere", func(t *testing.T) {
		const all2 = "Increase the price by 2% for all products, except category \"gift cards\"; round to 2 decimals."
		expectReadings(t, nil, map[string]string{
			"Increase prices by 2% throughout, with the exception of gift cards": all2,
			"Throughout, increase prices by 2%, excluding gift cards":            all2,
			"A 2% rise throughout but not for gift cards":                        all2,
			"Raise mugs by 5% throughout":                                        "Increase the price by 5% for products in category mugs; round to 2 decimals.",
			"Prices go up 5% throughout mugs":                                    "Increase the price by 5% for products in category mugs; round to 2 decimals.",
			"Raise prices by 2% everywhere, excluding gift cards":                all2,
			"Costs are up 5% everywhere, so raise mugs by 5%":                    "Increase the price by 5% for products in category mugs; round to 2 decimals.",
			"Mugs cost $5 everywhere":                                            "",
			"Raise mugs by 5% and everywhere else by 2%":                         "",
			"Raise mugs by 5%, 2% everywhere":                                    "",
			"Raise mugs throughout the week by 5%":                               "",
			"Raise prices by 2% throughout December":                             "",
			"Raise prices by 2% throughout, hats by 3%":                          "",
			"Mugs up 5%, hats up 3%, rounded to whole dollars throughout":        "",
		})
	})
	t.Run("what the shop has", func(t *testing.T) {
		const games = `Increase the price by 5% for products in category "Board Games" that are in stock; round to 2 decimals. Decrease the price by 8% for products in category "Board Games" that are out of stock; round to 2 decimals.`
		expectReadings(t, []string{"Board Games", "Mugs"}, map[string]string{
			"For board games we currently have in stock, a 5% increase; for those that are out of stock, an 8% reduction.": games,
			"Board games that we do have in stock go up 5%; 8% off for the ones that are out of stock":                     games,
			"For board games in stock a 5% increase and for those which are out of stock an 8% reduction":                  games,
			"Raise mugs we presently have in stock by 5%":                                                                  "Increase the price by 5% for products in category Mugs that are in stock; round to 2 decimals.",
			"Raise mugs we currently have by 5%":                                                                           "",
			"For those that are out of stock, an 8% reduction":                                                             "",
			"For mugs, 5% off; for those that are out of stock, 8% off":                                                    "",
			"Raise mugs by 5% and board games by 3% for those that are in stock":                                           "",
			"We currently have too many mugs in stock, lower prices by 5%":                                                 "",
		})
	})
	t.Run("what no price may be is a limit, or says which", func(t *testing.T) {
		expectReadings(t, nil, map[string]string{
			"Mugs not exceeding $50 go up 5%":      "Increase the price by 5% for products in category mugs that are priced 50 or less; round to 2 decimals.",
			"No more than $50 for mugs":            "Set the price to 50 for products in category mugs that are priced 50 or more; round to 2 decimals.",
			"Not exceeding $50, raise mugs by 5%":  "",
			"No less than $5, lower mugs by 5%":    "",
			"No more than $50, raise prices by 5%": "",
		})
	})
}
