package pricing_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

func compareAt(value string, o plan.Options) plan.Operation {
	op := plan.Operation{OperationID: "was", Action: plan.Action{Type: plan.SetCompareAt, NoValue: value == ""}, Options: o}
	if value != "" {
		op.Action.Value = plan.MustDecimal(value)
	}
	return op
}

// TestCompareAt: what becomes of the price from before a sale.
func TestCompareAt(t *testing.T) {
	decimal := func(text string) *plan.Decimal { return new(plan.MustDecimal(text)) }
	const left = "1 row would have a compare-at price that is not above its price, and is left alone by was: row "
	for _, test := range []struct {
		name, header, rows string
		ops                []plan.Operation
		want               string
		warnings           []string
	}{
		{"a value", shopifySales, "a,Size,A,999.00,,\nb,Size,B,1099,1200,\n", []plan.Operation{compareAt("1099", plan.Options{})}, "a,Size,A,999.00,1099.00,\nb,Size,B,1099,1200,\n", []string{left + "3."}},
		{"a value below the price", shopifySales, "a,Size,A,999.00,,\n", []plan.Operation{compareAt("99", plan.Options{})}, "a,Size,A,999.00,,\n", []string{left + "2."}},
		{"in place of another", shopifySales, "a,Size,A,50.00,60.00,\n", []plan.Operation{compareAt("80", plan.Options{})}, "a,Size,A,50.00,80.00,\n", nil},
		{"the price as it is", shopifySales, "a,Size,A,50.5,,\nb,Size,B,20.00,20.00,\n", []plan.Operation{compareAt("", plan.Options{})}, "a,Size,A,50.5,50.5,\nb,Size,B,20.00,20.00,\n", nil},
		{"before the price is lowered", shopifySales, "a,Size,A,50.00,,\n", []plan.Operation{compareAt("", plan.Options{}), changePrice(plan.PercentDecrease, "20")}, "a,Size,A,40.00,50.00,\n", nil},
		{"where it stands there already", shopifySales, "a,Size,A,50.00,50.00,\nb,Size,B,50.00,70.00,\n", []plan.Operation{compareAt("", plan.Options{}), changePrice(plan.PercentDecrease, "20")}, "a,Size,A,40.00,50.00,\nb,Size,B,40.00,50.00,\n", nil},
		{"after the price is lowered", shopifySales, "a,Size,A,50.00,,\n", []plan.Operation{changePrice(plan.PercentDecrease, "20"), compareAt("45", plan.Options{})}, "a,Size,A,40.00,45.00,\n", nil},
		{"rounded", shopifySales, "a,Size,A,50.00,,\n", []plan.Operation{compareAt("58.2", plan.Options{RoundStep: decimal("5"), RoundTo: new(0)})}, "a,Size,A,50.00,60,\n", nil},
		{"the price, rounded up", shopifySales, "a,Size,A,50.10,,\n", []plan.Operation{compareAt("", plan.Options{Rounding: plan.RoundUp, RoundTo: new(0)})}, "a,Size,A,50.10,51,\n", nil},
		{"limits are the price's", shopifySales, "a,Size,A,50.00,,\n", []plan.Operation{compareAt("80", plan.Options{MaxPrice: decimal("70")})}, "a,Size,A,50.00,80.00,\n", nil},
		{"a title that a setting names", "sku,price,RRP\n", "A,10,\n", []plan.Operation{compareAt("12", plan.Options{})}, "A,10,12.00\n", nil},
		{"no price", shopifySales, "a,Size,A,,,\nb,Size,B,10,,\n", []plan.Operation{compareAt("12", plan.Options{})}, "a,Size,A,,,\nb,Size,B,10,12.00,\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			settings := table.Settings{}
			if strings.Contains(test.header, "RRP") {
				settings.Columns.CompareAt = "RRP"
			}
			p := &plan.Plan{Operations: test.ops}
			summary, out := onSale(t, settings, test.header+test.rows, test.ops...)
			if diff := cmp.Diff(test.header+test.want, out); diff != "" {
				t.Error(diff)
			}
			var warnings []string
			for _, w := range summary.AllWarnings() {
				warnings = append(warnings, w.Message)
			}
			if diff := cmp.Diff(test.warnings, warnings); diff != "" {
				t.Error(diff)
			}
			compare(t, p, settings, []byte(test.header+test.rows), 7, 1<<16)
			givesBack(t, p, settings, test.header+test.rows, 1<<16)
		})
	}
}

// TestCompareAtRefused: where sale prices stand beside the price, as_sale is what does it.
func TestCompareAtRefused(t *testing.T) {
	for text, want := range map[string]string{
		wooSales + "1,simple,A,0,,100,,\n": "put the rows on sale with as_sale instead",
		"sku,price\nA,1\n":                 "say which column it is, with {columns=sale_price=TITLE} or {columns=compare_at=TITLE}",
	} {
		p := &plan.Plan{Operations: []plan.Operation{compareAt("200", plan.Options{})}}
		compare(t, p, table.Settings{}, []byte(text), 1<<16)
		e, err := pricing.Compile(p, table.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = runEngine(t, e, text)
		if message := errs.Message(err); !strings.Contains(message, strings.NewReplacer("{columns=sale_price=TITLE}", "", "{columns=compare_at=TITLE}", "").Replace(want)) && !strings.Contains(message, "compare_at=TITLE") {
			t.Errorf("%s", message)
		}
	}
}
