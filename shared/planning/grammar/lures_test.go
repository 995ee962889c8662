package grammar_test

import (
	"errors"
	"testing"

	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// Instructions of which a hasty reader drops a word, or reads the opposite. Each
// is a question.
func TestLuresAreQuestions(t *testing.T) {
	for reason, instructions := range map[string][]string{
		"what is left out may end before the last name": {
			"Raise mugs, except A103 and A104, and lamps by 5%",
			"Raise mugs except A103, lamps by 5%",
			"Raise mugs except A103 and lamps except A104 by 5%",
		},
		"less and minus leave out": {
			"Everything less lamps 5% off",
			"Everything 5% off less lamps",
			"Everything 5% off, minus lamps",
			"Take 5% less off lamps",
		},
		"what is asked for, or who asked": {
			"Everything was asked by the manager to raise mugs by 5%.",
		},
		"a value of a column is no name": {
			"Increase all prices by 5% where category is true",
			"Increase prices by 5% where in_stock is not true",
			"Mark A101 as true",
		},
		"how prices shall look is no amount": {
			"Give mugs a discount and round to whole dollars",
			"Raise mugs and round them to whole dollars",
			"Put mugs on sale and round to the nearest dollar",
			"Make mugs cheaper, ending in .99",
			"Reprice mugs and round to whole dollars",
		},
		"where products are is not which": {
			"Raise items on display by 5%",
			"Raise everything at the airport by 5%",
			"Raise items that sell well by 5%",
		},
		"one or the other is not both": {
			"Drop hats or scarves by 10%",
			"Raise A101 or A102 by 5%",
			"Mark hats or scarves as sold out",
		},
		"what a sentence begins with is not always a name": {
			"In theory, mugs up 5%",
			"For staff, mugs are 5% off",
			"Draft, mugs up 5%",
			"In any case, mugs go up 5%",
			"Next door mugs are 5% cheaper",
			"Should the landlord put up our rent, increase everything by 3%.",
		},
		"an adverb is no name": {
			"Raise mugs already by 5%",
			"Lower every price by 5% unless it is barely below $10",
			"Raise mugs elsewhere by 5%",
			"Mugs are already up 5%",
		},
		"a unit is no rounding where an amount is due": {
			"Take a whole dollar off all pencils",
			"Take whole dollars off all pencils",
			"Add a full dollar to pencils",
		},
		"a season is a time, or goods of any kind": {
			"Raise all winter prices by 5%",
			"Increase mugs by 5% for the summer holidays",
			"Raise gloves by 5% in winter months",
			"Take 10% off mugs for winter nights",
			"Take 5% off all summer lines",
			"Discount the summer sale 25%",
		},
		"the same is no change, or the same change": {
			"Lower mugs 5%, raise lamps 3%, toys the same",
		},
		"a condition before the first name may end there": {
			"Raise sold-out mugs and all lamps by 5%",
			"Raise the in-stock mugs and the lamps by 5%",
		},
		"only speaks of all others": {
			"Mugs only are in stock",
			"Mugs are in stock only",
			"Just mugs are sold out",
		},
		"a bound beside a limit is one, too, or says which products": {
			"Raise mugs by 7%, never below $15 and at most $60",
			"Raise mugs by 7%, never below $15 and at most $60",
			"Lower mugs by 7% with a cap of $60 and at least $15",
		},
		"all products, or more of those named": {
			"Power Tools: $200 and up get 12% off. Anything under $200 gets 6% off.",
			"Mugs over $20 get 5% off, anything under $10 gets 3% off",
			"Mugs over $20 get 5% off and items under $10 get 3% off",
			"Mugs: 5% off, everything sold out 10% off",
			"Mugs: $20 or more up 5%, everything else up 3%",
		},
		"more, or another such change": {
			"Take 5% off hats. Another $1 for mugs",
			"Another 5% for mugs",
		},
		"what is told may take back what was asked, or narrow it": {
			"Raise everything by 5%. We did the mugs already.",
			"Mugs are great, so raise everything by 5%",
			"Raise mugs by 5%. We are not sure.",
			"Raise mugs by 5%. We had hats in mind.",
			"Raise mugs and hats by 5%. I already did the hats.",
			"I already did the hats. Raise mugs and hats by 5%.",
			"We held off. Raise mugs by 5%.",
			"I changed my mind. Raise mugs by 5%.",
			"The mugs are fine. Raise everything by 5%.",
			"Mugs go up, so raise hats by 5%",
			"Only the small ones got wet, so mark mugs as sold out",
			"The mugs got wet, so set them to $5",
			"We keep mugs as they are, so raise everything by 5%",
			"Raise mugs by 5%. I am talking about the blue ones.",
		},
		"what is told of some is no name": {
			"The hats look messy, so round everything to whole dollars.",
			"The counter looks messy, so round it to whole dollars.",
		},
		"nothing that they stand for": {
			"They must not cost more than $5.",
			"Neither of them may cost more than $5.",
			"Round them to whole dollars.",
		},
		"a heading, or products": {
			"Tee prices: mugs up 5%",
			"Summer prices: mugs up 5%",
		},
		"what they cost now, or shall": {
			"Mugs are 5% off this week, so raise hats by 6%",
		},
		"a price, or a number of items": {
			"10% off mugs, minimum 3 items",
			"10% off under $5 or over 50 items",
			"If we have fewer than 5 mugs raise them by 10%",
			"If we have less than 5, raise mugs by 10%",
			"Raise mugs by 10% if we have under 5 mugs",
		},
		"what is told of some, and a rule for others": {
			"Mugs aren't selling, hats drop 10%",
			"Mugs are too cheap, hats up 5%",
			"Mugs have arrived and hats go up 5%",
		},
		"the direction of one amount, or of both": {
			"Mugs are $2 and hats $3 cheaper",
		},
		"what is talked about, or the shop": {
			"About the mugs. Raise prices across the whole store by 8 percent.",
		},
		"what costs just that": {
			"Items under $20 go up 10%, above that 5%",
			"Items over $20 go up 10%, below that 5%",
		},
		"two ranges of prices, and of which rules": {
			"Raise items under $10 or over $5 by 5%",
			"For items under $5 or over $50: tea +5%, mugs +3%",
			"Only items under $5 or over $50. Raise tea by 3%.",
			"Raise items under $5 or over $50 by 3%. Lower them by 2%.",
			"Raise items under $5 or over $50 by 3%, otherwise by 5%",
			"Items over $10 except those under $20 or over $50 go up 5%",
		},
		"a limit of the products": {
			"10% off boots min $5",
			"Raise mugs max $5 by 10%",
		},
		"a reason, or a rule more": {
			"Raise mugs 5% because costs went up 8% and hats 3%",
			"Raise mugs because costs went up 8%",
			"Costs went up 8%, raise mugs",
			"Our supplier raised mugs by 8% so raise them by 6%",
			"Raise mugs by 5% because of the show for 2 weeks",
		},
		"a sale, or what is sold": {
			"Spring Cleaning: 10% off everything",
			"Raise Red mugs by 5%",
			"Raise Red Mugs By 5%",
		},
		"more products, or who sends it": {
			"Set mugs to $5. - Sofas",
		},
		"products, or off their price": {
			"Remove $5 mugs",
		},
		"a verb or the name": {
			"Push pins up 5%",
			"Raise mugs by 5% and kick yoga by 10%",
		},
		"a SKU or prices": {
			"Set 10-2000 to $5",
			"Raise items 30-1187 by 5%",
		},
		"one name or two": {
			"Bath - towels 5% off",
			"Home/Garden 5% off",
		},
		"both names or the last": {
			"Mugs (A101, A102) 5% off",
			"Set the mug (SKU A101) to $5",
			"Mugs - A101 5% off",
		},
		"products of several rules": {
			"Raise mugs 5%. Raise lamps 3%. Mark them sold out.",
			"Raise mugs 5%, raise lamps 3% and mark them sold out.",
			"Raise mugs 5%, raise lamps 3% and mark all sold out.",
			"Raise mugs and lamps 5%. Mark it sold out.",
			"Raise mugs 5% and set toys to $5, all sold out",
		},
		"a change told twice, or a range": {
			"Mugs up $2 from $10 to $12",
			"Mugs up 20% from $10 to $12",
		},
		"a limit of the change": {
			"Raise mugs 5%, capped at +$2",
		},
		"some of the SKUs": {
			"All A SKUs 5% off",
		},
		"a word of the name": {
			"Down jackets 5% off",
			"Take 10% off sale mugs",
		},
		"said of the products, or to become so": {
			"Mugs 5% off, sold out",
			"Mark mugs at $5 sold out",
			"Set mugs available at $5",
			"In stock mugs and lamps sold out",
		},
		"names and what fulfils a condition": {
			"Lower books and anything under $10 by 5%",
			"Lower books, toys and all sold-out items by 5%",
			"Lower all sold-out items and books by 5%",
			"Raise mugs and all items under $10 by 5%",
			"Raise mugs and all prices under $10 by 5%",
		},
		"a rule before or after": {
			"Leave books alone, toys too, mugs 5% off",
		},
		"a limit, or which products": {
			"Lower toys by 5%, not over $10",
			"Raise mugs by 5%. Don't raise above $20.",
		},
		"all prices, or those of the rule": {
			"Raise all prices by 5% except mugs. Round all prices to whole dollars.",
		},
		"the rest of what": {
			"Raise A101 by 5%, the rest of them by 3%",
		},
		"a condition of the last name": {
			"5% off mugs, and lamps only if in stock",
		},
		"a price or a number of items": {
			"Set mugs in stock to 5",
		},
		"prices now or then": {
			"Mugs at $5, lamps at $10: +5%",
			"Everything at $5 except mugs at $6",
		},
		"a price or an ending": {
			"Set mugs to .99",
		},
		"the price before and now": {
			"Mugs from $30, now $25",
			"Mugs at discounted $5",
		},
		"a dash or a minus": {
			"Set mugs - 5",
		},
		"a new price or a change": {
			"Set mugs to $5, lamps up 3%, toys $2",
		},
		"a rule without its amount": {
			"Mark mugs down 5%, lamps up, toys 3%",
		},
		"times or prices": {
			"5% off mugs from 5 to 7",
			"5% off mugs between 5 and 7",
		},
		"the change or the price": {
			"Raise $5 mugs",
		},
		"the change of each or of all": {
			"Raise mugs and lamps by $5 in total",
			"Raise lamps twice by 5%",
		},
		"thousands or decimals": {
			"Set mugs to $1.000",
			"Set mugs to $0,500",
		},
		"nothing changes": {
			"Mark mugs as in stock except those that are sold out",
		},
		"not of the stock, or of the price": {
			"Raise mugs by 5% if in stock or not over $5",
		},
		"more or fewer than were named": {
			"Mugs and lamps: raise all three by 5%",
			"Raise all three by 5%",
		},
		"either of two conditions": {
			"Where category is mugs or the item is sold out, set the price to $5",
		},
		"all of those named, or all others": {
			"Mugs 10% off, keep everything at or above $5",
		},
		"every second, or all others": {
			"Discount every other item by 5%",
			"Every other mug gets 5% off",
		},
		"others than those that a change was asked for": {
			"Mugs are very low, lamps up 5%",
			"Mugs under $5 go up 5% and so do lamps",
		},
		"a limit of the price, or of products or discounts": {
			"Mugs max $5, lamps 5% off",
			"Mugs: max 120",
			"Mugs: max $5 discount",
			"Raise lamps by 5%. No mugs under $15.",
		},
		"what else is left out, or what else changes": {
			"Raise mugs except items under $3 and anything in lamps by 5%",
		},
		"an aim, or products": {
			"To mugs, add 5%",
		},
		"a dash, or a minus": {
			"Mugs up 5%, lamps - 5%",
			"Mugs plus 5%, lamps - 5%",
			"Raise mugs by 5%, lamps – 3%",
		},
		"others as well, or one condition more": {
			"What is in stock goes up 5%, whatever costs over $50 too",
			"Raise mugs in stock by 5%, whatever costs over $50 too",
		},
		"the same products in two rules, both by name": {
			"Everything in mugs and lamps: 12% up, and lamps to $9.50",
			"Raise A101 and A102 by 5%, A102 to $9",
			"Mark A101 and A102 as sold out and A102 as in stock",
		},
		"a change, or what the change before measures": {
			"Mugs up 10%, hats half",
			"Raise mugs by 10%, hats by half",
			"Mugs up 10%, hats 2% less",
			"Raise mugs by 10% and hats by an extra 2%",
			"Raise mugs by 10%, lamps by 4%, hats by half that",
		},
		"a request, or a question": {
			"Mugs up 5%?",
			"Hats are sold out?",
		},
		"a discount that is there": {
			"End the 5% discount on mugs",
			"End 5% off mugs",
			"Move the 5% discount on mugs to hats",
		},
		"what is told of sales, or a limit": {
			"Lamps don't sell over $20, so cut lamps by 5%",
		},
		"the price before the change, or after": {
			"Raise mugs by 5% if the new price is under $20",
			"Raise mugs by 5% provided the result is under $20",
		},
		"what is left out, or the others": {
			"Raise all but mugs by 5%. They are sold out.",
			"Raise all but mugs by 5%, which are sold out",
		},
		"a price for several": {
			"Mugs at $10 for 2",
		},
		"more products, or none": {
			"Raise mugs by 5% because of costs, and hats",
			"Raise mugs by 5% and all",
			"Raise mugs and more by 5%",
		},
		"a rule, or why the next is asked for": {
			"Mugs are up 5% so hats go down 3%",
		},
		"a name, or a verb in short": {
			"Everything's sold out",
		},
		"another category, or what products lack": {
			"Raise mugs without handles by 5%",
			"Raise mugs w/o handles by 5%",
			"Raise mugs w/ handles by 5%",
			"Raise mugs not glazed by 5%",
		},
		"against the direction": {
			"Raise mugs over $5 to $4",
			"Lower mugs over $20 to $25",
			"Raise mugs to a max of $20",
		},
		"two names, or one": {
			"Raise both teas by 5%",
		},
		"left out, or a rule of their own": {
			"5% off everything but mugs, hats 3% off",
			"5% off everything but mugs at $50",
		},
		"each of them, or all at once": {
			"If all mugs cost over $50 take 5% off",
		},
		"a condition of the first rule, or of both": {
			"If over $50 5% off mugs and 3% off hats",
		},
		"what others did, or what is to be done": {
			"They raised mugs by 5%",
			"They set mugs to $5",
			"They charge $5 for mugs",
			"The shop raised mugs by 5%",
			"Our shop raised everything by 5%",
			"Thanks for raising hats by 3%. Raise mugs by 5%.",
		},
		"who says no, or a name": {
			"Nope, mugs up 5%",
			"Not sure but mugs up 5%",
		},
		"said of the products, or to be set as well": {
			"Mugs out of stock and up 5%",
		},
		"the price now, or that of the rule before": {
			"Make mugs $4 and hats the same price",
		},
		"times the price, or a price": {
			"Make mugs 1.5x",
			"Set mugs to 1.5 x",
		},
		"near a price": {
			"Lower mugs just over $20 by 5%",
			"Just under $20 up 5%",
		},
		"left out, or out of stock": {
			"Hats go up 5%, mugs are out",
		},
		"a condition of the last name, or of both": {
			"Hats, and mugs that cost less than $5, should go up 5%",
		},
		"names in brackets, of the rule before or after": {
			"Mugs up 5% (and hats), lamps up 3%",
			"Mugs up 5% (sold out), lamps up 3%",
		},
		"whose price, or which products": {
			"Set mugs to what hats cost.",
			"Raise mugs by half of what hats cost.",
			"Whatever hats cost, mugs cost $5.",
			"Raise mugs and whatever is in stock by 3%.",
			"Cut mugs in two categories.",
			"Cut mugs by 5% in two.",
		},
		"whose prices": {
			"Their prices: mugs $5, hats $6",
		},
		"what leads by a colon may lead all sentences": {
			"Cap at $50: raise mugs by 5%; raise lamps by 10%.",
			"For in stock items: raise mugs by 5%, toys by 3%. Raise lamps by 10%.",
			"Except A103: raise mugs by 5%. Raise lamps by 10%.",
		},
	} {
		for _, instruction := range instructions {
			draft, err := grammar.Planner{}.Plan(t.Context(), request(instruction))
			var asked *planning.ClarificationError
			if !errors.As(err, &asked) {
				t.Errorf("%s: %q is planned: %v %v", reason, instruction, err, explained(draft))
			}
		}
	}
}

// A category may be spelt as words that select products.
func TestCategoriesSpeltAsSelectionsAreQuestions(t *testing.T) {
	for instruction, category := range map[string]string{
		"Raise all except mugs by 5%":          "All",
		"Raise mugs 5% and everything else 3%": "Everything Else",
		"Raise mugs by 3%, others by 5%":       "Other",
		"Raise in stock by 5%":                 "In Stock",
		"Set everything under 10 to 9":         "Under 10",
		"Raise mug set by 5%":                  "Sets",
		"Round mugs to whole dollars":          "Round Mugs",
		"Raise new prices by 5%":               "New",
		"Everything 5% off for Christmas":      "Christmas",
		"Sale: everything 5% off":              "Sale",
		"Bump everything up 5%":                "Up",
		"Each product up $1":                   "Up",
		"Take 5% off everything in stock":      "5% Off",
		"All prices +5%":                       "Prices",
	} {
		draft, err := grammar.Planner{}.Plan(t.Context(), request(instruction, "Mugs", category))
		var asked *planning.ClarificationError
		if !errors.As(err, &asked) {
			t.Errorf("%q is planned where %s is a category: %v %v", instruction, category, err, explained(draft))
		}
	}
}
