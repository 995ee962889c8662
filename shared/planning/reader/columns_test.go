package reader

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// A word that a column is called is that column, and no other in silence.
func TestAColumnsWordIsThatColumn(t *testing.T) {
	names := planning.Names{
		Categories: []string{"Grow", "Nutrients"}, Brands: []string{"Clonex", "Advanced Nutrients"}, Tags: []string{"organic"}, Whole: true,
		Columns: []string{"", "brand", "price", "category", "tags"},
	}
	sentences := []string{
		"Raise everything of the _ Clonex by 8%", "Raise _ Clonex by 8%", "Clonex _ products up 8%", "10% off _ \"Advanced Nutrients\"", "10% off everything from the _ Clonex",
		"the _ Clonex up 8%", "_ Clonex: 5% off", "Raise everything by 5% except the _ Clonex", "Mark _ Clonex as out of stock", "Set _ Clonex to $5",
	}
	for _, title := range []string{"Vendor Name", "Vendor", "vendor_name", "VendorName", "Product Vendor", "Vendor ID", "Vendors"} {
		names.Titles = []string{title, "Manufacturer", "Price", "Category", "Tags"}
		for _, sentence := range sentences {
			said := strings.Replace(sentence, "_", "vendor", 1)
			u := New().Read(planning.Request{Instruction: said, Names: names})
			if u.Asked == nil || len(u.Candidates) > 0 && u.Asked.Class != "column" {
				t.Errorf("%q with a column %s is read as %+v", said, title, u)
			}
		}
		u := New().Read(planning.Request{Instruction: "Raise everything of the vendor Clonex by 8%", Names: names})
		if u.Asked == nil || u.Asked.Class != "column" || !strings.Contains(u.Asked.Questions[0], `"`+title+`"`) {
			t.Errorf("%s: %+v", title, u.Asked)
		}
	}
	for _, titles := range [][]string{ // the brands' own column, another's number, and none of the word
		{"Barcode", "Vendor", "Price", "Category", "Tags"}, {"Vendor SKU", "Manufacturer", "Price", "Category", "Tags"},
		{"Vendor", "Vendor Name", "Price", "Category", "Tags"}, nil,
	} {
		names.Titles = titles
		reads(t, names, map[string]string{"Raise vendor Clonex by 8%": "Increase the price by 8% for products of brand Clonex"})
	}
	names.Titles = []string{"Department", "Manufacturer", "Price", "Category", "Label"}
	reads(t, names, map[string]string{
		"department Grow up 5%": "", "the Grow department up 5%": "", "manufacturer Clonex up 5%": "Increase the price by 5% for products of brand Clonex",
		"category Grow up 5%": "Increase the price by 5% for products in category Grow", "everything tagged organic up 5%": "Increase the price by 5% for products with tag organic",
	})
	names.Titles = []string{"Brand", "Manufacturer", "Price", "Category", "Tags"}
	reads(t, names, map[string]string{"brand Clonex up 5%": "", "Clonex up 5%": "Increase the price by 5% for products of brand Clonex"})
}

// A brand that is in the names of more products than are of it may be either, the name first.
func TestABrandOfFewProductsMayBeAWord(t *testing.T) {
	rows := func(brand int64) planning.Names {
		return planning.Names{
			Categories: []string{"Gels"}, Brands: []string{"Clonex", "Acme Ltd"}, Products: []string{"Clonex Gel", "Clonex Mist", "Root Clonex", "Clonexian Vase"}, Whole: true,
			Rows: map[plan.Column]map[string]int64{
				plan.ColumnBrand: {"Clonex": brand}, plan.ColumnName: {"Clonex Gel": 5, "Clonex Mist": 5, "Root Clonex": 5, "Clonexian Vase": 40},
			},
		}
	}
	for _, said := range []string{
		"everything Clonex up 6%", "all Clonex up 6%", "Clonex up 6%", "clonex +6%", "increase Clonex by 6%", "Clonex products up 6%", "6% off Clonex", "Clonex: 6% off", "Set Clonex to $5",
		"everything except Clonex up 5%", "10% off Clonex gels", "mark all Clonex as out of stock", "everything by Clonex up 6%",
		"Clonex and Acme up 5%", "Acme up 5%, Clonex up 3%", "Acme, Clonex 5% off",
	} {
		u := New().Read(planning.Request{Instruction: said, Names: rows(5)})
		if u.Asked == nil {
			t.Errorf("%q is planned as %v", said, u.Candidates[0].Sentences)
		} else if strings.HasPrefix(said, "everything Clonex") && (len(u.Candidates) != 2 || u.Candidates[0].Operations[0].Filter.NameContains == nil || u.Candidates[1].Operations[0].Filter.Brands == nil) {
			t.Errorf("%q is offered as %+v", said, u.Candidates)
		}
	}
	const brand = "Increase the price by 6% for products of brand Clonex"
	reads(t, rows(5), map[string]string{"brand Clonex up 6%": brand, "increase the brand Clonex by 6%": brand, "Clonex brand products up 6%": brand})
	listed := rows(5)
	listed.Brands = append(listed.Brands, "Nord", "Sued", "West")
	reads(t, listed, map[string]string{
		"Increase the price by 6% for products of brands Nord, Sued, West or Clonex; round to 2 decimals, or as many as the prices have.": "Increase the price by 6% for products of brands Nord, Sued, West or Clonex",
		"Nord, Sued, West and Clonex up 6%": "",
	})
	reads(t, rows(15), map[string]string{"everything Clonex up 6%": brand, "Clonex up 6%": brand})
}
