package grammar_test

import "testing"

// What a change leaves as it is may be said by a noun for the change, by "nothing",
// or by what sets products apart.
func TestExempts(t *testing.T) {
	const (
		up     = "Increase the price by 5% for all products, except category Mugs; round to 2 decimals."
		off    = "Decrease the price by 5% for all products, except category Mugs; round to 2 decimals."
		offAll = "Decrease the price by 5% for all products; round to 2 decimals."
	)
	const hats = "Decrease the price by 5% for products in category Hats; round to 2 decimals."
	readsOneEach(t, map[string]string{
		"No increase for mugs, everything else up 5%":             up,
		"No discount on mugs; 5% off everything else":             off,
		"5% off everything, no reduction on mugs":                 off,
		"Raise all prices by 5%, with no price increase for mugs": up,
		"Do not increase mugs, everything else up 5%":             up,
		"Nothing in mugs changes; everything else up 5%":          up,
		"Nothing in mugs is to change, everything else 5% off":    off,
		"Mugs aside, everything goes up 5%":                       up,
		"Take 5% off everything, mugs aside":                      off,
		"5% off everything, with mugs left unchanged":             off,
		"5% off everything, with mugs as the only exception":      off,
		"5% off across the board, mugs being the exception":       off,
		"Raise all prices by 5%; the only exception is mugs":      up,
		"Raise all prices by 5% (exception: mugs)":                up,
		"Raise everything by 5%, but make an exception for mugs":  up,
		"Everything that's not mugs: 5% off":                      off,
		"Raise all prices by 5%. And don't touch mugs either":     up,
		"Mugs aside, take 5% off":                                 off,
		"With the exception of mugs, increase by 5%":              up,
		"Mugs excluded, 5% off":                                   off,
		"5% increase for all, mugs excepted":                      up,
		"5% off on all except mugs":                               off,
		"A 5% discount for all":                                   offAll,
		"Everything goes up 5%, only mugs stay the same":          up,
		"Take 5% off all prices and only mugs remain unchanged":   off,
		"5% off everything, no exceptions":                        offAll,
		"5% off all prices without exception":                     offAll,
		"Joking aside, 5% off everything":                         offAll,
		"No discount on mugs, 5% off on hats":                     "Decrease the price by 5% for products in category Hats; round to 2 decimals.",
		"5% off everything, but ignore mugs altogether":           off,
		"Take 5% off all prices and skip mugs completely":         off,
		"Leave mugs entirely alone, everything else up 5%":        up,
		"Completely exclude mugs, raise everything else by 5%":    up,
		"Everything up 5%, mugs totally excluded":                 up,
		"Everything up 5% except mugs altogether":                 up,
		"5% off hats, but leave A101 out entirely":                "Decrease the price by 5% for products in category Hats, except SKU A101; round to 2 decimals.",
		"Everything up 5%, but keep mugs the same as well":        up,
		"5% off everything. Mugs stay the same as well.":          off,

		"5% off everything, but exclude mugs from the discount":          off,
		"Raise all prices by 5%. Mugs are exempt from the increase.":     up,
		"Raise all prices by 5%. Exclude mugs from the 5% increase.":     up,
		"Exclude mugs from the price increase. Raise everything by 5%.":  up,
		"5% off hats. Exclude A101 from the hats discount.":              "Decrease the price by 5% for products in category Hats, except SKU A101; round to 2 decimals.",
		"5% off hats. Exclude A101 from the 3% discount.":                "",
		"5% off hats. Exclude A101 from the mugs discount.":              "",
		"5% off hats. Exclude A101 from the increase.":                   "",
		"5% off everything, but exclude mugs from the increase":          "",
		"5% off hats, 3% off mugs. Exclude A101 from the 5% discount.":   "",
		"5% off hats, 3% off mugs. Exclude A101 from the hats discount.": "",
		"Exclude A101 from the hats discount of 5%":                      "",
		"5% off hats. Exclude A101 from the discount above $5.":          "",

		"Leave everything except hats alone; take 5% off hats":     hats,
		"Everything except hats: no change; hats 5% off":           hats,
		"5% off hats. All prices except hats stay the same.":       hats,
		"Don't touch anything apart from hats. Hats go down 5%.":   hats,
		"Leave everything except hats alone; take 5% off mugs":     "",
		"Leave everything except hats alone; 5% off hats and mugs": "",
		"Leave everything except hats and mugs alone; 5% off hats": "",
		"Leave everything except hats alone; 5% off everything":    "",
		"Leave everything except hats alone. 5% off all prices.":   "",
		"Leave everything except in-stock hats alone; 5% off hats": "",
		"Do not leave everything except hats alone; 5% off hats":   "",
		"Do not raise anything except hats. 5% off hats.":          "",

		"5% off hats, mugs the same as well":                     "",
		"5% off hats. Mugs get the same as well.":                "",
		"5% off everything, but do not fully exclude mugs":       "",
		"5% off everything, don't leave mugs out completely":     "",
		"5% off everything, but do not discount mugs completely": "",
		"5% off everything, mugs not completely excluded":        "",
		"Raise mugs completely by 5%":                            "",
		"Skip mugs and raise hats by 5% altogether":              "",
		"Except for mugs, increase by 5% and hats by 3%":         "",
		"Raise hats by 3%. Except for mugs, increase by 5%":      "",
		"Except for mugs, set to $5":                             "",
		"Raise mugs by 5% for all":                               "",
		"5% off for all, hats 3% off":                            "",
		"Raise hats by 5%, only mugs stay the same":              "",
		"Raise everything by 5%, only mugs stay under $20":       "",
		"5% off in all": "",
		"No discount for mugs; raise everything by 5%":            "",
		"Raise everything by 5%, no increase over $2":             "",
		"No increase over 5% for mugs":                            "",
		"No increase for mugs but 3% for hats":                    "",
		"Nothing in mugs changed, so raise everything by 5%":      "",
		"Nothing in mugs changes except A101, which goes up 5%":   "",
		"Put mugs aside and raise everything by 5%":               "",
		"Raise all prices by 5%, no exceptions for mugs":          "",
		"Raise mugs by 5%; hats are no exception":                 "",
		"Raise all prices by 5%, the exception being mugs at 3%":  "",
		"Raise everything by 5%, but don't raise mugs either way": "",
	}, "Hats", "Mugs")
}

// What is not changed stays as it is, and "except that" parts a rule from one for some
// of its products, or from how far it goes.
func TestSaidNotToChange(t *testing.T) {
	const but = "Increase the price by 3% for all products, except category Mugs; round to 2 decimals."
	expectReadings(t, shop, map[string]string{
		"Everything goes up 3%. Mugs are not changed.":                              but,
		"Everything goes up 3%, but the price of mugs doesn't change.":              but,
		"Raise everything by 3% with mugs not changed":                              but,
		"Everything goes up 3%, except that mugs stay the same":                     but,
		"Everything goes up 3%, except that hats go up 1% and mugs are not changed": "Increase the price by 3% for all products, except categories Mugs and Hats; round to 2 decimals. Increase the price by 1% for products in category Hats; round to 2 decimals.",
		"Everything goes up 3% except that no price goes over $9":                   "Increase the price by 3% for all products; round to 2 decimals, then lower any result above 9 to it.",
		"Raise everything by 3%, except that mugs and hats should only go up 1%":    "Increase the price by 3% for all products, except categories Mugs and Hats; round to 2 decimals. Increase the price by 1% for products in categories Mugs or Hats; round to 2 decimals.",

		"Raise mugs by 3% if hats are not changed":              "",
		"Raise everything not changed by 3%":                    "",
		"Mugs don't change by more than 3%":                     "",
		"Raise everything except that by 3%":                    "",
		"Raise everything by 3%, except that which is in mugs":  "",
		"Raise everything by 3%, except that over $50":          "",
		"Raise mugs by 3%, except that with the code A101":      "",
		"Raise everything by 3%, except that mugs are sold out": "",
	})
}

// What is skipped in a sentence with "everything else" is skipped by all of its rules.
func TestSkippedBesideTheRest(t *testing.T) {
	const two = "Increase the price by 4% for products in category Mugs that are in stock; round to 2 decimals. " +
		"Increase the price by 1.5% for products that are in stock, except category Mugs; round to 2 decimals."
	expectReadings(t, shop, map[string]string{
		"Add 4% to mugs and 1.5% to everything else, but skip whatever is out of stock.":    two,
		"Raise mugs by 4% and everything else by 1.5%, ignoring sold-out items.":            two,
		"Raise mugs by 4% and everything else by 1.5%, but skip sold-out mugs.":             "",
		"Raise mugs by 4%, but skip whatever is out of stock, and everything else by 1.5%.": "",
		"Raise mugs by 4% and everything else by 1.5%, but don't raise sold-out items.":     "",
	})
}
