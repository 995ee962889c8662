package pricing_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestFaultAmongVariants: what is said of a fault does not depend on where in a
// block it and its product stand.
func TestFaultAmongVariants(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{{
		OperationID: "down", Filter: plan.Filter{Categories: []string{"Caps"}},
		Action: plan.Action{Type: plan.FixedDecrease, Value: plan.MustDecimal("5")},
	}}}
	data := "Product ID [Non Editable],Variant ID [Non Editable],Categories,SKU,Price\n" +
		"p1,v1,Hoods,H" + strings.Repeat("1", 100) + ",30\n,v2,,H2,3\n,v3,,H3,3\n,v4,,H4,3\n" +
		"p2,v5,Caps,C1,20\n,v6,,C2,20\n,v7,,C3,twenty\n"
	sizes := make([]int, len(data))
	for i := range sizes {
		sizes[i] = i + 1
	}
	compare(t, p, table.Settings{}, []byte(data), sizes...)
}

// TestStockOfTheProduct: a variant whose own cell is blank is in stock where its
// product is, or a product where one of its variants is.
func TestStockOfTheProduct(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Filter: plan.Filter{InStock: ptr(true)}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
	for _, data := range []string{
		"Handle,Option1 Name,Type,Variant Price,Published\na,Size,Caps,5,true\na,,,6,\nb,Size,Caps,5,false\nb,,,6,\n",
		"handleId,fieldType,collection,sku,price,surcharge,inventory\np1,Product,Caps,A,10,,0\n,Variant,,A1,,0,0\n,Variant,,A2,,0,3\np2,Product,Caps,B,10,,0\n,Variant,,B1,,0,0\n",
	} {
		compare(t, p, table.Settings{}, []byte(data), 1, 64, 4096)
	}
}

// TestQuantitiesOfNoMatch: a quantity that cannot be read is refused also in a
// row that the plan does not name.
func TestQuantitiesOfNoMatch(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "out", Filter: plan.Filter{Categories: []string{"Caps"}}, Action: plan.Action{Type: plan.SetStock}}}}
	s := table.Settings{Columns: setting.Columns{InStock: "Variant Inventory Qty"}}
	data := "Handle,Option1 Name,Type,Variant Price,Published,Variant Inventory Qty\na,Size,Caps,5,true,7\nb,Size,Hoods,5,true,x\n"
	compare(t, p, s, []byte(data), 1, 64, 4096)
}

// TestLongNames: a name may have 512 bytes, alone and in a list.
func TestLongNames(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "out", Filter: plan.Filter{Categories: []string{"Caps"}}, Action: plan.Action{Type: plan.SetStock}}}}
	for _, size := range []int{512, 513} {
		for _, cell := range []string{"%s", "Caps, %s", "%s, Caps", "Caps > %s"} {
			data := fmt.Sprintf("ID,Type,SKU,Categories,Regular price,In stock?\n1,simple,A,\""+cell+"\",5,1\n2,simple,B,Caps,5,1\n", strings.Repeat("x", size))
			compare(t, p, table.Settings{}, []byte(data), 64, 4096)
		}
		quoted := `"""` + strings.Repeat("x", size-1) + `"`
		for _, row := range []string{quoted + ",Caps,5,true\n", "A," + quoted + ",5,true\n"} {
			compare(t, p, table.Settings{Unmatched: setting.UnmatchedAllow}, []byte("sku,category,price,in_stock\n"+row), 64, 4096)
		}
		among := "Handle,Option1 Name,Type,Product Category,Variant Price,Published\na,Size,Caps,b,5,true\nc,Size," + strings.Repeat("x", size) + ",b,5,true\n"
		compare(t, p, table.Settings{}, []byte(among), 64, 4096)
	}
}

// TestFarProducts: variations find their product above them however far, and
// below them, anywhere in a table that is longer than what is read ahead.
func TestFarProducts(t *testing.T) {
	e, err := pricing.Compile(&plan.Plan{Operations: []plan.Operation{{
		OperationID: "up", Filter: plan.Filter{Categories: []string{"Hoods"}},
		Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
	}}}, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	filler := "9,simple,F,,Caps,5,1," + strings.Repeat("x", 500_000) + "\n"
	in := io.MultiReader(
		strings.NewReader("ID,Type,SKU,Parent,Categories,Regular price,In stock?,Description\n1,variable,NEAR,,Hoods,,1,\n"),
		strings.NewReader(strings.Repeat(filler, 70)),
		strings.NewReader("3,variation,A,id:2,,10,1,\n2,variable,,,Shop > Hoods,,1,\n4,variation,B,NEAR,,20,1,\n5,variation,C,NONE,,30,1,\n"))
	var changes bytes.Buffer
	summary, err := e.Run(t.Context(), in, io.Discard, &changes)
	if err != nil {
		t.Fatal(err)
	}
	if summary.RowsChanged != 2 || !strings.Contains(changes.String(), `"sku":"A"`) || !strings.Contains(changes.String(), `"sku":"B"`) {
		t.Errorf("changed:\n%s", changes.String())
	}
	if len(summary.AllWarnings()) != 1 || summary.AllWarnings()[0].Rows != 1 || summary.AllWarnings()[0].FirstRows[0] != 76 || !strings.HasPrefix(summary.AllWarnings()[0].Message, "1 row leaves") {
		t.Errorf("warnings: %v", summary.AllWarnings())
	}
}

// TestOrphans are counted, but for those without a price, and apart from products
// of no category, in a block that is screened as in one that is read row by row; of
// many the first are named.
func TestOrphans(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "out", Filter: plan.Filter{Categories: []string{"Caps"}}, Action: plan.Action{Type: plan.SetStock}}}}
	data := "ID,Type,SKU,Parent,Categories,Regular price,In stock?\n1,simple,A,,Caps,5,1\n2,variation,B,id:9,,,1\n3,simple,C,,,5,1\n" + strings.Repeat("4,variation,D,id:9,,5,1\n", 30)
	compare(t, p, table.Settings{}, []byte(data), 1, 64, 4096)
	e, err := pricing.Compile(p, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := runEngine(t, e, data); err != nil || len(got.AllWarnings()) != 2 || got.AllWarnings()[1].Code != pricing.LeftBlankCategory || got.AllWarnings()[1].Rows != 2 || got.AllWarnings()[0].Rows != 30 || len(got.AllWarnings()[0].FirstRows) != 20 {
		t.Errorf("%+v, %v", got.AllWarnings(), err)
	}
}

// TestVariantsInPlainTables: a column ties a row without a category to its product; where
// none does, and the row looks like a variant, the table is refused.
func TestVariantsInPlainTables(t *testing.T) {
	for _, test := range []struct {
		name, text string
		rows       int64 // that change
		refused    string
	}{
		{"by a parent's SKU", "sku,parent_sku,category,price\nA2,A,,10\nA,,Caps,10\nB,,Hats,10\nB2,B,,10\nC,Z,,10\n", 2, ""},
		{"by a parent's id", "id,Item code,Parent ID,category,price\n1,A,,Caps,10\n2,A2,1,,10\n3,B,,Hats,10\n", 2, ""},
		{"by a parent's code", "Item code,Parent code,category,price\nA,,Caps,10\nA2,A,,10\nB,,Hats,10\n", 2, ""},
		{"by a handle", "sku,handle,category,price\nA2,cap,,10\nB,hat,Hats,10\nA,cap,Caps,10\nC,,,10\nD,new,,10\n", 2, ""},
		{"with one of its own", "sku,handle,category,price\nA,cap,Caps,10\nA2,cap,Hats,10\n", 1, ""},
		{"of the same name", "sku,name,size,category,price\nA,Cap,S,Caps,10\nA2,Cap,M,,10\nA3,Cap,L,,10\nB,Hat,,Hats,10\n", 0, "the category is blank in 2 of the first rows, this one first, which look like variants of the product above them (see size)"},
		{"without a name", "Code;Name;Colour;category;price\nA;Cap;;Caps;10\nA2;;red;;10\n", 0, "row 3, column category"},
		{"of another name", "sku,name,size,category,price\nA,Cap,S,Caps,10\nB,Hat,M,,10\n", 1, ""},
		{"without an option", "sku,name,size,category,price\nA,Cap,S,Caps,10\nA2,Cap,,,10\n", 1, ""},
		{"below no category", "sku,name,size,category,price\nA,Hat,S,,10\nA2,Hat,M,,10\nB,Cap,S,Caps,10\n", 1, ""},
	} {
		p := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Filter: plan.Filter{Categories: []string{"Caps"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
		if compare(t, p, table.Settings{}, []byte(test.text), 1, 7, 1<<16); t.Failed() {
			t.Fatal(test.name)
		}
		e, err := pricing.Compile(p, table.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		summary, err := runEngine(t, e, test.text)
		switch {
		case test.refused != "" && (err == nil || !strings.Contains(err.Error(), test.refused)), test.refused == "" && err != nil:
			t.Errorf("%s: error %v, want %q", test.name, err, test.refused)
		case summary.RowsChanged != test.rows:
			t.Errorf("%s: %d rows change, want %d", test.name, summary.RowsChanged, test.rows)
		}
	}
}

// TestProductsThatAreNotNamed: a plan of SKUs passes over the product of a variant that
// it names, whose stock is its own.
func TestProductsThatAreNotNamed(t *testing.T) {
	text := "handleId,fieldType,name,sku,price,surcharge,inventory,collection\np,Product,Mat,A,10,,3,Caps\np,Variant,,A-S,,0,0,\np,Variant,,A-M,,0,3,\nq,Product,Hat,B,10,,4,Hats\nq,Variant,,B-S,,0,0,\n"
	for _, in := range []bool{true, false} {
		p := &plan.Plan{Operations: []plan.Operation{{OperationID: "off", Filter: plan.Filter{SKUs: []string{"A-S", "B-S"}, InStock: &in}, Action: plan.Action{Type: plan.SetStock, Stock: !in}}}}
		got := compare(t, p, table.Settings{InStockQuantity: new(int64(5))}, []byte(text), 1, 7, 1<<16)
		if want := map[bool]int64{true: 0, false: 2}[in]; got.RowsChanged != want {
			t.Errorf("in stock %t: %d rows change, want %d", in, got.RowsChanged, want)
		}
	}
}

// TestProductsBehindBlanks: no-break spaces around what names a product do not matter, in
// any encoding.
func TestProductsBehindBlanks(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Filter: plan.Filter{Categories: []string{"Caps"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
	for _, text := range []string{"sku,parent_sku,category,price\n\u00a0A ,,Caps,10\nB,A\u00a0,,10\n\u00e9,,Hats,10\n", "sku,parent_sku,category,price\n\xa0A ,,Caps,10\nB,A\xa0,,10\n\xe9,,Hats,10\n"} {
		if want := compare(t, p, table.Settings{}, []byte(text), 1, 7, 1<<16); want.RowsChanged != 2 {
			t.Errorf("%q: %d rows change, want 2", text, want.RowsChanged)
		}
	}
}

// TestVariantsApart: what a row would have from a product that is not known, it neither
// has nor has not, as the slow reference says.
func TestVariantsApart(t *testing.T) {
	filters := []plan.Filter{
		{ExcludeCategories: []string{"Caps"}}, {ExcludeBrands: []string{"Acme"}}, {ExcludeTags: []string{"new"}}, {ExcludeNameContains: []string{"tee"}},
		{Categories: []string{"Caps"}}, {Categories: []string{"Caps", ""}}, {Brands: []string{"Acme"}, ExcludeCategories: []string{"Hats"}}, {},
	}
	for _, text := range []string{
		"Handle,Title,Vendor,Tags,Type,Option1 Name,Variant SKU,Variant Price,Variant Inventory Qty\na,Red Tee,Acme,new,Caps,Size,A,10,1\nb,Hat,Zed,old,Hats,Size,B,10,1\na,,,,,,A2,10,1\nc,,Zed,,,,C2,,2\n",
		"Handle,Vendor,Tags,Type,Option1 Name,Variant SKU,Variant Price,Published\na,,,,,A2,10,\na,Acme,new,Caps,Size,A,10,true\na,,,,,A3,10,\nb,,,Hats,Size,B,10,true\nc,,,,,C,10,true\nc,,,,,C2,10,\n",
		"ID,Type,SKU,Parent,Categories,Brands,Tags,Name,Regular price,In stock?\n1,variable,A,,Caps,Acme,new,Red tee,,1\n2,variation,A2,A,,,,,10,1\n3,variation,B2,B,,,,,10,1\n4,simple,C,,Hats,Zed,old,Hat,10,1\n",
	} {
		for _, filter := range filters {
			for _, action := range []plan.Action{{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}, {Type: plan.SetStock}} {
				settings := table.Settings{Unmatched: "allow", BlankStock: profile.BlankStockOut}
				compare(t, &plan.Plan{Operations: []plan.Operation{{OperationID: "op", Filter: filter, Action: action}}}, settings, []byte(text), 1, 7, 1<<16)
			}
		}
	}
}
