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

// A stock that is said at the end to hold for both rules, or for all, does.
func TestStockOfBothRules(t *testing.T) {
	const (
		mugs = "Increase the price by 5% for products in category Mugs that are in stock; round to 2 decimals. "
		hats = "Increase the price by 3% for products in category Hats that are in stock; round to 2 decimals."
		tea  = " Decrease the price by 2% for products in category Tea that are in stock; round to 2 decimals."
	)
	expectReadings(t, []string{"Mugs", "Hats", "Tea"}, map[string]string{
		"Mugs up 5% and hats up 3%, in-stock ones only in both cases.":              mugs + hats,
		"Mugs up 5% and hats up 3%, only in-stock items for each.":                  mugs + hats,
		"Mugs up 5% and hats up 3%, only those in stock in each case.":              mugs + hats,
		"Mugs up 5%, hats up 3%, tea down 2%, in-stock ones only in every case":     mugs + hats + tea,
		"Mugs up 5% and hats up 3%, in-stock ones only":                             "",
		"Mugs up 5%, hats up 3%, tea down 2%, in-stock ones only in both cases":     "",
		"Tea down 2%. Mugs up 5% and hats up 3%, in-stock ones only in both cases.": "",
		"Mugs up 5% and hats up 3%, in-stock ones only in both cases. Tea down 2%.": "",
		"Mugs up 5%, in-stock ones only in both cases":                              "",
		"Mugs up 5% and hats up 3%, in stock in both cases":                         "",
	})
	expectReadings(t, []string{"Mugs", "Hats", "Cases"}, map[string]string{
		"Mugs up 5% and hats up 3%, in-stock ones only in all cases": "",
	})
}
