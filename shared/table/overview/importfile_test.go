package overview_test

import (
	"bytes"
	"iter"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/test/expect"
)

func numbers(rows ...int64) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func importOf(t *testing.T, text string, roles []recognize.Role, rows ...int64) string {
	t.Helper()
	w := row.UsualWorkload()
	var settings setting.Settings
	if strings.Contains(text, "Price, EUR") {
		settings.Columns.Price = "Price, EUR"
	}
	f := expect.Result(overview.OpenImportFile(strings.NewReader(text), settings, roles, w))(t)
	var out bytes.Buffer
	expect.NoError(t, f.Write(t.Context(), numbers(rows...), &out, w))
	return out.String()
}

var price = []recognize.Role{recognize.RolePrice}

func TestAnImportFileHasItsKeysAndWhatChanged(t *testing.T) {
	for name, test := range map[string]struct {
		table string
		roles []recognize.Role
		rows  []int64
		want  string
	}{
		"plain": {"sku,category,price,in_stock\r\nA,x,1,yes\r\n\"B\",y,\"2,5\",no\r\nC,z,3,yes\r\n", price, []int64{3},
			"sku,price\r\n\"B\",\"2,5\"\r\n"},
		"semicolons and a sep line": {"sep=;\nsku;price;note\nA;1,5;x\nB;2,5;y\n", price, []int64{2}, "sku;price\nA;1,5\n"},
		"a byte-order mark":         {"\ufeffsku,price,note\nA,1,x\n", price, []int64{2}, "\ufeffsku,price\nA,1\n"},
		"a title in quotes":         {"sku,\"Price, EUR\",note\nA,1,x\n", price, []int64{2}, "sku,\"Price, EUR\"\nA,1\n"},
		"nothing":                   {"sku,price\nA,1\n", price, nil, "sku,price\n"},
		"Shopify takes the variants of a product together": {
			"Handle,Title,Body,Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src\n" +
				"hat,Hat,b,N,Size,S,H1,5,i1\nhat,,,,Size,M,H2,6,\nhat,,,,,,,,i2\n" +
				"cap,Cap,b,N,Size,S,C1,7,i3\n", price, []int64{3},
			"Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\n" +
				"hat,Hat,Size,S,H1,5\nhat,,Size,M,H2,6\n"},
		"WooCommerce finds each by its id": {
			"ID,Type,SKU,Name,Regular price,Categories,Parent,Sale price,In stock?,Stock\n" +
				"1,variable,P,Shirt,,Tops,,,1,\n2,variation,P-S,Shirt S,10,,P,,1,\n3,variation,P-M,Shirt M,11,,P,9,1,\n",
			[]recognize.Role{recognize.RolePrice, recognize.RoleSalePrice}, []int64{4},
			"ID,Type,SKU,Regular price,Parent,Sale price\n3,variation,P-M,11,P,9\n"},
	} {
		t.Run(name, func(t *testing.T) {
			expect.Equal(t, "the file", test.want, importOf(t, test.table, test.roles, test.rows...))
		})
	}
}

func TestAnImportFileHasEveryColumnThatChanged(t *testing.T) {
	_, err := overview.OpenImportFile(strings.NewReader("sku,price\nA,1\n"), setting.Settings{}, []recognize.Role{recognize.RolePrice, recognize.RoleSalePrice}, row.UsualWorkload())
	expect.ErrorIf(t, err == nil, "the sale's price is left out without a word")
}

func TestAnImportFileKeepsItsEncoding(t *testing.T) {
	for name, encode := range map[string]func(string) string{
		"Windows-1252": func(s string) string { return strings.ReplaceAll(s, "é", "\xe9") },
		"UTF-16": func(s string) string {
			var out strings.Builder
			out.WriteString("\xff\xfe")
			for _, r := range s {
				out.WriteString(string([]byte{byte(r), byte(r >> 8)}))
			}
			return out.String()
		},
	} {
		in := encode("sku\tprice\tnote\nété\t1\tx\nB\t2\ty\n")
		want := encode("sku\tprice\nété\t1\n")
		expect.Equal(t, name, want, importOf(t, in, price, 2))
	}
}

func TestAnImportFileOfManyRows(t *testing.T) {
	var text, want strings.Builder
	text.WriteString("sku,name,price\n")
	want.WriteString("sku,price\n")
	var rows []int64
	for i := range 50_000 {
		sku := "S" + strings.Repeat("x", i%7) + string(rune('a'+i%26))
		text.WriteString(sku + ",n,1\n")
		if i%3 == 0 {
			rows = append(rows, int64(i+2))
			want.WriteString(sku + ",1\n")
		}
	}
	expect.ErrorIf(t, importOf(t, text.String(), price, rows...) != want.String(), "the file is another")
}
