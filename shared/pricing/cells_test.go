package pricing_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/pricing/pricingtest"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestCodesInFormulas: a SKU that is written as a formula of one text is that text, in
// filters, in the records and for an undo, and comes out as it came in.
func TestCodesInFormulas(t *testing.T) {
	const header = "sku,category,price,in_stock\n"
	const unquoted, quoted = "=\"00123\",fitness,10.00,true\n", "\"=\"\"00124\"\"\",fitness,10.00,true\n"
	const others = "123,fitness,10.00,true\n=\"\",fitness,10.00,true\n=\"00\"125\",fitness,10.00,true\n"
	e, err := pricing.Compile(&plan.Plan{Operations: []plan.Operation{{
		OperationID: "up", Filter: plan.Filter{Categories: []string{"fitness"}, ExcludeSKUs: []string{"00124"}},
		Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
	}}}, table.Settings{OddRows: table.OddRowsLeave})
	if err != nil {
		t.Fatal(err)
	}
	got, err := runEngine(t, e, header+unquoted+quoted+others)
	if err != nil {
		t.Fatal(err)
	}
	raised := strings.NewReplacer("10.00", "11.00")
	const left = "=\"00\"125\",fitness,10.00,true\n" // its quotes are no formula's
	if want := header + raised.Replace(unquoted) + quoted + raised.Replace(strings.TrimSuffix(others, left)) + left; got.out != want {
		t.Errorf("%q, want %q", got.out, want)
	}
	if first := `{"row":2,"sku":"00123",`; !strings.HasPrefix(got.changes, first) {
		t.Errorf("%s does not begin with %s", got.changes, first)
	}
	edited := header + quoted + raised.Replace(unquoted)
	if back := undoneBySKU(t, got.changes, header+unquoted+quoted+others, edited); back.out != header+quoted+unquoted {
		t.Errorf("undone: %q", back.out)
	}
}

// TestFormulasPass: names that begin like a formula are names like any other.
func TestFormulasPass(t *testing.T) {
	const data = "sku,category,brand,price,in_stock\n--5-oz,=sum(1),@Flowers-Hemp,10.00,true\n+A,-B,Other,10.00,true\n"
	for _, filter := range []plan.Filter{
		{Brands: []string{"@Flowers-Hemp"}}, {SKUs: []string{"--5-oz"}}, {Categories: []string{"=sum(1)"}},
		{ExcludeSKUs: []string{"+A"}}, {ExcludeCategories: []string{"-B"}},
	} {
		rows, err := changedRows(t, []byte(data), filter, table.Settings{})
		if err != nil || !slices.Equal(rows, []int64{2}) {
			t.Errorf("%+v: rows %v, %v", filter, rows, err)
		}
	}
}

// formulaLike is what a spreadsheet may run.
var formulaLike = regexp.MustCompile(`^\s*[=+\-@]`)

// TestNoFormulaIsWritten: whatever a table holds, nothing that a plan writes into a cell
// begins like a formula. An undo writes what was there.
func TestNoFormulaIsWritten(t *testing.T) {
	texts := 0
	for seed := range seeds(4000) {
		g := pricingtest.New(seed)
		data, p, s := string(g.Table(12)), g.Plan(), g.Settings()
		s.Unmatched = setting.RepriceAll(p.Excluded()...)
		e, err := pricing.Compile(p, s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := runEngine(t, e, data)
		if err != nil {
			continue
		}
		for line := range strings.Lines(got.changes) {
			var change struct{ Before, After map[string]any }
			if err := json.Unmarshal([]byte(line), &change); err != nil {
				t.Fatal(err)
			}
			for _, cell := range slices.Sorted(maps.Keys(change.After)) {
				text, is := change.After[cell].(string)
				if !is || text == change.Before[cell] {
					continue
				}
				if texts++; formulaLike.MatchString(text) {
					t.Errorf("seed %d: %s becomes %q: %s", seed, cell, text, line)
				}
			}
		}
	}
	if texts < int(seeds(1000)) {
		t.Errorf("only %d cells were written: they prove little", texts)
	}
}

// TestNoFormulaIsReported: the words and amounts that a person gives begin none either.
func TestNoFormulaIsReported(t *testing.T) {
	for _, sign := range []string{"=", "+", "-", "@", " =", "\t@"} {
		for name, value := range map[setting.Name]string{"stock_words": `"in=` + sign + `1",out=0`, "in_stock_quantity": sign + "1"} {
			said, err := table.Settings{}.With(map[string]string{string(name): value})
			if err == nil {
				err = said.Validate()
			}
			if err == nil && !(name == "in_stock_quantity" && sign == "+") { // it is written as 1
				t.Errorf("%s %q is taken", name, value)
			}
		}
		price := fmt.Sprintf("sku,category,price,in_stock\nA,fitness,%s10,true\nB,fitness,10,true\n", sign)
		if rows, err := changedRows(t, []byte(price), plan.Filter{Categories: []string{"fitness"}}, table.Settings{}); err == nil {
			t.Errorf("a price of %s10: rows %v are changed", sign, rows)
		}
	}
}

// TestRowsAreCalledByCodes: a row is called by what its code says, as exports write codes that a
// spreadsheet is to leave as they are, and is found by it again.
func TestRowsAreCalledByCodes(t *testing.T) {
	for text, want := range map[string]string{
		"Handle,Title,Type,Option1 Name,Option1 Value,Variant SKU,Variant Price\n=\"A-1\",Mug,Cups,Size,S,,10\n=\"A-1\",,,,M,,20\n\"=\"\"B-2\"\"\",Hat,Hats,Size,=\"X\",,30\n": "A-1 / S, A-1 / M, B-2 / X",
		"name,price,category\n=\"A-1\",10,x\n\"=\"\"B-2\"\"\",20,y\n": "A-1, B-2",
		"sku,price,category\n=\"\",10,x\n\"=\"\"B-2\"\"\",20,y\n":     ", B-2",
		"sku,price,category\n=\"00123\",10,x\n\"=\"\"\",20,y\n":       `00123, ="`,
	} {
		p := &plan.Plan{Operations: []plan.Operation{changePrice(plan.PercentDecrease, "20")}}
		compare(t, p, table.Settings{}, []byte(text), 1, 1<<16)
		e := compiled(t, p, table.Settings{})
		var skus []string
		if _, err := e.EachChange(t.Context(), strings.NewReader(text), func(s pricing.Seen) error { skus = append(skus, s.SKU); return nil }); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(skus, ", "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		givesBack(t, p, table.Settings{}, text, 1<<16)
	}
}
