package grammar_test

import "testing"

// A wish is a request where its verb says that it is not so yet, and only tells
// something where it does not.
func TestWishes(t *testing.T) {
	const (
		up    = "Increase the price by 5% for products in category mugs; round to 2 decimals."
		price = "Set the price to 5 for products in category mugs; round to 2 decimals."
		sold  = "Mark as out of stock for products in category mugs."
	)
	expectReadings(t, nil, map[string]string{
		"I was hoping mugs could be raised by 5%":                  up,
		"We were wondering whether the mugs might go up by 5%":     up,
		"Any chance mugs could go up by 5%?":                       up,
		"I don't suppose mugs could go up by 5%?":                  up,
		"We feel that mugs ought to cost $5":                       price,
		"I think mugs must be $5":                                  "",
		"I would be pleased if mugs could be raised by 5%":         up,
		"We'd be glad if mugs were marked as sold out":             sold,
		"We'd be glad if no mug were sold for less than $5":        "Set the price to 5 for products in category mug that are priced 5 or less; round to 2 decimals.",
		"We'd rather mugs were $5":                                 price,
		"It's high time mugs were raised by 5%":                    up,
		"What I'd like is for you to raise mugs by 5%":             up,
		"I'd be ever so grateful were you to raise mugs by 5%":     up,
		"You'd be doing me a favour if you could raise mugs by 5%": up,
		"Any chance of you raising mugs by 5%?":                    up,
		"I'd appreciate you marking mugs as sold out":              sold,
		"When you've a minute to spare, raise mugs by 5%":          up,
		"We'd want mugs at $5":                                     price,
		"Hats should be $6, and could mugs be marked as sold out?": "Set the price to 6 for products in category hats; round to 2 decimals. " + sold,

		"If mugs could go up by 5% that would be lovely":    up,
		"If mugs were $5, I'd be grateful":                  price,
		"Please make every product in mugs cost exactly $5": price,
		"It would be great if mugs were exactly $5":         price,

		"For mugs that have sold out, we'd want the price put up by $1": "Increase the price by 1 for products in category mugs that are out of stock; round to 2 decimals.",
		"If something costs exactly $10, could you please make it $11?": "Set the price to 11 for products that are priced exactly 10; round to 2 decimals.",
		"If anything costs less than $10, raise it by 5%":               "Increase the price by 5% for products that are priced 9.99 or less; round to 2 decimals.",
		"I'd like $2 off hats and a price of $5 for mugs":               "Decrease the price by 2 for products in category hats; round to 2 decimals. " + price,

		"If something costs more than $10, raise mugs by 5%":           "",
		"If something costs more than $10, raise all prices by 5%":     "",
		"Raise mugs by 5% if something costs more than $10":            "",
		"If anything, raise mugs by 5%":                                "",
		"Any chance of mugs being back in stock?":                      "",
		"Raise hats by 5% and a price under $5 for mugs":               "",
		"Raise mugs by 5%, I think hats are $5":                        "",
		"If mugs were $5, hats should be $6, that would be great":      "",
		"If mugs sold out, hats were $5, that would be great":          "",
		"If mugs were sold out, raise hats by 5%, that would be great": "",
		"If mugs were over $5, that would be great":                    "",
		"If mugs were $5, would that be great?":                        "",
		"Mugs cost exactly $5":                                         "",
		"I was hoping mugs were $5":                                    "",
		"I was hoping mugs would go up by 5%":                          "",
		"I was wondering if mugs should be $5":                         "",
		"Is there any chance mugs could be in stock?":                  "",
		"I think mugs might go up by 5%":                               "",
		"I think mugs were $5":                                         "",
		"I think mugs could have been $5":                              "",
		"We had hoped mugs could go up by 5%":                          "",
		"I was hoping you couldn't raise mugs by 5%":                   "",
		"I don't think mugs should be $5":                              "",
		"We'd rather mugs cost $5 than $6":                             "",
		"We'd rather not raise mugs by 5%":                             "",
		"It's time we stopped raising mugs by 5%":                      "",
		"You should have raised mugs by 5%":                            "",
		"What we need is to know whether to raise mugs by 5%":          "",
		"I'd appreciate you not raising mugs by 5%":                    "",
		"When you get a delivery, raise mugs by 5%":                    "",
		"It would be great if mugs that were $5 were $6":               "",
	})
}
