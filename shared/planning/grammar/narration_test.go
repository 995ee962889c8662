package grammar_test

import "testing"

var shop = []string{"Hats", "Mugs", "Lamps"}

// What is told around a rule, and says of no product what it costs, should cost
// or is left out by, adds nothing.
func TestWhatIsToldAroundARule(t *testing.T) {
	const up = "Increase the price by 5% for products in category Mugs; round to 2 decimals."
	for _, instruction := range []string{
		"The counter menu looks messy. Mugs up 5%.",
		"The wholesaler called. Mugs up 5%.",
		"The cash register keeps jamming. Mugs up 5%.",
		"Times are tough. Mugs up 5%.",
		"They are flying off the shelves, raise mugs by 5%",
		"Raise mugs by 5%, both have been sitting there for ages",
		"Raise mugs by 5%. They have been sitting there for ages.",
		"Raise mugs by 5%, it was entered wrong",
		"Raise mugs by 5%, nobody is buying them",
		"Raise mugs by 5%. The shelf is full.",
		"Raise mugs by 5%. Customers won't mind.",
		"Raise mugs by 5%, people can afford it",
		"Raise mugs by 5%, we have way too many",
		"Raise mugs by 5%, they take up too much space",
		"Olga asked me to pass this on: mugs up 5%",
		"House rules for the price file: mugs up 5%",
		"Decision of the board: mugs up 5%",
		"Here's what we decided: mugs up 5%",
		"Passing this on from Jim: mugs up 5%",
		"The plan is simple: mugs up 5%",
		"Raise mugs by 5%. Summer is nearly over.",
		"Raise mugs by 5%, summer is coming",
		"Raise mugs by 5%. No one buys them.",
		"Raise mugs by 5%. They just sit there.",
		"Raise mugs by 5%. We need the space.",
		"Raise mugs by 5%, let's see how it goes",
		"Outcome of the weekly meeting: mugs up 5%",
		"Plan for the whole shop:\n- mugs up 5%",
	} {
		if got := reading(t, instruction, shop...); got != up {
			t.Errorf("%q: %q, want %q", instruction, got, up)
		}
	}
}

// What looks like it may take a rule back, narrow it, or be of something else.
func TestWhatIsToldMayBeMeant(t *testing.T) {
	for _, instruction := range []string{
		"The boss wants only the red ones. Raise mugs by 5%.",
		"Raise mugs by 5%. The boss wants only the red ones.",
		"Prices already include the rise. Raise mugs by 5%.",
		"Wait for Anna's list. Raise mugs by 5%.",
		"Raise mugs by 5%. It was 5% last year.",
		"Half of them are damaged. Raise mugs by 5%.",
		"Some look broken. Raise mugs by 5%.",
		"The blue ones look messy. Raise mugs by 5%.",
		"The mugs look messy. Raise everything by 5%.",
		"The London shop looks messy. Raise mugs by 5%.",
		"This is for the London shop. Raise mugs by 5%.",
		"The window looks old. Lower those by 10%.",
		"Raise mugs by 5%. The owner disagrees.",
		"Raise mugs by 5%. The owner is against it.",
		"Raise mugs by 5%. The numbers look wrong.",
		"Raise mugs by 5%. It seems high.",
		"Raise mugs by 5%, it depends.",
		"Raise mugs by 5%. It feels too much.",
		"Raise mugs by 5%. The clearance shelf stays.",
		"Raise mugs by 5%. The clearance shelf is separate.",
		"Raise mugs by 5%. The boss called it off.",
		"I regret it. Raise mugs by 5%.",
		"Raise mugs and hats by 5%, both have been excluded.",
		"Raise mugs and hats by 5%, both have been cut to $5.",
		"Raise mugs by 5%, they are the blue ones.",
		"Raise mugs by 5%, they have been reduced.",
		"Raise mugs by 5%, nobody is asking for it.",
		"Raise mugs by 5%, everyone wants 6%.",
		"Lower lamps by 10%, we have too many hats.",
		"Lower lamps by 10%, some are broken.",
		"Anna asked me not to pass this on: hats up 4%.",
		"Anna asked me to wait: hats up 4%.",
		"New structure for members:\n- mugs up 10%\n- hats up 5%",
		"New structure for London:\n- mugs up 10%\n- hats up 5%",
		"New structure from Monday:\n- mugs up 10%\n- hats up 5%",
		"House rules for hats: mugs up 4%",
		"What we agreed for members: mugs up 4%",
		"Once our supplier has raised prices, raise mugs by 5%.",
		"Assuming costs went up, raise mugs by 5%.",
		"Maybe demand is strong, raise mugs by 5%.",
		"Once summer is over, raise mugs by 5%.",
		"Summer is over in May. Raise mugs by 5%.",
		"Raise mugs by 5%. No one buys the small ones.",
		"Raise mugs by 5%. Not this one.",
		"Raise mugs by 5%, let's see how it goes with hats",
		"House rules for members: mugs up 4%",
		"Ignore the rules: hats up 4%.",
		"Last year's plan: hats up 4%.",
		"Old plan: hats up 4%.",
		"Not approved yet: hats up 4%.",
		"Draft: hats up 4%.",
		"Previous prices:\nA101: $5\nA102: $6",
		"Current prices:\nA101: $5\nA102: $6",
		"Competitor prices:\nA101: $5\nA102: $6",
		"Prices from March: A101 $5",
		"Mark mugs as sold out. The big size is broken.",
		"Prices from last year:\n- A101: $5",
	} {
		if got := reading(t, instruction, shop...); got != "" {
			t.Errorf("%q is planned: %s", instruction, got)
		}
	}
}

// What stays is said once more, or beside the rules for others.
func TestWhatStays(t *testing.T) {
	const (
		allBut = "Increase the price by 5% for all products, except category Mugs; round to 2 decimals."
		hats   = "Increase the price by 5% for products in category Hats; round to 2 decimals."
		lamps  = "Decrease the price by 2% for products in category Lamps; round to 2 decimals."
	)
	expectReadings(t, shop, map[string]string{
		"All up 5% but not the mugs, they stay":            allBut,
		"All up 5% except mugs, those stay as they are":    allBut,
		"All up 5%. Mugs are the exceptions, they stay.":   allBut,
		"All up 5%, mugs stay":                             allBut,
		"All up 5%, mugs no change":                        allBut,
		"Hats up 5%, mugs stay, lamps down 2%":             hats + " " + lamps,
		"Hats up 5%, mugs no change, lamps down 2%":        hats + " " + lamps,
		"Hats up 5%, lamps down 2%, that stays":            "",
		"All up 5% except mugs, those stay at $5":          "",
		"All up 5% except mugs, those stay under $5":       "",
		"All up 5% except mugs, those stay until Saturday": "",
	})
}

// The last word of several names may be said once.
func TestNamesThatShareTheirLastWord(t *testing.T) {
	categories := []string{"Dog Food", "Cat Food", "Dog Toys", "Red Wine", "White Wine", "Rosé Wine", "Cut Flowers", "Dried Flowers"}
	expectReadings(t, categories, map[string]string{
		"Raise dog and cat food by 5%":         "Increase the price by 5% for products in categories \"Dog Food\" or \"Cat Food\"; round to 2 decimals.",
		"Raise red, white and rosé wine by 5%": "Increase the price by 5% for products in categories \"Red Wine\", \"White Wine\" or \"Rosé Wine\"; round to 2 decimals.",
		"Raise dog, cat food by 5%":            "",
		"Raise bird and cat food by 5%":        "",
		"Raise dog cat food by 5%":             "",
		"Cut and dried flowers 5% off":         "",
	})
	if got := reading(t, "Raise dog and cat food by 5%", append(categories, "Dog")...); got != "" {
		t.Errorf("Dog or Dog Food: %q", got)
	}
}

// That a delivery came, or that somebody counted, is why a stock changes; of whose
// products it came, or whether it did, is not.
func TestWhatCame(t *testing.T) {
	const in = "Mark as in stock for products in category bathrobes."
	expectReadings(t, nil, map[string]string{
		"Could you please set bathrobes back to in stock? The delivery has arrived.": in,
		"The shipment came in this morning. Mark bathrobes as in stock.":             in,
		"Mark bathrobes as in stock - our delivery has finally arrived!":             in,
		"Bathrobes are back in stock. I have counted them.":                          in,
		"Bathrobes: in stock. The truck is here.":                                    in,
		"Mark bathrobes as in stock, today's shipment has been unpacked. Thanks!":    in,

		"Mark bathrobes as in stock if the delivery has arrived.":     "",
		"Mark bathrobes as in stock once the delivery has arrived.":   "",
		"Mark bathrobes as in stock unless the delivery has arrived.": "",
		"Mark bathrobes as in stock. The delivery has not arrived.":   "",
		"Mark bathrobes as in stock. The delivery of mugs has come.":  "",
		"Mark bathrobes as in stock. The mugs have arrived.":          "",
		"Mark bathrobes as in stock. The delivery is in two weeks.":   "",
		"Mark bathrobes as in stock. Has the delivery arrived?":       "",
		"Mark the bathrobes we've counted as in stock.":               "",
		"The delivery has arrived. Mark it as in stock.":              "",
	})
	expectReadings(t, []string{"Delivery", "Bathrobes"}, map[string]string{
		"Mark bathrobes as in stock. The delivery has arrived.": "",
	})
}

// What people like, what is ordered no longer and how it looks is why; what they like
// better than what is asked for, or of other products, is a question.
func TestWhatPeopleLike(t *testing.T) {
	const mugsAt5 = "Set the price to 5 for products in category mugs; round to 2 decimals."
	expectReadings(t, nil, map[string]string{
		"Set mugs to $5, our customers like one simple price.":               mugsAt5,
		"Set mugs to $5, people prefer round prices":                         mugsAt5,
		"Set mugs to $5. Most of our customers love that!":                   mugsAt5,
		"Please make all our prices end in .90, it looks tidier.":            "Increase the price by 0% for all products; round to 2 decimals, then move to the nearest price ending in .90.",
		"Mark every mug below $3 as out of stock, we no longer order those.": "Mark as out of stock for products in category mug that are priced 2.99 or less.",
		"Mark A101 as sold out, we've stopped making it":                     "Mark as out of stock for products with SKU A101.",

		"Set mugs to $5, customers like the old price":        "",
		"Set mugs to $5, customers prefer lower prices":       "",
		"Set mugs to $5, customers like mugs at $6":           "",
		"Set mugs to $5, our customers like tea too":          "",
		"Set mugs to $5, customers like prices ending in .99": "",
		"Our customers like one simple price":                 "",
		"Raise mugs by 5%, we no longer order those under $5": "",
		"Raise mugs by 5% unless we no longer order those":    "",
		"Raise mugs by 5%, it looks wrong":                    "",
		"Raise mugs by 5% if it looks tidier":                 "",
	})
}
