package row

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestScreen screens random blocks of rows in order and out of it: a row that
// passes would have come to nothing.
func TestScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs beside it, and it is slow under the race detector")
	}
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	texts := []string{"", "A", "7", "12", "12.0", "-15", "'15", "9999999999", "12345678", "Say hi", "SAY, HI!", "FITness 2", "A-B", "xa x", "A101", "eight888", "fitness", "fitness ", "xfitness", "nineteen characters", "nineteen_characters", strings.Repeat("n", 512), strings.Repeat("n", 513),
		`"fitness"`, `"say ""hi"""`, `""`, "=A101", "-5", "Ü", "Ü of more than sixteen bytes", "seven; Ü", "\xff", "sixteen bytes; \xff"}
	prices := []string{"", "0", "1.5", "12345678", "1234567.", ".5", "5.", "1.2.3", "1,2", "-1", "12.345678", "123456789", "+1", "1e5", `"1.50"`, "1234.567", "12345.67", " 1", "٣", "$12.50", "$", "$12345678", "$1.2.3", "7 AED", "$7 AED", "$ 7"}
	stocks := []string{"true", "TRUE", "False", "yes", "No", "1", "0", "", "y", "truefalse", "true" + strings.Repeat("x", 32), strings.Repeat("x", 36), `"true"`, "2", "tru"}
	fitness, inStock, outOfStock := names.Filter{Only: []string{"fitness"}}, true, false
	where := func(words bool, said ...string) Query {
		return Query{Conditions: []names.Condition{{recognize.WhereRole(0): {Only: said}}}, Needs: recognize.Needs{Reads: []recognize.Role{recognize.RoleInStock}, Wheres: []recognize.Where{{Role: recognize.WhereRole(0), Title: "more", Words: words, Beginnings: !words}}}}
	}
	for _, q := range []Query{
		where(true, "nineteen", "say hi", "Ü"),
		where(true, "a b", "eight888"),
		where(false, "fit", "SAY", `"say`, "Ü of"),
		where(false, "seven", "nineteen characters"),
		{Conditions: []names.Condition{{}, {recognize.RoleCategory: fitness}}, Pieces: []*Pieces{{AtLeast: &Count{Units: 10}, AtMost: &Count{Units: 20}}, nil}, Needs: recognize.Needs{Reads: []recognize.Role{recognize.RoleQuantity}}},
		{Conditions: []names.Condition{{recognize.RoleCategory: {Only: []string{"fitness", "nineteen characters", ""}}}}, Needs: recognize.Needs{Reads: []recognize.Role{recognize.RoleInStock}, SetsStock: true}},
		{Conditions: []names.Condition{{recognize.RoleSKU: {Only: []string{"A101", "eight888", strings.Repeat("n", 512)}}}}, Needs: recognize.Needs{Reads: []recognize.Role{recognize.RoleInStock}, SetsStock: true}},
		{Conditions: []names.Condition{{recognize.RoleCategory: fitness}}, Needs: recognize.Needs{Reads: []recognize.Role{recognize.RolePrice, recognize.RoleInStock}}, Idle: &outOfStock, OneMoney: true},
		{Conditions: []names.Condition{{recognize.RoleCategory: fitness}}, Needs: recognize.Needs{Reads: []recognize.Role{recognize.RoleInStock}, SetsStock: true}, Idle: &inStock},
	} {
		q := NewQuery(q)
		passed, skipped, settings := 0, 0, setting.Settings{}
		if q.Pieces != nil {
			settings.Columns.Quantity = "more"
		}
		for range 3000 {
			columns := random.Perm(5)
			header := [5]string{}
			for i, name := range []string{"sku", "category", "price", "in_stock", "more"} {
				header[columns[i]] = name
			}
			first := [5]string{} // says how prices are dressed
			first[columns[2]] = pick("1.50", "$1.50", "1.50 AED")
			opened, err := Open(strings.NewReader(strings.Join(header[:], ",")+"\n"+strings.Join(first[:], ",")+"\n"), settings, q.Needs, 64)
			if err != nil {
				t.Fatal(err)
			}
			shown := &shownRows{}
			w := opened.newScanner(q, shown)
			if w.screen == nil {
				t.Fatal("a plan that names what it is for has no screen")
			}
			usual := pick("\n", "\n", "\r\n")
			var text strings.Builder
			for range 1 + random.IntN(16) {
				var cells [5]string
				cells[columns[0]], cells[columns[1]] = pick(texts...), pick(texts...)
				cells[columns[2]], cells[columns[3]], cells[columns[4]] = pick(prices...), pick(stocks...), pick(texts...)
				if random.IntN(2) == 0 { // a row like most
					cells[columns[0]], cells[columns[1]] = fmt.Sprint("S", random.IntN(1e6)), pick("yoga", "a category of many words", "fitness")
					cells[columns[4]] = pick("7", "like others", "12345678")
					cells[columns[2]], cells[columns[3]] = strings.Replace(first[columns[2]], "1.50", fmt.Sprintf("%d.%02d", random.IntN(1e5), random.IntN(100)), 1), pick("true", "false")
				}
				text.WriteString(strings.Join(cells[:], ",") + pick(usual, usual, usual, "\n", "\r\n"))
			}
			w.Renew(text.Len())
			copy(w.Block, text.String())
			w.begin(text.Len())
			if !w.Index() {
				continue // a comma in a price
			}
			idle := w.idle
			if idle != nil {
				w.screen.Skip(*idle)
			}
			rows := w.Count()
			notable := w.screen.Rows(nil, w.Block, w.Starts(), w.ASCII)
			for row := range rows {
				if slices.Contains(notable, uint32(row)) {
					continue
				}
				passed++
				record, ok := w.Row(uint32(row))
				if !ok {
					t.Fatalf("%q: row %d is none", text.String(), row)
				}
				found := w.readRecord(record, false)
				named := slices.ContainsFunc(w.names.columns, func(c nameColumn) bool { return slices.Contains(c.seen, true) })
				if found.Kind != faults.Fine || shown.matter(q.Idle) || named && idle == nil {
					t.Fatalf("%q: row %d passes, and comes to %+v", text.String(), row, found)
				}
				if named {
					skipped++
				}
			}
		}
		if skips := q.Idle != nil; passed < 1000 || skips != (skipped > 100) {
			t.Errorf("%d rows passed, %d of them after one with a name of the plan", passed, skipped)
		}
	}
}

// shownRows are the states of stock of the rows that a visitor was shown.
type shownRows []bool

func (s *shownRows) Begin() { *s = nil }

func (s *shownRows) Row(r *Row) Problem {
	*s = append(*s, r.Stock.In)
	return Problem{}
}

func (s *shownRows) Done(int64) error { return nil }

// matter reports whether any row was shown that is not idle.
func (s *shownRows) matter(idle *bool) bool {
	return slices.ContainsFunc(*s, func(inStock bool) bool { return idle == nil || inStock != *idle })
}
