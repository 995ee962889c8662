package grammar_test

import "testing"

// A polite frame asks for what stands in it, and for nothing else; one that doubts,
// puts off or takes back is a question.
func TestFramesAndWhoDecided(t *testing.T) {
	const up = "Increase the price by 5% for products in category mugs; round to 2 decimals."
	expectReadings(t, nil, map[string]string{
		"Hello there, I hope you are having a lovely day! When you have a moment, could you please raise mugs by 5%? Many thanks, Clara": up,
		"Hi team, sorry to bother you again, but we would be very grateful if you could add 5% to mugs. Thank you so much in advance!":   up,
		"Good morning, when you have a minute, would you please raise mugs by 5%? Many thanks!":                                          up,
		"Hope your week is going well. Raise mugs by 5%":                                                                                 up,
		"I was wondering whether you could raise mugs by 5%":                                                                             up,
		"I'd appreciate it if you raised mugs by 5%":                                                                                     up,
		"It'd be wonderful if mugs could go up by 5%":                                                                                    up,
		"We have decided that mugs should cost 5% more":                                                                                  up,
		"Management has agreed to raise mugs by 5%":                                                                                      up,
		"The owner of the shop has decided to raise mugs by 5%":                                                                          up,
		"Further to my email, please raise mugs by 5%":                                                                                   up,
		"As discussed this morning, raise mugs by 5%":                                                                                    up,
		"If it's not too much trouble, raise mugs by 5%":                                                                                 up,
		"Raise mugs by 5% at your earliest convenience":                                                                                  up,
		"Could someone possibly raise mugs by 5%?":                                                                                       up,
		"Raise mugs by 5%. That would be great.":                                                                                         up,

		"We ask $5 for mugs":                                       "",
		"I was going to raise mugs by 5%":                          "",
		"I was wondering whether to raise mugs by 5%":              "",
		"We were hoping to raise mugs by 5%":                       "",
		"We haven't decided to raise mugs by 5%":                   "",
		"We haven’t decided to raise mugs by 5%":                   "",
		"We've decided not to raise mugs by 5%":                    "",
		"The owner almost decided to raise mugs by 5%":             "",
		"The boss of our supplier decided to raise mugs by 5%":     "",
		"Our competitor Hale plans to raise mugs by 5%":            "",
		"I'd appreciate it if you didn't raise mugs by 5%":         "",
		"I'd like to see if raising mugs by 5% works":              "",
		"Would it help if you raised mugs by 5%?":                  "",
		"Once you have the new price list, raise mugs by 5%":       "",
		"After our meeting, raise mugs by 5%":                      "",
		"As discussed tomorrow, raise mugs by 5%":                  "",
		"Raise mugs by 5%. Please do it again, thanks.":            "",
		"Raise mugs by 5%. That would be great in May.":            "",
		"When you have stock, raise mugs by 5%":                    "",
		"If it's too much trouble, skip mugs. Raise hats by 5%":    "",
		"Raise mugs by 5% as soon as you get the time sheets":      "",
		"If you raised mugs by 5%, would it be much of a problem?": "",
	})
}

// What would be good is asked for, also in the past and as what could be so where
// somebody is asked; what may happen, or is rather not to, is a question.
func TestHopes(t *testing.T) {
	const (
		down = "Decrease the price by 5% for products in category mugs; round to 2 decimals."
		nine = "Set the price to 9 for products in category mugs; round to 2 decimals."
		in   = "Mark as in stock for products in category mugs."
	)
	expectReadings(t, nil, map[string]string{
		"It would be great if mugs were marked available":  in,
		"I prefer that mugs be 5% cheaper":                 down,
		"It's my preference that mugs cost $9":             nine,
		"My preference would be for mugs to be 5% cheaper": down,
		"I'd rather mugs were $9":                          nine,
		"We would much rather you lowered mugs by 5%":      down,
		"We feel mugs should come down 5%":                 down,
		"We're looking for mugs to be 5% cheaper":          down,
		"You may want to lower mugs by 5%":                 down,
		"It would help if mugs were marked as available":   in,
		"It would be great if mugs were available":         "",
		"It would be good for mugs to cost $9":             nine,
		"It would help to have mugs at $9":                 nine,
		"It would be nice if mugs were at least $9":        "Set the price to 9 for products in category mugs that are priced 9 or less; round to 2 decimals.",
		"Mugs could come down 5%, please":                  down,
		"Mugs could be marked as available please":         in,
		"Mugs could use a 5% reduction":                    down,
		"Mugs could come down 5%":                          "",
		"Mugs could be sold out, please":                   "",
		"Mugs could go up 5%, lower tea by 5% please":      "",
		"Mugs could go up 5%, please check":                "",
		"I prefer mugs to tea, so raise it 5%":             "",
		"I'd rather not lower mugs by 5%":                  "",
		"I'd rather lower mugs by 5% than tea":             "",
		"The idea is not to lower mugs by 5%":              "",
		"I believe mugs are 5% too dear":                   "",
		"It would help if mugs that were sold out cost $9": "",
		"It would have been great if mugs were 5% cheaper": "",
		"It would help if our supplier were 5% cheaper":    "",
	})
}

// Who gets a price is no part of a rule where it is everybody.
func TestReceivers(t *testing.T) {
	const (
		off   = "Decrease the price by 10% for products in category Mugs; round to 2 decimals."
		price = "Set the price to 5 for products in category Mugs; round to 2 decimals."
	)
	expectReadings(t, []string{"Mugs", "Tea", "Gift Sets"}, map[string]string{
		"We would like to give our customers 10 percent off mugs": off,
		"Give all of our shoppers 10% off mugs":                   off,
		"Offer everyone a 10% discount on mugs":                   off,
		"Let customers have 10% off mugs":                         off,
		"Treat our customers to 10% off mugs":                     off,
		"10% off mugs for everyone":                               off,
		"Customers should get 10% off mugs":                       off,
		"Customers should pay $5 for mugs":                        price,
		"Charge customers $5 for mugs":                            price,
		"As a thank-you to our customers, take 10% off mugs":      off,
		"Give our shoppers a quarter off Gift Sets, please":       `Decrease the price by 25% for products in category "Gift Sets"; round to 2 decimals.`,

		"Give VIP customers 10% off mugs":                  "",
		"Give new customers 10% off mugs":                  "",
		"Give customers over 60 10% off mugs":              "",
		"Give customers in Berlin 10% off mugs":            "",
		"Give 10% of customers 5% off mugs":                "",
		"Give everyone else 10% off mugs":                  "",
		"Give customers 10% off":                           "",
		"Give customers 2 mugs for $5":                     "",
		"Customers get 10% off mugs, so raise tea by 5%":   "",
		"Customers should have got 10% off mugs":           "",
		"Customers should not get 10% off mugs":            "",
		"Customers pay $5 for mugs":                        "",
		"10% off mugs for everyone but members":            "",
		"10% off mugs for customers who ask":               "",
		"Offer 10% off mugs to customers, tea for members": "",
	})
}

// What somebody minds doing is a verb, and what products are to cost exactly is a
// price and no condition.
func TestVerbsAfterMindAndExactPrices(t *testing.T) {
	const (
		off   = "Decrease the price by 5% for products in category mugs; round to 2 decimals."
		price = "Set the price to 5 for products in category mugs; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"Would you mind making mugs 5% cheaper?":                      off,
		"Would you mind terribly cutting mugs by 5%?":                 off,
		"How about making mugs 5% cheaper?":                           off,
		"I'd suggest making mugs 5% cheaper":                          off,
		"We want every product in mugs to sell for exactly $5":        price,
		"Mugs should cost exactly $5":                                 price,
		"Mugs must be exactly 5% cheaper":                             off,
		"We want every product that sells for exactly $5 to go up 5%": "Increase the price by 5% for products that are priced exactly 5; round to 2 decimals.",

		"Cutting boards 5% off if you don't mind": `Decrease the price by 5% for products in category "cutting boards"; round to 2 decimals.`,
		"Would you mind not cutting mugs by 5%?":  "",
		"Never mind cutting mugs by 5%":           "",
		"Mugs are exactly $5":                     "",
		"Mugs which are to cost exactly $5 up 5%": "",
		"Mugs should cost exactly $5 or $6":       "",
		"We want mugs to sell for at least $5":    "",
		"We want mugs to sell for about $5":       "",
	})
}

// Who asks may thank first, hope, have to ask, or ask for it once more.
func TestAsksInOtherWays(t *testing.T) {
	const (
		up    = "Increase the price by 5% for products in category mugs; round to 2 decimals."
		price = "Set the price to 5 for products in category mugs; round to 2 decimals."
		sku   = "Set the price to 5 for products with SKU A101; round to 2 decimals."
		sold  = "Mark as out of stock for products in category mugs."
		both  = "Decrease the price by 1 for products in category tea; round to 2 decimals. " + up
	)
	expectReadings(t, nil, map[string]string{
		"We have decided to raise mugs by 5%. Could you please arrange that?":              up,
		"Raise mugs by 5%. Please make it so.":                                             up,
		"Mugs should go up 5%, so please make that happen":                                 up,
		"Could you do this for me? Raise mugs by 5%.":                                      up,
		"Raise mugs by 5%. Could you take care of that today?":                             up,
		"We'd like mugs at $5, could you arrange that please?":                             price,
		"We have to ask you to raise mugs by 5%":                                           up,
		"I'd ask that mugs go up by 5%":                                                    up,
		"It is important that mugs be priced at $5":                                        price,
		"My manager asks that A101 be priced at $5, please.":                               sku,
		"Head office requires that mugs be priced at $5":                                   price,
		"I insist that mugs be marked as out of stock":                                     sold,
		"Thank you in advance for raising mugs by 5%":                                      up,
		"Many thanks in advance for marking mugs as sold out":                              sold,
		"Thanks in advance for your help in raising mugs by 5%":                            up,
		"How about setting mugs to $5":                                                     price,
		"If you raised mugs by 5%, I'd be grateful":                                        up,
		"If you lowered tea by $1 and raised mugs by 5%, that would be great":              both,
		"Lower tea by $1, and it would be great if you could raise mugs by 5%":             both,
		"Please take $1 off tea. We would also like mugs raised by 5%. Thank you!":         both,
		"Quick one from me: raise mugs by 5%":                                              up,
		"It would be better if mugs were $5":                                               price,
		"It would be great if mugs had a price of $5":                                      price,
		"It would look tidier if all mugs had prices ending in .99, so please make it so.": "Increase the price by 0% for products in category mugs; round to 2 decimals, then move to the nearest price ending in .99.",

		"Raise mugs by 5%. Could you do that for hats?":                         "",
		"Raise mugs by 5%. Could you do that again?":                            "",
		"Raise mugs by 5%. Please do it tomorrow.":                              "",
		"Raise mugs by 5%. Please don't do that.":                               "",
		"We're thinking of raising mugs by 5%. Could you do that?":              "",
		"Thanks for raising mugs by 5%":                                         "",
		"Thank you in advance for not raising mugs by 5%":                       "",
		"Thanks in advance for having raised mugs by 5%":                        "",
		"We have to ask you not to raise mugs by 5%":                            "",
		"We had to ask you to raise mugs by 5%":                                 "",
		"It is not important that mugs be priced at $5":                         "",
		"I've been told that mugs cost $5":                                      "",
		"My supplier asks that mugs be priced at $5":                            "",
		"If you have mugs in stock, raise them by 5%, that would be great":      "",
		"If you raised mugs by 10%, lower hats by 5%, that would be great":      "",
		"If you raised mugs by 10%, then lower hats by 5%, that would be great": "",
		"If you raised mugs by 5%, would that be great?":                        "",
		"If we raised mugs by 5%, that would be great for sales":                "",
		"It would look tidier if mugs that had prices over $5 were $4":          "",
		"I wish mugs were $5":                                                   "",
	})
}

// What may be done, is due, was agreed or serves something is asked for; who may only
// see it, or asks why it is not so, asks for nothing.
func TestLeave(t *testing.T) {
	const (
		up  = "Increase the price by 5% for products in category mugs; round to 2 decimals."
		off = "Decrease the price by 5% for products in category mugs; round to 2 decimals."
		ten = "Set the price to 10 for products in category mugs; round to 2 decimals."
	)
	expectReadings(t, nil, map[string]string{
		"You may now raise mugs by 5%":               up,
		"You're welcome to take 5% off mugs":         off,
		"You have my permission to raise mugs by 5%": up,
		"Why don't we take 5% off mugs?":             off,
		"Why not raise mugs by 5%?":                  up,
		"Time for a 5% rise on mugs":                 up,
		"High time for mugs to go up 5%":             up,
		"Time we raised mugs by 5%":                  up,
		"As agreed, mugs at $10":                     ten,
		"As planned, mugs up 5%":                     up,
		"For a fresh start, reset mugs to $10":       ten,
		"For the sake of simplicity, mugs at $10":    ten,
		"In order to shift some stock, 5% off mugs":  off,
		"5% off mugs to move some of the old stock":  off,
		"To keep things simple, set mugs to $10":     ten,
		"Right, let's do mugs: 5% off.":              off,
		"Let's do mugs at $10":                       ten,

		"You may see mugs go up 5%":            "",
		"You may not raise mugs by 5%":         "",
		"You may have to raise mugs by 5%":     "",
		"You have raised mugs by 5%":           "",
		"Why do we raise mugs by 5%?":          "",
		"Why don't we have mugs in stock?":     "",
		"Why don't we sell mugs at $10?":       "",
		"Time for a 5% rise on mugs is Friday": "",
		"For a change of hats, 5% off mugs":    "",
		"Do mugs at $10 sell?":                 "",
		"Do mugs at $10 need a 5% cut":         "",
		"Let's do mugs 5%":                     "",
		"As agreed except mugs, 5% off hats":   "",
	})
}
