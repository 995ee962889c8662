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

		"5% off music except titles under $20":                       "Decrease the price by 5% for products in category Music that are priced 20 or more; round to 2 decimals.",
		"5% off boots, but only for pieces in stock":                 "Decrease the price by 5% for products in category Boots that are in stock; round to 2 decimals.",
		"5% off boots, leaving any goods that cost $9 or more alone": "Decrease the price by 5% for products in category Boots that are priced 8.99 or less; round to 2 decimals.",

		"A bottle of red wine is sold out":                   "", // one of them
		"5% off boots and music except titles under $20":     "",
		"5% off boots except pieces":                         "",
		"5% off boots except leather pieces under $20":       "",
		"5% off boots except pieces of leather under $20":    "",
		"5% off everything except pieces under $20":          "",
		"5% off boots. Leave pieces under $20 alone.":        "",
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

// A word for products beside the category that they are in says nothing more: the
// last word of its name, or a form that all of it has.
func TestHeadsOfTheirCategory(t *testing.T) {
	const (
		wine1  = `Increase the price by 1 for products in category "White Wine" that are priced from 15 to 30; round to 2 decimals.`
		shoes5 = `Decrease the price by 5% for products in category "Running Shoes"; round to 2 decimals.`
		honey5 = "Increase the price by 5% for products in category Honey; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Wines in White Wine that cost between 15 and 30 dollars should be raised by a dollar.": wine1,
		"Raise wines between $15 and $30 in White Wine by $1":                                   wine1,
		"5% off every shoe in our Running Shoes category":                                       shoes5,
		"Shoes in Running Shoes: 5% off":                                                        shoes5,
		"Raise honeys in Honey by 5%":                                                           honey5,
		"Raise all jars in Honey by 5%":                                                         honey5,
		"Everything except games in Board Games goes up by 5%":                                  `Increase the price by 5% for all products, except category "Board Games"; round to 2 decimals.`,
		"We want $3 taken off each bottle in White Wine":                                        `Decrease the price by 3 for products in category "White Wine"; round to 2 decimals.`,

		"Raise the shoe in Running Shoes by 5%":              "", // one of them
		"Raise shoes in Board Games by 5%":                   "",
		"Raise 3 games in Board Games by 5%":                 "",
		"Raise new games in Board Games by 5%":               "",
		"Raise trail shoes in Running Shoes by 5%":           "",
		"Raise shoes in stock by 5%":                         "",
		"Take $3 off every bottle in Drinks":                 "", // there are cans, too
		"Raise every tin in Honey by 5%":                     "",
		"The bottle in White Wine goes up by 5%":             "",
		"Raise honey shoes in Running Shoes by 5%":           "",
		"Raise jars in Honey by 5% and shoes by 3%":          "",
		"Everything except a jar in Honey goes up by 5%":     "",
		"Raise every jar in Honey and Drinks under $5 by 5%": "",
	}, "White Wine", "Running Shoes", "Honey", "Board Games", "Drinks")
}
