package row

import (
	"fmt"
	"strings"

	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// A table of no platform's may tell what is in stock in several columns, such as in_stock
// and Quantity. One of them is read. Where another says otherwise in a row that the plan
// may be for, nobody but the table's owner knows which of them is right.

// findOtherStock finds the other columns, unless a setting says which one tells it.
func (o *opening) findOtherStock() {
	t := o.Table
	if t.profile.Name == profile.Plain && o.said.Columns.InStock == "" &&
		len(t.columns[recognize.RoleInStock]) == 1 {
		t.otherStock = o.layout.Candidates.AlsoStock(t.stock)
	}
}

// IsContradicted reports whether another column says otherwise than a row's stock, which
// was read.
func (r *Row) IsContradicted() bool {
	if r.stockAt.Empty() || r.Stock.Odd {
		return false
	}
	for _, column := range r.s.table.otherStock {
		inStock, says := profile.SaysStock(
			r.s.table.Dialect, r.record.Content(r.s.Block, column).Of(r.s.Block),
		)
		if says && inStock != r.Stock.In {
			return true
		}
	}
	return false
}

// StockQuestion asks which column tells what is in stock, where those of a scanned table
// contradict each other; nil: they do not.
func (t *Table) StockQuestion(s *Scanned) *InputError {
	if s.Contradicted.Rows == 0 {
		return nil
	}
	fault := faults.Fault{
		Row:     1,
		Column:  faults.Excerpt(t.Header[t.stock]),
		Message: t.askStock(s.Contradicted),
	}
	return &InputError{Faults: []faults.Fault{fault}}
}

// Contradiction is the question as a sentence.
func (t *Table) Contradiction(rows RowList) string {
	return fmt.Sprintf("The column %q %s.", t.columnTitle(t.stock), t.askStock(rows))
}

func (t *Table) askStock(contradicted RowList) string {
	titles := []string{t.columnTitle(t.stock)}
	for _, column := range t.otherStock {
		titles = append(titles, t.columnTitle(column))
	}
	ways := make([]string, len(titles))
	for i, title := range titles {
		ways[i] = "{columns=" + recognize.Mapping(string(recognize.RoleInStock), title) + "}"
	}
	rows := "in 1 row, which is"
	if contradicted.Rows > 1 {
		rows = fmt.Sprintf("in %d rows, the first of them", contradicted.Rows)
	}
	return fmt.Sprintf("tells what is in stock, and so does %s, which says otherwise %s row %d: say which is right, with %s",
		faults.QuotedList(titles[1:]), rows, contradicted.First[0], strings.Join(ways, " or "))
}
