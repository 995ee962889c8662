package reader

import (
	"slices"
	"testing"

	"github.com/planwright/planwright/shared/planning"
)

// A shop's table, in which what people say may be one thing or another.
var shopTable = planning.Names{
	Categories: []string{"Tables", "Chairs", "Lighting", "Hand Tools", "Paint", "Cat Food"}, Brands: []string{"Stan", "Bex"},
	SKUs: []string{"C1", "C2"}, Products: []string{"Table Lamp", "Floor Lamp", "Cable", "Long Cable 5m"}, Whole: true, Columns: []string{"sku", "price", "sale_price"},
}

func TestWhatATableMakesTwoThingsIsAsked(t *testing.T) {
	for said, want := range map[string][]string{
		"10% off sale on Paint": {
			"Set a sale price of 10% below the regular price for products in category Paint; round to 2 decimals (products whose sale price would be 0 or not below the regular price are left alone).", "Decrease the price by 10% for products in category Paint; round to 2 decimals.",
		},
		"Paint sale: take $2 off": {
			"Set a sale price of an amount of 2 below the regular price for products in category Paint; round to 2 decimals (products whose sale price would be 0 or not below the regular price are left alone).", "Decrease the price by an amount of 2 for products in category Paint; round to 2 decimals.",
		},
		"Stan hand tools and paint up 5%": {
			`Increase the price by 5% for products in categories "Hand Tools" or Paint of brand Stan; round to 2 decimals.`, `Increase the price by 5% for products in category "Hand Tools" of brand Stan; round to 2 decimals.`,
		},
		"Raise table and floor lamps by 5%": {
			`Increase the price by 5% for products that have "Table Lamp" or "Floor Lamp" in the name; round to 2 decimals.`, "Increase the price by 5% for products in category Tables; round to 2 decimals.",
		},
		"Paint: cost plus 40%": nil, "Paint 5% off, but never below cost": nil,
		"Set the cable to $5": nil,
		"Stan to £5":          nil, "Make the chair £5": nil,
		"Both cat foods up 5%": nil,
		"all lifts up 5%":      nil,
	} {
		u := New().Read(planning.Request{Instruction: said, Names: shopTable})
		var got []string
		for _, r := range u.Readings {
			got = append(got, r.Sentences[0])
		}
		if u.Asked == nil || !slices.Equal(got, want) {
			t.Errorf("%q is read as %q, asked %v, want %q", said, got, u.Asked, want)
		}
	}
}

func TestATableIsPlannedAsACarefulColleagueWould(t *testing.T) {
	for said, want := range map[string][]string{
		"Put paint on sale at 10% off":    {"Set a sale price of 10% below the regular price for products in category Paint; round to 2 decimals (products whose sale price would be 0 or not below the regular price are left alone)."},
		"paint down 10%, not a sale":      {"Decrease the price by 10% for products in category Paint; round to 2 decimals."},
		"paint and Stan chairs up 5%":     {"Increase the price by 5% for products in category Paint; round to 2 decimals.", "Increase the price by 5% for products in category Chairs of brand Stan; round to 2 decimals."},
		"Lower chairs to $100":            {"Set the price to 100 for products in category Chairs that are priced 100.01 or more; round to 2 decimals."},
		"raise paint to 10":               {"Set the price to 10 for products in category Paint that are priced 9.99 or less; round to 2 decimals."},
		"Set chairs to $100":              {"Set the price to 100 for products in category Chairs; round to 2 decimals."},
		"Both tables and chairs up 5%":    {"Increase the price by 5% for products in categories Tables or Chairs; round to 2 decimals."},
		"all lighting and paint go up 5%": {"Increase the price by 5% for products in categories Lighting or Paint; round to 2 decimals."},
		"Hand tools up 5% except C1 and Stan, which go up 2%": {
			`Increase the price by 5% for products in category "Hand Tools", except brand Stan and except SKU C1; round to 2 decimals.`, "Increase the price by 2% for products with SKU C1; round to 2 decimals.",
			`Increase the price by 2% for products in category "Hand Tools" of brand Stan, except SKU C1; round to 2 decimals.`,
		},
	} {
		u := New().Read(planning.Request{Instruction: said, Names: shopTable})
		if u.Asked != nil || !slices.Equal(u.Readings[0].Sentences, want) {
			t.Errorf("%q is read as %v, want %q", said, u, want)
		}
	}
}
