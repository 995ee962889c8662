package pricing_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestLabelsOfExports: brands, tags and words of names find the rows of platforms'
// own exports that a person would find, variants by their products.
func TestLabelsOfExports(t *testing.T) {
	const shopify, woo = "shopify/products_export.csv", "woocommerce/wc-product-export.csv"
	for _, test := range []struct {
		file   string
		filter plan.Filter
		want   []int64
	}{
		{shopify, plan.Filter{Tags: []string{"office"}}, []int64{2, 3, 4, 5}},
		{shopify, plan.Filter{Tags: []string{"cotton, office"}}, []int64{2, 3, 4, 5}},
		{shopify, plan.Filter{ExcludeTags: []string{"cotton"}}, []int64{7, 8, 9, 10}},
		{shopify, plan.Filter{Brands: []string{"Planwright Wear"}, ExcludeNameContains: []string{"Shirt"}}, []int64{7, 8, 9}},
		{shopify, plan.Filter{NameContains: []string{"LINEN TUNIC", "hat"}}, []int64{7, 8, 9}},
		{woo, plan.Filter{NameContains: []string{"hoodie"}, ExcludeNameContains: []string{"zip hoodie"}}, []int64{3, 4, 9}},
		{"squarespace/products.csv", plan.Filter{Tags: []string{"cut"}}, []int64{2, 3, 4}},
		{"squarespace/products.csv", plan.Filter{NameContains: []string{"dahlia"}}, []int64{2, 3, 4}},
		{"bigcommerce-legacy/product_export.csv", plan.Filter{Brands: []string{"Brim"}, ExcludeNameContains: []string{"hat"}}, []int64{2, 7}},
		{"google/feed.tsv", plan.Filter{Brands: []string{"Dune"}, NameContains: []string{"rug sahara", "cushion"}}, []int64{2, 6}},
		{"etsy/EtsyListingsDownload.csv", plan.Filter{Tags: []string{"stoneware", "ladle"}}, []int64{2, 6}},
		{"ecwid/catalog_2026-01-05_09-00.csv", plan.Filter{NameContains: []string{"sun hat"}}, []int64{2, 5, 7}},
		{"magento/catalog_product.csv", plan.Filter{ExcludeNameContains: []string{"bag"}}, []int64{6, 7}},
	} {
		data, err := os.ReadFile(filepath.Join("../../testdata/exports", test.file))
		if err != nil {
			t.Fatal(err)
		}
		got, err := changedRows(t, data, test.filter, table.Settings{})
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s, %+v: rows %v, %v, want %v", test.file, test.filter, got, err, test.want)
		}
	}
}

// changedRows returns the numbers of the rows that a filter selects.
func changedRows(t *testing.T, data []byte, f plan.Filter, s table.Settings) (rows []int64, err error) {
	t.Helper()
	engine, err := pricing.Compile(&plan.Plan{Operations: []plan.Operation{{
		OperationID: "op", Filter: f, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
	}}}, s)
	if err != nil {
		t.Fatal(err)
	}
	var changes bytes.Buffer
	if _, err = engine.Run(t.Context(), bytes.NewReader(data), io.Discard, &changes); err != nil {
		return nil, err
	}
	for line := range strings.Lines(changes.String()) {
		var change pricing.Change
		if err := json.Unmarshal([]byte(line), &change); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, change.Row)
	}
	return rows, nil
}

const labelled = "sku,Marke,Labels,name,price\n" +
	"A,Nike,summer;new,-20% Linen,10.00\n" +
	"B,Adidas,\"summer, new\",Wool,10.00\n" +
	"C,,summer | sale,Linen-cotton,10.00\n" +
	"D,Nike,Summer,,10.00\n"

// TestLabelsOfPlainTables: tags are apart by any of the usual separators, settings
// name columns of any title, and a name may begin like a formula.
func TestLabelsOfPlainTables(t *testing.T) {
	columns := table.Settings{Columns: setting.Columns{Tags: "Labels"}, NearNames: table.NearNamesExact}
	for _, test := range []struct {
		filter plan.Filter
		want   []int64
	}{
		{plan.Filter{Tags: []string{"summer"}}, []int64{2, 3, 4}},
		{plan.Filter{Tags: []string{"new"}}, []int64{2, 3}},
		{plan.Filter{Tags: []string{"summer, new"}}, []int64{3}},
		{plan.Filter{ExcludeTags: []string{"summer"}}, []int64{5}},
		{plan.Filter{Brands: []string{"Nike"}, Tags: []string{"new", "Summer"}}, []int64{2, 5}},
		{plan.Filter{ExcludeBrands: []string{"Nike"}}, []int64{3, 4}},
		{plan.Filter{NameContains: []string{"linen"}}, []int64{2, 4}},
		{plan.Filter{NameContains: []string{"20%"}}, []int64{2}},
		{plan.Filter{ExcludeNameContains: []string{"Linen", "wool"}}, []int64{5}},
		{plan.Filter{NameContains: []string{"silk"}}, nil},
	} {
		got, err := changedRows(t, []byte(labelled), test.filter, columns)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%+v: rows %v, %v, want %v", test.filter, got, err, test.want)
		}
	}
}

// TestUnknownLabels: what holds for categories that no row has, or that look the
// same, holds for brands and tags; of words, for those left out.
func TestUnknownLabels(t *testing.T) {
	for _, test := range []struct {
		filter plan.Filter
		want   []string
	}{
		{plan.Filter{Brands: []string{"nike"}}, []string{`brand "nike", asked for by op: this table has "Nike" in 2 rows`}},
		{plan.Filter{ExcludeTags: []string{"summr"}}, []string{`tag "summr", left out by op: this table has "Summer", "summer"`}},
		{plan.Filter{Tags: []string{"summer"}}, []string{`tag "summer", asked for by op: this table has "summer" in 3 rows, "Summer" in 1 row`}},
		{plan.Filter{ExcludeNameContains: []string{"silk"}}, []string{`product with the words "silk", left out by op: nothing like it was found`}},
	} {
		_, err := changedRows(t, []byte(labelled), test.filter, table.Settings{Columns: setting.Columns{Tags: "Labels"}})
		unknown, ok := errors.AsType[*names.UnknownNamesError](err)
		if !ok {
			t.Errorf("%+v: %v", test.filter, err)
			continue
		}
		var got []string
		for _, name := range unknown.Names {
			got = append(got, name.String())
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v: %s", test.filter, diff)
		}
	}
}

// TestVariantsWithoutTheirProduct: rows whose brand nobody can know are told.
func TestVariantsWithoutTheirProduct(t *testing.T) {
	data := "Handle,Title,Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Price\n,,,,S,A,10\nhat,Hat,Acme,Size,S,B,10\n"
	engine, err := pricing.Compile(&plan.Plan{Operations: []plan.Operation{{
		OperationID: "op", Filter: plan.Filter{Brands: []string{"Acme"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
	}}}, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	summary, err := engine.Run(t.Context(), strings.NewReader(data), io.Discard, io.Discard)
	if err != nil || summary.RowsChanged != 1 || len(summary.AllWarnings()) != 1 || summary.AllWarnings()[0].Code != pricing.LeftUnknownProduct {
		t.Fatalf("%+v, %v", summary, err)
	}
	want := "1 row leaves blank what its product has, and that product is not in this table, or not where the platform has it: as far as op names what is blank there, it is left alone: row 2."
	if got := summary.AllWarnings()[0].Message; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestMagentoCategoriesJoinedByPipes: an export may have been made with | between categories,
// whose names have commas then.
func TestMagentoCategoriesJoinedByPipes(t *testing.T) {
	const data = "sku,product_type,attribute_set_code,categories,name,price,qty\n" +
		"A,simple,Default,Default Category/Gear|Default Category/Sale,Bag,10.00,1\n" +
		"B,simple,Default,Default Category/Sale,Cap,10.00,1\n" +
		"C,simple,Default,\"Default Category/Gear, Default Category/New\",Mug,10.00,1\n"
	for _, test := range []struct {
		filter plan.Filter
		want   []int64
	}{
		{plan.Filter{Categories: []string{"Sale"}}, []int64{2, 3}},
		{plan.Filter{Categories: []string{"Default Category/Gear"}}, []int64{2, 4}},
		{plan.Filter{ExcludeCategories: []string{"Gear"}}, []int64{3}},
		{plan.Filter{Categories: []string{"New"}}, []int64{4}},
	} {
		got, err := changedRows(t, []byte(data), test.filter, table.Settings{})
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%+v: rows %v, %v, want %v", test.filter, got, err, test.want)
		}
	}
}
