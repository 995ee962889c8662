package pricing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// BenchmarkRows walks one block of rows, again and again.
func BenchmarkRows(b *testing.B) {
	seven := plan.Operation{
		OperationID: "op1",
		Filter:      plan.Filter{Categories: []string{"fitness"}, InStock: ptr(true)},
		Action:      plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
	}
	all := plan.Operation{OperationID: "op1", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	for _, bench := range []struct {
		name, header string
		row          func(i int) string
		op           plan.Operation
	}{
		{"narrow/changes one in fourteen", "sku,category,price,in_stock", narrowRow, seven},
		{"narrow/changes every row", "sku,category,price,in_stock", narrowRow, all},
		{"wide/changes one in fourteen", "id,sku,title,description,category,tags,price,in_stock,image", wideRow, seven},
	} {
		b.Run(bench.name, func(b *testing.B) {
			w := blockOf(b, bench.header, bench.row, bench.op)
			w.reset(w.Limit)
			b.SetBytes(int64(w.Limit))
			rows := int64(0)
			for b.Loop() {
				w.reset(w.Limit)
				if _, found := w.walk(); found.kind != table.Fine {
					b.Fatal(found)
				}
				rows += w.rows
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
		})
	}
}

// blockOf returns a walker over a block of rows under the header.
func blockOf(b testing.TB, header string, row func(int) string, op plan.Operation) *walker {
	var rows strings.Builder
	for i := 0; rows.Len() < defaultBlockSize; i++ {
		rows.WriteString(row(i))
	}
	e := compile(b, table.Settings{}, op)
	opened, err := table.Open(strings.NewReader(header+"\n"+row(1)), table.Settings{}, e.needs, defaultBlockSize)
	if err != nil {
		b.Fatal(err)
	}
	w := e.newWalker(opened)
	w.Renew(rows.Len())
	copy(w.Block, rows.String())
	w.Limit = rows.Len()
	return w
}

var benchCategories = []string{"fitness", "yoga", "accessories", "running", "cycling", "outdoor", "swimming", "boxing", "recovery", "apparel"}

func narrowRow(i int) string {
	random := i * 7919 % 10007
	return fmt.Sprintf("S%d,%s,%d.%02d,%t\n", 1_000_000+i, benchCategories[random%10], random%97, random%100, random%7 > 1)
}

func wideRow(i int) string {
	random := i * 7919 % 10007
	return fmt.Sprintf("%d,S%d,outdoor black %d,\"fits most, from small to large\nthe \"\"classic\"\" shape\",%s,\"mats, yoga\",%d.%02d,%t,https://cdn.example.com/p/%d/3.jpg\n",
		i, 1_000_000+i, random, benchCategories[random%10], random%97, random%100, random%7 > 1, i)
}
