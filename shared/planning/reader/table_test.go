package reader

import (
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// A shop's table, in which what people say may be one thing or another.
var shopTable = planning.Names{
	Categories: []string{"Tables", "Chairs", "Lighting", "Hand Tools", "Paint", "Cat Food"}, Brands: []string{"Stan", "Bex"},
	SKUs: []string{"C1", "C2"}, Products: []string{"Table Lamp", "Floor Lamp", "Cable", "Long Cable 5m"}, Whole: true, Columns: []string{"sku", "price", "sale_price"},
	Prices: [2]string{"5.00", "90.00"}, Rows: map[plan.Column]map[string]int64{plan.ColumnCategory: {"Hand Tools": 9, "Paint": 3}},
}

func TestTwoMeaningsInATableAreAQuestion(t *testing.T) {
	for said, want := range map[string][]string{
		"10% off sale on Paint": {
			"Set a sale price of 10% below the regular price for products in category Paint; round to 2 decimals, or as many as the prices have (products whose sale price would be 0 or not below the regular price, or that customers would pay more for, are left alone).", "Decrease the price by 10% for products in category Paint; round to 2 decimals, or as many as the prices have.",
		},
		"Paint sale: take $2 off": {
			"Set a sale price of an amount of 2 below the regular price for products in category Paint; round to 2 decimals, or as many as the prices have (products whose sale price would be 0 or not below the regular price, or that customers would pay more for, are left alone).", "Decrease the price by an amount of 2 for products in category Paint; round to 2 decimals, or as many as the prices have.",
		},
		"Paint sale $9": {
			"Set the sale price to 9 for products in category Paint; round to 2 decimals, or as many as the prices have (products whose sale price would be 0 or not below the regular price, or that customers would pay more for, are left alone).", "Set the price to 9 for products in category Paint; round to 2 decimals, or as many as the prices have.",
		},
		"Stan sale prices up 5%": {
			"Increase the price by 5% for products of brand Stan that are on sale; round to 2 decimals, or as many as the prices have.", "Increase the price by 5% for products of brand Stan; round to 2 decimals, or as many as the prices have.",
		},
		"On sale: paint to $9": {
			"Set the price to 9 for products in category Paint that are on sale; round to 2 decimals, or as many as the prices have.",
			"Set the sale price to 9 for products in category Paint; round to 2 decimals, or as many as the prices have (products whose sale price would be 0 or not below the regular price, or that customers would pay more for, are left alone).", "Set the price to 9 for products in category Paint; round to 2 decimals, or as many as the prices have.",
		},
		"Stan hand tools and paint up 5%": {
			`Increase the price by 5% for products in categories "Hand Tools" or Paint of brand Stan; round to 2 decimals, or as many as the prices have.`, `Increase the price by 5% for products in category "Hand Tools" of brand Stan; round to 2 decimals, or as many as the prices have.`,
		},
		"Raise table and floor lamps by 5%": {
			`Increase the price by 5% for products that have "Table Lamp" or "Floor Lamp" in the name; round to 2 decimals, or as many as the prices have.`, "Increase the price by 5% for products in category Tables; round to 2 decimals, or as many as the prices have.",
		},
		"Paint: cost plus 40%": nil, "Paint 5% off, but never below cost": nil,
		"Set the cable to $5": {`Set the price to 5 for products that have Cable in the name, except those that have "Long Cable 5m" in the name; round to 2 decimals, or as many as the prices have.`},
		"Stan to £5":          nil, "Make the chair £5": nil,
		"Both cat foods up 5%": nil,
		"all lifts up 5%":      nil,
		"paint down $50": {
			"Set the price to 50 for products in category Paint; round to 2 decimals, or as many as the prices have.", "Decrease the price by an amount of 50 for products in category Paint; round to 2 decimals, or as many as the prices have.",
		},
		"Paint reduced to $9": {
			"Set the sale price to 9 for products in category Paint that are priced 9.01 or more; round to 2 decimals, or as many as the prices have (products whose sale price would be 0 or not below the regular price, or that customers would pay more for, are left alone).", "Set the price to 9 for products in category Paint that are priced 9.01 or more; round to 2 decimals, or as many as the prices have.",
		},
		"paint back to $9": {
			"End the sale for products in category Paint.", "Set the price to 9 for products in category Paint; round to 2 decimals, or as many as the prices have.",
		},
	} {
		class, all := meant(said, shopTable)
		var got []string
		for _, ops := range all {
			got = append(got, plan.Explain(&plan.Plan{Operations: ops})[0])
		}
		if class == "" || !slices.Equal(got, want) {
			t.Errorf("%q may be %q, asked %s, want %q", said, got, class, want)
		}
	}
}

// What would be another price than was meant, each with the class of its question.
func TestAmbiguityInATableIsAQuestion(t *testing.T) {
	for said, class := range map[string]string{
		"Cable to $5":                                      "several",
		"paint up 5%, at most $3":                          "limit",
		"10% off paint, but not below $200":                "limit",
		"Cut paint to 90% of the price, chairs 95%":        "missing_direction",
		"Cut paint to 90% of the price, chairs by half":    "missing_direction",
		"Hand Tools/Paint 10% off":                         "either_or",
		"paint up 5%?":                                     "question",
		"Raise paint by 5%, not just Stan":                 "negation",
		"Raise paint by 5%, but also chairs":               "together",
		"All prices 5% down. Not Stan, not Bex.":           "scope",
		"Raise paint by 5%, but raise Stan by 3%":          "overlap",
		"Everything 5% off except chairs other than Stan":  "scope",
		"Everything 5% off except chairs but not lighting": "scope",
		"❌ chairs, paint +5%":                              "together",
		"paint to .99":                                     "cents",
		"Long Cable 5m, Stan paint up 5%, others up 2%":    "scope",
		"Set paint to 9,500":                               "thousands",
		"10% off paint instead of Stan":                    "together",
	} {
		u := New().Read(planning.Request{Instruction: said, Names: shopTable})
		if u.Asked == nil || u.Asked.Class != class {
			t.Errorf("%q is read as %v, want a question of %s", said, u, class)
		}
	}
	for _, said := range []string{"Can you raise paint by 5%?", "paint up 5%, please?", "Paint/Hand Tools 10% off", "paint up 5%, at most $60", "Set paint to 9500", "Lower paint by $2 from now on instead"} {
		if u := New().Read(planning.Request{Instruction: said, Names: shopTable}); u.Asked != nil {
			t.Errorf("%q is asked about: %v", said, u.Asked)
		}
	}
	named := planning.Names{Categories: []string{"Seeds", "Wine"}, Brands: []string{"Best"}, Tags: []string{"promo"}, Products: []string{"Basil", "Basil Seeds", "Riesling 2019", "Riesling 2021"}, Whole: true, Columns: []string{"price"}}
	paid := planning.Names{Categories: []string{"Make-up", "Red"}, Brands: []string{"Essence", "Fresh"}, Whole: true, Columns: []string{"price", "cost"}}
	for said, class := range map[string]string{
		"Fresh costs up 5%": "cost_price", "Red now costs 5% more": "cost_price", "Red costs $5": "cost_price", "Red markup 30%": "verb", "In essence: red up 5%": "scope", "make up to 20 5% off": "beside",
		"raise red by 5% and make-up by half as much": "together",
	} {
		if u := New().Read(planning.Request{Instruction: said, Names: paid}); u.Asked == nil || u.Asked.Class != class {
			t.Errorf("%q is read as %v, want a question of %s", said, u, class)
		}
	}
	for _, said := range []string{"Red should cost 5% more", "make up to 20", "make up 5% off", "Red has to cost $5"} {
		if u := New().Read(planning.Request{Instruction: said, Names: paid}); u.Asked != nil {
			t.Errorf("%q is asked about: %v", said, u.Asked)
		}
	}
	for said, class := range map[string]string{"Riesling 2019 to 2021": "several", "seeds, best 10% off": "beside", "seeds promo 10% off": "beside"} {
		if u := New().Read(planning.Request{Instruction: said, Names: named}); u.Asked == nil || u.Asked.Class != class {
			t.Errorf("%q is read as %v, want a question of %s", said, u, class)
		}
	}
	if u := New().Read(planning.Request{Instruction: "Riesling 2019 2021% up", Names: named}); u.Asked != nil {
		t.Errorf("a percentage is read as %v", u)
	}
	if u := New().Read(planning.Request{Instruction: "basil, seeds up 5%", Names: named}); len(u.Candidates) != 2 || len(u.Candidates[1].Operations) != 2 {
		t.Errorf("basil and seeds are read as %v", u)
	}
	on := planning.Names{Categories: []string{"Coats", "Hats"}, Tags: []string{"sale"}, Brands: []string{"Next"}, Whole: true, Columns: []string{"price", "compare_at"}}
	for said, choices := range map[string]int{"Coats up 5%. Next: hats up 3%": 2, "Coats 30% off the regular price": 2, "Next prices please: coats 30% off": 2, "Next prices, coats 30% off": 2, "next coats prices up 5%": 2, "Coats: half price sale": 2} {
		if class, all := meant(said, on); class == "" || len(all) != choices {
			t.Errorf("%q may be %v, asked %s", said, all, class)
		}
	}
	for said, sentence := range map[string]string{
		"Next sale items up 5%": "Increase the price by 5% for products of brand Next that are on sale; round to 2 decimals, or as many as the prices have.", "coats on-sale things to 9": "Set the price to 9 for products in category Coats that are on sale; round to 2 decimals, or as many as the prices have.",
	} {
		if u := New().Read(planning.Request{Instruction: said, Names: planning.Names{Categories: on.Categories, Brands: on.Brands, Whole: true, Columns: on.Columns}}); u.Asked != nil || u.Candidates[0].Sentences[0] != sentence {
			t.Errorf("%q is read as %v", said, u)
		}
	}
	if u := New().Read(planning.Request{Instruction: "5% off everything on sale", Names: on}); u.Asked != nil || u.Candidates[0].Operations[0].Filter.OnSale == nil {
		t.Errorf("on sale is read as %v", u)
	}
}

// What few people say, and no corpus has.
func TestRareWordingsAreRead(t *testing.T) {
	for said, want := range map[string]string{
		"Raise all prices by 3% except SKU cc-beanie": "Increase the price by 3% for all products, except SKU cc-beanie; round to 2 decimals, or as many as the prices have.",
		"Raise mugs by two point five percent":        "Increase the price by 2.5% for products in category mugs; round to 2 decimals, or as many as the prices have.",
		"SKU: A-1 to $5":                              "Set the price to 5 for products with SKU A-1; round to 2 decimals, or as many as the prices have.",
	} {
		u := New().Read(planning.Request{Instruction: said})
		if u.Asked != nil || u.Candidates[0].Sentences[0] != want {
			t.Errorf("%q is read as %v, want %q", said, u, want)
		}
	}
}

// The root of a shop's categories may be called All.
func TestAllIsNoCategoryUnlessItIsCalledOne(t *testing.T) {
	for said, want := range map[string]string{
		"Increase all prices by 10%":      "Increase the price by 10% for all products; round to 2 decimals, or as many as the prices have.",
		"5% off products in category All": "Decrease the price by 5% for products in category All; round to 2 decimals, or as many as the prices have.",
	} {
		u := New().Read(planning.Request{Instruction: said, Names: planning.Names{Categories: []string{"All", "Wein"}, Whole: true}})
		if u.Asked != nil || u.Candidates[0].Sentences[0] != want {
			t.Errorf("%q is read as %v, want %q", said, u, want)
		}
	}
}

// A product may be of several categories: chairs that are lighting, too.
func TestCategoriesMayShareProducts(t *testing.T) {
	for said, want := range map[string][]string{
		"Raise chairs that are not lighting by 5%": {"Increase the price by 5% for products in category Chairs, except category Lighting; round to 2 decimals, or as many as the prices have."},
		"chairs up 5%, leave lighting over $9 alone": {
			"Increase the price by 5% for products in category Chairs that are priced 9.01 or more, except category Lighting; round to 2 decimals, or as many as the prices have.", "Increase the price by 5% for products in category Chairs that are priced 9 or less; round to 2 decimals, or as many as the prices have.",
		},
		"5% off chairs except Stan lighting": {
			"Decrease the price by 5% for products in category Chairs, except brand Stan; round to 2 decimals, or as many as the prices have.", "Decrease the price by 5% for products in category Chairs of brand Stan, except category Lighting; round to 2 decimals, or as many as the prices have.",
		},
		"Chairs up 5%. But lighting only 3%.": {
			"Increase the price by 5% for products in category Chairs, except category Lighting; round to 2 decimals, or as many as the prices have.", "Increase the price by 3% for products in category Lighting; round to 2 decimals, or as many as the prices have.",
		},
		"Stan chairs up 5% except lighting, which goes up 2%": {
			"Increase the price by 5% for products in category Chairs of brand Stan, except category Lighting; round to 2 decimals, or as many as the prices have.", "Increase the price by 2% for products in category Lighting of brand Stan; round to 2 decimals, or as many as the prices have.",
		},
		"chairs up 5%, lighting up 3%": {
			"Increase the price by 5% for products in category Chairs; round to 2 decimals, or as many as the prices have.", "Increase the price by 3% for products in category Lighting; round to 2 decimals, or as many as the prices have.",
		},
	} {
		u := New().Read(planning.Request{Instruction: said, Names: shopTable})
		if u.Asked != nil || !slices.Equal(u.Candidates[0].Sentences, want) {
			t.Errorf("%q is read as %v, want %q", said, u, want)
		}
	}
}

// Two candidates that do the same to the table are one: that which leaves out more.
func TestReadingsThatDoTheSameToTheTable(t *testing.T) {
	const said = "chairs up 5%, but lighting only 3%"
	names := shopTable
	r := New()
	for _, same := range []bool{false, true, false} { // the names stay, and the table changes
		names.SameHere = func(a, b []plan.Operation) bool { return same }
		u := r.Read(planning.Request{Instruction: said, Names: names})
		if (u.Asked == nil) != same {
			t.Errorf("the same: %t, read as %v", same, u)
		}
		if first := "Increase the price by 5% for products in category Chairs, except category Lighting; round to 2 decimals, or as many as the prices have."; same && u.Candidates[0].Sentences[0] != first {
			t.Errorf("%q", u.Candidates[0].Sentences)
		}
	}
}

func TestATableIsPlannedAsACarefulColleagueWould(t *testing.T) {
	for said, want := range map[string][]string{
		"Put paint on sale at 10% off":    {"Set a sale price of 10% below the regular price for products in category Paint; round to 2 decimals, or as many as the prices have (products whose sale price would be 0 or not below the regular price, or that customers would pay more for, are left alone)."},
		"paint down 10%, not a sale":      {"Decrease the price by 10% for products in category Paint; round to 2 decimals, or as many as the prices have."},
		"paint and Stan chairs up 5%":     {"Increase the price by 5% for products in category Paint; round to 2 decimals, or as many as the prices have.", "Increase the price by 5% for products in category Chairs of brand Stan, except category Paint; round to 2 decimals, or as many as the prices have."},
		"Lower chairs to $100":            {"Set the price to 100 for products in category Chairs that are priced 100.01 or more; round to 2 decimals, or as many as the prices have."},
		"raise paint to 10":               {"Set the price to 10 for products in category Paint that are priced 9.99 or less; round to 2 decimals, or as many as the prices have."},
		"Set chairs to $100":              {"Set the price to 100 for products in category Chairs; round to 2 decimals, or as many as the prices have."},
		"Both tables and chairs up 5%":    {"Increase the price by 5% for products in categories Tables or Chairs; round to 2 decimals, or as many as the prices have."},
		"all lighting and paint go up 5%": {"Increase the price by 5% for products in categories Lighting or Paint; round to 2 decimals, or as many as the prices have."},
		"Hand tools up 5% except C1 and Stan, which go up 2%": {
			`Increase the price by 5% for products in category "Hand Tools", except brand Stan and except SKU C1; round to 2 decimals, or as many as the prices have.`, "Increase the price by 2% for products with SKU C1; round to 2 decimals, or as many as the prices have.",
			`Increase the price by 2% for products in category "Hand Tools" of brand Stan, except SKU C1; round to 2 decimals, or as many as the prices have.`,
		},
	} {
		u := New().Read(planning.Request{Instruction: said, Names: shopTable})
		if u.Asked != nil || !slices.Equal(u.Candidates[0].Sentences, want) {
			t.Errorf("%q is read as %v, want %q", said, u, want)
		}
	}
}

// A table with costs, whose rows with each name are counted.
var wardrobe = planning.Names{
	Categories: []string{"Hats", "Tents", "Tables", "Chairs", "Garden Tables", "Garden Chairs", "Cereal"}, Brands: []string{"Acme"}, Tags: []string{"outdoor", "cupcake", "lounger"}, SKUs: []string{"H-1"},
	Products: []string{"Sun Hat", "Wool Hat", "Felt Hat", "Dome Tent", "Ridge Tent", "Lemon Cupcake", "Plain Cupcakes", "Oat Cereal", "Rye Cereal"}, Whole: true, Columns: []string{"sku", "price", "cost"},
	Rows: map[plan.Column]map[string]int64{
		plan.ColumnCategory: {"Hats": 3, "Tents": 2, "Cereal": 1}, plan.ColumnTags: {"outdoor": 4, "cupcake": 1, "lounger": 2},
		plan.ColumnName: {"Lemon Cupcake": 1, "Plain Cupcakes": 1, "Oat Cereal": 1, "Rye Cereal": 1},
	},
}

// What a table has decides whether words can be meant in one way: each is asked about, with the
// choices that there are.
func TestWordsOfTwoMeaningsAreAQuestion(t *testing.T) {
	for said, want := range map[string]struct {
		class   string
		choices int // -1: whatever its amounts may mean
	}{
		"Hats cost us $30":                                {"paid", 1},
		"Hats: cost 10":                                   {"cost_price", 1},
		"Hats got 5% dearer":                              {"together", 0},
		"Hats at least $20, tents +6%":                    {"scope", 2},
		"our cost for hats is $30":                        {"cost_price", 1},
		"Set the cost of H-1 to $9":                       {"cost_price", 1},
		"the cost of hats is now $9":                      {"cost_price", 1},
		"hats that cost us $20 or more up 5%":             {"together", 1},
		"10% off outdoor tables and chairs":               {"scope", 2},
		"10% off outdoor tables and loungers":             {"scope", 1},
		"For outdoor tables and chairs: 10% off":          {"scope", 2},
		"Garden tables and chairs up 5%":                  {"scope", 2},
		"Raise hats, and tents that are in stock, by 5%":  {"scope", 2},
		"Raise one of the hats by $1":                     {"vague_target", -1},
		"Raise any one of the hats by $1":                 {"vague_target", 0},
		"Raise either hat by $1":                          {"either_or", 0},
		"Raise both hats by $1":                           {"beside", 0},
		"Raise both the hats by $1":                       {"beside", 0},
		"both kinds of hats up 5%":                        {"beside", 0},
		"5% off both kinds of hats":                       {"beside", 0},
		"Raise both of the hats by $1":                    {"beside", 0},
		"hats both up $1":                                 {"together", 0},
		"Cupcakes are 30 from now on":                     {"scope", 2},
		"Everything but the cupcakes goes up six percent": {"scope", 2},
		"all coats up 5%":                                 {"unknown_category", 0},
	} {
		if class, all := meant(said, wardrobe); class != want.class || want.choices >= 0 && len(all) != want.choices {
			t.Errorf("%q may be %v, asked %s, want %v", said, all, class, want)
		}
	}
	reads(t, wardrobe, map[string]string{
		"Hats should cost $30":                         "Set the price to 30 for products in category Hats",
		"10% off outdoor tables and Sun Hat":           "Decrease the price by 10% for products in category Tables with tag outdoor",
		"Raise hats and tents that are in stock by 5%": "Increase the price by 5% for products in categories Hats or Tents that are in stock",
		"Raise both tents by $1":                       "Increase the price by an amount of 1 for products in category Tents",
		"Raise all three hats by $1":                   "Increase the price by an amount of 1 for products in category Hats",
		"Raise each one of the hats by $1":             "Increase the price by an amount of 1 for products in category Hats",
		"tents both up $1":                             "Increase the price by an amount of 1 for products in category Tents",
		"both tents and hats up $1":                    "Increase the price by an amount of 1 for products in categories Tents or Hats",
		"everything tagged cupcake is 30":              "Set the price to 30 for products with tag cupcake",
		"5% off cereal":                                "Decrease the price by 5% for products in category Cereal",
	})
	u := New().Read(planning.Request{Instruction: "5% off cereal", Names: wardrobe})
	if want := []string{`"Cereal" is the category; other products have "cereal" in their names.`}; u.Asked != nil || !slices.Equal(u.Candidates[0].Assumes, want) {
		t.Errorf("%+v", u)
	}
	costless := wardrobe
	costless.Columns = []string{"sku", "price"}
	reads(t, costless, map[string]string{"Set the cost of H-1 to $9": "Set the price to 9 for products with SKU H-1", "Hats cost us $30": "",
		"Hats: cost plus $4": "", "Hats markup 60%": "", "30% markup on hats": "", "Hats up $2 a kilo": "", "Hats up $2 a bag": "Increase the price by an amount of 2 for products in category Hats"})
}

// How people say what is left out, what is limited and how much, beside a table.
func TestConstructsThatPeopleTypeAreRead(t *testing.T) {
	shop := wardrobe
	shop.Currency = "EGP"
	const hats = "Increase the price by 5% for products in category Hats"
	reads(t, shop, map[string]string{
		"Increase everything that isn't a hat by 5%":                                  "Increase the price by 5% for all products, except category Hats",
		"Increase everything that isnt tagged outdoor by 5%":                          "Increase the price by 5% for all products, except tag outdoor",
		"Every table without the outdoor tag goes up by 5%":                           "Increase the price by 5% for products in category Tables, except tag outdoor",
		"Raise tables by 5% unless they are tagged outdoor":                           "Increase the price by 5% for products in category Tables, except tag outdoor",
		"outdoor-tagged tables up 5%":                                                 "Increase the price by 5% for products in category Tables with tag outdoor",
		"Everything gets 5% off. The hats don't.":                                     "Decrease the price by 5% for all products, except category Hats",
		"5% off Acme, just not the hats":                                              "Decrease the price by 5% for products of brand Acme, except category Hats",
		"Whole catalogue minus 6%, leaving out the tags outdoor and lounger":          "Decrease the price by 6% for all products, except tags outdoor and lounger",
		"All products that are not already on sale should be put on sale for 10% off": "Set a sale price of 10% below the regular price for products that are not on sale",
		"Take 10% off tables, but Sun Hat gets only 5%":                               "Decrease the price by 10% for products in category Tables, except those that have \"Sun Hat\" in the name",
		"tables down 5%, but keep them at 60 minimum":                                 "Decrease the price by 5% for products in category Tables",
		"tables minus 7%, lowest I accept is 60":                                      "Decrease the price by 7% for products in category Tables",
		"hats +5 EGP":                                                                 "Increase the price by an amount of 5 for products in category Hats",
		"hats 5% off, all four sizes":                                                 "", // nobody knows how many there are
		"hats to 2 CAD":                                                               "", "hats to ¥200": "", "hats to 12 pounds": "",
		"hats +5 RON":                                   "",
		"hats ↑ 5%":                                     hats,
		"Price increases:\n- hats 5%":                   hats,
		"Price increases:\n- hats 5%\n- tables 3%":      hats,
		"hats 12 -> 10":                                 "Set the price to 10 for products in category Hats that are priced exactly 12",
		"Hats 5% on top":                                "",
		"5% on top of every hat":                        hats,
		"Please to rise the hats for 5 %":               hats,
		"lower our prices by 5% for hats":               "Decrease the price by 5% for products in category Hats",
		"Hats add $5":                                   "",
		"Hats add 5%":                                   hats,
		"Hats subtract 5 EGP":                           "Decrease the price by an amount of 5 for products in category Hats",
		"Please apply +5% to hats":                      hats,
		"5% off both kinds of tents":                    "Decrease the price by 5% for products in category Tents",
		"Every hat that still has price 0 should be 30": "Set the price to 30 for products in category Hats that are priced exactly 0",
		"Set 90 as the price on hats":                   "Set the price to 90 for products in category Hats",
		"Hats are now 12 instead of 15":                 "Set the price to 12 for products in category Hats that are priced exactly 15",
		"hats back in stock, in both colours":           "Mark as in stock for products in category Hats.",
	})
	u := New().Read(planning.Request{Instruction: "hats +5 EGP", Names: wardrobe})
	if want := []string{`Read "EGP" as the currency of the prices.`}; u.Asked == nil || len(u.Candidates) != 1 || !slices.Equal(u.Candidates[0].Assumes, want) {
		t.Errorf("a currency that the table has not is read as %+v", u)
	}
	for table, text := range map[string]string{"CAD": "hats +2 CAD, tents +$2", "NZD": "hats +$2", "ARS": "hats +$2", "CLP": "hats +$200", "$": "hats +2 USD", "US$": "hats +2 dollars"} {
		shop.Currency = table
		if u := New().Read(planning.Request{Instruction: text, Names: shop}); u.Asked != nil {
			t.Errorf("%s beside %s is asked about: %+v", text, table, u.Asked)
		}
	}
	for table, text := range map[string]string{"USD": "hats +2 CAD", "NZD": "hats +2 AUD", "$": "hats +2 CAD, tents +2 USD", "CAD": "hats +€2"} {
		shop.Currency = table
		if u := New().Read(planning.Request{Instruction: text, Names: shop}); u.Asked == nil || u.Asked.Class != "currencies" {
			t.Errorf("%s beside %s is read as %+v", text, table, u)
		}
	}
	if u := New().Read(planning.Request{Instruction: "ridges up 5%", Names: wardrobe}); u.Asked == nil || !strings.Contains(u.Asked.Questions[0], "has: Ridge Tent.") {
		t.Errorf("a word of a product's name is asked about as %+v", u)
	}
	if u := New().Read(planning.Request{Instruction: "hats up 5%", Names: planning.Names{Categories: []string{}, Products: []string{"Mug"}, Whole: true}}); u.Asked == nil || !strings.Contains(u.Asked.Questions[0], "No column is known to have any") {
		t.Errorf("a table without names is asked about as %+v", u)
	}
	cases := planning.Names{Categories: []string{"Weft", "weft"}, Whole: true}
	reads(t, cases, map[string]string{
		"wefts up 5%":  "Increase the price by 5% for products in categories Weft or weft",
		`"weft" up 5%`: "Increase the price by 5% for products in category weft",
	})
}

// Of yen nobody pays a fraction: none is written where none is said.
func TestWholePrices(t *testing.T) {
	names := shopTable
	names.WholePrices = true
	for said, want := range map[string]int{
		"7% off paint": 0, "Set paint to 1200": 0, "No paint over 1000": 0, "Paint up 7.5%, at most 900": 0,
		"Paint up 7%, ending in .99": 2, "Set paint to 12.50": 2, "7% off paint, round to 2 decimals": 2, "7% off paint, round to 1 decimal": 1,
	} {
		draft, err := New().Plan(t.Context(), planning.Request{Instruction: said, ExecutionID: "plan_whole_v1", Names: names})
		if err != nil {
			t.Errorf("%q: %v", said, err)
			continue
		}
		for _, op := range draft.Plan.Operations {
			if got := op.Options.Digits(); got != want {
				t.Errorf("%q is rounded to %d, want %d", said, got, want)
			}
		}
	}
}

// A table whose rows with two names are counted, as those of an instruction with all of these.
var cellar = func() planning.Names {
	names := planning.Names{
		Categories: []string{"Wine", "Red", "White", "Gin", "Rack"}, Brands: []string{"Antinori"}, Tags: []string{"gift", "dolls house"},
		Products: []string{"Doll", "Doll House", "Kite", "Gift Box", "Gift Wine", "Wine Rack", "Gin Rack"}, Whole: true, Columns: []string{"price"}, Prices: [2]string{"2", "90"},
		Rows: map[plan.Column]map[string]int64{
			plan.ColumnCategory: {"Wine": 9, "Red": 4, "White": 3, "Gin": 2}, plan.ColumnBrand: {"Antinori": 3}, plan.ColumnTags: {"gift": 4},
			plan.ColumnName: {"Doll": 1, "Doll House": 1, "Kite": 1, "Gift Box": 1, "Gift Wine": 1, "Wine Rack": 1, "Gin Rack": 1},
		},
		Both: map[[2]planning.Name]int64{},
	}
	wine, red, white, gin := planning.Name{Column: plan.ColumnCategory, Name: "Wine"}, planning.Name{Column: plan.ColumnCategory, Name: "Red"}, planning.Name{Column: plan.ColumnCategory, Name: "White"}, planning.Name{Column: plan.ColumnCategory, Name: "Gin"}
	rack := planning.Name{Column: plan.ColumnCategory, Name: "Rack"}
	antinori, gift := planning.Name{Column: plan.ColumnBrand, Name: "Antinori"}, planning.Name{Column: plan.ColumnTags, Name: "gift"}
	all := []planning.Name{wine, red, white, gin, rack, antinori, gift}
	for _, one := range all {
		for _, two := range all {
			names.Both[[2]planning.Name{one, two}] = 0
		}
	}
	for pair, rows := range map[[2]planning.Name]int64{{wine, red}: 4, {wine, white}: 3, {antinori, wine}: 3, {antinori, red}: 2, {antinori, white}: 1, {gift, wine}: 2} {
		names.Both[pair], names.Both[[2]planning.Name{pair[1], pair[0]}] = rows, rows
	}
	names.Both[[2]planning.Name{{Column: plan.ColumnName, Name: "Gift Wine"}, wine}] = 1
	names.Both[[2]planning.Name{{Column: plan.ColumnName, Name: "Gin Rack"}, gin}] = 1
	return names
}()

// What is a tag may be the categories below one, and what is typed as a title is that product,
// and may be the category at the end of a path: with how many choices each is asked.
func TestPathsOfCategoriesNextToOtherNames(t *testing.T) {
	names := planning.Names{
		Categories: []string{"Gifts > Cards", "Gifts > Food", "Gifts > Candles", "Vases"}, Tags: []string{"gift"}, Products: []string{"Candle", "Candle, Rose", "Pet Food"}, Whole: true,
	}
	for said, want := range map[string]int{
		"gifts up 5%": 2, "gift to 20": 2, "everything except gifts up 5%": 2, "tag gift up 5%": 0, "vases up 5%": 0, "candle to 18": 2, "candles up 5%": 0, "pet and food up 5%": 1,
	} {
		if u := New().Read(planning.Request{Instruction: said, Names: names}); (u.Asked != nil) != (want > 0) || want > 0 && len(u.Candidates) != want {
			t.Errorf("%q is read as %v, asked %v", said, u.Candidates, u.Asked)
		}
	}
}

// Each is a question of its class, and the operations of its choices.
func TestRowsInCommonDecideTheQuestion(t *testing.T) {
	for said, want := range map[string]struct {
		class string
		ops   []string
	}{
		"wine up 5%, red 3%":                    {"overlap", []string{"5 Wine -Red; 3 Red", "5 Wine; 3 Red"}},
		"red up 3%, wine up 5%":                 {"overlap", []string{"3 Red; 5 Wine -Red", "3 Red; 5 Wine"}},
		"wine up 5% and red too":                {"overlap", []string{"5 Wine -Red; 5 Red", "5 Wine; 5 Red"}},
		"Wine up 5%. Red up 3%.":                {"overlap", []string{"5 Wine -Red; 3 Red", "5 Wine; 3 Red"}},
		"red to $25, wine to $20":               {"overlap", []string{"25 Red; 20 Wine -Red", "25 Red; 20 Wine"}},
		"wine to $20, red to $25":               {"", []string{"20 Wine; 25 Red"}},
		"wine up 5% but red up 3%":              {"", []string{"5 Wine -Red; 3 Red"}},
		"wine up 5%, gin up 3%":                 {"", []string{"5 Wine; 3 Gin"}},
		"gin up 5%, kite up $1":                 {"", []string{"5 Gin; 1 ~Kite"}},
		"gift up 5%":                            {"scope", []string{"5 gift", "5 ~gift"}},
		"tagged gift up 5%":                     {"", []string{"5 gift"}},
		"gift wine up 5%":                       {"scope", []string{"5 ~Gift Wine", "5 Wine gift", "5 Wine ~gift"}},
		"Antinori: red up 5%; white down 3%":    {"heading", []string{"5 Red Antinori; 3 White Antinori", "5 Red Antinori; 3 White"}},
		"In stock only: red up 5%; white up 3%": {"heading", []string{"5 Red in; 3 White in", "5 Red in; 3 White"}},
		"Antinori: red up 5%; gin down 3%":      {"heading", []string{"5 Red Antinori; 3 Gin Antinori", "5 Red Antinori; 3 Gin"}},
		"gin up 5% except wine":                 {"excepted", []string{"5 Gin -wine", "5 Gin -Wine"}},
		"gin up 5% but wine 3%":                 {"excepted", []string{"5 Gin -wine; 3 Gin ~wine", "5 Gin -Wine; 3 Wine", "5 Gin; 3 Wine"}},
		"gin up 5%, rack 3%":                    {"excepted", []string{"5 Gin -rack; 3 Gin ~rack", "5 Gin; 3 Rack"}},
		"everything up 3%, gin up 5%":           {"overlap", []string{"3 -Gin; 5 Gin", "3; 5 Gin"}},
		"wine up 5%, rack 3%":                   {"", []string{"5 Wine; 3 Rack"}},
		"Antinori: end the sale; gin up 5%":     {"heading", []string{"0 Antinori; 5 Gin Antinori", "0 Antinori; 5 Gin"}},
		"Antinori: sold out; red up 5%":         {"heading", []string{"0 Antinori; 5 Red Antinori", "0 Antinori; 5 Red"}},
		"Antinori: end the sale; gin: up 5%":    {"", []string{"0 Antinori; 5 Gin"}},
		"wine, in-stock items up 5%":            {"scope", []string{"5 Wine; 5 -Wine in", "5 Wine in"}},
		"wine and in-stock items up 5%":         {"", []string{"5 Wine; 5 -Wine in"}},
		"wine up 5% except gin":                 {"", []string{"5 Wine -Gin"}},
		"Red: up 5%; Gin: down 3%":              {"", []string{"5 Red; 3 Gin"}},
		"Kite to 15 and Doll to 29":             {"scope", []string{"15 ~Kite; 29 ~Doll -Doll House", "15 ~Kite; 29 ~Doll"}},
		"everything except the doll up 5%":      {"scope", []string{"5 -Doll; 5 ~Doll House", "5 -Doll"}},
		"everything +5% except wine, gin +2%":   {"scope", []string{"5 -Wine -Gin; 2 Gin", "5 -Wine; 2 Gin"}},
		"everything +5% except gin, gin +2%":    {"", []string{"5 -Gin; 2 Gin"}},
		"gin +1,500%":                           {"thousands", nil},
		"kite up 5%":                            {"", []string{"5 ~Kite"}},
	} {
		class, all := meant(said, cellar)
		var got []string
		for _, rules := range all {
			var ops []string
			for _, op := range rules {
				f, said := op.Filter, []string{op.Action.Value.String()}
				said = append(said, slices.Concat(f.Categories, f.Brands, f.Tags)...)
				if f.NameContains != nil {
					said = append(said, "~"+strings.Join(f.NameContains, ","))
				}
				for _, out := range slices.Concat(f.ExcludeCategories, f.ExcludeNameContains) {
					said = append(said, "-"+out)
				}
				if f.InStock != nil {
					said = append(said, "in")
				}
				ops = append(ops, strings.Join(said, " "))
			}
			got = append(got, strings.Join(ops, "; "))
		}
		if class != want.class || !slices.Equal(got, want.ops) {
			t.Errorf("%q is read as %q (%s), want %q (%s)", said, got, class, want.ops, want.class)
		}
	}
}
