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
	s := table.Settings{Columns: table.Columns{InStock: "Variant Inventory Qty"}}
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
			compare(t, p, table.Settings{Unmatched: table.UnmatchedAllow}, []byte("sku,category,price,in_stock\n"+row), 64, 4096)
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
	if len(summary.Warnings) != 1 || summary.Warnings[0].Rows != 1 || summary.Warnings[0].FirstRows[0] != 76 || !strings.HasPrefix(summary.Warnings[0].Message, "1 row leaves") {
		t.Errorf("warnings: %v", summary.Warnings)
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
	if got, err := runEngine(t, e, data); err != nil || len(got.Warnings) != 2 || got.Warnings[1].Code != pricing.WarnBlankCategory || got.Warnings[1].Rows != 2 || got.Warnings[0].Rows != 30 || len(got.Warnings[0].FirstRows) != 20 {
		t.Errorf("%+v, %v", got.Warnings, err)
	}
}
