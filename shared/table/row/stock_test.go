package row

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestThreeDigitsBehindAPoint: 1.299 is less than two where a platform documents
// a decimal point, and no title of plain columns does.
func TestThreeDigitsBehindAPoint(t *testing.T) {
	for text, clear := range map[string]bool{
		"sku,price\nA,1.299\n": false,
		"sku,PRICE\nA,1.299\n": false,
		"sku,Preis\nA,1.299\n": false,
		"sku;price\nA;1.299\n": false,
		"Handle,Option1 Name,Variant SKU,Variant Price\na,Size,A,1.299\n": true,
	} {
		if _, err := Open(strings.NewReader(text), setting.Settings{}, recognize.Needs{Reads: []recognize.Role{recognize.RolePrice}}, 1<<10); (err == nil) != clear {
			t.Errorf("%q: %v, want it read: %t", text, err, clear)
		}
	}
}

// TestQuantitiesAtTheHeadsEnd: where only a part of a table is looked at, its
// last row may be cut off anywhere.
func TestQuantitiesAtTheHeadsEnd(t *testing.T) {
	for pad := range 20 {
		text := "sku,category,price,in_stock\n" + strings.Repeat("x", pad) + ",c,5,1.5\n" + strings.Repeat("A,c,5,1.5\n", formBytes/5)
		opened, err := Open(strings.NewReader(text), setting.Settings{}, recognize.Needs{Reads: []recognize.Role{recognize.RoleInStock}}, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		if !opened.stocks.Quantity() {
			t.Errorf("behind %d bytes the column has no quantities", pad)
		}
	}
}

// TestFormsAtAnyBlockSize: how many bytes are read at a time says nothing of how
// cells are to be read.
func TestFormsAtAnyBlockSize(t *testing.T) {
	text := "sku;price\n" + strings.Repeat("A;\n", formBytes/2/3) + "B;1.234,50 €\n"
	for _, size := range []int{1 << 10, 128 << 10, 1 << 20} {
		opened, err := Open(strings.NewReader(text), setting.Settings{BlankPrice: profile.BlankPriceKeep}, recognize.Needs{Reads: []recognize.Role{recognize.RolePrice}}, size)
		if err != nil {
			t.Fatal(err)
		}
		if form := opened.money[recognize.Price].form.String(); form != "1.234,56 €" {
			t.Errorf("read %d bytes at a time, prices are %s", size, form)
		}
	}
}

// TestStockColumnSetting is read as its platform writes it.
func TestStockColumnSetting(t *testing.T) {
	const text = "Handle,Option1 Name,Variant Price,Published,Variant Inventory Qty\na,Size,5,true,1\n"
	for column, quantity := range map[string]bool{"Published": false, "Variant Inventory Qty": true} {
		opened, err := Open(strings.NewReader(text), setting.Settings{Columns: setting.Columns{InStock: column}}, recognize.Needs{Reads: []recognize.Role{recognize.RoleInStock}}, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		if opened.stocks.Quantity() != quantity {
			t.Errorf("%s has quantities: %t", column, !quantity)
		}
	}
}
