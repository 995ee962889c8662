package reader

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/planning"
)

var outfitter = planning.Names{
	Categories: []string{"Shoes", "Socks", "Yoga", "Hats", "Apple"},
	Brands:     []string{"Nike", "Adidas", "The North Face", "Apple"},
	Tags:       []string{"summer", "clearance", "new in"},
	SKUs:       []string{"A101", "cc-beanie", "40021", "77", "AB 12/3"},
	Products:   []string{"Bobble Hat", "Bobble Hat Deluxe", "Socks"},
	Whole:      true,
}

// withoutRounding is what a plan does, up to how it rounds where nobody says how. An ending
// is kept.
func withoutRounding(sentences string) string {
	done, more, _ := strings.Cut(sentences, "; round to 2 decimals, or as many as the prices have")
	if strings.HasPrefix(more, ", then move") {
		return sentences
	}
	return done
}

// reads tries instructions by what plans of theirs do; empty is a question.
func reads(t *testing.T, names planning.Names, want map[string]string) {
	t.Helper()
	for said, meant := range want {
		u := New().Read(planning.Request{Instruction: said, Names: names})
		got := ""
		if u.Asked == nil {
			got = strings.Join(u.Candidates[0].Sentences, " ")
			got = withoutRounding(got)
		}
		if got != meant {
			t.Errorf("%q is read as %q, want %q (%v)", said, got, meant, u.Asked)
		}
	}
}

func TestNamesOfEachRoleAreRead(t *testing.T) {
	reads(t, outfitter, map[string]string{
		"20% off Nike shoes":                                   "Decrease the price by 20% for products in category Shoes of brand Nike",
		"5% off all Adidas except socks":                       "Decrease the price by 5% for products of brand Adidas, except category Socks",
		"20% off shoes by Nike":                                "Decrease the price by 20% for products in category Shoes of brand Nike",
		"10% off everything tagged clearance":                  "Decrease the price by 10% for products with tag clearance",
		"Raise everything tagged summer by 5%":                 "Increase the price by 5% for products with tag summer",
		"clearance hats 10% off":                               "Decrease the price by 10% for products in category Hats with tag clearance",
		"20% off Nike clearance shoes":                         "Decrease the price by 20% for products in category Shoes of brand Nike with tag clearance",
		"10% off products with 'linen' in the name":            "Decrease the price by 10% for products that have linen in the name",
		`10% off shoes with "linen" or "wool" in the name`:     "Decrease the price by 10% for products in category Shoes that have linen or wool in the name",
		"Raise all by 3% except cc-beanie":                     "Increase the price by 3% for all products, except SKU cc-beanie",
		"Raise all by 3% except 40021 and 77":                  "Increase the price by 3% for all products, except SKUs 40021 and 77",
		"SKU 77 up 5%":                                         "Increase the price by 5% for products with SKU 77",
		"AB 12/3 up 5%":                                        `Increase the price by 5% for products with SKU "AB 12/3"`,
		"Bobble Hat Deluxe up 5%":                              `Increase the price by 5% for products that have "Bobble Hat Deluxe" in the name`,
		"socks up 5%":                                          "Increase the price by 5% for products in category Socks",
		"20% off The North Face":                               `Decrease the price by 20% for products of brand "The North Face"`,
		"20% off Puma shoes":                                   "",
		"20% off brand Puma":                                   "",
		"Raise A999 by 5%":                                     "",
		"Raise 77 by 5%":                                       "",
		"20% off Apple":                                        "",
		"20% off summer and clearance shoes":                   "",
		"Running Nike shoes 5% off":                            "",
		"5% off shoes tagged summer that are tagged clearance": "",
	})
	u := New().Read(planning.Request{Instruction: "20% off Apple", Names: outfitter})
	if len(u.Candidates) != 2 {
		t.Errorf("a name in two roles has the candidates %v", u.Candidates)
	}
	u = New().Read(planning.Request{Instruction: "A101 and bobble hat up 5%", Names: outfitter})
	if u.Asked == nil || len(u.Candidates) != 2 || !strings.Contains(u.Candidates[0].Sentences[1], `except SKU A101 and except those that have "Bobble Hat Deluxe"`) {
		t.Errorf("a title that others have too is read as %+v", u)
	}
}

// Without a list a brand, a tag and a word of the name are told by the word itself.
func TestRolesAreFoundByTheirWords(t *testing.T) {
	reads(t, planning.Names{}, map[string]string{
		"20% off brand Nike":                            "Decrease the price by 20% for products of brand Nike",
		"20% off the Nike brand":                        "Decrease the price by 20% for products of brand Nike",
		`20% off everything of the brand "New Balance"`: `Decrease the price by 20% for products of brand "New Balance"`,
		"everything tagged summer up 5%":                "Increase the price by 5% for products with tag summer",
		"20% off products with linen in the name":       "Decrease the price by 20% for products that have linen in the name",
		"5% off everything made by hand":                "",
		"Increase products not tagged yoga by 10%":      "Increase the price by 10% for all products, except tag yoga",
	})
	reads(t, planning.Names{Categories: []string{"Shoes"}}, map[string]string{
		"20% off Nike shoes":       "",
		"20% off brand Nike shoes": "Decrease the price by 20% for products in category Shoes of brand Nike",
	})
	reads(t, planning.Names{Brands: []string{"Nike"}}, map[string]string{
		"20% off Nike": "Decrease the price by 20% for products of brand Nike",
		"20% off mugs": "Decrease the price by 20% for products in category mugs",
	})
}

func TestSalesAndCostsAreRead(t *testing.T) {
	const left = " (products whose sale price would be 0 or not below the regular price, or that customers would pay more for, are left alone)."
	for said, want := range map[string]string{
		"put the yoga range on offer at 20% off":                 "Set a sale price of 20% below the regular price for products in category Yoga; round to 2 decimals, or as many as the prices have" + left,
		"put the yoga range on sale at 20% off":                  "Set a sale price of 20% below the regular price for products in category Yoga; round to 2 decimals, or as many as the prices have" + left,
		"For yoga I want cost + 95%":                             "",
		"sale price 19.99 for A101":                              "Set the sale price to 19.99 for products with SKU A101; round to 2 decimals, or as many as the prices have" + left,
		"Set the sale price of A101 to 19.99":                    "Set the sale price to 19.99 for products with SKU A101; round to 2 decimals, or as many as the prices have" + left,
		"end the sale on yoga":                                   "End the sale for products in category Yoga.",
		"5% off shoes that aren't already reduced":               "Decrease the price by 5% for products in category Shoes that are not on sale; round to 2 decimals, or as many as the prices have.",
		"5% off whatever's not on offer":                         "Decrease the price by 5% for products that are not on sale; round to 2 decimals, or as many as the prices have.",
		"5% off whatever is not on sale":                         "Decrease the price by 5% for products that are not on sale; round to 2 decimals, or as many as the prices have.",
		"Raise shoes that are on sale by 5%":                     "Increase the price by 5% for products in category Shoes that are on sale; round to 2 decimals, or as many as the prices have.",
		"Set yoga to cost plus 40%":                              "Set the price to the cost plus 40% for products in category Yoga; round to 2 decimals, or as many as the prices have (products without a cost are left alone).",
		"10% off shoes, but never below cost":                    "Decrease the price by 10% for products in category Shoes; round to 2 decimals, or as many as the prices have, then raise any result below the cost to the lowest such price that is not (products without a cost, or that customers would pay more for, are left alone).",
		"cost plus 40%":                                          "",
		"end the sale":                                           "",
		"Put yoga on sale at 20% off until Sunday":               "",
		"put Nike and Adidas shoes under $50 on sale at 20% off": "",
		"Set yoga to cost plus $5":                               "",
	} {
		u := New().Read(planning.Request{Instruction: said, Names: outfitter})
		got := ""
		if u.Asked == nil {
			got = strings.Join(u.Candidates[0].Sentences, " ")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got): %v\n%s", said, u.Asked, diff)
		}
	}
}

// What only a table tells: products by their titles in singular and plural, when something
// is rather than what is tagged so, pieces in stock rather than prices.
func TestATableIsReadInItsWords(t *testing.T) {
	shop := planning.Names{
		Categories: []string{"Lights", "Pumps", "Bird Feeders", "Gloves"}, Brands: []string{"Greenmantle Ltd", "Haws Tools Ltd"}, Tags: []string{"winter", "kids", "ages 8+", "20 piece"},
		Products: []string{"Floor Pump", "Bottle Cage", "Thermal Bottle", "Bird Feeder", "Kids Gloves", "Bypass Secateurs", "D-Lock Gold"}, SKUs: []string{"40021"}, Whole: true,
	}
	reads(t, shop, map[string]string{
		"winter lights up 8%":                                    "Increase the price by 8% for products in category Lights with tag winter",
		"lights up 8% for the winter":                            "",
		"this winter, lights up 8%":                              "",
		"bottle cages to 8.99 and thermal bottles to 24.99":      `Set the price to 8.99 for products that have "Bottle Cage" in the name`,
		"bird feeders 5% off":                                    `Decrease the price by 5% for products in category "Bird Feeders"`,
		"bird feeder 5% off":                                     "",
		"floor pumps 29.99":                                      "",
		"bypass secateurs 5% off":                                `Decrease the price by 5% for products that have "Bypass Secateurs" in the name`,
		"5% off Greenmantle Ltd & Bottle Cage":                   `Decrease the price by 5% for products of brand "Greenmantle Ltd"`,
		"5% off everything except Greenmantle Ltd, Bottle Cage":  `Decrease the price by 5% for all products, except brand "Greenmantle Ltd" and except those that have "Bottle Cage" in the name`,
		"5% off Bottle Cage, items tagged kids":                  `Decrease the price by 5% for products that have "Bottle Cage" in the name`,
		"greenmantle 5% off":                                     `Decrease the price by 5% for products of brand "Greenmantle Ltd"`,
		"haws 5% off":                                            "",
		"10% off lights over 40 in stock":                        "",
		"10% off lights with more than 40 pieces in stock":       "",
		"10% off lights over $40 in stock":                       "Decrease the price by 10% for products in category Lights that are in stock and priced 40.01 or more",
		"raise 40022 by 5%":                                      "",
		"the sale on the lights is over, end the sale on it":     "End the sale for products in category Lights.",
		"lights for ages 8+ up 5%":                               "Increase the price by 5% for products in category Lights with tag \"ages 8+\"",
		"ages 8+ lights up 5%":                                   "Increase the price by 5% for products in category Lights with tag \"ages 8+\"",
		"20 piece lights up 5%":                                  "Increase the price by 5% for products in category Lights with tag \"20 piece\"",
		"lights back to full price":                              "End the sale for products in category Lights.",
		"put lights on sale with 5% off":                         "Set a sale price of 5% below the regular price for products in category Lights",
		"the vanilla has come down a lot, take $4 off our price": "",
	})
}
