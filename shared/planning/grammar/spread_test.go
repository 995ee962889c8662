package grammar_test

import "testing"

// What is left out may fulfil one condition or another.
func TestEitherConditionLeavesOut(t *testing.T) {
	const (
		both = "Increase the price by 5% for products that are in stock and priced 20 or less; round to 2 decimals."
		mid  = "Increase the price by 5% for products that are priced from 5 to 20; round to 2 decimals."
		mugs = "Increase the price by 5% for products in category Mugs that are in stock and priced 20 or less; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Raise prices by 5%, but do not touch items that are sold out or cost over $20":             both,
		"Raise prices by 5%, except items that are sold out or over $20":                            both,
		"Don't touch products that cost over $20 or are sold out. Everything else +5%":              both,
		"Leave anything that is sold out or costs more than $20 alone; raise everything else by 5%": both,
		"Raise everything by 5% unless it is sold out or costs over $20":                            both,
		"Raise all prices except those of items over $20 or sold out by 5%":                         both,
		"Raise prices by 5% except for those under $5 or over $20":                                  mid,
		"Keep items that cost less than $5 or more than $20 as they are and raise the others by 5%": mid,
		"Raise all mugs by 5% except those that are sold out or cost over $20":                      mugs,

		"Raise everything by 5%. Do not touch items that are not sold out or over $20": "",
		"Raise everything by 5%, except items that aren't in stock or over $20":        "",
		"Raise everything that's not sold out or over $20 by 5%":                       "",
		"Raise everything by 5%, except items not over $20 or sold out":                "",
		"Raise items that are sold out or over $20 by 5%":                              "",
		"Raise everything by 5% unless it is sold out or raise it by 3%":               "",
		"Do not touch items that are sold out or raise them by 5%":                     "",
		"Raise everything by 5% except items that are in stock or sold out":            "",
		"Raise everything by 5%, except sold-out items under $5 or over $20":           "",
	}, "Hats", "Mugs")
}
