package grammar_test

import "testing"

// After "then", what is still in a range of prices are the products of the rule before.
func TestThenTheOnesStillThere(t *testing.T) {
	const (
		first  = "Decrease the price by 10% for products in category Mugs; round to 2 decimals. "
		second = first + "Decrease the price by 2 for products in category Mugs that are priced 9.01 or more by then; round to 2 decimals."
		shop   = first + "Decrease the price by 2 for products that are priced 9.01 or more by then; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Take 10% off all mugs, then drop another $2 from the ones still above $9":    second,
		"Take 10% off all mugs, then take $2 off those that are still above $9":       second,
		"Take 10% off all mugs, then take another $2 off any still priced over $9":    second,
		"Take 10% off all mugs, then take $2 off mugs still above $9":                 second,
		"Take 10% off all mugs, then take $2 off whatever is still above $9":          second,
		"Take 10% off all mugs, then take $2 off anything still above $9":             second,
		"First take 10% off all mugs. Then take $2 off the ones above $9.":            second,
		"Take 10% off all mugs, then take $2 off any above $9":                        second,
		"Take 10% off all mugs, then take $2 off all in stock":                        first + "Decrease the price by 2 for products in category Mugs that are in stock; round to 2 decimals.",
		"Take 10% off all mugs, then mark all in stock":                               "",
		"Take 10% off all mugs, then lower all in stock by $2":                        first + "Decrease the price by 2 for products in category Mugs that are in stock; round to 2 decimals.",
		"Take 10% off all mugs, then take $2 off everything above $9":                 shop,
		"Take 10% off mugs over $20, then take $2 off the ones still above $30":       "Decrease the price by 10% for products in category Mugs that are priced 20.01 or more; round to 2 decimals. Decrease the price by 2 for products in category Mugs that are priced 30.01 or more by then; round to 2 decimals.",
		"Take 10% off mugs under $20, then take $2 off the ones still above $9":       "",
		"Take 10% off mugs under $20, then take $2 off those above $9":                "",
		"Take 10% off mugs and 5% off hats, then take $2 off the ones still above $9": "",
		"Take 10% off mugs, and $2 off the ones still above $9":                       "",
		"Take 10% off mugs, then still take $2 off hats":                              "",
		"Take 10% off mugs, then still above $9 take $2 off":                          "",
		"Then take $2 off the ones still above $9":                                    "",
		"Take 10% off mugs, take $2 off any above $9":                                 "",
		"Take 10% off mugs, then take $2 off hats and all above $9":                   "",
	}, "Hats", "Mugs")
}
