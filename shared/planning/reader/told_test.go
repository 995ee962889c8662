package reader

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/planning"
)

var pottery = planning.Names{
	Categories: []string{"Mugs", "Plates", "Bowls"},
	Brands:     []string{"Acme", "Borrow", "Sony Ent."},
	Tags:       []string{"gift"},
	SKUs:       []string{"A-101", "A-102", "40057", "40058"},
	Products:   []string{"Blue Mug", "Red Mug", "Dinner Plate", "Ridge 25L Daypack", "Ridge 40L Backpack"},
	Whole:      true,
}

// What is told of several names is told of all of them, and is no condition of the last.
func TestWhatIsToldOfNamesIsOfAllOfThem(t *testing.T) {
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
	reads(t, shop, map[string]string{"Set mugs to 15,90": ""})
}

// What a supplier does is the topic of what follows; where nothing says so, all products of
// those names may be meant too.
func TestASupplierIsTheTopicOfWhatFollows(t *testing.T) {
	ofBorrow := "Increase the price by 5% for products in category Mugs of brand Borrow; round to 2 decimals."
	all := "Increase the price by 5% for products in category Mugs; round to 2 decimals."
	for said, want := range map[string][]string{
		"Borrow have put their prices up. Their mugs go up 5%.":             {ofBorrow},
		"Borrow have put their prices up. Mugs go up 5%.":                   {ofBorrow, all},
		"Borrow have raised their prices. In mugs, put all of theirs up 5%": {ofBorrow},
		"mugs up 5%, they are too cheap":                                    {all},
		"Lift mugs by 5%, they've gone up":                                  {all},
		"Lift mugs by 5% so they're right when they come back in":           {all},
		"Lift mugs by 5%, which are too cheap":                              {all},
		"Lift mugs by 5%, we keep the red ones":                             nil,
		"Lift mugs by 5%, they have to stay under $10":                      nil,
		"Ridge packs up 5%":                                                 {`Increase the price by 5% for products that have "Ridge 25L Daypack" or "Ridge 40L Backpack" in the name; round to 2 decimals.`},
	} {
		u := New().Read(planning.Request{Instruction: said, Names: pottery})
		var got []string
		for _, r := range u.Readings {
			got = append(got, strings.Join(r.Sentences, " "))
		}
		if u.Asked == nil || strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q is offered as %q, want %q (%v)", said, got, want, u.Asked)
		}
	}
}
