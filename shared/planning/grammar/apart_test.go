package grammar_test

import "testing"

// Rules of one form are one each.
func TestRulesOfOneForm(t *testing.T) {
	const (
		inStock    = "Decrease the price by 10% for products in category Hats that are in stock; round to 2 decimals. "
		outOfStock = "Increase the price by 5% for products in category Hats that are out of stock; round to 2 decimals."
	)
	expectReadings(t, shop, map[string]string{
		"Round mugs to the nearest dollar and hats to the nearest ten cents": "Increase the price by 0% for products in category Mugs; round to a whole number. Increase the price by 0% for products in category Hats; round to 1 decimal.",
		"Nothing in mugs may cost more than $9, and nothing in hats less than $6": "Set the price to 9 for products in category Mugs that are priced 9 or more; round to 2 decimals. " +
			"Set the price to 6 for products in category Hats that are priced 6 or less; round to 2 decimals.",
		"Nothing in mugs may cost more than $9, and nothing in hats may cost less than $6": "Set the price to 9 for products in category Mugs that are priced 9 or more; round to 2 decimals. " +
			"Set the price to 6 for products in category Hats that are priced 6 or less; round to 2 decimals.",
		"Mugs max $9 and hats min $6": "Set the price to 9 for products in category Mugs that are priced 9 or more; round to 2 decimals. " +
			"Set the price to 6 for products in category Hats that are priced 6 or less; round to 2 decimals.",
		"Cap hats at $9 and mugs": "",
		"Mugs: cap $9, hats: floor $6": "Set the price to 9 for products in category Mugs that are priced 9 or more; round to 2 decimals. " +
			"Set the price to 6 for products in category Hats that are priced 6 or less; round to 2 decimals.",
		"hats: in stock -10%, out of stock +5%":         inStock + outOfStock,
		"Hats 10% off if in stock, 5% up if sold out":   inStock + outOfStock,
		"Hats -10% (in stock), +5% (out of stock)":      inStock + outOfStock,
		"Hats in stock -10%, out of stock +5%":          "",
		"Hats: in stock -10%, in stock +5%":             "",
		"Hats: in stock -10%, mugs out of stock +5%":    "",
		"Hats: in stock -10%, sold out +5%, except A10": "",
		"Hats in stock 10, out of stock 5":              "",
		"In stock -10%, out of stock +5%": "Decrease the price by 10% for products that are in stock; round to 2 decimals. " +
			"Increase the price by 5% for products that are out of stock; round to 2 decimals.",
		"Hats & mugs: in stock -10%, out of stock +5%": "Decrease the price by 10% for products in categories Hats or Mugs that are in stock; round to 2 decimals. " +
			"Increase the price by 5% for products in categories Hats or Mugs that are out of stock; round to 2 decimals.",
	})
}

// A range of prices between names and their verb is said of all of them.
func TestRangesOfSubjects(t *testing.T) {
	const both = "Decrease the price by 15 for products in categories Hats or Mugs that are priced from 10 to 25; round to 2 decimals."
	expectReadings(t, shop, map[string]string{
		"Hats and mugs between $10 and $25 get reduced by $15":          both,
		"Hats and mugs between $10 and $25 are to be $15 cheaper":       both,
		"Reduce hats and mugs between $10 and $25 by $15":               "",
		"Hats and all mugs between $10 and $25 get reduced by $15":      "",
		"Hats and mugs over $10 get reduced by $15":                     "",
		"A101 and mugs between $10 and $25 get reduced by $15":          "",
		"Lamps -5%, hats and mugs between $10 and $25 get $15 cheaper":  "",
		"Hats products and mugs between $10 and $25 get reduced by $15": "",
	})
}

// What is left alone first is not of everything else, whatever says which it is.
func TestEverythingElseThanWhatIsLeftAlone(t *testing.T) {
	const (
		inStock  = "Decrease the price by 5% for products that are in stock; round to 2 decimals."
		from20   = "Increase the price by 5% for products that are priced 20 or more; round to 2 decimals."
		notMugs  = "Decrease the price by 5% for products that are in stock, except category Mugs; round to 2 decimals."
		notUnder = "Increase the price by 3% for products that are priced 5 or more, except category Mugs; round to 2 decimals."
	)
	expectReadings(t, shop, map[string]string{
		"Do not change out-of-stock items. Lower everything else by 5%.":                  inStock,
		"Sold-out items shouldn't be touched; everything else goes down by 5%.":           inStock,
		"Out-of-stock goods: no change. Rest: -5%.":                                       inStock,
		"Sold out products keep their current price, all the other ones go down 5%.":      inStock,
		"Do not lower sold-out items. Lower everything else by 5%.":                       inStock,
		"Keep everything under $20 unchanged and add 5% to everything else.":              from20,
		"Do not touch mugs and sold-out items. Everything else is 5% off.":                notMugs,
		"Leave mugs and anything sold out alone. Lower everything else by 5%.":            notMugs,
		"Don't change mugs or anything under $5. Raise everything else by 3%.":            notUnder,
		"Leave mugs and anything under $5 as they are, raise everything else by 3%.":      notUnder,
		"No changes to sold-out products or products over $50. The rest go up $1.":        "Increase the price by 1 for products that are in stock and priced 50 or less; round to 2 decimals.",
		"Don't change anything under $5 or over $100. Raise the rest by 4%.":              "Increase the price by 4% for products that are priced from 5 to 100; round to 2 decimals.",
		"Leave sold-out mugs alone. Raise everything else by 4%.":                         "Increase the price by 4% for all products, except category Mugs; round to 2 decimals. Increase the price by 4% for products in category Mugs that are in stock; round to 2 decimals.",
		"Leave sold-out items alone. Raise mugs by 3% and everything else by 2%.":         "Increase the price by 3% for products in category Mugs that are in stock; round to 2 decimals. Increase the price by 2% for products that are in stock, except category Mugs; round to 2 decimals.",
		"Do not increase sold-out items. Raise hats by 3%. Lower mugs by 5%.":             "Increase the price by 3% for products in category Hats that are in stock; round to 2 decimals. Decrease the price by 5% for products in category Mugs; round to 2 decimals.",
		"Leave sold-out items under $5 alone. Everything else goes up by 2%.":             "",
		"Leave mugs, and anything sold out goes up 5%.":                                   "",
		"Leave sold-out items and raise mugs alone.":                                      "",
		"Don't raise mugs or anything sold out. Lower everything by 5%.":                  "",
		"Don't change mugs or sold-out items under $5. Everything else up 5%.":            "",
		"Raise hats by 5%, leave mugs alone, and lamps.":                                  "",
		"Leave anything from $5 to $10 alone. Raise mugs by 3% and everything else by 2%": "",
	})
}

// Everything else than what the condition that begins a sentence selects is on
// the other side of it.
func TestEverythingElseThanACondition(t *testing.T) {
	const over = "Decrease the price by 5% for products that are priced 100.01 or more; round to 2 decimals."
	expectReadings(t, shop, map[string]string{
		"For items over $100, take 5% off; leave the rest as it is.":                   over,
		"For items over $100, take 5% off, rest no change.":                            over,
		"Items that cost over $100: 5% off, everything else: unchanged.":               over,
		"For items over $100, take 5% off, and everything else 3% off.":                "Decrease the price by 3% for products that are priced 100 or less; round to 2 decimals. " + over,
		"For in-stock items, take 5% off; for the rest, take 3% off.":                  "Decrease the price by 5% for products that are in stock; round to 2 decimals. Decrease the price by 3% for products that are out of stock; round to 2 decimals.",
		"For items over $100, trim $7.50 from mugs; leave the rest as it is.":          "Decrease the price by 7.5 for products in category Mugs that are priced 100.01 or more; round to 2 decimals.",
		"For items over $100 in stock, take 5% off, and everything else 3% off.":       "",
		"For items over $100, take 5% off in-stock items, and everything else 3% off.": "",
		"For in-stock items: raise mugs by 5%. Raise everything else by 3%.":           "",
		"For items over $100, leave the price as it is; trim $7.50 from the rest.":     "",
	})
}

// Ones of products without a name are those of the other side of one condition.
func TestOnesOfTheOtherSide(t *testing.T) {
	const (
		outOfStock = "Decrease the price by 30% for products that are out of stock; round to 2 decimals. "
		inStock    = "Decrease the price by 10% for products that are in stock; round to 2 decimals."
	)
	expectReadings(t, shop, map[string]string{
		"Out-of-stock goods get 30% off; in-stock ones get 10% off.":              outOfStock + inStock,
		"Lower sold-out items by 30% and the ones in stock by 10%.":               outOfStock + inStock,
		"Out-of-stock mugs get 30% off; in-stock ones get 10% off.":               "Decrease the price by 30% for products in category Mugs that are out of stock; round to 2 decimals. Decrease the price by 10% for products in category Mugs that are in stock; round to 2 decimals.",
		"Raise items under $20 by 4%. The ones over $50 go up by 2%.":             "Increase the price by 4% for products that are priced 19.99 or less; round to 2 decimals. Increase the price by 2% for products that are priced 50.01 or more; round to 2 decimals.",
		"Raise all products by 5%. In-stock ones by 10%.":                         "",
		"Items over $20 get 5% off; in-stock ones get 10% off.":                   "",
		"In-stock items get 10% off; in-stock ones over $20 get 5% off.":          "",
		"Out-of-stock items over $20 get 5% off; in-stock ones get 10% off.":      "",
		"Out-of-stock items except mugs get 30% off; in-stock ones get 10% off.":  "",
		"Out-of-stock goods and mugs get 30% off; in-stock ones get another 10%.": "",
	})
}

// A range of prices may be told by another, and what lies beyond be left alone.
func TestRangesBesideOthers(t *testing.T) {
	const (
		over30  = "Increase the price by 6% for products in category Lamps that are priced 30.01 or more; round to 2 decimals. "
		upTo30  = "Increase the price by 10% for products in category Lamps that are priced 30 or less; round to 2 decimals."
		under10 = "Decrease the price by 1 for products in category Hats that are priced 9.99 or less; round to 2 decimals. "
		from10  = "Decrease the price by 2 for products in category Hats that are priced 10 or more; round to 2 decimals."
		under20 = "Increase the price by 5% for products in category Mugs that are priced 19.99 or less; round to 2 decimals."
		cheap   = "Decrease the price by 25% for products that are out of stock and priced 199.99 or less; round to 2 decimals."
	)
	expectReadings(t, shop, map[string]string{
		"For lamps up to $30, raise by 10%. For lamps that cost more, raise by 6%.":      over30 + upTo30,
		"Lamps up to $30 go up 10%, those that cost more go up 6%.":                      over30 + upTo30,
		"Lamps of $30 or less: +10%. Lamps that are pricier: +6%.":                       over30 + upTo30,
		"For lamps under $30, raise by 10%. For lamps that cost more, raise by 6%.":      "",
		"For lamps up to $30, raise by 10%. For hats that cost more, raise by 6%.":       "",
		"Raise lamps up to $30 by 10%. Lamps priced higher by 6%.":                       "",
		"Set lamps to $30. Raise lamps that cost more by 6%.":                            "",
		"Hats: $1 off if under $10, $2 off if $10 or more.":                              under10 + from10,
		"Take $1 off hats if they cost under $10, $2 off if they cost $10 or more.":      under10 + from10,
		"Hats: $1 off if under $10, all products $2 off if $10 or more.":                 "",
		"Hats: $1 off if under $10, $2 off if in stock.":                                 "",
		"Reduce sold out items by 25%, skipping anything at $200 or more.":               cheap,
		"Reduce sold out items by 25%, except those at $200 and up.":                     cheap,
		"Reduce sold out items by 25%, skipping anything at $200.":                       "",
		"Mugs under $20 go up 5%, and those above $50 stay the same.":                    under20,
		"Raise mugs under $20 by 5%. Leave those over $50 unchanged.":                    under20,
		"Mugs go up 5%, those above $50 stay the same.":                                  "Increase the price by 5% for products in category Mugs that are priced 50 or less; round to 2 decimals.",
		"In-stock products go up 5%, those above $50 stay the same.":                     "Increase the price by 5% for products that are in stock and priced 50 or less; round to 2 decimals.",
		"Mugs under $20 go up 5%. Everything else goes up 3%, those over $50 stay.":      "",
		"Mugs under $20 except A101 go up 5%, those over $50 stay the same.":             "Increase the price by 5% for products in category Mugs that are priced 19.99 or less, except SKU A101; round to 2 decimals.",
		"Items over $30 drop 5% and those under $30 don't change.":                       "Decrease the price by 5% for products that are priced 30.01 or more; round to 2 decimals.",
		"Items under $20 get +10%, those from $20 to $50 +5%, and those above $50 stay.": "Increase the price by 5% for products that are priced from 20 to 50; round to 2 decimals. Increase the price by 10% for products that are priced 19.99 or less; round to 2 decimals.",
	})
}

// What is said at the end for both rules shapes both; who says no portion of a
// category may mean one of those that the rules name.
func TestShapedInBothRules(t *testing.T) {
	const (
		floors = "Decrease the price by 8% for products in category Hats; round to 2 decimals, then raise any result below 7 to it. " +
			"Decrease the price by 6% for products in category Mugs; round to 2 decimals, then raise any result below 7 to it."
		ending = "Increase the price by 7% for products in categories Hats or Mugs; round to 2 decimals, then move to the nearest price ending in .25."
	)
	expectReadings(t, shop, map[string]string{
		"Lower hats by 8% and mugs by 6%, never below $7 for either.":            floors,
		"Lower hats by 8% and mugs by 6%, never below $7 in both cases.":         floors,
		"Lower hats by 8% and mugs by 6%, with a floor of $7 for each.":          floors,
		"Lower hats by 8% and mugs by 6%, never below $7 for lamps.":             "",
		"Lower hats by 8% and mugs by 6%, never below $7.":                       "",
		"Lower hats by 8%, mugs by 6% and lamps by 2%, never below $7 for both.": "",
		"Lower hats by 8%, mugs by 6% and lamps by 2%, both rounded to dollars.": "",
		"Raise hats 5% and mugs 3%, for both only those in stock.":               "",
		"Hats and mugs up 7%, prices ending in .25, lamps stay the same.":        ending,
		"Hats and mugs up 7%, prices ending in .25, everything else: no change":  ending,
		"Raise prices by 5%, mugs stay the same.":                                "Increase the price by 5% for all products, except category Mugs; round to 2 decimals.",
		"Prices end in .25, mugs stay the same.":                                 "Increase the price by 0% for all products, except category Mugs; round to 2 decimals, then move to the nearest price ending in .25.",
	})
	expectReadings(t, nil, map[string]string{
		"Wine prices go up by 4% and no bottle should exceed $95.": "",
		"Raise jam by 5%; no jar may cost more than $9.":           "",
		"Cut shoes by 10%. No pair should drop below $20.":         "",
		"Lower in-stock gear by 5%.":                               "Decrease the price by 5% for products in category gear that are in stock; round to 2 decimals.",
		"No bottle should exceed $95.":                             "Set the price to 95 for products in category bottle that are priced 95 or more; round to 2 decimals.",
	})
}

// An ending comes after the change that is told of with it.
func TestEndingsAfterChanges(t *testing.T) {
	const want = "Increase the price by 6% for products in category Mugs; round to 2 decimals, then move to the nearest price ending in .99."
	expectReadings(t, shop, map[string]string{
		"Have mugs end in 99 cents after a 6% rise.":         want,
		"Mugs should end in .99 after an increase of 6%.":    want,
		"Mugs should end in .99 after being raised 6%.":      want,
		"Mugs should end in .99 after the 6% rise.":          "",
		"Mugs should end in .99 after last week's 6% rise.":  "",
		"Have mugs end in 99 cents after a 6% rise in hats.": "",
		"Have mugs end in 99 cents after 6 days.":            "",
	})
}

// Nothing is a change of none beside others, and what becomes of all but those
// that the rest of the sentence is about.
func TestNothing(t *testing.T) {
	const (
		hats     = "Increase the price by 8% for products in category Hats; round to 2 decimals. "
		hatsMugs = hats + "Increase the price by 6% for products in category Mugs; round to 2 decimals."
		mugs11   = "Set the price to 11 for products in category Mugs; round to 2 decimals."
	)
	expectReadings(t, shop, map[string]string{
		"Add 8% to hats, 6% to mugs, and to lamps nothing at all.":              hatsMugs,
		"Add 8% to hats, 6% to mugs and nothing to lamps.":                      hatsMugs,
		"Raise hats by 8%, mugs by 6% and lamps by nothing.":                    hatsMugs,
		"Hats go up 8%, mugs 6%, lamps nothing.":                                hatsMugs,
		"Hats cost $5, lamps nothing.":                                          "",
		"Lower hats to $5 and lamps to nothing.":                                "",
		"Lower hats to $5, lamps nothing.":                                      "",
		"Lower hats by 5% and sell lamps for nothing.":                          "",
		"Nothing changes except the price of mugs, which drops to $11.":         mugs11,
		"Everything stays the same except mugs, which go down to $11.":          mugs11,
		"Don't change anything except mugs, which should be $11.":               mugs11,
		"Nothing changes except mugs, which drop to $11. Raise hats by 3%.":     "",
		"Nothing changes except mugs, which drop to $11, and hats stay.":        "",
		"Nothing changes except mugs, which stay the same.":                     "",
		"Nothing changes except mugs, raise hats by 5%.":                        "",
		"Nothing changes except mugs, which drop to $11, and hats, which fall.": "",
	})
}

// What stands over a list of names is said of each of them.
func TestListsOfNames(t *testing.T) {
	const (
		both   = "Decrease the price by 5% for products in categories Hats or Mugs; round to 2 decimals."
		allBut = "Increase the price by 5% for all products, except categories Hats and Mugs; round to 2 decimals."
	)
	expectReadings(t, shop, map[string]string{
		"5% off:\n- hats\n- mugs":                       both,
		"5% off:\nhats\nmugs":                           both,
		"Take 5% off the following:\n* hats\n* mugs":    both,
		"Lower by 5%:\n- hats\n- mugs\nUp 3%:\n- lamps": both + " Increase the price by 3% for products in category Lamps; round to 2 decimals.",
		"All up 5% except:\n- hats\n- mugs":             allBut,
		"5% off:\n- hats\n- scarves":                    "",
		"5% off:\n- hats\n- mugs 3%":                    "",
		"Sold out:\n- hats\n- mugs":                     "Mark as out of stock for products in categories Hats or Mugs.",
		"Sold out: hats. In stock: mugs.":               "Mark as out of stock for products in category Hats. Mark as in stock for products in category Mugs.",
	})
}

// Changes are said in other words, or after what comes of them.
func TestChangesSaidOtherwise(t *testing.T) {
	const (
		half = "Increase the price by 50% for products in category Hats; round to 2 decimals."
		up   = "Increase the price by 5% for products in category Hats; round to 2 decimals"
	)
	expectReadings(t, shop, map[string]string{
		"One and a half times the current price for all hats": half,
		"Set hats to 1.5 times the price":                     half,
		"Up 5% with all hats":                                 up + ".",
		"Hats up 5% with mugs":                                "",
		"Up 5% with a cap of $9":                              "",
		"Hats should end in .50 after going up 5%":            up + ", then move to the nearest price ending in .50.",
		"Hats should end in .50 after Monday":                 "",
		"Hats should end in .50 after going up":               "",
	})
}

// Everything else than what gets another stock is what does not have that stock yet.
func TestRestOfAStock(t *testing.T) {
	const (
		up   = "Increase the price by 2% for products that are in stock; round to 2 decimals. Mark as in stock for products that are out of stock."
		mugs = "Increase the price by 2% for products in category mugs that are in stock; round to 2 decimals. Mark as in stock for products in category mugs that are out of stock."
	)
	expectReadings(t, nil, map[string]string{
		"Put all sold-out products back in stock; everything else goes up 2%.": up,
		"Restock all sold-out products, and raise everything else by 2%":       up,
		"Put sold-out mugs back in stock, and the rest of the mugs go up 2%":   mugs,

		"Put all sold-out products back in stock. Raise everything in stock by 2%.": "",
		"Put all sold-out products back in stock, then raise everything else by 2%": "",
	})
}
