package grammar_test

import "testing"

// A limit may be called an upper, a lower or a hard one, follow a factor, and be said of
// neither of two and of both of their prices; one against the change may be of that.
func TestLimitsCalledByTheirSide(t *testing.T) {
	const (
		cut   = "Decrease the price by 7% for products in category mugs; round to 2 decimals, then raise any result below 5 to it."
		rise  = "Increase the price by 7% for products in category mugs; round to 2 decimals, then lower any result above 40 to it."
		hats  = " Increase the price by 3% for products in category hats; round to 2 decimals, then lower any result above 20 to it."
		both  = " Increase the price by 3% for products in category hats; round to 2 decimals, then lower any result above 40 to it."
		ended = "Increase the price by 7% for products in category mugs; round to 2 decimals, then move to the nearest price ending in .90. Increase the price by 3% for products in category hats; round to 2 decimals, then move to the nearest price ending in .90."
	)
	expectReadings(t, nil, map[string]string{
		"Raise mugs by 7% with an upper limit of $40":                                            rise,
		"Raise mugs by 7%, upper limit $40":                                                      rise,
		"Raise mugs by 7%, hard cap $40":                                                         rise,
		"Raise mugs by 7% with an absolute maximum of $40":                                       rise,
		"Raise mugs by 7% with an upper limit of $40, and hats by 3% with an upper limit of $20": rise + hats,
		"Lower mugs by 7% with a lower limit of $5":                                              cut,
		"Lower mugs by 7%, absolute floor $5":                                                    cut,
		"Halve mugs, but to no less than $5":                                                     "Decrease the price by 50% for products in category mugs; round to 2 decimals, then raise any result below 5 to it.",
		"Double mugs, but to no more than $50":                                                   "Increase the price by 100% for products in category mugs; round to 2 decimals, then lower any result above 50 to it.",
		"Mugs up 7%, hats up 3%, neither above $40":                                              rise + both,
		"Mugs up 7%, hats up 3%, neither of them exceeding $40":                                  rise + both,
		"Raise mugs by 7% and hats by 3%, with both capped at $40":                               rise + both,
		"Raise mugs by 7% and hats by 3%, both prices ending in .90":                             ended,
		"Raise mugs by 7% and hats by 3%, with both prices ending in .90":                        ended,

		"Lower mugs by 20% with an upper limit of $10":                          "",
		"Lower mugs by 20%, hard cap $10":                                       "",
		"Raise mugs by 20% with a lower limit of $10":                           "",
		"Raise the upper limit of mugs to $14":                                  "",
		"Halve mugs, to no more than $5":                                        "",
		"Mugs up 7%, hats up 3%, neither below $40":                             "",
		"Mugs up 7%, hats down 3%, neither above $40":                           "",
		"Mugs up 7%, hats up 3%, neither by more than $2":                       "",
		"Mugs up 7%, hats up 3%, neither above $40 to be touched":               "",
		"Mugs up 7%, hats up 3%, none above $40":                                "",
		"Mugs up 7%, hats up 3%, tea up 4%, neither above $40":                  "",
		"Raise mugs by 7%, hats by 5% and tea by 6%, both prices ending in .90": "",
		"Raise mugs by 7% and hats by 3%, both prices ending in .90 up by $1":   "",
		"Raise mugs by 7% and hats with both prices ending in .90 by 3%":        "",
	})
}
