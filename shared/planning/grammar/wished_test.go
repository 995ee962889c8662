package grammar_test

import "testing"

// Products are marked for a wish or a question that says so, and not for one that they
// be of a stock.
func TestStockThatIsWishedFor(t *testing.T) {
	const out = "Mark as out of stock for products in category Mugs."
	readsOneEach(t, map[string]string{
		"Could mugs be marked as sold out?":                    out,
		"Could mugs be set to sold out?":                       out,
		"We'd be glad if mugs were marked as sold out":         out,
		"Could you put mugs out of stock?":                     out,
		"Make sure mugs are sold out":                          out,
		"Mugs should be sold out":                              out,
		"We want mugs to be sold out":                          out,
		"Could mugs be made unavailable?":                      out,
		"Could mugs be sold out?":                              "",
		"Can mugs be in stock?":                                "",
		"Could mugs be back in stock?":                         "",
		"Could mugs please be sold out?":                       "",
		"Raise hats by 5%, and could mugs be sold out?":        "",
		"Can we have mugs in stock?":                           "",
		"Will you have mugs in stock?":                         "",
		"Is it okay if mugs are sold out?":                     "",
		"Would it be possible for mugs to be in stock?":        "",
		"We'd be glad if mugs were sold out":                   "",
		"We'd rather mugs were in stock":                       "",
		"We would rather have mugs in stock":                   "",
		"I was hoping to have mugs in stock":                   "",
		"It would be great if mugs could be in stock":          "",
		"How about mugs in stock?":                             "",
		"If mugs were sold out, that would be great":           "",
		"If mugs were marked as sold out, I would be grateful": out,
	}, "Hats", "Mugs")
}

// That products are of a stock, beside a rule for them, may say which of them it is for.
func TestStockThatIsTold(t *testing.T) {
	const again = "Mark as in stock for products in category Mugs. Set the price to 9 for products in category Mugs; round to 2 decimals."
	readsOneEach(t, map[string]string{
		"Mugs are back in stock, set them to $9":                again,
		"Mugs are in stock again. Set them to $9.":              again,
		"Mark mugs as in stock and set them to $9":              again,
		"Mugs are in stock and cost $9":                         again,
		"Mugs are sold out; raise hats by 5%":                   "Mark as out of stock for products in category Mugs. Increase the price by 5% for products in category Hats; round to 2 decimals.",
		"Mugs are in stock, raise them by 5%":                   "",
		"Items are in stock, raise them 5%":                     "",
		"A101 is sold out. Set it to $9.":                       "",
		"Everything is in stock. Raise everything by 5%.":       "",
		"Raise mugs by 5%. They are in stock.":                  "",
		"Raise mugs by 5% and they are in stock":                "",
		"Mugs are in stock, hats are sold out. Set them to $9.": "",
	}, "Hats", "Mugs")
}

// Who says what products cost, minds what they cost, or looks for some that do, sets no
// price.
func TestPricesThatAreNoRequests(t *testing.T) {
	const (
		five = "Set the price to 5 for products in category Mugs; round to 2 decimals."
		down = "Decrease the price by 5% for products in category Mugs; round to 2 decimals."
	)
	readsOneEach(t, map[string]string{
		"I'd say mugs should be $5":                 five,
		"I'd say mugs at $5":                        five,
		"We're looking for a 5% cut on mugs":        down,
		"We're looking for mugs to be $5":           five,
		"Do you mind lowering mugs by 5%?":          down,
		"Mugs and hats all $5 off":                  "Decrease the price by 5 for products in categories Mugs or Hats; round to 2 decimals.",
		"I'd say mugs are $5":                       "",
		"We're looking for mugs at $5":              "",
		"Do you mind mugs at $5?":                   "",
		"Lower all $5 prices":                       "",
		"Drop all $5":                               "",
		"Raise all $5 mugs":                         "",
		"All $5 off mugs":                           "",
		"Raise mugs by 5%. Not if hats are.":        "",
		"Raise mugs by 5% unless hats are":          "",
		"In all cases cap at $6":                    "",
		"In each case never above $6":               "",
		"Cap in both events at $6":                  "",
		"Raise mugs by 5%, in cases never above $6": "",
	}, "Hats", "Mugs")
}

// What may be of one more thing than it says, or of another, is a question.
func TestReadInTwoWays(t *testing.T) {
	readsOneEach(t, map[string]string{
		"First raise mugs by 5%, then lower hats by 3%":      "Increase the price by 5% for products in category Mugs; round to 2 decimals. Decrease the price by 3% for products in category Hats; round to 2 decimals.",
		"Lower mugs by 5% (not below $10)":                   "Decrease the price by 5% for products in category Mugs; round to 2 decimals, then raise any result below 10 to it.",
		"Cap mugs at $99, hats at $20":                       "Set the price to 99 for products in category Mugs that are priced 99 or more; round to 2 decimals. Set the price to 20 for products in category Hats that are priced 20 or more; round to 2 decimals.",
		"Raise everything by 5%, but first lower mugs by 3%": "",
		"If every mug is over $20, raise them by 5%":         "",
		"Lower mugs and hats (not below $10) by 5%":          "",
		"Mugs should be $5, right?":                          "",
		"Plus $2 mugs":                                       "",
		"Cap mugs at $99 and hats at $20 off":                "",
		"Cap mugs at $99 and hats at $20 unless sold out":    "",
		"Cap mugs at $99 and hats at $20, except A101":       "",
	}, "Hats", "Mugs")
	expectReadings(t, nil, map[string]string{
		"Plant stands 5% off":                 `Decrease the price by 5% for products in category "plant stands"; round to 2 decimals.`,
		"Hoping mugs go up 5%":                "",
		"Considering mugs at $5":              "",
		"Disregarding mugs, everything up 5%": "",
		"Mugs jump to $5":                     "",
		"Mugs shoot up 5%":                    "",
		"Mugs stand at $5":                    "",
		"Park mugs as sold out":               "",
	})
}

// What should have been done before, what is thought likely, and what somebody seems to
// say of products, ask for nothing.
func TestThoughtsThatAreNoRequests(t *testing.T) {
	const (
		five = "Set the price to 5 for products in category mugs; round to 2 decimals."
		up   = "Increase the price by 5% for products in category mugs; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"Mugs should have a price of $5":         five,
		"I think mugs should be $5":              five,
		"I wonder if mugs could go up 5%":        up,
		"I was wondering if mugs might go up 5%": up,
		"My boss wants mugs at $5":               five,
		"Magic wand sets 5% off":                 `Decrease the price by 5% for products in category "magic wand sets"; round to 2 decimals.`,

		"Mugs should have cost $5":         "",
		"Mugs ought to have cost $5":       "",
		"You should have cut mugs by 5%":   "",
		"I think mugs must be $5":          "",
		"I wonder if mugs might go up 5%":  "",
		"My boss whants mugs at $5":        "",
		"Boss wnats mugs at $5":            "",
		"Our team lead wantts mugs up 5%":  "",
		"Mugs needed to be $5":             "",
		"Mugs needn't be $5":               "",
		"Sarah whants mugs at $5, hats $6": "",
	})
}
