package grammar_test

import "testing"

// What prices become is said of each of them, beside what tells which are meant: ""
// is a question.
func TestShapesOfEach(t *testing.T) {
	const (
		mugs1  = "Decrease the price by 9% for products in category mugs; round to 1 decimal."
		hats1  = "Increase the price by 3% for products in category hats; round to 1 decimal."
		mugs95 = "Increase the price by 6% for products in category mugs; round to 2 decimals, then move to the nearest price ending in .95."
		hats95 = "Increase the price by 3% for products in category hats; round to 2 decimals, then move to the nearest price ending in .95."
	)
	expectReadings(t, nil, map[string]string{
		"With results rounded to 1 decimal, decrease mugs by 9%":                   mugs1,
		"With all results rounded to 1 decimal, decrease mugs by 9%":               mugs1,
		"With rounding to 1 decimal, decrease mugs by 9%":                          mugs1,
		"Rounding each price to one decimal place, lower mugs by 9%":               mugs1,
		"Lower mugs by 9 percent, rounding each price to one decimal place.":       mugs1,
		"Lower mugs by 9% with each new price rounded to 1 decimal":                mugs1,
		"Mugs down 9%. Rounding every price to 1 decimal.":                         mugs1,
		"Lower mugs by 9% and hats go up 3%, rounding each price to one decimal":   mugs1 + " " + hats1,
		"Raise mugs by 6%, all of them ending in 95 cents":                         mugs95,
		"Raise mugs by 6% with all of them ending in .95":                          mugs95,
		"Raise mugs by 6%, each price ending in .95":                               mugs95,
		"Raise mugs by 6%, the results ending in .95":                              mugs95,
		"Raise mugs by 6% and hats by 3%, both of them ending in .95":              mugs95 + " " + hats95,
		"Raise mugs by 6% and hats by 3%, with every price ending in .95":          mugs95 + " " + hats95,
		"Raise hats by 3%. Raise mugs by 6%, all of them ending in .95":            "Increase the price by 3% for products in category hats; round to 2 decimals. " + mugs95,
		"Lower mugs by 9%, rounding all prices to 1 decimal":                       "",
		"Lower mugs by 9%, rounding each price over $10 to whole dollars":          "",
		"Lower mugs by 9%, rounding each price of hats to whole dollars":           "Decrease the price by 9% for products in category mugs; round to 2 decimals. Increase the price by 0% for products in category hats; round to a whole number.",
		"Lower mugs by 9%, rounding each price to the nearest $5":                  "",
		"With results rounded to 1 decimal, lower mugs by 9% and raise hats by 3%": "",
		"Raise mugs, all of them ending in .95, by 6%":                             "",
		"Raise mugs by 6%, each price ending in .95 by 3%":                         "",
		"Raise mugs by 6%, each price ending in .95 down $1":                       "",
		"Raise mugs by 6%, each price ending in .95 stays the same":                "",
		"Raise everything by 6% except mugs, all of them ending in .95":            "",
		"Raise mugs by 6%, leave hats alone, all of them ending in .95":            "",
		"Raise mugs by 6%, and hats, all of them ending in .95, by 3%":             "",
		"Every price ending in .95 goes up 6%":                                     "",
		"Mark mugs with each price ending in .95 as sold out":                      "",
		"Mugs are sold out, each of them ending in .95":                            "",
		"Raise mugs by 6%, hats by 3% and lamps by 1%, both of them ending in .95": "",
		"Lower mugs by 9%, each price over $10 rounded to whole dollars":           "",
		"Everything over $20, all of them ending in .95, goes up 6%":               "",
		"Mugs that cost $9.95, all of them ending in .95, go up 6%":                "",
		"Take 6% off mugs, with all of them ending in .95 getting 3% more":         "",
	})
}
