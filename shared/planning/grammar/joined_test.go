package grammar_test

import "testing"

// A bound that is joined to a rise or a fall limits the new price, unless it may be of
// the change or say which products are meant.
func TestBoundsJoinedToAChange(t *testing.T) {
	const (
		up3    = "Increase the price by 3% for products in category mugs; round to 2 decimals, then lower any result above 12 to it."
		less2  = "Decrease the price by 2 for products in category mugs; round to 2 decimals, then raise any result below 4 to it."
		double = "Increase the price by 100% for products in category mugs; round to 2 decimals, then lower any result above 12 to it."
	)
	expectReadings(t, nil, map[string]string{
		"Mugs up 3% but at most $12":             up3,
		"Mugs up 3% and at most $12":             up3,
		"Add 3% to mugs, but no more than $12":   up3,
		"Take $2 off mugs, but at least $4 each": less2,
		"Lower mugs by $2 but at least $4":       less2,
		"Double mugs but at most $12":            double,
		"Mugs up 3% but at most $12, hats down 5%": up3 +
			" Decrease the price by 5% for products in category hats; round to 2 decimals.",

		"Raise mugs by 3% but at most $12":          "",
		"Raise mugs by $3 and at most $12":          "",
		"Take 10% off mugs but at least $5":         "",
		"Mugs up 3% but at least $12":               "",
		"Mugs up 3% but at most 12":                 "",
		"Mugs up 3% but at most $12 items":          "",
		"Mugs up 3% but not above $12 items":        "",
		"Mugs up 3% but up to $12":                  "",
		"Mugs up 3% and hats up 5% but at most $12": "",
		"Mugs over $20 up 3% but at most $12":       "",
		"Raise mugs by $13 but not above $12":       "",
		"Mugs under $4 down $2 but at least $4":     "",
		"Mugs to $5 but at most $12":                "",
	})
}
