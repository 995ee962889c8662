package pricing_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/pricing/pricingtest"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/setting"
)

// undoOf returns a plan that undoes changes.
func undoOf(changes string, stale plan.Stale) *plan.Plan {
	sum := sha256.Sum256([]byte(changes))
	return &plan.Plan{ExecutionID: "plan_undo_v1", Undo: &plan.Undo{ExecutionID: "plan_done_v1", ChangesSHA256: hex.EncodeToString(sum[:]), Stale: stale}}
}

// ran is what a run gave.
type ran struct {
	out, changes string
	pricing.Summary
}

func runEngine(t testing.TB, e *pricing.Engine, text string) (ran, error) {
	t.Helper()
	var out, changes bytes.Buffer
	summary, err := e.Run(t.Context(), iotest.HalfReader(strings.NewReader(text)), &out, &changes)
	return ran{out.String(), changes.String(), summary}, err
}

// undone undoes changes on the table that was written.
func undone(t testing.TB, changes string, s table.Settings, text string, sizes ...int) ran {
	t.Helper()
	return undoneBy(t, changes, s, text, func(e *pricing.Engine) (*pricing.Engine, error) {
		for _, size := range sizes {
			e = e.WithBlocks(size, 3)
		}
		return e, nil
	})
}

// undoneBySKU undoes changes on another table than the one from which they were.
func undoneBySKU(t testing.TB, changes, before, text string) ran {
	t.Helper()
	return undoneBy(t, changes, table.Settings{}, text, func(e *pricing.Engine) (*pricing.Engine, error) {
		return e.BySKU(t.Context(), strings.NewReader(before), strings.NewReader(text))
	})
}

func undoneBy(t testing.TB, changes string, s table.Settings, text string, prepare func(*pricing.Engine) (*pricing.Engine, error)) ran {
	t.Helper()
	got, err := undoBy(t, changes, s, text, prepare)
	if err != nil {
		t.Fatalf("undo: %v", err)
	}
	return got
}

func undoBy(t testing.TB, changes string, s table.Settings, text string, prepare func(*pricing.Engine) (*pricing.Engine, error)) (ran, error) {
	t.Helper()
	e, err := pricing.CompileUndo(undoOf(changes, ""), s, strings.NewReader(changes))
	if err != nil {
		t.Fatalf("CompileUndo: %v", err)
	}
	if e, err = prepare(e); err != nil {
		t.Fatalf("undo: %v", err)
	}
	return runEngine(t, e, text)
}

// nothingUndone has an undo refused that has no row to put back.
func nothingUndone(t testing.TB, changes, text string) *pricing.StaleError {
	t.Helper()
	_, err := undoBy(t, changes, table.Settings{}, text, func(e *pricing.Engine) (*pricing.Engine, error) { return e, nil })
	var stale *pricing.StaleError
	if !errors.As(err, &stale) || !errors.Is(err, errs.Invalid) || !strings.Contains(errs.Message(err), "nothing was undone. It can still be undone") {
		t.Fatalf("%q: %v", text, err)
	}
	return stale
}

// everyCase asks for all random cases: make soak does.
var everyCase = flag.Bool("every-case", false, "try all random cases instead of a third")

// seeds is how many of n random cases are tried: a third, a few with -short, all with -every-case.
func seeds(n uint64) uint64 {
	switch {
	case *everyCase:
		return n
	case testing.Short():
		return n / 40
	}
	return n / 3
}

// TestUndoGivesTheInputBack: in tables of all profiles and dialects, the undo
// of what a plan did gives the very input back, and its own undo the output.
func TestUndoGivesTheInputBack(t *testing.T) {
	done := 0
	for seed := range seeds(3000) {
		if undoSeed(t, seed) {
			done++
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d tables were changed", done)
	if done*14 < int(seeds(3000)) && !testing.Short() || done == 0 { // the share of few varies
		t.Errorf("only %d tables were changed: they prove little", done)
	}
}

// undoSeed undoes what a plan does to a table that a seed makes. It reports
// whether that was anything.
func undoSeed(t *testing.T, seed uint64) (changed bool) {
	t.Helper()
	g := pricingtest.New(seed)
	input, p, s := string(g.Table(12)), g.Plan(), g.Settings()
	s.Unmatched = setting.RepriceAll(p.Excluded()...)
	changed = givesBack(t, p, s, input, 1+int(seed%97))
	if t.Failed() {
		t.Logf("seed %d: %s, %v", seed, g.Profile.Name, g.Dialect)
	}
	return changed
}

// FuzzUndo undoes what a plan does to any bytes in any dialect, said or found.
func FuzzUndo(f *testing.F) {
	for _, text := range trickyTables(f) {
		f.Add([]byte(text), uint16(40), uint8(0), uint8(len(text)))
	}
	for i, d := range allDialects() {
		f.Add(written(f, "sku,category,price,in_stock\nA,é,\"1\n\",true\n\"\"\"\",fitness,5,no\nA,fitness,7,yes\n", d), uint16(i), uint8(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, text []byte, size uint16, said, mode uint8) {
		s := table.Settings{BlankPrice: profile.BlankPriceKeep, Unmatched: setting.RepriceAll(variedPlan().Excluded()...)}
		if all := allDialects(); int(said) < len(all) && said%2 == 1 {
			s.Dialect = all[said]
		}
		givesBack(t, variedPlans()[mode&3], s, string(text), 1+int(size))
	})
}

// givesBack undoes what a plan does to a table, and undoes that. It reports
// whether the plan did anything.
func givesBack(t *testing.T, p *plan.Plan, s table.Settings, input string, size int) (changed bool) {
	t.Helper()
	e, err := pricing.Compile(p, s)
	if err != nil {
		t.Fatal(err)
	}
	forth, err := runEngine(t, e, input)
	if err != nil || forth.RowsChanged == 0 {
		return false
	}
	defer func() {
		if t.Failed() {
			t.Logf("%+v\n%s\n%q\n%q\n%s", s, pricingtest.PlanText(p), input, forth.out, forth.changes)
		}
	}()
	pinned := forth.Table.Pin(s)
	for name, settings := range map[string]table.Settings{"as found": s, "pinned": pinned} {
		back := undone(t, forth.changes, settings, forth.out, size)
		if diff := cmp.Diff(input, back.out); diff != "" || back.RowsStale != 0 {
			t.Errorf("%s: undone, %d rows stale, -input +output:\n%s", name, back.RowsStale, diff)
		}
		if count := back.Operations[0]; count.OperationID != plan.UndoOperationID || count.RowsMatched != forth.RowsChanged || count.RowsChanged != forth.RowsChanged || back.RowsChanged != forth.RowsChanged {
			t.Errorf("%s: %d rows changed, %d given back: %+v", name, forth.RowsChanged, back.RowsChanged, count)
		}
		again := undone(t, back.changes, settings, back.out)
		if diff := cmp.Diff(forth.out, again.out); diff != "" || again.RowsStale != 0 {
			t.Errorf("%s: the undo undone, %d rows stale, -first output +last:\n%s", name, again.RowsStale, diff)
		}
	}
	return true
}

// shopRow is a row of a plain table.
type shopRow struct{ sku, price, stock string }

func shopTable(rows []shopRow) string {
	var text strings.Builder
	text.WriteString("sku,category,price,in_stock\n")
	for _, r := range rows {
		fmt.Fprintf(&text, "%s,fitness,%s,%s\n", r.sku, r.price, r.stock)
	}
	return text.String()
}

// sale takes a tenth off what costs 10 or more, and puts what costs 50 or more
// out of stock.
func sale(t testing.TB, text string) ran {
	t.Helper()
	from := func(price string) plan.Filter { return plan.Filter{PriceGTE: ptr(plan.MustDecimal(price))} }
	p := &plan.Plan{Operations: []plan.Operation{
		{OperationID: "out", Filter: from("50"), Action: plan.Action{Type: plan.SetStock}},
		{OperationID: "off", Filter: from("10"), Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("10")}},
	}}
	e, err := pricing.Compile(p, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := runEngine(t, e, text)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func rowsOf(text string) (rows []shopRow) {
	for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
		cells := strings.Split(line, ",")
		rows = append(rows, shopRow{cells[0], cells[2], cells[3]})
	}
	return rows
}

// TestUndoOfEditedTables: rows that were edited since are left and told of, all
// others get back what they had, also where rows share a SKU or have none.
func TestUndoOfEditedTables(t *testing.T) {
	for seed := range seeds(400) {
		random := rand.New(rand.NewPCG(seed, 22))
		var before []shopRow
		for range 1 + random.IntN(30) {
			before = append(before, shopRow{[]string{"", "", "A", "B", "C"}[random.IntN(5)], fmt.Sprint(random.IntN(80), ".", 10+random.IntN(80)), []string{"TRUE", "yes", "1", "no"}[random.IntN(4)]})
		}
		forth := sale(t, shopTable(before))
		want := slices.Clone(before)
		now := rowsOf(forth.out)
		stale := int64(0)
		for i := range now {
			if now[i] == before[i] || random.IntN(4) > 0 {
				if now[i] == before[i] && random.IntN(4) == 0 { // a row that was not changed is nobody's business
					now[i].price = "5"
					want[i] = now[i]
				}
				continue
			}
			if random.IntN(2) == 0 {
				now[i].price = "5.55"
			} else if now[i].stock != before[i].stock {
				now[i].stock = before[i].stock
			} else {
				now[i].price = "" // is not at fault
			}
			want[i] = now[i]
			stale++
		}
		if stale > 0 && stale == forth.RowsChanged {
			if refused := nothingUndone(t, forth.changes, shopTable(now)); refused.RowsStale != stale {
				t.Fatalf("seed %d: %v", seed, refused)
			}
			continue
		}
		back := undone(t, forth.changes, table.Settings{}, shopTable(now), 1+int(seed%50))
		if diff := cmp.Diff(shopTable(want), back.out); diff != "" || back.RowsStale != stale || int64(len(back.Stale)) != stale {
			t.Fatalf("seed %d: %d rows stale, want %d, -want +got:\n%s", seed, back.RowsStale, stale, diff)
		}
	}
}

// TestUndoOfMovedRows: where rows have moved, they are found by their SKU.
func TestUndoOfMovedRows(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 23))
		var before []shopRow
		for i := range 3 + random.IntN(40) {
			before = append(before, shopRow{fmt.Sprint("S", i), fmt.Sprint(random.IntN(80), ".", 10+random.IntN(80)), "true"})
		}
		forth := sale(t, shopTable(before))
		now, want := rowsOf(forth.out), before
		gone := 0
		shuffle := func(rows []shopRow) []shopRow {
			order := rand.New(rand.NewPCG(seed, 24))
			order.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
			return append(rows[1:], shopRow{"NEW", "45.00", "true"})
		}
		changed := map[string]bool{}
		for i := range now {
			changed[now[i].sku] = now[i] != before[i]
		}
		now, want = shuffle(now), shuffle(slices.Clone(want))
		for _, row := range before {
			if changed[row.sku] && !slices.ContainsFunc(now, func(r shopRow) bool { return r.sku == row.sku }) {
				gone++
			}
		}
		back := undoneBySKU(t, forth.changes, forth.out, shopTable(now))
		if diff := cmp.Diff(shopTable(want), back.out); diff != "" || back.RowsStale != int64(gone) {
			t.Fatalf("seed %d: %d rows stale, want %d, -want +got:\n%s", seed, back.RowsStale, gone, diff)
		}
		if gone == 1 && (back.Stale[0].Found != nil || !slices.ContainsFunc(back.AllWarnings(), func(w pricing.Warning) bool { return w.Code == pricing.LeftStale })) {
			t.Errorf("seed %d: %+v, %v", seed, back.Stale, back.AllWarnings())
		}
	}
}

// TestUndoReadsProductsAlone: a row that the table skips, such as an image, is
// not taken for the product whose SKU and price it has.
func TestUndoReadsProductsAlone(t *testing.T) {
	const header = "Item,ID,SKU,Inventory Tracking,Current Stock,Categories,Price\n"
	forth := sale(t, header+"Product,1,A,product,5,x,20.00\n")
	images := "Image,8,B,,,,\nImage,9,A,,,,18.00\n"
	back := undoneBySKU(t, forth.changes, forth.out, header+images+"Product,1,A,product,5,x,18.00\n")
	if want := header + images + "Product,1,A,product,5,x,20.00\n"; back.out != want || back.RowsStale != 0 {
		t.Errorf("%d stale: %s", back.RowsStale, back.out)
	}
}

// TestUndoTellsOfTheFirstStaleRow where several have a change's SKU.
func TestUndoTellsOfTheFirstStaleRow(t *testing.T) {
	forth := sale(t, shopTable([]shopRow{{"A", "20", "yes"}, {"B", "20", "yes"}}))
	back := undoneBySKU(t, forth.changes, forth.out, shopTable([]shopRow{{"NEW", "5", "yes"}, {"A", "17", "yes"}, {"A", "16", "yes"}, {"B", "18.00", "yes"}}))
	if back.RowsStale != 1 || *back.Stale[0].Found.Price != "17" {
		t.Errorf("%d stale: %+v", back.RowsStale, back.Stale)
	}
}

// TestUndoOfAStockBeforeThePrice writes the cells of a row in their order.
func TestUndoOfAStockBeforeThePrice(t *testing.T) {
	const text = "sku,in_stock,category,price\nA,yes,fitness,100\n"
	forth := sale(t, text)
	if back := undone(t, forth.changes, table.Settings{}, forth.out); back.out != text || forth.out != "sku,in_stock,category,price\nA,no,fitness,90.00\n" {
		t.Errorf("%s: %s", forth.out, back.out)
	}
}

// TestUndoOfTheVeryTable: without a look at the table from before, a row is the one of
// a change where it stands in its place with its SKU. Another is left alone.
func TestUndoOfTheVeryTable(t *testing.T) {
	before := []shopRow{{"A", "20.00", "true"}, {"B", "5.00", "true"}, {"C", "30.00", "true"}, {"D", "40.00", "true"}}
	forth := sale(t, shopTable(before))
	now := rowsOf(forth.out)
	now[0], now[2] = now[2], now[0]
	back := undone(t, forth.changes, table.Settings{}, shopTable(now))
	want := slices.Clone(now)
	want[3] = before[3]
	if diff := cmp.Diff(shopTable(want), back.out); diff != "" || back.RowsStale != 2 || back.Stale[0].Found != nil {
		t.Errorf("%d stale: %s", back.RowsStale, diff)
	}
}

// TestUndoReadsOtherForms: a price and a stock that are written in another way
// are the same still.
func TestUndoReadsOtherForms(t *testing.T) {
	forth := sale(t, shopTable([]shopRow{{"A", "100", "Yes"}, {"B", "20", "yes"}, {"C", "30", "yes"}}))
	if want := shopTable([]shopRow{{"A", "90.00", "No"}, {"B", "18.00", "yes"}, {"C", "27.00", "yes"}}); forth.out != want {
		t.Fatal(forth.out)
	}
	back := undone(t, forth.changes, table.Settings{}, shopTable([]shopRow{{"A", "90", "FALSE"}, {"B", "18.0", "yes"}, {"C", "27.1", "yes"}}))
	if want := shopTable([]shopRow{{"A", "100", "Yes"}, {"B", "20", "yes"}, {"C", "27.1", "yes"}}); back.out != want {
		t.Error(back.out)
	}
	text := func(s string) *string { return &s }
	want := []pricing.StaleRow{{Row: 4, SKU: "C", Before: pricing.State{Price: text("30")}, Given: pricing.State{Price: text("27.00")}, Found: &pricing.State{Price: text("27.1")}}}
	if diff := cmp.Diff(want, back.Stale); diff != "" || back.RowsStale != 1 {
		t.Errorf("%d stale: %s", back.RowsStale, diff)
	}
	// Where a decimal comma is used, "30" would still be readable but "100.00" not.
	semicolons := strings.NewReplacer(",", ";", ".", ",")
	if refused := nothingUndone(t, forth.changes, semicolons.Replace("sku,category,price,in_stock\nA,fitness,90.00,No\nB,fitness,18.00,yes\nC,fitness,27.5,yes\n")); refused.RowsStale != 3 {
		t.Error(refused)
	}
}

// TestUndoOfAPriceOfNothing: a text that cannot be read is not taken for the 0 that was
// given.
func TestUndoOfAPriceOfNothing(t *testing.T) {
	e, err := pricing.Compile(&plan.Plan{Operations: []plan.Operation{{OperationID: "free", Action: plan.Action{Type: plan.SetPrice}}}}, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	forth, err := runEngine(t, e, shopTable([]shopRow{{"A", "20", "yes"}, {"B", "30", "yes"}}))
	if err != nil {
		t.Fatal(err)
	}
	now := shopTable([]shopRow{{"A", "none", "yes"}, {"B", "0", "yes"}})
	back := undone(t, forth.changes, table.Settings{}, now)
	if want := strings.Replace(now, "fitness,0,", "fitness,30,", 1); back.out != want || back.RowsStale != 1 {
		t.Errorf("%d stale: %s", back.RowsStale, back.out)
	}
}

// TestUndoOfManyStaleRows tells of the first only.
func TestUndoOfManyStaleRows(t *testing.T) {
	forth := sale(t, shopTable(append(slices.Repeat([]shopRow{{"A", "20", "yes"}}, 1100), shopRow{"B", "30", "yes"})))
	edited := strings.ReplaceAll(forth.out, "18.00", "17")
	back := undone(t, forth.changes, table.Settings{}, edited)
	if back.RowsStale != 1100 || len(back.Stale) != 1000 || back.Stale[999].Found == nil || !strings.HasPrefix(back.AllWarnings()[0].Message, "1100 rows") {
		t.Errorf("%d rows stale, %d told of, %+v", back.RowsStale, len(back.Stale), back.AllWarnings())
	}
	if refused := nothingUndone(t, forth.changes, strings.Replace(edited, "27.00", "26", 1)); refused.RowsStale != 1101 || len(refused.Stale) != 1000 {
		t.Errorf("%d told of: %v", len(refused.Stale), refused)
	}
}

// TestUndoOfWhatIsAsBefore says so of a table whose rows have what they had.
func TestUndoOfWhatIsAsBefore(t *testing.T) {
	text := shopTable([]shopRow{{"A", "100", "Yes"}, {"B", "20", "no"}})
	forth := sale(t, text)
	if refused := nothingUndone(t, forth.changes, text); !strings.HasPrefix(refused.Error(), "2 rows that execution plan_done_v1 changed have here what they had before; in its table the first are rows 2, 3. No other row") {
		t.Error(refused)
	}
	if refused := nothingUndone(t, forth.changes, strings.Replace(text, "20", "21", 1)); !strings.HasPrefix(refused.Error(), "2 rows that execution plan_done_v1 changed were changed again since") {
		t.Error(refused)
	}
}

// TestUndoOfQuantities: a number of pieces is the same with a fraction of zeros.
func TestUndoOfQuantities(t *testing.T) {
	e, err := pricing.Compile(&plan.Plan{Operations: []plan.Operation{{OperationID: "out", Action: plan.Action{Type: plan.SetStock}}}}, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	const header = "sku,category,price,in_stock\n"
	forth, err := runEngine(t, e, header+"A,x,1,7\nB,x,1,5\n")
	if err != nil {
		t.Fatal(err)
	}
	if back := undone(t, forth.changes, table.Settings{}, header+"A,x,1,0.00\nB,x,1,0\n"); back.RowsStale != 0 {
		t.Errorf("%q: %d stale", back.out, back.RowsStale)
	}
	nothingUndone(t, forth.changes, header+"A,x,1,0.5\nB,x,1,00\n")
}

func TestUndoTellsItsEffect(t *testing.T) {
	forth := sale(t, shopTable([]shopRow{{"A", "100", "yes"}, {"B", "20", "yes"}}))
	back := undone(t, forth.changes, table.Settings{}, forth.out)
	want := `{"row":2,"sku":"A","operation_ids":["undo"],"before":{"price":"90.00","in_stock":false,"stock":"no"},"after":{"price":"100","in_stock":true,"stock":"yes"}}
{"row":3,"sku":"B","operation_ids":["undo"],"before":{"price":"18.00","in_stock":null},"after":{"price":"20","in_stock":null}}
`
	if diff := cmp.Diff(want, back.changes); diff != "" {
		t.Error(diff)
	}
	if e := back.Effect; *e.Raised != "12" || e.RowsRaised != 2 || e.RowsIntoStock != 1 || len(e.Changes) != 2 || *e.LargestRises[0].Percent != "11.1111" {
		t.Errorf("%+v", e)
	}
	text := "sku,price\nA,100.00 USD\nB,20 EUR\nC,30 USD\n"
	up, err := pricing.Compile(&plan.Plan{Operations: []plan.Operation{{OperationID: "up", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if forth, err = runEngine(t, up, text); err != nil {
		t.Fatal(err)
	}
	for _, e := range []pricing.Effect{forth.Effect, undone(t, forth.changes, table.Settings{}, forth.out).Effect} {
		if e.Raised != nil || e.Currency != "" {
			t.Errorf("in two currencies: %+v", e)
		}
	}
}

func TestUndoThatMustNotBeStale(t *testing.T) {
	forth := sale(t, shopTable([]shopRow{{"A", "100", "yes"}, {"B", "20", "yes"}}))
	e, err := pricing.CompileUndo(undoOf(forth.changes, plan.StaleFail), table.Settings{}, strings.NewReader(forth.changes))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := runEngine(t, e, forth.out); err != nil || got.RowsChanged != 2 {
		t.Errorf("of an untouched output: %d rows, %v", got.RowsChanged, err)
	}
	_, err = runEngine(t, e, strings.Replace(forth.out, "18.00", "17.00", 1))
	var stale *pricing.StaleError
	if !errors.As(err, &stale) || stale.RowsStale != 1 || stale.Stale[0].Row != 3 || !errors.Is(err, errs.Invalid) || errs.Message(err) != stale.Error() || !strings.HasPrefix(stale.Error(), "1 row that execution plan_done_v1 changed") {
		t.Errorf("of an edited one: %v", err)
	}
}

func TestUndoRefuses(t *testing.T) {
	forth := sale(t, shopTable([]shopRow{{"A", "100", "yes"}, {"B", "20", "yes"}}))
	broken := errors.New("the disk is gone")
	old := `{"row":2,"sku":"A","operation_ids":["op"],"before":{"price":null,"in_stock":true},"after":{"price":null,"in_stock":false}}` + "\n"
	half := strings.Replace(old, `"in_stock":false`, `"in_stock":false,"stock":"no"`, 1)
	twice := strings.SplitAfter(forth.changes, "\n")[0]
	twice += twice
	compile := func(p *plan.Plan, changes string) error {
		_, err := pricing.CompileUndo(p, table.Settings{}, strings.NewReader(changes))
		return err
	}
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"other changes":     {compile(undoOf(forth.changes, ""), forth.changes+forth.changes), "have the SHA-256"},
		"cut off":           {compile(undoOf(forth.changes, ""), forth.changes[:50]), "have the SHA-256"},
		"no changes":        {compile(undoOf("a table", ""), "a table"), "change 1 of execution plan_done_v1 cannot be read"},
		"rows out of order": {compile(undoOf(forth.changes+forth.changes, ""), forth.changes+forth.changes), "change 3 of execution plan_done_v1 cannot be read"},
		"a row twice":       {compile(undoOf(twice, ""), twice), "change 2 of execution plan_done_v1 cannot be read"},
		"an old version's":  {compile(undoOf(old, ""), old), "did not record what the stock cells held"},
		"half of them":      {compile(undoOf(half, ""), half), "did not record what the stock cells held"},
		"no undo":           {compile(&plan.Plan{}, ""), "has none"},
	} {
		if !errors.Is(test.err, errs.Invalid) || !strings.Contains(errs.Message(test.err), test.want) {
			t.Errorf("%s: %v, want %s", name, test.err, test.want)
		}
	}
	if _, err := pricing.CompileUndo(undoOf(forth.changes, ""), table.Settings{}, iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
	if _, err := pricing.CompileUndo(undoOf(forth.changes, ""), table.Settings{PriceForm: "ten"}, strings.NewReader(forth.changes)); err == nil {
		t.Error("a setting of no meaning is taken")
	}
	unread := io.MultiReader(strings.NewReader("a table"), iotest.ErrReader(broken))
	if _, err := pricing.CompileUndo(undoOf(forth.changes, ""), table.Settings{}, unread); !errors.Is(err, broken) {
		t.Errorf("a reader that fails behind what cannot be read: %v", err)
	}
	if _, err := pricing.Compile(undoOf(forth.changes, ""), table.Settings{}); !errors.Is(err, errs.Invalid) || !strings.Contains(err.Error(), "An undo cannot be previewed") {
		t.Errorf("Compile: %v", err)
	}
	var large *pricing.TooLargeError
	_, err := pricing.CompileUndoWithin(undoOf(forth.changes, ""), table.Settings{}, strings.NewReader(forth.changes), 60)
	if !errors.As(err, &large) || !errors.Is(err, errs.Invalid) {
		t.Errorf("too many: %v", err)
	}
}

// An undo of nothing changes nothing.
func TestUndoOfNothing(t *testing.T) {
	if got := undone(t, "", table.Settings{}, "sku,note\nA,\"b\"\n"); got.out != "sku,note\nA,\"b\"\n" || got.RowsStale+got.RowsChanged != 0 {
		t.Errorf("%+v", got)
	}
}
