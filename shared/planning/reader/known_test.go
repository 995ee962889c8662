package reader

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

func TestNamesAreKnownAsPeopleTypeThem(t *testing.T) {
	for _, tc := range []struct {
		list, typed []string
		meant       []string // nil where it is asked
	}{
		{[]string{"Men's Jackets", "Women's Jackets"}, []string{"mens jackets", "men's jacket", "Men’s Jackets", "MENS JACKETS"}, []string{"Men's Jackets"}},
		{[]string{"Kids' Bikes", "Bikes"}, []string{"kids bikes", "kid's bikes", "kids' bike"}, []string{"Kids' Bikes"}},
		{[]string{"Home Décor", "Rugs"}, []string{"home decor", "Home Décor", "homedecor"}, []string{"Home Décor"}},
		{[]string{"USB-C Cables", "Chargers"}, []string{"usb-c cables", "usb c cable", "USB-C cables", "usbc cables"}, []string{"USB-C Cables"}},
		{[]string{"Skin Care", "Makeup Brushes"}, []string{"skincare", "skin-care", "Skin care"}, []string{"Skin Care"}},
		{[]string{"Skin Care", "Makeup Brushes"}, []string{"make-up brushes", "make up brush"}, []string{"Makeup Brushes"}},
		{[]string{"Tea & Coffee", "Mugs"}, []string{"coffee and tea", "tea & coffee", "tea/coffee", "Coffee & Tea", "tea and coffees"}, []string{"Tea & Coffee"}},
		{[]string{"Bits, Bobs & Buttons", "Mugs"}, []string{"buttons, bits and bobs", "bits and bobs and buttons"}, []string{"Bits, Bobs & Buttons"}},
		{[]string{"Non-Fiction", "Fiction"}, []string{"nonfiction", "non fiction"}, []string{"Non-Fiction"}},
		{[]string{"Mice", "Keyboards"}, []string{"mouse", "mice"}, []string{"Mice"}},
		{[]string{"Cookies", "Knives"}, []string{"cookie", "cookies"}, []string{"Cookies"}},
		{[]string{"Cookies", "Knives"}, []string{"knife", "knives"}, []string{"Knives"}},
		{[]string{"Gloves", "Sleeve"}, []string{"glove", "gloves"}, []string{"Gloves"}},
		{[]string{"Gloves", "Sleeve"}, []string{"sleeve", "sleeves"}, []string{"Sleeve"}},
		{[]string{"Leaf", "Mugs"}, []string{"leave"}, nil},
		{[]string{"Houseplants", "Jigsaws"}, []string{"house plants", "house-plants"}, []string{"Houseplants"}},
		{[]string{"Sportswear"}, []string{"sports wear"}, []string{"Sportswear"}},
		{[]string{"Tyres", "Tubes"}, []string{"tires", "tyre"}, []string{"Tyres"}},
		{[]string{"Skin Care > Face Creams", "Sun Care"}, []string{"face creams", "Face Cream"}, []string{"Skin Care > Face Creams"}},
		{[]string{"Guitars > Electric", "Guitars > Acoustic"}, []string{"Guitars > Electric", "electric guitar", "guitars > electric", "Electric"}, []string{"Guitars > Electric"}},
		{[]string{"Men's Running Shoes", "Women's Running Shoes"}, []string{"mens and womens running shoes"}, []string{"Men's Running Shoes", "Women's Running Shoes"}},
		{[]string{"Road Bikes", "Mountain Bikes"}, []string{"road and mountain bikes"}, []string{"Road Bikes", "Mountain Bikes"}},
		{[]string{"Overalls", "Mugs"}, []string{"over all", "mugs the"}, nil},
		{[]string{"Rosé", "Mugs"}, []string{"roses"}, nil},
		{[]string{"Rosé", "Mugs"}, []string{"rose", "Rosé"}, []string{"Rosé"}},
		{[]string{"Rosé", "Roses"}, []string{"roses"}, []string{"Roses"}},
		{[]string{"Tea & Coffee", "Coffee & Tea"}, []string{"tea coffee and"}, nil},
		{[]string{"Road Bikes", "Mountain Bikes", "E-Bikes"}, []string{"bikes"}, nil},
		{[]string{"Men's Shoes", "Mens Shoes"}, []string{"mens shoe"}, nil},
	} {
		for _, typed := range tc.typed {
			u := New().Read(planning.Request{Instruction: "Raise " + typed + " by 5%", Names: planning.Names{Categories: tc.list}})
			var meant []string
			if u.Asked == nil {
				meant = slices.Sorted(slices.Values(u.Candidates[0].Operations[0].Filter.Categories))
			}
			want := slices.Sorted(slices.Values(tc.meant))
			if diff := cmp.Diff(want, meant); diff != "" {
				t.Errorf("%q of %q (-want +got):\n%s", typed, tc.list, diff)
			}
		}
	}
}

// A word that was read as another is told, and beside a name asked about.
func TestMendedWordsAreReported(t *testing.T) {
	list := []string{"Yoga Mats", "Boots"}
	for said, want := range map[string][]string{
		"Dicsount yoga mats by 5%":     {`Read "Dicsount" as "discount".`},
		"Raise yogga mats by 5%":       {`Read "yogga mats" as "Yoga Mats".`},
		"Plaese raise boots by 5%":     {`Read "Plaese" as "please".`},
		"raise boots by 5 precent":     {`Read "precent" as "percent".`},
		"Raise boot prodcuts by 5%":    {`Read "prodcuts" as "products".`},
		"Raise boots and yoga mat +5%": nil,
	} {
		u := New().Read(planning.Request{Instruction: said, Names: planning.Names{Categories: list}})
		if u.Asked != nil {
			t.Errorf("%s: asked: %v", said, u.Asked)
			continue
		}
		if diff := cmp.Diff(want, u.Candidates[0].Assumes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", said, diff)
		}
	}
	for _, said := range []string{"Apple boots 5% off", "Cold boots to 2.50", "Apply boots 5% of"} {
		if u := New().Read(planning.Request{Instruction: said, Names: planning.Names{Categories: list}}); u.Asked == nil {
			t.Errorf("%s: planned: %v", said, u.Candidates[0].Sentences)
		}
	}
}

// A name that is spelt as another word, or only as the end of a path, is told.
func TestANameInOtherWordsIsReported(t *testing.T) {
	list := []string{"Tyres", "Cycling > Pumps", "Men's Jewellery", "Home Décor"}
	for said, want := range map[string][]string{
		"tires 10% off":          {`Read "tires" as "Tyres".`},
		"pumps 10% off":          {`Read "pumps" as "Cycling > Pumps".`},
		"mens jewelry 10% off":   {`Read "mens jewelry" as "Men's Jewellery".`},
		"home decor 10% off":     nil,
		"Mens jewellery 10% off": nil,
	} {
		u := New().Read(planning.Request{Instruction: said, Names: planning.Names{Categories: list}})
		if u.Asked != nil {
			t.Errorf("%q is asked about: %v", said, u.Asked)
		} else if diff := cmp.Diff(want, u.Candidates[0].Assumes); diff != "" {
			t.Errorf("%q (-want +got):\n%s", said, diff)
		}
	}
}

// What ends a company's name is left out only where what is left is no word of other products, and
// no plain plural, and words are put together across a comma only where the name has parts.
func TestAnOrdinaryWordIsNoCompany(t *testing.T) {
	shop := planning.Names{
		Categories: []string{"Black Tea", "Hammers", "Jams & Spreads", "Garden"}, Brands: []string{"Tea & Co", "Tool Co", "Carrier Co", "Fields Ltd", "Haws Tools Ltd", "Garden House", "Light Store"},
		Products: []string{"Tool Box", "Tool Belt", "Haws Can", "Garden Hose", "Champagne Flutes"}, Whole: true,
		Rows: map[plan.Column]map[string]int64{plan.ColumnBrand: {"Tea & Co": 1, "Tool Co": 1, "Carrier Co": 1, "Fields Ltd": 1, "Haws Tools Ltd": 3}},
	}
	for said, want := range map[string]string{
		"all tea up 5%": "", "tools up 5%": "", "garden, hose up 5%": "", "light, store up 5%": "", "champagne, flutes up 5%": "", "tool, box up 5%": "",
		"all carriers up 5%": "", "fields up 5%": "", "garden houses up 5%": "", "carrier up 5%": "of brand \"Carrier Co\"", "raise Fields by 5%": "of brand \"Fields Ltd\"",
		"tea & co up 5%": "of brand \"Tea & Co\"", "haws tools up 5%": "of brand \"Haws Tools Ltd\"", "jams, spreads up 5%": "in category \"Jams & Spreads\"",
		"garden hoses up 5%": "that have \"Garden Hose\" in the name", "light store up 5%": "of brand \"Light Store\"",
	} {
		u := New().Read(planning.Request{Instruction: said, Names: shop})
		if got := u.Candidates; (u.Asked == nil) != (want != "") || want != "" && got[0].Sentences[0] != "Increase the price by 5% for products "+want+"; round to 2 decimals, or as many as the prices have." {
			t.Errorf("%q is read as %v", said, u)
		}
	}
}

// Short rules of which each word has one meaning, as shops' managers type them.
func TestShortRulesHaveOneReading(t *testing.T) {
	shop := planning.Names{Categories: []string{"Mugs", "Lamps", "Party > Balloons", "Garden Furniture"}}
	for said, want := range map[string]string{
		"mugs, mark the lot out of stock":                           "Mark as out of stock for products in category Mugs.",
		"Mugs is back, please switch it all to in stock":            "Mark as in stock for products in category Mugs.",
		"We've run out of mugs, please take all of it out of stock": "Mark as out of stock for products in category Mugs.",
		"mugs, 75 cents more on everything there":                   "Increase the price by an amount of 0.75 for products in category Mugs; round to 2 decimals, or as many as the prices have.",
		"$6.99 for all mugs":                                        "Set the price to 6.99 for products in category Mugs; round to 2 decimals, or as many as the prices have.",
		"drop mugs by 1.50 each":                                    "Decrease the price by an amount of 1.5 for products in category Mugs; round to 2 decimals, or as many as the prices have.",
		"mugs: 2.50 each":                                           "Set the price to 2.5 for products in category Mugs; round to 2 decimals, or as many as the prices have.",
		"mugs -15%, no new price lower than 3.50":                   "Decrease the price by 15% for products in category Mugs; round to 2 decimals, or as many as the prices have, then raise any result below 3.5 to it (products that customers would pay more for are left alone).",
		"Garden Furniture, in stock, above $300 -> 15% down":        `Decrease the price by 15% for products in category "Garden Furniture" that are in stock and priced 300.01 or more; round to 2 decimals, or as many as the prices have.`,
		"Party > Balloons out of stock":                             `Mark as out of stock for products in category "Party > Balloons".`,
		"Set 2001 to 9.50":                                          "Set the price to 9.5 for products with SKU 2001; round to 2 decimals, or as many as the prices have.",
		"raise all by 5%, except SKU 2027":                          "Increase the price by 5% for all products, except SKU 2027; round to 2 decimals, or as many as the prices have.",
		"mugs - all at 6.99":                                        "Set the price to 6.99 for products in category Mugs; round to 2 decimals, or as many as the prices have.",
		"mugs are back!! please set them to in stock again":         "Mark as in stock for products in category Mugs.",
		"A-1 and A-2 are sold out - mark them out of stock":         "Mark as out of stock for products with SKUs A-1 or A-2.",
		"mugs 10% off, lamps excluded":                              "Decrease the price by 10% for products in category Mugs, except category Lamps; round to 2 decimals, or as many as the prices have.",
		"Reduce mugs to 80% of what they cost now":                  "Decrease the price by 20% for products in category Mugs; round to 2 decimals, or as many as the prices have.",
		"Mugs under $9 go down 10%. Don't touch the dearer ones.":   "Decrease the price by 10% for products in category Mugs that are priced 8.99 or less; round to 2 decimals, or as many as the prices have.",
	} {
		u := New().Read(planning.Request{Instruction: said, Names: shop})
		if u.Asked != nil {
			t.Errorf("%q is asked about: %v", said, u.Asked)
		} else if diff := cmp.Diff([]string{want}, u.Candidates[0].Sentences); diff != "" {
			t.Errorf("%q (-want +got):\n%s", said, diff)
		}
	}
	for _, said := range []string{
		"raise mugs by 5%, then the lot by 3%", // of mugs, or of all?
		"$5 for two mugs", "Mugs $5 for members", "mugs, raise lamps by 5%", "drop mugs by 10 each",
		"raise mugs by 5% and lamps by 3%, mark it as sold out",
		"10% off mugs and lamps, mugs never below cost", "10% off mugs and lamps, mugs ending in .99", // of which?
		"Raise prices by 5% for 2027", "For 2027, raise mugs by 5%", "Raise all 2027 prices by 5%", // a year, and no SKU
	} {
		if u := New().Read(planning.Request{Instruction: said, Names: shop}); u.Asked == nil {
			t.Errorf("%q is planned as %v", said, u.Candidates[0].Sentences)
		}
	}
}
