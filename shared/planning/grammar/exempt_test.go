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

		"Except for mugs, increase by 5% and hats by 3%":    "",
		"Raise hats by 3%. Except for mugs, increase by 5%": "",
		"Except for mugs, set to $5":                        "",
		"Raise mugs by 5% for all":                          "",
		"5% off for all, hats 3% off":                       "",
		"Raise hats by 5%, only mugs stay the same":         "",
		"Raise everything by 5%, only mugs stay under $20":  "",
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
