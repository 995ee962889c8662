package overview_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
)

func overviewOf(t *testing.T, text string, s setting.Settings, asked string, load row.Workload) *overview.Overview {
	t.Helper()
	var words *overview.Instruction
	if asked != "" {
		words = overview.NewInstruction(asked)
	}
	found, err := overview.Read(t.Context(), strings.NewReader(text), s, words, load)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

const shop = "sku,category,brand,tags,name,price,in_stock\n" +
	"cc-beanie,Hats,Nike,\"winter, sale\",Classic Blue Beanie,12.50,true\n" +
	"A-103,Hoodies,Nike,winter,Yoga Hoodie,40,false\n" +
	"A-104,Hoodies,Adidas,,Sun Hat,9.99,true\n" +
	"A-105,Hoodies,,,Yoga Mat,oops,perhaps\n"

func TestOverview(t *testing.T) {
	found := overviewOf(t, shop, setting.Settings{}, "", row.UsualWorkload())
	two := int64(2)
	want := map[recognize.Role][]names.Spelling{
		recognize.RoleSKU:      nil,
		recognize.RoleName:     nil,
		recognize.RoleCategory: {{Name: "Hoodies", Rows: 3}, {Name: "Hats", Rows: 1}},
		recognize.RoleBrand:    {{Name: "Nike", Rows: 2}, {Name: "Adidas", Rows: 1}},
		recognize.RoleTags:     {{Name: "winter", Rows: 2}, {Name: "sale", Rows: 1}},
	}
	if diff := cmp.Diff(want, found.Names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if found.Rows != 4 || found.Least != "9.99" || found.Greatest != "40" || found.InStock == nil || *found.InStock != two {
		t.Errorf("%d rows, prices %s to %s, %v in stock", found.Rows, found.Least, found.Greatest, found.InStock)
	}
	remarks := map[string][]int64{}
	for _, remark := range found.Remarks {
		remarks[remark.Code+" "+remark.Arguments[0]] = remark.FirstRows
	}
	if diff := cmp.Diff(map[string][]int64{"odd_rows price": {5}, "odd_rows stock": {5}}, remarks); diff != "" {
		t.Errorf("remarks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"cc-beanie", "A-103", "A-104"}, found.Findings[0].Samples); diff != "" {
		t.Errorf("samples of the SKU (-want +got):\n%s", diff)
	}
}

// TestOverviewOfWords finds the SKUs and products' names that an instruction is about.
func TestOverviewOfWords(t *testing.T) {
	found := overviewOf(t, shop, setting.Settings{}, "Raise all YOGA hoodies except cc-beanie, and the yoga mat", row.UsualWorkload())
	if diff := cmp.Diff([]names.Spelling{{Name: "cc-beanie", Rows: 1}}, found.Names[recognize.RoleSKU]); diff != "" {
		t.Errorf("SKUs (-want +got):\n%s", diff)
	}
	want := []names.Spelling{{Name: "Yoga Mat", Rows: 1}, {Name: "Yoga Hoodie", Rows: 1}, {Name: "Classic Blue Beanie", Rows: 1}}
	if diff := cmp.Diff(want, found.Names[recognize.RoleName]); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// TestOverviewOfAlikeSKUs finds the SKUs that a text has with other zeros, or in other
// letters and dashes.
func TestOverviewOfAlikeSKUs(t *testing.T) {
	const text = "sku,price\n007,1.00\n8,1.00\nA\u2011103,1.00\n\u0410-9,1.00\n=\"0012\",1.00\n0099,1.00\n"
	found := overviewOf(t, text, setting.Settings{}, "Raise 7, \"008\", A-103, a-9 and SKU 12 by 5%", row.UsualWorkload())
	var got []string
	for _, sku := range found.Names[recognize.RoleSKU] {
		got = append(got, sku.Name)
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"0012", "007", "8", "A\u2011103", "\u0410-9"}, got); diff != "" {
		t.Errorf("SKUs (-want +got):\n%s", diff)
	}
}

// TestOverviewOfNamesInCommon counts the rows that have two of the names that a text has, and
// says which of them each product's name comes with.
func TestOverviewOfNamesInCommon(t *testing.T) {
	found := overviewOf(t, shop+"A-106,Hats,,winter,Yoga Hoodie,3,true\n", setting.Settings{}, "winter hat, and all hoodies", row.UsualWorkload())
	hats, hoodies, winter := overview.Named{Role: recognize.RoleCategory, Name: "Hats"}, overview.Named{Role: recognize.RoleCategory, Name: "Hoodies"}, overview.Named{Role: recognize.RoleTags, Name: "winter"}
	want := map[[2]overview.Named]int64{
		{hats, hats}: 2, {hoodies, hoodies}: 3, {winter, winter}: 3,
		{hats, hoodies}: 0, {hoodies, hats}: 0, {hats, winter}: 2, {winter, hats}: 2, {hoodies, winter}: 1, {winter, hoodies}: 1,
		{{Role: recognize.RoleName, Name: "Sun Hat"}, hoodies}: 1, {{Role: recognize.RoleName, Name: "Yoga Hoodie"}, winter}: 2,
	}
	if diff := cmp.Diff(want, found.Both); diff != "" {
		t.Errorf("rows in common (-want +got):\n%s", diff)
	}
	var many strings.Builder
	for i := range 65 {
		fmt.Fprintf(&many, "tag%d, ", i)
	}
	if found := overviewOf(t, "sku,tags,price\na,\""+many.String()+"\",1\n", setting.Settings{}, many.String(), row.UsualWorkload()); found.Both != nil {
		t.Errorf("of 65 names %d pairs are counted", len(found.Both))
	}
}

// TestOverviewIsTheSameByAnyWorkers compares blocks of any size, one of which is not
// in order, with a plain count.
func TestOverviewIsTheSameByAnyWorkers(t *testing.T) {
	var text strings.Builder
	text.WriteString("sku,category,tags,price\n")
	for i := range 20_000 {
		price := fmt.Sprint(i%97) + ".50"
		if i%5_000 == 4_999 {
			price = "?"
		}
		fmt.Fprintf(&text, "s%d,\"c%d\n\",t%d,%s\n", i, i%7, i%3, price)
	}
	whole := overviewOf(t, text.String(), setting.Settings{}, "s7 s19999 t1 c2", row.Workload{ReadBytes: 4 << 20, WriteBytes: 1 << 10, Workers: 1})
	for _, load := range []row.Workload{{ReadBytes: 700, WriteBytes: 1 << 10, Workers: 5}, {ReadBytes: 5_000, WriteBytes: 1 << 10, Workers: 2}} {
		if diff := cmp.Diff(whole, overviewOf(t, text.String(), setting.Settings{}, "s7 s19999 t1 c2", load)); diff != "" {
			t.Errorf("by %+v (-one +others):\n%s", load, diff)
		}
	}
	if rows := whole.Names[recognize.RoleCategory][0].Rows; whole.Rows != 20_000 || rows != 2858 || len(whole.Names[recognize.RoleSKU]) != 2 || whole.Greatest != "96.50" {
		t.Errorf("%d rows, %d of the first, SKUs %v, up to %s", whole.Rows, rows, whole.Names[recognize.RoleSKU], whole.Greatest)
	}
	if both := whole.Both[[2]overview.Named{{Role: recognize.RoleCategory, Name: "c2\n"}, {Role: recognize.RoleTags, Name: "t1"}}]; both != 952 {
		t.Errorf("%d rows in common", both)
	}
	for _, remark := range whole.Remarks {
		if remark.Is(overview.RemarkOddRows, overview.OddPrice) && (remark.Rows != 4 || remark.FirstRows[0] != 5_001) {
			t.Errorf("unreadable prices: %+v", remark)
		}
	}
}

// TestOverviewOfAnyTable takes tables that no plan could be carried out on, and
// says what is not known of them. One whose rows cannot be told apart is refused.
func TestOverviewOfAnyTable(t *testing.T) {
	found := overviewOf(t, "Was,Wieviel\nHut,\"1,299\"\n", setting.Settings{}, "", row.UsualWorkload())
	codes := map[string]bool{}
	for _, remark := range found.Remarks {
		codes[remark.Code+" "+remark.Arguments[0]] = true
	}
	if !codes["question column"] || found.InStock != nil || found.Least != "" {
		t.Errorf("remarks %v, %v in stock, from %q", found.Remarks, found.InStock, found.Least)
	}
	found = overviewOf(t, "sku,price\na,\"1,299\"\n", setting.Settings{}, "", row.UsualWorkload())
	if codes := found.Remarks; len(codes) < 2 || !codes[len(codes)-1].Is(overview.RemarkQuestion, overview.AboutPrices) {
		t.Errorf("remarks %+v", codes)
	}
	found = overviewOf(t, "sku,price\na,1\nb\nc,2\n", setting.Settings{}, "", row.UsualWorkload())
	if last := found.Remarks[len(found.Remarks)-1]; !last.Is(overview.RemarkOddRows, overview.OddCells) || last.Rows != 1 || last.FirstRows[0] != 3 {
		t.Errorf("of a short row it says %+v", found.Remarks)
	}
	_, err := overview.Read(t.Context(), bytes.NewReader([]byte("sku,price\na,1\nb")), setting.Settings{}, nil, row.UsualWorkload())
	var input *row.InputError
	if !errors.As(err, &input) || input.Faults[0].Row != 3 {
		t.Errorf("a file that was cut off: %v", err)
	}
}

// TestOverviewOfCurrencies finds what prices are in beside them, where they do not say it.
func TestOverviewOfCurrencies(t *testing.T) {
	for text, want := range map[string]string{
		"TITLE,PRICE,CURRENCY_CODE,QUANTITY,IMAGE1\nMug,28,EUR,1,x\n": "EUR false",
		"sku,price,Currency\nA,¥28,CNY\n":                             "¥ false",
		"sku,price,Currency\nA,28,JPY\n":                              "JPY true",
		"sku,price,Currency\nA,28,yes\n":                              " false",
	} {
		if found := overviewOf(t, text, setting.Settings{}, "", row.UsualWorkload()); fmt.Sprint(found.Currency, " ", found.WholePrices) != want {
			t.Errorf("%q is in %q, whole %t, want %s", text, found.Currency, found.WholePrices, want)
		}
	}
	found := overviewOf(t, "sku,price,Currency\nA,28,EUR\nB,28,USD\n", setting.Settings{}, "", row.UsualWorkload())
	if at := slices.IndexFunc(found.Remarks, func(r overview.Remark) bool { return r.Is(overview.RemarkOddRows, overview.OddCurrency) }); at < 0 || found.Remarks[at].FirstRows[0] != 3 {
		t.Errorf("remarks %+v", found.Remarks)
	}
}

// TestOverviewIsBounded counts names that never end.
func TestOverviewIsBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString("sku,category,price\n")
	for i := range 3 * 10_000 {
		fmt.Fprintf(&text, "yoga %d,c%d,1\n", i, i)
	}
	found := overviewOf(t, text.String(), setting.Settings{}, "yoga 29999", row.UsualWorkload())
	if n := len(found.Names[recognize.RoleCategory]); n != 10_000 || len(found.Cut) != 1 {
		t.Errorf("%d categories, cut %v", n, found.Cut)
	}
	if names := found.Names[recognize.RoleSKU]; len(names) != 1_000 || names[0].Name != "yoga 29999" {
		t.Errorf("%d SKUs, the likeliest %v", len(names), names[0])
	}
}

// TestOverviewOfSales counts the rows that are on sale as their platform has it.
func TestOverviewOfSales(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join("../../../testdata/exports", path))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const dated = "ID,Type,SKU,Is featured?,Sale price,Regular price,Date sale price starts,Date sale price ends\n1,simple,A,0,80,100,,2026-01-01\n2,simple,B,0,80,100,,\n3,simple,C,0,ask,100,,2026-01-01\n"
	const beside, was = "sku,price,sale_price\nA,10,8\nB,10,10\nC,10,12\nD,10,\nE,10,0\nF,,8\nG,10,oops\n", "sku,price,compare_at_price\nA,10,12\nB,10,10\nC,10,8\nD,10,\nE,9.99,10\n"
	for _, test := range []struct {
		name, text string
		columns    setting.Columns
		want       string
		remarks    []string
	}{
		{"shopify", read("shopify/products_export.csv"), setting.Columns{}, "2", nil},
		{"woocommerce", read("woocommerce/wc-product-export.csv"), setting.Columns{}, "1", nil},
		{"beside the price", beside, setting.Columns{}, "1", []string{"price [8]"}},
		{"what the price was", was, setting.Columns{}, "2", nil},
		{"no such column", shop, setting.Columns{}, "unknown", nil},
		{"with dates", dated, setting.Columns{}, "2", []string{"price [4]", "dates [2]"}},
		{"both forms", "sku,price,sale_price,compare_at_price\nA,10,8,12\n", setting.Columns{}, "unknown", nil},
		{"both forms, of which one is said", "sku,price,sale_price,compare_at_price\nA,10,8,\n", setting.Columns{SalePrice: "sale_price"}, "1", nil},
		{"prices with two readings", "sku,price,sale_price\nA,\"1.299\",8.00\n", setting.Columns{}, "unknown", nil},
		{"a column that is said", "sku,price,reduced\nA,10,8\nB,10,\n", setting.Columns{SalePrice: "reduced"}, "1", nil},
	} {
		for _, load := range []row.Workload{row.UsualWorkload(), {ReadBytes: 700, WriteBytes: 1 << 10, Workers: 3}} {
			got, found := "unknown", overviewOf(t, test.text, setting.Settings{Columns: test.columns}, "", load)
			if found.OnSale != nil {
				got = fmt.Sprint(*found.OnSale)
			}
			var remarks []string
			for _, r := range found.Remarks {
				if r.Code == overview.RemarkSaleUnreadable {
					remarks = append(remarks, fmt.Sprint(r.Arguments[0], " ", r.FirstRows))
				}
			}
			if got != test.want || !slices.Equal(remarks, test.remarks) {
				t.Errorf("%s: %s on sale, %q, want %s, %q", test.name, got, remarks, test.want, test.remarks)
			}
		}
	}
}

// TestOverviewOfAlikeNames: they are one remark of each column, with the rows of each.
func TestOverviewOfAlikeNames(t *testing.T) {
	found := overviewOf(t, "sku,category,brand,tags,price\nA1,Men's,Nike,\"new, NEW\",1\nA2,Men\u2019s,Nike,new,1\nA3,Men's,Kids & Co,,1\nA4,T-Shirts,Kids &amp; Co,,1\nA5,T\u2011Shirts,,,1\n",
		setting.Settings{}, "", row.UsualWorkload())
	got := map[string]int64{}
	for _, r := range found.Remarks {
		if r.Code == overview.RemarkNamesAlike {
			got[r.Message] = r.Rows
		}
	}
	const refused = " A plan that has one of them and not the others is refused, unless {near_names=exact}."
	want := map[string]int64{
		"Names in the column of category that look the same: \"Men's\" in 2 rows, \"Men\u2019s\" in 1 row; \"T-Shirts\" in 1 row, \"T\u2011Shirts\" in 1 row." + refused: 5,
		"Names in the column of brand that look the same: \"Kids & Co\" in 1 row, \"Kids &amp; Co\" in 1 row." + refused:                                                 2,
		"Names in the column of tags that look the same: \"new\" in 2 rows, \"NEW\" in 1 row." + refused:                                                                 3,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("remarks (-want +got):\n%s", diff)
	}
}

func TestOverviewHasValuesOfOtherColumns(t *testing.T) {
	const drafts = "sku,price,Status,Note,Size,size\nA,1,draft,999,XL,XL\nB,2,Draft,all,S,S\nC,3,draft,all draft products,S,S\nD,4,,draft of a long text that nobody types,S,S\n"
	found := overviewOf(t, drafts, setting.Settings{}, "All draft products 999, XL", row.Workload{Workers: 2, ReadBytes: 32})
	want := []overview.ColumnValue{{Title: "Status", Value: "draft", Rows: 2}, {Title: "Note", Value: "all", Rows: 1}, {Title: "Note", Value: "all draft products", Rows: 1}, {Title: "Status", Value: "Draft", Rows: 1}}
	if diff := cmp.Diff(want, found.Values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if more := overviewOf(t, drafts, setting.Settings{}, "", row.UsualWorkload()); more.Values != nil {
		t.Errorf("without a text there are the values %v", more.Values)
	}
}
