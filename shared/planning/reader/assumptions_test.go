package reader

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/planning"
)

var pottery = planning.Names{
	Categories: []string{"Mugs", "Plates", "Bowls"},
	Brands:     []string{"Acme", "Borrow", "Sony Ent."},
	Tags:       []string{"gift", "signed", "blue"},
	SKUs:       []string{"A-101", "A-102", "40057", "40058"},
	Products:   []string{"Blue Mug", "Red Mug", "Dinner Plate", "Ridge 25L Daypack", "Ridge 40L Backpack"},
	Whole:      true,
}

// What is told of several names is told of all of them, and is no condition of the last.
func TestRemarksOnNamesCoverAllOfThem(t *testing.T) {
	names := map[string]string{
		"Mugs": "in category Mugs", "Mugs and Plates": "in categories Mugs or Plates", "Mugs, plates and bowls": "in categories Mugs, Plates or Bowls",
		"Acme and Borrow": "of brands Acme or Borrow", "40057 and 40058": "with SKUs 40057 or 40058", "SKU A-101 and A-102": "with SKUs A-101 or A-102",
	}
	facts := map[string][]string{
		"Mark as out of stock for products ": {"are sold out", "have sold out", "have run out", "are out of stock"},
		"Mark as in stock for products ":     {"are in stock", "are back in stock"},
	}
	orders := map[string][]string{
		"Mark as out of stock for products ": {", pls mark out of stock", ", please mark as out of stock", " - mark them as out of stock", "; mark out of stock", ". Please mark them."},
		"Mark as in stock for products ":     {", mark in stock", ". Please update them."},
	}
	want := map[string]string{}
	for named, products := range names {
		for does, told := range facts {
			for _, fact := range told {
				for _, order := range orders[does] {
					want[named+" "+fact+order] = does + products + "."
				}
			}
		}
		want[named+" are on sale, end the sale"] = "End the sale for products " + products + " that are on sale."
		want[named+" aren't on sale any more, please end it"] = "End the sale for products " + products + "."
	}
	want["No blue mug left, mark as out of stock"] = `Mark as out of stock for products that have "Blue Mug" in the name.`
	want["Sold the last of the mugs this morning - please mark them out of stock"] = "Mark as out of stock for products in category Mugs."
	want["No plates left after the weekend, can you switch them to out of stock"] = "Mark as out of stock for products in category Plates."
	want["No plates left in stock"] = "Mark as out of stock for products in category Plates."
	want["Mugs up 5% this morning"] = ""
	want["Acme up 5%, not the mugs tho"] = "Increase the price by 5% for products of brand Acme, except category Mugs"
	want["Mugs: end the sale"] = "End the sale for products in category Mugs."
	want["Mugs, plates that are sold out and bowls 10% off"] = ""
	want["Mark mugs and plates that are out of stock as out of stock"] = ""
	want["Mugs 5% off. Mark them."] = ""
	want["Mark out of stock"] = ""
	want["Set the mug to 5"] = ""
	want["The plate should be 5"] = ""
	want["Set the mugs to 5"] = "Set the price to 5 for products in category Mugs"
	want["Sony Ent. +2%"] = `Increase the price by 2% for products of brand "Sony Ent."`
	reads(t, pottery, want)
}

func TestDecimalsAreReadAsTheTableHasThem(t *testing.T) {
	shop := planning.Names{Categories: []string{"Mugs"}, Whole: true, DecimalComma: true}
	reads(t, shop, map[string]string{
		"Mugs 1,5% up":      "Increase the price by 1.5% for products in category Mugs",
		"Set mugs to 15,90": "Set the price to 15.9 for products in category Mugs",
		"Set mugs to 1,299": "",
	})
	shop.DecimalComma = false
	shop.Prices = [2]string{"1", "50"}
	reads(t, shop, map[string]string{"Set mugs to 15,90": "", "Set mugs to 1,299": "", "Set mugs to 1,299.00": "Set the price to 1299 for products in category Mugs"})
}

// What is told around a rule is left open beside it, and the rule is filled in.
func TestWordsAroundARuleStayOpen(t *testing.T) {
	mugs := "Increase the price by 5% for products in category Mugs; round to 2 decimals, or as many as the prices have."
	for said, want := range map[string]string{
		"mugs up 5%, they are too cheap":                          mugs,
		"Lift mugs by 5%, they've gone up":                        mugs,
		"Lift mugs by 5% so they're right when they come back in": mugs,
		"Lift mugs by 5%, which are too cheap":                    mugs,
		"Ridge packs up 5%":                                       `Increase the price by 5% for products that have "Ridge 25L Daypack" or "Ridge 40L Backpack" in the name; round to 2 decimals, or as many as the prices have.`,
	} {
		d := New().Draft(planning.DraftRequest{Request: planning.Request{Instruction: said, Names: pottery, CreatedAt: noon}})
		if d.Complete || len(d.Open) == 0 || len(d.Operations) != 1 || d.Operations[0].Sentence() != want {
			t.Errorf("%q: %s", said, shown(d))
		}
	}
}

// Who says regular price, or no sale, asks for no sale price, and who ends a sale says so in
// many ways, of any name: none of them may be read as a change of the other kind.
func TestSalesAndRegularPricesDiffer(t *testing.T) {
	want := map[string]string{
		"Put mugs on sale at 10% off, not a sale":                                        "",
		"Put mugs on sale, 10% off, permanent price cut":                                 "",
		"Mugs 10% up. Not a sale, just lower the regular price.":                         "",
		"Mugs on sale, 10% off":                                                          "",
		"Stop the sale on mugs, 5% off":                                                  "",
		"Double mugs and plates, 5% off":                                                 "",
		"Everything tagged gift and signed 5% off":                                       "",
		"Everything tagged gift or signed 5% off":                                        "Decrease the price by 5% for products with tags gift or signed",
		"The gift mug should cost 12.99":                                                 "",
		"The gift mugs should cost 12.99":                                                "Set the price to 12.99 for products in category Mugs with tag gift",
		"Acme up 5%, but leave their mugs alone":                                         "Increase the price by 5% for products of brand Acme, except category Mugs",
		"Acme: selling price is cost plus 45%":                                           "Set the price to the cost plus 45% for products of brand Acme",
		"Acme up 5% and Borrow up 3%. Leave their mugs as they are. Then gift 2 dollars": "",
	}
	names := map[string]string{"mugs": "in category Mugs", "Acme": "of brand Acme", "Borrow plates": "in category Plates of brand Borrow", "everything tagged gift": "with tag gift"}
	for name, products := range names {
		for _, said := range []string{"Lower the regular price of %s by 5%", "%s 5% cheaper, not a sale", "%s: reduce the normal price by 5%", "Take 5% off %s (so no sale)", "%s 5% down. No sale, just reduce the regular price."} {
			want[strings.ReplaceAll(said, "%s", name)] = "Decrease the price by 5% for products " + products
		}
		for _, said := range []string{"Sale's over for %s", "End the offers on %s", "The sale on %s has ended, put them back to their normal price", "Stop the sale on %s and go back to the regular price", "%s no longer on sale, back to normal price"} {
			want[strings.ReplaceAll(said, "%s", name)] = "End the sale for products " + products + "."
		}
		for _, said := range []string{"%s up 5%, to the nearest price ending in .95", "%s up 5%, then each price to the nearest .95", "Raise %s by 5% and take each price to the nearest one that ends in .95"} {
			want[strings.ReplaceAll(said, "%s", name)] = "Increase the price by 5% for products " + products + "; round to 2 decimals, or as many as the prices have, then move to the nearest price ending in .95 (products that customers would pay less for are left alone)."
		}
	}
	for said, meant := range want {
		want[said] = withoutRounding(meant)
	}
	reads(t, pottery, want)
}
