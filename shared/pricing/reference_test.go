package pricing_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/pricing/reference"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
)

// outcome is what a run gave: its bytes and numbers, the row of its first
// fault, or the plan's names that no row has.
type outcome struct {
	Result   reference.Result
	FaultRow int64
	Unknown  []string
	Alike    []string // names that look the same
	Dated    string   // rows whose sale has dates: how many, and the first
}

// datedRows are the rows whose sale has dates: how many, and the first.
func datedRows(refused *table.InputError) (rows int64, first []int64) {
	for _, fault := range refused.Faults {
		first = append(first, fault.Row)
	}
	return refused.More + int64(len(first)), first
}

func engineOutcome(t testing.TB, e *pricing.Engine, data []byte) (outcome, error) {
	t.Helper()
	var out, changes bytes.Buffer
	summary, err := e.Run(t.Context(), iotest.HalfReader(bytes.NewReader(data)), &out, &changes)
	var refused *table.InputError
	var unknown *names.UnknownNamesError
	switch {
	case errors.As(err, &refused) && refused.Code() == row.CodeDatedSales:
		rows, first := datedRows(refused)
		return outcome{Dated: fmt.Sprint(rows, first)}, err
	case errors.As(err, &refused):
		return outcome{FaultRow: refused.Faults[0].Row}, err
	case errors.As(err, &unknown):
		var names, alike []string
		for _, name := range unknown.Names {
			if len(name.Alike) == 0 {
				names = append(names, string(name.Column)+" "+name.Name)
				continue
			}
			text := fmt.Sprintf("%s %s, left out %t:", name.Column, name.Name, name.Excluded)
			for _, other := range name.Alike {
				text += fmt.Sprintf(" %s=%d", other.Name, other.Rows)
			}
			alike = append(alike, text)
		}
		slices.Sort(names)
		slices.Sort(alike)
		return outcome{Unknown: slices.Compact(names), Alike: alike}, err
	case err != nil:
		t.Fatalf("Run: %v", err)
	}
	result := reference.Result{Out: out.String(), Changes: changes.String(), RowsTotal: summary.RowsTotal, RowsChanged: summary.RowsChanged}
	for _, count := range summary.Operations {
		result.Operations = append(result.Operations, reference.Count{OperationID: count.OperationID, RowsMatched: count.RowsMatched, RowsChanged: count.RowsChanged})
	}
	effect, err := json.Marshal(summary.Effect)
	if err != nil {
		t.Fatal(err)
	}
	result.Effect = string(effect)
	for _, warning := range summary.AllWarnings() {
		if warning.Code == pricing.LeftUnknownProduct {
			result.Orphans = warning.Rows
		}
		switch listed := fmt.Sprint(warning.Rows, warning.FirstRows); warning.Code {
		case pricing.LeftBlankCategory:
			result.Blank = listed
		case pricing.UnmatchedException:
			result.Idle = append(result.Idle, fmt.Sprint(warning.OperationIDs[0], " ", warning.UnknownName.Column, " ", warning.UnknownName.Name))
		}
		if warning.Code == pricing.WarnOddRows && warning.Arguments[0] == "short row" {
			result.Short = fmt.Sprint(warning.Rows, warning.FirstRows)
			continue
		}
		if warning.Code == pricing.WarnOddRows && warning.Arguments[0] == "no line end" {
			continue
		}
		if slices.Contains([]string{pricing.NotedBelowNone, pricing.WarnSaleUnreadable, pricing.WarnNoCost, pricing.LeftOutsideLimits, pricing.WarnPastSale, pricing.WarnUntracked, pricing.WarnOtherPrices, pricing.WarnNoPrice, pricing.WarnAgainst, pricing.NotedFractions, pricing.WarnFree, pricing.NotedBackorder, pricing.NotedOtherStock, pricing.WarnOddRows}, warning.Code) {
			slices.Sort(warning.OperationIDs)
			if slices.Contains([]string{pricing.WarnOddRows, pricing.WarnAgainst, pricing.WarnPastSale}, warning.Code) && len(warning.Arguments) > 0 {
				warning.Code += " " + warning.Arguments[0]
			}
			result.Sales = append(result.Sales, fmt.Sprint(warning.Code, warning.OperationIDs, warning.Rows, warning.FirstRows))
		}
	}
	slices.Sort(result.Sales)
	return outcome{Result: result}, nil
}

func referenceOutcome(t testing.TB, p *plan.Plan, s table.Settings, data []byte) (outcome, error) {
	t.Helper()
	dialect := dialect.Detect(data[:min(len(data), dialect.HeadBytes)], s.Dialect)
	result, err := reference.Run(p, s, dialect, data)
	var fault *reference.Fault
	var unknown *reference.UnknownNames
	var dated *reference.DatedSales
	switch {
	case errors.As(err, &dated):
		return outcome{Dated: fmt.Sprint(dated.Rows, dated.First)}, err
	case errors.As(err, &fault):
		return outcome{FaultRow: fault.Row}, err
	case errors.As(err, &unknown):
		slices.Sort(unknown.Names)
		return outcome{Unknown: unknown.Names, Alike: unknown.Alike}, err
	case err != nil:
		t.Fatalf("reference: %v", err)
	}
	slices.Sort(result.Sales)
	return outcome{Result: result}, nil
}

// compare runs the engine, with blocks of each size, and the reference, of which
// it returns what it gave.
func compare(t testing.TB, p *plan.Plan, s table.Settings, data []byte, sizes ...int) reference.Result {
	t.Helper()
	e, err := pricing.Compile(p, s)
	if err != nil {
		t.Fatalf("Compile: %v", err)
	}
	want, wantErr := referenceOutcome(t, p, s, data)
	said := ""
	for _, size := range sizes {
		got, gotErr := engineOutcome(t, e.WithBlocks(size, 1+size%4), data)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("blocks of %d bytes, -reference +engine:\n%s\nreference: %v\nengine: %v", size, diff, wantErr, gotErr)
		}
		if message := fmt.Sprint(gotErr); said != "" && message != said {
			t.Fatalf("blocks of %d bytes give another message:\n%s\ninstead of\n%s", size, message, said)
		} else {
			said = message
		}
	}
	return want.Result
}

// variedPlan has every kind of action, option and filter.
func variedPlan() *plan.Plan {
	decimal := func(s string) *plan.Decimal { return ptr(plan.MustDecimal(s)) }
	return &plan.Plan{Operations: []plan.Operation{
		{OperationID: "up", Filter: plan.Filter{Categories: []string{"fitness", "yoga", `say "hi"`}, InStock: ptr(true)}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}},
		{OperationID: "down", Filter: plan.Filter{PriceGTE: decimal("20"), PriceLTE: decimal("40.005"), ExcludeSKUs: []string{"A103"}}, Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("12.5")}, Options: plan.Options{RoundTo: ptr(3)}},
		{OperationID: "ending", Filter: plan.Filter{ExcludeCategories: []string{"yoga"}, PriceGTE: decimal("5")}, Action: plan.Action{Type: plan.FixedIncrease, Value: plan.MustDecimal("0.015")}, Options: plan.Options{PriceEnding: decimal("0.99")}},
		{OperationID: "floor", Filter: plan.Filter{SKUs: []string{"A101", "a SKU of more than sixteen bytes", "Ü"}}, Action: plan.Action{Type: plan.FixedDecrease, Value: plan.MustDecimal("30")}, Options: plan.Options{MinPrice: decimal("1.5"), MaxPrice: decimal("1000")}},
		{OperationID: "out", Filter: plan.Filter{Categories: []string{"accessories", ""}}, Action: plan.Action{Type: plan.SetStock}},
		{OperationID: "set", Filter: plan.Filter{InStock: ptr(false), Categories: []string{"accessories"}}, Action: plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal("15")}, Options: plan.Options{RoundTo: ptr(0)}},
		{OperationID: "in", Filter: plan.Filter{SKUs: []string{"C301"}}, Action: plan.Action{Type: plan.SetStock, Stock: true}},
	}}
}

// variedPlans are the varied plan and those of its operations that name
// categories, or SKUs, or one of them: most rows of a table match none.
func variedPlans() []*plan.Plan {
	categories := func(op plan.Operation) bool { return op.Filter.Categories != nil }
	skus := func(op plan.Operation) bool { return op.Filter.SKUs != nil }
	plans := []*plan.Plan{variedPlan(), variedPlan(), variedPlan(), variedPlan()}
	for i, names := range []func(plan.Operation) bool{categories, skus, func(op plan.Operation) bool { return categories(op) || skus(op) }} {
		p := plans[i+1]
		p.Operations = slices.DeleteFunc(p.Operations, func(op plan.Operation) bool { return !names(op) })
	}
	return plans
}

func ptr[T any](v T) *T { return &v }

// trickyTables break at every place where a block can end.
func trickyTables(t testing.TB) map[string]string {
	shop, err := os.ReadFile("../../testdata/shopify_export.csv")
	if err != nil {
		t.Fatal(err)
	}
	header := "sku,category,price,in_stock\n"
	rows := header + "A101,fitness,29.99,true\nA102,fitness,39.99,TRUE\nA103,yoga,49.99,No\nC301,accessories,9.99,1\n"
	return map[string]string{
		"plain":                   rows,
		"no final newline":        strings.TrimSuffix(rows, "\n"),
		"CRLF":                    strings.ReplaceAll(rows, "\n", "\r\n"),
		"mixed line endings":      strings.Replace(rows, "\n", "\r\n", 2),
		"final CR":                strings.TrimSuffix(rows, "\n") + "\r",
		"byte-order mark":         "\ufeff" + rows,
		"empty lines at the end":  rows + "\n\r\n\n\n",
		"header alone":            header,
		"header without newline":  strings.TrimSuffix(header, "\n"),
		"quoted everything":       "\"sku\",\"category\",\"price\",\"in_stock\"\n\"A101\",\"fitness\",\"29.99\",\"true\"\n\"C301\",\"accessories\",\"5\",\"yes\"\n",
		"doubled quotes":          header + "\"A\"\"1\",\"say \"\"hi\"\"\",10,true\n\"\"\"\",\"\"\"\"\"\",10,true\n",
		"newlines in quotes":      "note,SKU,Category,Price,IN_STOCK\n\"a\nb\r\n\n\",A101,fitness,10,true\n\",\"\"\n\"\"\",A102,\"yoga\",20,Yes\n",
		"other order":             "in_stock,price,more,category,sku\nTrue,25,x,accessories,C301\nfalse,25.000,,accessories,C302\n",
		"Unicode":                 "sku,category,price,in_stock,Größe\nÜ,fitness,31.005,true,\u2028\nB,Ø,10,true,\xff\n",
		"long prices":             header + "A1,fitness,123456789012345678.123456789,true\nA2,fitness,000000000000000012.5,true\nA3,yoga,999999999999.999999999,true\n",
		"long names":              header + "a SKU of more than sixteen bytes,fitness,31,true\n" + strings.Repeat("S", 512) + ",yoga,31,true\n",
		"control bytes in others": "sku,x,category,price,in_stock\nA101,!-!-#$%&'()*+-,fitness,29.99,true\nA102,\x01 \x1f - ! \x7f,fitness,29.99,true\n",
		"empty lines":             rows + "\n\nA104,yoga,1,true\n\nA105,yoga,1,true\n",
		"fault: stray quote":      rows + "A104,yo\"ga,1,true\nA105,\"a\nb\",1,true\n" + rows[len(header):],
		"fault: after quote":      rows + "A104,\"yo\"ga,1,true\nA105,\"a\nb\",1,true\nA106,\"x\" ,1,true\n",
		"fault: never closed":     rows + "A104,\"yoga,1,true\nA105,yoga,1,true\n",
		"fault: lone CR":          rows + "A104,yo\rga,1,true\nA105,yoga,1,true\r\r\n\rA106,yoga,1,true\n",
		"fault: fields":           rows + "A104,yoga,1\nA105,yoga,1,true,\n,\n",
		// The forms of cells are found in rows in order: a stock column of words,
		// prices with decimal points, are what they are although a broken row has
		// a number, or a comma, in their places.
		"fault: fields, seen ahead":  rows + ",C302,accessories,9.99,1",
		"fault: fields, other order": "sku,in_stock,price,category\nA101,true,\"29.99\",fitness\nA102,No,\"1.299\",yoga\nA103,7,\"1,299\",\"1,5\",yoga\n",
		"fault: NUL, seen ahead":     "sku,in_stock,price,category\nA101,true,29.99,fitness\n\x00,7,\"1.299,5\",yoga\n",
		"fault: NUL":                 rows + "A\x00104,yoga,1,true\nA105,\"\x00\",1,true\n",
		"fault: price, late":         rows + "A104,yoga,-1,true\nA105,yoga,1.,true\nA106,yoga,,true\n",
		"fault: stock":               rows + "A104,yoga,1,maybe\nA105,yoga,1,\nA106,yoga,1,\x11\n",
		"formulas":                   rows + "=\"A103\",yoga,10,true\n\"=\"\"A101\"\"\",yoga,10,true\n=\"A\"1\",=\"yoga\",1,true\n" + "=A104,yoga,1,true\nA105,\"@yoga\",1,true\n",
		"fault: negative":            header + "A1,none,20,true\nA2,none,1,true\n",
		"fault: a regular price too": "sku,category,price,Regular price,sale_price,in_stock\nA101,fitness,8.00,10.00,8.00,true\nA102,yoga,5.00,5.00,,true\n",
		"shop":                       string(shop),
	}
}

// TestEveryBlockSize cuts tricky tables at every place, between workers who
// may be ahead of each other: what comes out is the reference's.
func TestEveryBlockSize(t *testing.T) {
	for name, data := range trickyTables(t) {
		t.Run(name, func(t *testing.T) {
			plans, settings := variedPlans(), table.Settings{Unmatched: setting.RepriceAll(variedPlan().Excluded()...)}
			if name == "shop" {
				settings = shopSettings(t)
			}
			if name == "fault: negative" {
				plans = []*plan.Plan{{Operations: []plan.Operation{{OperationID: "less", Action: plan.Action{Type: plan.FixedDecrease, Value: plan.MustDecimal("5")}}}}}
			}
			for i, p := range plans {
				// The race detector looks at every third size with one of the plans.
				first, step := 1, 1
				if testing.Short() {
					first, step = 1+3*i, 3*len(plans)
				}
				var sizes []int
				for size := first; size <= len(data)+2; size += step {
					sizes = append(sizes, size)
					if size >= 300 {
						size += 10 // the longer tables have met every boundary often by now
					}
				}
				compare(t, p, settings, []byte(data), sizes...)
			}
		})
	}
}

// TestThePriceWithoutASale: beside a sale's column and a second price it is asked, and said.
func TestThePriceWithoutASale(t *testing.T) {
	data := []byte("sku,category,price,Regular price,sale_price,in_stock\nA101,fitness,8.00,10.00,8.00,true\nA102,fitness,5.00,5.00,,true\n")
	for said, changed := range map[string]int64{"": 0, "price": 2, "Regular price": 2} {
		up := plan.Operation{OperationID: "up", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
		if got := compare(t, &plan.Plan{Operations: []plan.Operation{up}}, table.Settings{Columns: setting.Columns{Price: said}}, data, 1<<16); got.RowsChanged != changed {
			t.Errorf("%q: %d rows are changed, want %d", said, got.RowsChanged, changed)
		}
	}
}

func shopSettings(t testing.TB) table.Settings {
	t.Helper()
	text, err := os.ReadFile("../../testdata/shopify_columns.txt")
	if err != nil {
		t.Fatal(err)
	}
	columns, err := setting.ParseColumns(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return table.Settings{Columns: columns, BlankPrice: profile.BlankPriceKeep, Unmatched: setting.RepriceAll(variedPlan().Excluded()...)}
}

// FuzzRun compares the engine with the reference on any bytes, under a header
// or not, with blocks of two sizes.
func FuzzRun(f *testing.F) {
	for _, data := range trickyTables(f) {
		f.Add([]byte(data), uint16(1), byte(0))
		f.Add([]byte(data), uint16(37), byte(3+8))
		f.Add([]byte(data), uint16(70), byte(16))
		f.Add([]byte(data), uint16(90), byte(24))
	}
	f.Fuzz(func(t *testing.T, data []byte, size uint16, mode byte) {
		if len(data) > 4096 {
			return // a size at which every block boundary is met
		}
		p, settings := variedPlans()[mode>>3&3], table.Settings{Unmatched: setting.RepriceAll(variedPlan().Excluded()...)}
		if mode&2 != 0 {
			settings.BlankPrice = profile.BlankPriceKeep
		}
		if mode&4 != 0 {
			data = append([]byte("sku,category,price,in_stock\n"), data...)
		}
		compare(t, p, settings, data, 1+int(size), 1<<16)
	})
}

// TestRandomPlans works out the prices of random plans over random tables, of
// every size of number and near every half cent.
func TestRandomPlans(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	digits := func(n int) string {
		text := make([]byte, n)
		for i := range text {
			text[i] = "0123456789555000999"[random.IntN(19)]
		}
		return string(text)
	}
	number := func(whole, fraction int) string {
		text := digits(1 + random.IntN(whole))
		if random.IntN(3) > 0 && fraction > 0 {
			text += "." + digits(1+random.IntN(fraction))
		}
		return text
	}
	optional := func(whole, fraction int) *plan.Decimal {
		if random.IntN(3) > 0 {
			return nil
		}
		return ptr(plan.MustDecimal(number(whole, fraction)))
	}
	priceActions := []plan.ActionType{plan.PercentIncrease, plan.PercentDecrease, plan.FixedIncrease, plan.FixedDecrease, plan.SetPrice}
	for range seeds(250) {
		p := &plan.Plan{}
		for i := range 1 + random.IntN(4) {
			places := random.IntN(plan.MaxRoundTo + 1)
			op := plan.Operation{OperationID: fmt.Sprint("op", i), Options: plan.Options{RoundTo: &places, MinPrice: optional(3, places), MaxPrice: optional(18, places)}}
			op.Action = plan.Action{Type: priceActions[random.IntN(len(priceActions))], Value: plan.MustDecimal(number(1+random.IntN(3), 9))}
			op.Filter = plan.Filter{PriceGTE: optional(5, 9), PriceLTE: optional(18, 9)}
			if low, high := op.Options.MinPrice, op.Options.MaxPrice; low != nil && high != nil && low.Cmp(*high) > 0 {
				op.Options.MinPrice, op.Options.MaxPrice = high, low
			}
			if random.IntN(3) == 0 {
				op.Options.PriceEnding = ptr(plan.MustDecimal("0." + digits(max(places, 1))[:places] + "0"))
			}
			if step := optional(3, places); step != nil && !step.IsZero() && (op.Options.PriceEnding == nil || op.Options.PriceEnding.Cmp(*step) < 0) {
				op.Options.RoundStep = step
			}
			op.Options.KeepDirection = random.IntN(4) == 0
			op.Options.OutsideLimits = []plan.OutsideLimits{"", "", plan.ClampToLimits, plan.LeaveAlone}[random.IntN(4)]
			op.Options.Rounding = []plan.Rounding{"", "", plan.RoundNearest, plan.RoundUp, plan.RoundDown}[random.IntN(5)]
			p.Operations = append(p.Operations, op)
		}
		for range 8 { // a fault ends a table, so they are short
			var rows strings.Builder
			rows.WriteString("sku,category,price,in_stock\n")
			for range 1 + random.IntN(4) {
				fmt.Fprintf(&rows, "A,b,%s,true\n", number([]int{3, 9, 18}[random.IntN(3)], 9))
			}
			compare(t, p, table.Settings{}, []byte(rows.String()), 1<<16)
		}
	}
}
