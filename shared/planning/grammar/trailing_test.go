package grammar_test

import "testing"

// What is said after the last comma of several rules is of all of them where it cannot be
// of the last alone.
func TestOfAllRules(t *testing.T) {
	const (
		stocked = "Increase the price by 5% for products in category Mugs that are in stock; round to 2 decimals. Increase the price by 3% for products in category Lamps that are in stock; round to 2 decimals."
		dear    = "Increase the price by 5% for products in category Mugs that are priced 20 or more; round to 2 decimals. Increase the price by 3% for products in category Lamps that are priced 20 or more; round to 2 decimals."
		sku     = "Increase the price by 5% for products in category Mugs, except SKU A101; round to 2 decimals. Increase the price by 3% for products in category Lamps, except SKU A101; round to 2 decimals."
		shop    = "Increase the price by 2% for products that are in stock, except category Mugs; round to 2 decimals. Decrease the price by 10% for products that are out of stock, except category Mugs; round to 2 decimals."
		bands   = "Increase the price by 3% for products that are priced 20 or more, except category Mugs; round to 2 decimals. Increase the price by 5% for products that are priced 19.99 or less, except category Mugs; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"Raise mugs by 5% and lamps by 3%, but only those in stock":                                                        stocked,
		"Mugs up 5%, lamps up 3%, but just the in-stock ones":                                                              stocked,
		"Raise mugs by 5% and lamps by 3%, but only if they are in stock. Thanks!":                                         stocked,
		"Pls increse mugs by 5% and lapms by 3%, but not the ones that are sold out":                                       stocked,
		"Raise mugs by 5% and lamps by 3%, skipping the sold-out ones":                                                     stocked,
		"Raise mugs by 5% and lamps by 3%, excluding anything that's out of stock":                                         stocked,
		"Raise mugs by 5% and lamps by 3%, leaving out anything under $20":                                                 dear,
		"Raise mugs by 5% and lamps by 3%, but only if they cost at least $20":                                             dear,
		"Raise mugs by 5% and lamps by 3%, leaving out A101":                                                               sku,
		"Raise mugs by 5% and lamps by 3%, just not A101":                                                                  sku,
		"Raise mugs by 5% and lamps by 3%, except A101, which stays as is":                                                 sku,
		"In-stock items go up 2% and out-of-stock items go down 10%, except mugs":                                          shop,
		"In-stock items go up 2%, out-of-stock items go down 10%, but not mugs":                                            shop,
		"Raise everything in stock by 2% and cut everything out of stock by 10%, leaving out mugs, which stay as they are": shop,
		"Items under $20 go up 5% and items at $20 and up go up 3%, except mugs":                                           bands,
		"Items under $20 go up 5% and the rest go up 3%, except mugs, which stay as they are":                              bands,

		"Raise mugs by 5% and lamps by 3%, except A101":                               "",
		"Raise mugs by 5% and lamps by 3% but only those in stock":                    "",
		"Raise mugs by 5% and lamps by 3%, only those in stock":                       "",
		"Raise mugs by 5% and lamps by 3%, but only up to $20":                        "",
		"Raise mugs by 5% and lamps by 3%, but not under $5":                          "",
		"Raise mugs by 5% and lamps by 3%, but only A101":                             "",
		"Raise mugs by 5%, then lamps by 3%, but only those in stock":                 "",
		"Raise mugs by 5% and mark lamps as sold out, but only those under $20":       "",
		"Raise hats by 2%. Raise mugs by 5% and lamps by 3%, but only those in stock": "",
		"In-stock items go up 2% and out-of-stock items go down 10% except mugs":      "",
		"Items under $20 go up 5% and the rest go up 3%, except mugs":                 "",
	}, "Hats", "Mugs", "Lamps")
}
