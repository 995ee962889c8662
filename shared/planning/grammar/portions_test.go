package grammar_test

import "testing"

// What a category holds is all of it, whatever it is counted by.
func TestPortionsAreTheirCategory(t *testing.T) {
	const wine5 = `Decrease the price by 5% for products in category "Red Wine"; round to 2 decimals.`
	readsOneEach(t, map[string]string{
		"5% off bottles of red wine":                           wine5,
		"5% off all bottles of our red wine":                   wine5,
		"A bottle of red wine goes down by 5%":                 wine5,
		"Bottles of red wine below $15 get 5% off":             `Decrease the price by 5% for products in category "Red Wine" that are priced 14.99 or less; round to 2 decimals.`,
		"Boxes of red wine and pairs of boots are sold out":    `Mark as out of stock for products in categories "Red Wine" or Boots.`,
		"Raise items in boots and items in music by 5%":        "Increase the price by 5% for products in categories Boots or Music; round to 2 decimals.",
		"5% off music titles under $20":                        "Decrease the price by 5% for products in category Music that are priced 19.99 or less; round to 2 decimals.",
		"5% off titles under $20 in music":                     "Decrease the price by 5% for products in category Music that are priced 19.99 or less; round to 2 decimals.",
		"In Music, for titles which are in stock, give 5% off": "Decrease the price by 5% for products in category Music that are in stock; round to 2 decimals.",
		"Boots: pairs under $50 go up by $2":                   "Increase the price by 2 for products in category Boots that are priced 49.99 or less; round to 2 decimals.",

		"A bottle of red wine is sold out":                   "", // one of them
		"5% off everything except a bottle of red wine":      "",
		"5% off the bottle of red wine":                      "",
		"Two bottles of red wine for $10":                    "",
		"6 packs of red wine cost $12":                       "",
		"Half bottles of red wine 5% off":                    "",
		"$5 bottles of red wine 5% off":                      "",
		"Bottles of red wine $9 and boxes of red wine $20":   "",
		"5% off all titles":                                  "",
		"5% off music pieces":                                "",
		"5% off boots. Titles under $20 are sold out.":       "",
		"5% off music and mark titles under $20 as sold out": "",
		"In Music and Boots, titles under $20 go up 5%":      "",
		"Change the title in music to $5":                    "",
		"Raise boots and items in stock by 5%":               "",
		"5% off boots and items in music under $20":          "",
		"Bottles of gin 5% off":                              "",
	}, "Red Wine", "Boots", "Music")
}
