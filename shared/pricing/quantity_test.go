package pricing_test

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// TestQuantityBesideTheWord writes both where a platform goes by the quantity, and
// gives both back, also where the shop has written the 0 otherwise since.
func TestQuantityBesideTheWord(t *testing.T) {
	const header = "ID,Type,SKU,Name,Visibility in catalog,In stock?,Regular price,Categories,Stock\n"
	row := func(word, quantity string) string {
		return header + "1,simple,A,Mug,visible," + word + ",12,Mugs," + quantity + "\n"
	}
	five := table.Settings{InStockQuantity: new(int64(5))}
	for _, test := range []struct {
		word, quantity string
		in             bool
		settings       table.Settings
		want, becomes  string // "": refused
	}{
		{"1", "7", false, table.Settings{}, "0", "0"},
		{"1", "7.0000", false, table.Settings{}, "0", "0"},
		{"1", "", false, table.Settings{}, "0", ""},
		{"1", "-2", false, table.Settings{}, "0", "-2"},
		{"1", "parent", false, table.Settings{}, "0", "parent"},
		{"0", "0", true, five, "1", "5"},
		{"backorder", "'-3", true, five, "1", "5"},
		{"0", "", true, table.Settings{}, "1", ""},
		{"0", "3", true, table.Settings{}, "1", "3"},
		{"0", "3", false, table.Settings{}, "0", "3"}, // it is out of stock already
		{"0", "0", true, table.Settings{}, "", ""},
		{"0", "0.0", true, table.Settings{}, "", ""},
	} {
		p := &plan.Plan{Operations: []plan.Operation{{OperationID: "stock", Action: plan.Action{Type: plan.SetStock, Stock: test.in}}}}
		input := row(test.word, test.quantity)
		if test.want == "" {
			e, err := pricing.Compile(p, test.settings)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = runEngine(t, e, input); err == nil || !strings.Contains(err.Error(), "Stock") || !strings.Contains(err.Error(), "in_stock_quantity") {
				t.Errorf("%+v: %v", test, err)
			}
			continue
		}
		got := compare(t, p, test.settings, []byte(input), 1<<16)
		if want := row(test.want, test.becomes); got.Out != want {
			t.Errorf("%+v: %q, want %q", test, got.Out, want)
		}
		if got.RowsChanged == 0 {
			continue
		}
		if tells := strings.Contains(got.Changes, `"quantity":"`+test.becomes+`"}}`); tells != (test.becomes != test.quantity) {
			t.Errorf("%+v: %s", test, got.Changes)
		}
		since := strings.Replace(got.Out, "Mugs,0\n", "Mugs,0.0000\n", 1)
		for _, now := range []string{got.Out, since} {
			if back := undone(t, got.Changes, test.settings, now); back.out != input {
				t.Errorf("%+v: undone to %q", test, back.out)
			}
		}
	}
}
