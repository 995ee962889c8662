package table

import (
	"strings"
	"testing"
)

func TestStockForms(t *testing.T) {
	for in, out := range map[string]string{
		"true": "false", "TRUE": "FALSE", "True": "False", "1": "0", "yes": "no", "YES": "NO", "Yes": "No", "tRUE": "false", "yeS": "no",
	} {
		if got := string(appendStock(nil, []byte(in), false)); got != out {
			t.Errorf("%s out of stock is written %s, want %s", in, got, out)
		}
	}
	for in, out := range map[string]string{
		"false": "true", "FALSE": "TRUE", "False": "True", "0": "1", "no": "yes", "NO": "YES", "No": "Yes", "nO": "yes", "fALSE": "true",
	} {
		if got := string(appendStock(nil, []byte(in), true)); got != out {
			t.Errorf("%s in stock is written %s, want %s", in, got, out)
		}
	}
}

func TestQuantitiesInStock(t *testing.T) {
	for text, want := range map[string]bool{"0": false, "00": false, "0.0": false, "0,00": false, "0.5": true, "1": true, "10": true, "10.0": true, "-1": false, "-0.5": false} {
		if got, fault := quantity([]byte(text)); got != want || fault != Fine {
			t.Errorf("%s in stock: %v (%v), want %v", text, got, fault, want)
		}
	}
	for _, text := range []string{"", "-", ".", "1.", ".5", "1.2.3", "1 2", "--1", "1-", strings.Repeat("1", 19)} {
		if _, fault := quantity([]byte(text)); fault != BadQuantity {
			t.Errorf("%q: %v, want it refused", text, fault)
		}
	}
}

// TestQuantitiesAtTheHeadsEnd: where only a part of a table is looked at, its
// last row may be cut off anywhere.
func TestQuantitiesAtTheHeadsEnd(t *testing.T) {
	for pad := range 20 {
		text := "sku,category,price,in_stock\n" + strings.Repeat("x", pad) + ",c,5,1.5\n" + strings.Repeat("A,c,5,1.5\n", HeadBytes/5)
		opened, err := Open(strings.NewReader(text), Settings{}, Needs{Stock: true}, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		if !opened.Stocks.Quantity() {
			t.Errorf("behind %d bytes the column has no quantities", pad)
		}
	}
}

// TestAStockColumnThatIsSaid is read as its platform writes it.
func TestAStockColumnThatIsSaid(t *testing.T) {
	const text = "Handle,Option1 Name,Variant Price,Published,Variant Inventory Qty\na,Size,5,true,1\n"
	for column, quantity := range map[string]bool{"Published": false, "Variant Inventory Qty": true} {
		opened, err := Open(strings.NewReader(text), Settings{Columns: Columns{InStock: column}}, Needs{Stock: true}, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		if opened.Stocks.Quantity() != quantity {
			t.Errorf("%s has quantities: %t", column, !quantity)
		}
	}
}
