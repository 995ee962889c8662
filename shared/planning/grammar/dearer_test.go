package grammar_test

import "testing"

// Products may be told by what those of other rules cost, where no product can be on
// both sides or on neither.
func TestProductsComparedByPrice(t *testing.T) {
	const (
		over30  = "Increase the price by 6% for products in category Lamps that are priced 30.01 or more; round to 2 decimals. "
		upTo30  = "Increase the price by 10% for products in category Lamps that are priced 30 or less; round to 2 decimals."
		over50  = "Decrease the price by 10% for products that are priced 50.01 or more; round to 2 decimals."
		to50    = "Decrease the price by 5% for products that are priced from 10 to 50; round to 2 decimals. "
		under10 = "Decrease the price by 1 for products that are priced 9.99 or less; round to 2 decimals. "
		both    = "Increase the price by 2 for products in categories Lamps or Mugs that are priced 20 or more; round to 2 decimals. " +
			"Increase the price by 1 for products in categories Lamps or Mugs that are priced 19.99 or less; round to 2 decimals."
	)
	expectReadings(t, shop, map[string]string{
		"Lamps up to $30 go up 10%, dearer ones 6%.":                                                  over30 + upTo30,
		"Raise lamps up to $30 by 10%. Raise the more expensive lamps by 6%.":                         over30 + upTo30,
		"Raise lamps by 10% if they're at most $30 and by 6% if they're pricier.":                     over30 + upTo30,
		"Raise lamps by 10% where the price is $30 or less and by 6% where it's higher.":              over30 + upTo30,
		"For lamps $30 and under: +10%, higher-priced ones: +6%.":                                     over30 + upTo30,
		"Raise lamps and mugs by $2 when they cost $20 or more, and by $1 when they cost less.":       both,
		"10% off everything over $50, 5% off items from $10 to $50. Leave cheaper items as they are.": to50 + over50,
		"10% off everything over $50, 5% off items from $10 to $50, nothing off anything cheaper.":    to50 + over50,
		"10% off everything over $50, 5% off items from $10 to $50, $1 off cheaper ones.":             under10 + to50 + over50,
		"10% off everything over $50. Don't touch cheaper items.":                                     over50,

		"Raise lamps under $30 by 10% and dearer ones by 6%.":                                "", // and those at $30?
		"Raise lamps up to $30 by 10% and cheaper ones by 6%.":                               "",
		"Raise lamps up to $30 by 10% and dearer mugs by 6%.":                                "",
		"Raise lamps up to $30 by 10%, dearer lamps and mugs by 6%.":                         "",
		"Raise lamps up to $30 by 10% and make dearer ones 6% dearer.":                       "",
		"Raise lamps up to $30 by 10% and mugs up to $9 by 5%, dearer ones by 6%.":           "",
		"Raise mugs by 5% and lamps over $30 by 10%. Leave cheaper items alone.":             "",
		"Raise mugs by 5%. Raise lamps over $30 by 10%. Leave cheaper items alone.":          "",
		"Mark mugs as sold out. Raise everything over $30 by 10%. Leave cheaper ones alone.": "",
		"Raise mugs from $3 to $5. Leave cheaper mugs alone.":                                "",
		"Raise lamps up to $30 by 10%, never above $32, and dearer ones by 6%.":              "",
		"Raise lamps by 10%, and by 6% if they cost more.":                                   "",
	})
}
