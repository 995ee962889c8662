package pricing

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
)

// TestScreen screens random blocks of rows in order and out of it: every way to
// screen lets the same rows pass, and a row that passes would have come to
// nothing.
func TestScreen(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	names := []string{"", "A", "A101", "eight888", "fitness", "fitness ", "xfitness", "nineteen characters", "nineteen_characters", strings.Repeat("n", 512), strings.Repeat("n", 513),
		`"fitness"`, `"say ""hi"""`, `""`, "=A101", "-5", "Ü", "Ü of more than sixteen bytes", "seven; Ü", "\xff", "sixteen bytes; \xff"}
	prices := []string{"", "0", "1.5", "12345678", "1234567.", ".5", "5.", "1.2.3", "1,2", "-1", "12.345678", "123456789", "+1", "1e5", `"1.50"`, "1234.567", "12345.67", " 1", "٣"}
	stocks := []string{"true", "TRUE", "False", "yes", "No", "1", "0", "", "y", "truefalse", "true" + strings.Repeat("x", 32), strings.Repeat("x", 36), `"true"`, "2", "tru"}
	for _, plan := range []*Engine{
		compile(t, Settings{}, plan.Operation{OperationID: "a", Filter: plan.Filter{Categories: []string{"fitness", "nineteen characters", ""}}, Action: plan.Action{Type: plan.SetStock}}),
		compile(t, Settings{}, plan.Operation{OperationID: "a", Filter: plan.Filter{SKUs: []string{"A101", "eight888", strings.Repeat("n", 512)}}, Action: plan.Action{Type: plan.SetStock}}),
	} {
		passed := 0
		for range 3000 {
			columns := random.Perm(5)
			w := plan.newWalker([neededColumns]int(columns[:neededColumns]), 5)
			if w.screen == nil {
				t.Fatal("a plan that names what it is for has no screen")
			}
			usual := one("\n", "\n", "\r\n")
			var text strings.Builder
			for range 1 + random.IntN(16) {
				var cells [5]string
				cells[columns[skuColumn]], cells[columns[categoryColumn]] = one(names...), one(names...)
				cells[columns[priceColumn]], cells[columns[stockColumn]], cells[columns[4]] = one(prices...), one(stocks...), one(names...)
				if random.IntN(2) == 0 { // a row like most
					cells[columns[skuColumn]], cells[columns[categoryColumn]] = fmt.Sprint("S", random.IntN(1e6)), one("yoga", "a category of many words")
					cells[columns[priceColumn]], cells[columns[stockColumn]] = fmt.Sprintf("%d.%02d", random.IntN(1e5), random.IntN(100)), one("true", "false")
				}
				text.WriteString(strings.Join(cells[:], ",") + one(usual, usual, usual, "\n", "\r\n"))
			}
			w.block = append([]byte(text.String()), make([]byte, blockPadding)...)
			w.reset(text.Len())
			if !w.index.read(w.block, w.limit) {
				continue // a comma in a price
			}
			starts, rows := w.index.starts, len(w.index.starts)/5
			w.screen.expect(w.block, starts, w.index.ascii)
			notable := make([]uint32, rows+screenSlack)
			notable = notable[:screenRows(w.screen, w.block, starts, 0, rows, notable)]
			fast := make([]uint32, rows+screenSlack)
			if fast = fast[:screenBlock(w.screen, w.block, starts, fast)]; !slices.Equal(fast, notable) {
				t.Fatalf("%q: rows %d are notable, or %d", text.String(), notable, fast)
			}
			for row := range rows {
				if slices.Contains(notable, uint32(row)) {
					continue
				}
				passed++
				of := slices.Clone(starts[row*5 : row*5+6])
				if w.block[of[5]-2] == '\r' {
					of[5]--
				}
				if found := w.row(record{starts: of}); found.kind != fine || w.counts[0].matched > 0 {
					t.Fatalf("%q: row %d passes, and comes to %+v", text.String(), row, found)
				}
			}
		}
		if passed < 1000 {
			t.Errorf("%d rows passed", passed)
		}
	}
}
