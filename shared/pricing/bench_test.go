package pricing

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// BenchmarkRows carries a plan out over a table of a few blocks, with one worker.
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
			text, rows := tableOf(bench.header, bench.row)
			e := compile(b, table.Settings{}, bench.op)
			e.load.Workers = 1
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := e.Run(b.Context(), strings.NewReader(text), io.Discard, io.Discard); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows*b.N), "ns/row")
		})
	}
}

// tableOf returns a table of several blocks under the header, and its number of rows.
func tableOf(header string, row func(int) string) (text string, rows int) {
	var lines strings.Builder
	for lines.WriteString(header + "\n"); lines.Len() < 16*table.UsualWorkload().ReadBytes; rows++ {
		lines.WriteString(row(rows))
	}
	return lines.String(), rows
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
