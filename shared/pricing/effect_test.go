package pricing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// effectOf returns the effect of an operation on a table.
func effectOf(t *testing.T, input string, op plan.Operation) Effect {
	t.Helper()
	var out bytes.Buffer
	summary, err := compile(t, table.Settings{}, op).Run(t.Context(), strings.NewReader(input), &out)
	if err != nil {
		t.Fatal(err)
	}
	return summary.Effect
}

func setPrice(value string) plan.Operation {
	return plan.Operation{OperationID: "set", Action: plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal(value)}}
}

func TestEffect(t *testing.T) {
	got := effectOf(t, header+"A,fitness,0,true\nB,fitness,8,true\nC,fitness,10,true\nD,fitness,9.5,true\nE,fitness,40,false\nF,fitness,30.00,true\n", setPrice("10"))
	text, err := json.MarshalIndent(got, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Changes) != 5 {
		t.Errorf("%d changes", len(got.Changes))
	}
	got.Changes = nil
	var moved []string
	for _, band := range got.Distribution {
		if band.Rows > 0 {
			moved = append(moved, fmt.Sprint(band, ": ", band.Rows))
		}
	}
	if diff := cmp.Diff([]string{"down 51 to 100%: 2", "up 4 to 6%: 1", "up 24 to 26%: 1", "up 100% or more: 1"}, moved); diff != "" {
		t.Error(diff)
	}
	got.Distribution = nil
	up := func(p string) *string { return &p }
	want := Effect{
		RowsRaised: 3, RowsLowered: 2, RowsFromZero: 1, Raised: up("12.5"), Lowered: up("50"),
		LargestRises: []Move{{2, "A", "0", "10.00", nil, nil, nil}, {3, "B", "8", "10.00", up("25"), nil, nil}, {5, "D", "9.5", "10.00", up("5.2631"), nil, nil}},
		LargestFalls: []Move{{6, "E", "40", "10.00", up("75"), nil, nil}, {7, "F", "30.00", "10.00", up("66.6666"), nil, nil}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%s", diff, text)
	}
}

// Of rows that move alike the first are the largest, whatever block they are in.
func TestEffectOfManyRows(t *testing.T) {
	var input strings.Builder
	input.WriteString(header)
	for i := range 5000 {
		price := 10
		if i%1000 == 999 {
			price = 2
		}
		fmt.Fprintf(&input, "S%d,fitness,%d,true\n", i, price)
	}
	for _, size := range []int{500, 7000, 1 << 20} {
		var out bytes.Buffer
		summary, err := compile(t, table.Settings{}, setPrice("11")).WithBlocks(size, 3).Run(t.Context(), strings.NewReader(input.String()), &out)
		if err != nil {
			t.Fatal(err)
		}
		var rows []int64
		for _, move := range summary.Effect.LargestRises {
			rows = append(rows, move.Row)
		}
		if diff := cmp.Diff([]int64{1001, 2001, 3001, 4001, 5001, 2, 3, 4, 5, 6}, rows); diff != "" {
			t.Errorf("blocks of %d: %s", size, diff)
		}
		if e := summary.Effect; *e.Raised != "5040" || len(e.Changes) != 100 || e.Changes[99].Row != 101 {
			t.Errorf("raised by %s in all, %d changes", *e.Raised, len(e.Changes))
		}
	}
}

// Numbers of any size are counted exactly, and what has no room is left out.
func TestEffectOfLargeValues(t *testing.T) {
	var input strings.Builder
	input.WriteString(header)
	for i := range 200 {
		fmt.Fprintf(&input, "\"%03d%s\",fitness,999999999999999998.999999999,true\n", i, strings.Repeat("é", 250))
	}
	input.WriteString("Z,fitness,0.000000001,true\n")
	got := effectOf(t, input.String(), plan.Operation{OperationID: "set", Action: plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal("999999999999999999")}, Options: plan.Options{RoundTo: ptr(0)}})
	if want := "999999999999999999.000000199"; *got.Raised != want {
		t.Errorf("raised by %s, want %s", *got.Raised, want)
	}
	if first := got.LargestRises[0]; first.SKU != "Z" || *first.Percent != "100000000000000" || *got.LargestRises[1].Percent != "0" {
		t.Errorf("the largest are %s and %s percent", *first.Percent, *got.LargestRises[1].Percent)
	}
	for _, test := range []struct {
		part, whole nanos
		want        percent
	}{
		{nanos{0, 18_446_744_073_710}, nanos{0, 1}, maxPercent}, // the first share that no word holds
		{nanos{1, 0}, nanos{0, 1 << 63}, 200 * percentUnits},
		{nanos{0, 1 << 63}, nanos{1, 0}, 50 * percentUnits},
		{nanos{1, 0}, nanos{4, 0}, 25 * percentUnits},
	} {
		if got := shareOf(test.part, test.whole); got != test.want {
			t.Errorf("%v of %v is a share of %s percent, want %s", test.part, test.whole, got, test.want)
		}
	}
	text, err := json.Marshal(got)
	if err != nil || len(text) > 100<<10 || len(got.Changes) < 50 || len(got.Changes) == 100 {
		t.Errorf("%d bytes with %d changes, %v", len(text), len(got.Changes), err)
	}
}

func TestWords(t *testing.T) {
	for want, got := range map[string]fmt.Stringer{
		"29.99, in stock": State{Price: ptr("29.99"), InStock: ptr(true)}, "out of stock": State{InStock: ptr(false)}, "5": State{Price: ptr("5")}, "": State{},
		"down to 0": Band{To: ptr(-100)}, "down 5 to 10%": Band{From: ptr(-10), To: ptr(-5)}, "up 0 to 5%": Band{From: ptr(0), To: ptr(5)}, "up 100% or more": Band{From: ptr(100)},
	} {
		if got.String() != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestEffectOfSeveralCurrencies(t *testing.T) {
	ten := tenPercent()
	ten.Filter = plan.Filter{}
	if got := effectOf(t, header+"A,fitness,€10.00,true\nB,fitness,$10.00,true\n", ten); got.Raised != nil || got.Currency != "" || got.RowsRaised != 2 {
		t.Errorf("raised %v %s in %d rows", got.Raised, got.Currency, got.RowsRaised)
	}
	const coded = "sku,price,currency\nA,10,EUR\nB,10,"
	up := plan.Operation{OperationID: "up", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	if got := effectOf(t, coded+"usd\n", up); got.Raised != nil || got.RowsRaised != 2 {
		t.Errorf("raised %v %s in %d rows", got.Raised, got.Currency, got.RowsRaised)
	}
	if got := effectOf(t, coded+"eur\n", up); *got.Raised != "2" || got.Currency != "EUR" {
		t.Errorf("raised %v %s", *got.Raised, got.Currency)
	}
	if got := effectOf(t, header+"A,fitness,€10.00,true\nB,fitness,€10.00,true\n", ten); *got.Raised != "2" || got.Currency != "€" {
		t.Errorf("raised %v %s", *got.Raised, got.Currency)
	}
}

func TestExceeding(t *testing.T) {
	for _, test := range []struct {
		price, to, limit string
		want             bool
	}{
		{"10", "11", "10", false}, {"10", "11.01", "10", true}, {"10", "9", "10", false}, {"10", "8.99", "10", true},
		{"0", "0.01", "1000", true}, {"10", "10", "0", false}, {"10", "10.01", "0.1", false}, {"10", "10.01", "0.09", true},
	} {
		effect := effectOf(t, header+"A,fitness,"+test.price+",true\n", setPrice(test.to))
		if got := effect.Exceeding(plan.MustDecimal(test.limit)) != nil; got != test.want {
			t.Errorf("from %s to %s is more than %s%%: %t", test.price, test.to, test.limit, got)
		}
	}
}
