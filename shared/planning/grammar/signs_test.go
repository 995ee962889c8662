package grammar_test

import "testing"

// A rule may begin with its sign, where that is no "and".
func TestSigns(t *testing.T) {
	const (
		up   = "Increase the price by 5% for products in category Mugs; round to 2 decimals."
		both = "Decrease the price by 5% for products in category Hats; round to 2 decimals. " + up
	)
	readsOneEach(t, map[string]string{
		"Plus 5% on mugs":                                      up,
		"Hi, plus 5% on all mugs please":                       up,
		"+ 5% on mugs":                                         up,
		"Less 5% on hats. Plus 5% on mugs.":                    both,
		"Minus 5% for hats, plus 5% for mugs":                  both,
		"Minus 5% on hats and plus 5% on mugs; leave the rest": both,

		"5% off hats. Plus 5% on mugs.":     "",
		"Hats 5% off, plus 5% on mugs":      "",
		"Plus 5% off mugs":                  "",
		"Plus or minus 5% on mugs":          "",
		"Plus $20 mugs up 5%":               "",
		"Plus 5% on mugs plus $2":           "",
		"Less hats, plus 5% on mugs":        "",
		"Plus 5% on mugs plus 5% on hats":   "",
		"Discount hats by 5%. Plus 3% mugs": "",
	}, "Hats", "Mugs")
}
