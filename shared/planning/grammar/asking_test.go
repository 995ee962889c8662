package grammar_test

import "testing"

// A question that can only be meant as a request is one, wherever its verb stands, and
// so is what somebody would be content with.
func TestAsksWhetherItMayBe(t *testing.T) {
	const (
		off    = "Decrease the price by 10% for products in category mugs; round to 2 decimals."
		price  = "Set the price to 5 for products in category mugs; round to 2 decimals."
		sold   = "Mark as out of stock for products in category mugs."
		triple = "Increase the price by 200% for products in category mugs; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"Would 10% off mugs be possible?":                       off,
		"Would a ten percent discount on mugs be at all OK?":    off,
		"Could 10% off mugs be arranged, please?":               off,
		"Would mugs at $5 be alright with you?":                 price,
		"Would lowering mugs by 10% be fine?":                   off,
		"Might mugs be tripled in price, please?":               triple,
		"Might the price of mugs be lowered by 10%?":            off,
		"May a 10% discount be given on mugs?":                  off,
		"Might mugs be marked as sold out?":                     sold,
		"Might mugs come down 10%, please?":                     off,
		"I'd be happy with 10% off mugs":                        off,
		"We'd be quite content with a 10% discount on mugs":     off,
		"I'd be fine with mugs being 10% cheaper":               off,
		"I'd be happier with mugs at $5":                        price,
		"I'd settle for 10% off mugs":                           off,
		"Let's say 10% off mugs":                                off,
		"Let's just agree on $5 for mugs":                       price,
		"Let's say that mugs should cost $5":                    price,
		"Let's say that nothing in mugs may cost more than $5.": "Set the price to 5 for products in category mugs that are priced 5 or more; round to 2 decimals.",

		"Would 10% off mugs be enough?":                      "",
		"Would 10% off mugs be a good idea?":                 "",
		"Would 10% off mugs be possible in May?":             "",
		"Would 10% off mugs be ok if hats are sold out?":     "",
		"Would 10% off mugs not be possible?":                "",
		"Would 10% or 20% off mugs be possible?":             "",
		"Would mugs be available?":                           "",
		"Would mugs that cost $5 be possible?":               "",
		"Would marking mugs as sold out be OK?":              "", // which may be of marking mugs
		"Is 10% off mugs possible?":                          "",
		"Might mugs be sold out?":                            "",
		"Might mugs be $5?":                                  "",
		"Might mugs have been lowered by 5%?":                "",
		"Might we be charging $5 for mugs?":                  "",
		"Mugs might be lowered by 5%":                        "",
		"Might mugs go up 5%?":                               "",
		"I'd be happy with 10% off mugs, but 20% would help": "",
		"I wouldn't be happy with 10% off mugs":              "",
		"I'd be happy with mugs sold out":                    "",
		"I'd be happy with mugs as they are":                 "",
		"I'm happy with mugs at $5":                          "",
		"Let's say mugs cost $5":                             "",
		"Let's say that mugs could go up 5%":                 "",
		"Let's say that mugs may go up 5%":                   "",
		"Let's say 10% off mugs. What would we lose?":        "",
	})
}

// "To" may be said again with each verb of what is wanted. Without that it says what
// for.
func TestInfinitives(t *testing.T) {
	const both = "Decrease the price by 10% for products in category mugs; round to 2 decimals. Increase the price by 5 for products in category hats; round to 2 decimals."
	expectReadings(t, nil, map[string]string{
		"We've decided to take 10% off mugs and to add $5 to hats":    both,
		"I'd like to lower mugs by 10%, and also to raise hats by $5": both,
		"It is time to cut mugs by 10%, then to put hats up by $5":    both,
		"We want to discount mugs by 10%, to bring hats up by $5 and to mark ties as available": both +
			" Mark as in stock for products in category ties.",
		"We need to lower mugs by 10% and to round them to whole dollars": "Decrease the price by 10% for products in category mugs; round to a whole number.",

		"Please lower mugs by 10% and to raise hats by $5":                "",
		"We'd like to lower mugs by 10%, to raise sales by 10%":           "",
		"We've decided not to lower mugs by 10% and to raise hats by $5":  "",
		"It's important to lower mugs by 10% and to not raise hats by $5": "",
		"We want to lower mugs by 10%, and to raise hats was wrong":       "",
	})
}

// A slip of the pen in what a request is put in changes nothing; one that may be
// another word, or a "not", does.
func TestSlipsInFrames(t *testing.T) {
	const (
		up  = "Increase the price by 5% for products in category mugs; round to 2 decimals."
		off = "Decrease the price by 10% for products in category mugs; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"We've decieded to raise mugs by 5%":                up,
		"I would apreciate it if you coud raise mugs by 5%": up,
		"Woudl you raise mugs by 5%?":                       up,
		"Is it possibel to raise mugs by 5%?":               up,
		"I'd be greatful if you raised mugs by 5%":          up,
		"When you have a momment, raise mugs by 5%":         up,
		"Raise mugs by 5% at your earlist convenience":      up,
		"Would 10% off mugs be posible?":                    off,
		"Take 10% off mugs, but dont touch tea":             off,
		"Raise mugs that arent available by 5%":             "Increase the price by 5% for products in category mugs that are out of stock; round to 2 decimals.",
		"For fitness, increase prices by 5%":                "Increase the price by 5% for products in category fitness; round to 2 decimals.",
		"For charity, 10% off mugs":                         "", // which is not for clarity
		"We wouldn like to raise mugs by 5%":                "",
		"We havent decided to raise mugs by 5%":             "",
		"We havnt agreed to raise mugs by 5%":               "",
		"Mugs shouldnt go up 5%":                            "",
		"Woods you raise by 5%":                             "",
		"Raised mugs by 5%? Woulds":                         "",
	})
}

// How a past year was is why something is asked for, and no date.
func TestTimesThatWentBy(t *testing.T) {
	const off = "Decrease the price by 5% for products in category mugs; round to 2 decimals."
	expectReadings(t, nil, map[string]string{
		"Since it's been a good year, could we lower mugs by 5%?": off,
		"We had a terrible quarter, so lower mugs by 5%":          off,
		"It's been a very quiet week, so let's take 5% off mugs":  off,
		"Lower mugs by 5% because we've had a great summer":       off,

		"Once it's been a good year, lower mugs by 5%":      "",
		"After it's been a good week, lower mugs by 5%":     "",
		"If it's been a good year, lower mugs by 5%":        "",
		"Since it's been a good year, lower mugs next year": "",
		"We had a good day with 5% off mugs":                "",
		"Lower mugs that have had a good year by 5%":        "",
	})
}

// "Those" of the other side of a condition are the others of what was named.
func TestThoseOnTheOtherSide(t *testing.T) {
	expectReadings(t, nil, map[string]string{
		"20% off sold-out mugs; 10% off those in stock":               "Decrease the price by 20% for products in category mugs that are out of stock; round to 2 decimals. Decrease the price by 10% for products in category mugs that are in stock; round to 2 decimals.",
		"Set sold-out mugs to $5; set those in stock to $6":           "Set the price to 5 for products in category mugs that are out of stock; round to 2 decimals. Set the price to 6 for products in category mugs that are in stock; round to 2 decimals.",
		"20% off mugs over $10; 10% off those in stock":               "",
		"Raise sold-out mugs by 5%. Raise them by 3% if in stock":     "",
		"5% off sold-out mugs and 4% off hats; 3% off those in stock": "",
	})
}

// Products that there are again are what is spoken of next.
func TestProductsRegained(t *testing.T) {
	const in = "Mark as in stock for products in category mugs."
	expectReadings(t, nil, map[string]string{
		"We have the mugs again, so would you please show them as available?": in,
		"We've got mugs again, please mark them as in stock":                  in,
		"We have mugs back, so mark them as available":                        in,
		"We have no mugs again, so mark them as sold out":                     "",
		"If we have mugs again, mark them as available":                       "",
		"We have to lower mugs again, so take 5% off":                         "",
		"We have mugs at $5 again, so mark them as available":                 "",
		"We have mugs again": "",
	})
}
