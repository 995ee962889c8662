package pricing

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// TestNothingIsLeftOutSilently: of rows that a person would count in, those that
// the platform gives something from another row have it, and the others are told.
func TestNothingIsLeftOutSilently(t *testing.T) {
	caps := plan.Operation{OperationID: "up", Filter: plan.Filter{Categories: []string{"Caps"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	butCaps := caps
	butCaps.Filter = plan.Filter{ExcludeCategories: []string{"Caps"}}
	inStock := caps
	inStock.Filter.InStock = ptr(true)
	const shopify = "Handle,Option1 Name,Type,Variant SKU,Variant Price\n"
	const titled = "Handle,Title,Vendor,Tags,Option1 Name,Variant SKU,Variant Price\n"
	tees := func(f plan.Filter) plan.Operation {
		return plan.Operation{OperationID: "up", Filter: f, Action: caps.Action}
	}
	const woo = "ID,Type,SKU,Is featured?,Categories,Regular price\n1,simple,A,0,Caps,10\n"
	const magento = "sku,store_view_code,attribute_set_code,product_type,configurable_variations,categories,price\n"
	const plain = "sku,category,price,in_stock\n"
	for _, test := range []struct {
		name, text string
		op         plan.Operation
		changed    int64
		want       []string
	}{
		{"a variant that is not below its product", shopify + "a,Size,Caps,A,10\nb,Size,Hats,B,10\na,,,A2,10\n", caps, 1, []string{"unknown_product 1 [4]"}},
		{"a variant before its product", shopify + "a,,,A2,10\nb,Size,Hats,B,10\na,Size,Caps,A,10\n", caps, 1, []string{"unknown_product 1 [2]"}},
		{"a variant of a category that is left out", shopify + "a,Size,Caps,A,10\nb,Size,Hats,B,10\na,,,A2,10\n", butCaps, 1, []string{"unknown_product 1 [4]"}},
		{"two variants apart, of words of the name", titled + "a,Red Tee,Acme,new,Size,A,10\nb,Hat,Zed,old,Size,B,10\na,,,,,A2,10\na,,,,,A3,10\n", tees(plan.Filter{NameContains: []string{"tee"}}), 1, []string{"unknown_product 2 [4 5]"}},
		{"of words that are left out", titled + "a,Red Tee,Acme,new,Size,A,10\nb,Hat,Zed,old,Size,B,10\na,,,,,A2,10\n", tees(plan.Filter{ExcludeNameContains: []string{"tee"}}), 1, []string{"unknown_product 1 [4]"}},
		{"of a category that is left out, with titles", "Handle,Title,Type,Option1 Name,Variant SKU,Variant Price\na,Red Tee,Caps,Size,A,10\nb,Hat,Hats,Size,B,10\na,,,,A2,10\n", butCaps, 1, []string{"unknown_product 1 [4]"}},
		{"of a brand that is left out", titled + "a,Red Tee,Acme,new,Size,A,10\nb,Hat,Zed,old,Size,B,10\na,,,,,A2,10\n", tees(plan.Filter{ExcludeBrands: []string{"Acme"}}), 1, []string{"unknown_product 1 [4]"}},
		{"of a tag that is left out", titled + "a,Red Tee,Acme,new,Size,A,10\nb,Hat,Zed,old,Size,B,10\na,,,,,A2,10\n", tees(plan.Filter{ExcludeTags: []string{"new"}}), 1, []string{"unknown_product 1 [4]"}},
		{"whose own brand is known", titled + "a,Red Tee,Acme,new,Size,A,10\nb,Hat,Zed,old,Size,B,10\na,,Zed,,,A2,10\n", tees(plan.Filter{ExcludeBrands: []string{"Acme"}}), 2, nil},
		{"of all", titled + "a,Red Tee,Acme,new,Size,A,10\nb,Hat,Zed,old,Size,B,10\na,,,,,A2,10\n", tees(plan.Filter{}), 3, nil},
		{"of a brand, before its product", titled + "a,,,,,A2,10\na,Red Tee,Acme,new,Size,A,10\na,,,,,A3,10\n", tees(plan.Filter{Brands: []string{"Acme"}}), 2, []string{"unknown_product 1 [2]"}},
		{"of a tag", titled + "a,Red Tee,Acme,new,Size,A,10\nb,Hat,Zed,,Size,B,10\na,,,,,A2,10\nb,Hat,Zed,,Size,B,10\n", tees(plan.Filter{Tags: []string{"new"}}), 1, []string{"unknown_product 1 [4]"}},
		{"a row for a store view", magento + "A,,Cap,simple,,Caps,10\nA,german,Cap,simple,,,12\nB,,Cap,simple,,Hats,10\nB,german,Hat,simple,,,12\n", caps, 2, nil},
		{"a row for a store view above", magento + "A,german,Cap,simple,,,12\nA,,Cap,simple,,Caps,10\n", caps, 2, nil},
		{"a variant in a plain table", plain + "A,Caps,10,true\nA2,,10,true\nB,Hats,10,true\n", caps, 1, []string{"blank_category 1 [3]"}},
		{"rows in stock", plain + "A,Caps,10,true\nA2,,10,true\nA3,,10,false\nB,Hats,10,true\n", inStock, 1, []string{"blank_category 1 [3]"}},
		{"another delimiter", woo + "2;simple;B;0;Caps;10\n3,simple,C,0,Caps\n", caps, 1, []string{"odd_rows 2 [3 4]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			summary, err := compile(t, table.Settings{}, test.op).Run(t.Context(), strings.NewReader(test.text), &bytes.Buffer{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, w := range summary.AllWarnings() {
				got = append(got, fmt.Sprint(w.Code, " ", w.Rows, " ", w.FirstRows))
			}
			if diff := cmp.Diff(test.want, got); diff != "" || summary.RowsChanged != test.changed {
				t.Errorf("%d rows changed, want %d; warnings: %s", summary.RowsChanged, test.changed, diff)
			}
		})
	}
}

// TestStockOfZerosAndOnes: under the title of a quantity they are one, and what
// is written is a quantity that somebody said.
func TestStockOfZerosAndOnes(t *testing.T) {
	in := stock("s", true, plan.Filter{})
	for title, words := range map[string]bool{"Bestand": false, "Voorraad": false, "Vorrätig": true, "in_stock": true} {
		text := "sku,price," + title + "\nA,1,0\nB,1,1\n"
		_, err := compile(t, table.Settings{}, in).Run(t.Context(), strings.NewReader(text), &bytes.Buffer{})
		if (err == nil) != words {
			t.Errorf("%s: %v, want it read as words: %t", title, err, words)
		}
		got := runTable(t, compile(t, table.Settings{InStockQuantity: new(int64(12))}, in), text)
		if written := strings.Contains(got.Out, "A,1,1\n"); written != words {
			t.Errorf("%s: %q", title, got.Out)
		}
	}
	words := "sku,price,Bestand\nA,1,0\nB,1,true\n"
	if got := runTable(t, compile(t, table.Settings{}, in), words); got.Out != strings.Replace(words, "A,1,0", "A,1,1", 1) {
		t.Errorf("words under the title of a quantity: %q", got.Out)
	}
}
