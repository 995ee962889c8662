package grammar_test

import "testing"

// What is told of prices and products is no rule, though it is said in the words of
// one.
func TestToldIsNoRule(t *testing.T) {
	for _, categories := range [][]string{nil, shop} {
		expectReadings(t, categories, map[string]string{
			"Mugs are too cheap at $5.":                       "",
			"Mugs are underpriced at $5.":                     "",
			"Mugs came in at $5.":                             "",
			"Mugs cost us $5.":                                "",
			"Right now mugs are $5.":                          "",
			"Mugs are $5 at the moment.":                      "",
			"We sell mugs at $5.":                             "",
			"We offer 5% off mugs.":                           "",
			"The CSV says mugs are $5.":                       "",
			"Mugs are running out of stock.":                  "",
			"Mugs will be out of stock.":                      "",
			"A mug is sold out.":                              "",
			"Mugs sold out at $5.":                            "",
			"Take mugs off the 5% sale.":                      "",
			"Mugs come off the 5% discount.":                  "",
			"Not only mugs go up 5%.":                         "",
			"If mugs are in stock, raise everything by 10%.":  "",
			"When mugs are back in stock, raise them by 10%.": "",
			"Raise mugs by 10% and cap everything at $20.":    "",
			"Raise mugs by 10% with an increase cap of $2.":   "",
			"Mugs with a maximum price of $5 go up 5%.":       "",
			"Seniors get 5% off everything.":                  "",
			"Take hats, for example: 5% off.":                 "",
			"Bob thinks mugs should be $5.":                   "",
			"Bob agreed mugs are $5.":                         "",
			"Let people buy mugs at $5.":                      "",
			"Mugs tend to go up 5%.":                          "",
			"Everything up 5% save hats.":                     "",
			"Everything up 5% apart from hats except A103.":   "",
			"Everything up 5%, but nothing that's over $20.":  "",
			"The mugs selling well go up 5%.":                 "",
			"Raise the first mugs by 5%.":                     "",
			"Mugs up $5 plus 10%.":                            "",
			"Take 5% off mugs that aren't dishwasher safe.":   "",
			"Everything that isn't selling goes up 5%.":       "",
			"End these discounts: mugs 5%, hats 6%.":          "",
			"Mugs up 5% (in-stock ones first).":               "",
			"Sell mugs at 0.8 of the price.":                  "",
			"Double the stock of mugs.":                       "",
			"Double up on mugs.":                              "",
			"Cut mugs into three.":                            "",
			"Cut 5% off hats, mugs, ...":                      "",
			"Mugs need restocking.":                           "",
			"Mugs gained 5%.":                                 "",
			"Freeze everything but mugs, up 5%.":              "",
			"Check mugs are up 5%.":                           "",
			"In practice mugs go up 5%.":                      "",
			"In stores only, mugs 5% off.":                    "",
		})
	}
	expectReadings(t, []string{"Winter Coats", "Hats", "Gift Cards"}, map[string]string{
		"Cut 5% off winter hats.": "",
		"Cut 5% off gift bags.":   "",
		"Cut 5% off wintr coats.": `Decrease the price by 5% for products in category "Winter Coats"; round to 2 decimals.`,
		"Cut 5% off gift crads.":  `Decrease the price by 5% for products in category "Gift Cards"; round to 2 decimals.`,
	})
	expectReadings(t, []string{"Mug", "Mugs", "Mug Sets"}, map[string]string{
		"Raise mugs and mug sets by 5%.": "",
		"Raise Mugs and mug sets by 5%.": `Increase the price by 5% for products in categories Mugs or "Mug Sets"; round to 2 decimals.`,
	})
	const up = "Increase the price by 5% for products in categories Hats or Mugs; round to 2 decimals."
	expectReadings(t, shop, map[string]string{
		"Not only hats but also mugs go up 5%.": up,
		"Mugs now cost $5.":                     "Set the price to 5 for products in category Mugs; round to 2 decimals.",
		"Mugs cost US$5.":                       "Set the price to 5 for products in category Mugs; round to 2 decimals.",
		"A mug costs $5.":                       "Set the price to 5 for products in category Mugs; round to 2 decimals.",
		"Take 5% off the mugs.":                 "Decrease the price by 5% for products in category Mugs; round to 2 decimals.",
	})
}

// Who does something, and when, is no name of a category.
func TestWhoAndWhenAreNoNames(t *testing.T) {
	expectReadings(t, nil, map[string]string{
		"Reduce by 5% the things Marta photographed":      "",
		"Set the ones Uncle Joe carved to $45":            "",
		"Give trade accounts $5 off every item":           "",
		"Increase all prices by 5% if the dollar weakens": "",
		"Drop everything 10% provided my boss agrees":     "",
		"Raise mugs by 5% unless Marta objects":           "",

		"Give mugs $5 off":                                         "Decrease the price by 5 for products in category mugs; round to 2 decimals.",
		"If the mugs are in stock, raise them by 5%":               "Increase the price by 5% for products in category mugs that are in stock; round to 2 decimals.",
		"Lower mugs by 5%, as long as no price falls below $2":     "Decrease the price by 5% for products in category mugs; round to 2 decimals, then raise any result below 2 to it.",
		"Raise all prices by 5%. Tea must not be changed, though.": "Increase the price by 5% for all products, except category tea; round to 2 decimals.",
	})
}
