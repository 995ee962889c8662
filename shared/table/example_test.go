package table_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/recognize"
)

// printer prints the rows that meet the first condition of its query. Which numbers the rows of
// a block have is known once the block is done.
type printer struct{ rows []printed }

type printed struct {
	index      int64 // in the block
	sku, price string
}

func (p *printer) Begin() { p.rows = p.rows[:0] }

func (p *printer) Row(r *table.Row) table.Problem {
	if r.Meets.Has(0) {
		p.rows = append(p.rows, printed{r.Index, r.Key(), r.Text(table.RolePrice)})
	}
	return table.Problem{}
}

func (p *printer) Done(first int64) error {
	for _, row := range p.rows {
		fmt.Println("row", first+row.index, row.sku, row.price)
	}
	return nil
}

// Open finds by itself that semicolons delimit and that commas are decimal marks. Scan shows the
// rows to a visitor. This one edits nothing.
func ExampleTable_Scan() {
	const export = "SKU;Name;Category;Price\nB201;Mat;yoga;24,99\nC301;Cup;mugs;9,99\nB202;Block;yoga;12,50\n"
	needs := table.Needs{Reads: []table.Role{table.RolePrice, recognize.RoleCategory}}
	load := table.Workload{ReadBytes: 64 << 10, WriteBytes: 64 << 10, Workers: 1}
	opened, err := table.Open(strings.NewReader(export), table.Settings{}, needs, load.ReadBytes)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(opened.Dialect.Delimiter, opened.DecimalComma())
	query := table.NewQuery(table.Query{
		Needs:      needs,
		Conditions: []table.Condition{{recognize.RoleCategory: {Only: []string{"yoga"}}}},
	})
	visitors := func() table.Visitor { return &printer{} }
	scanned, err := opened.Scan(context.Background(), query, io.Discard, load, visitors)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("rows:", scanned.Rows)
	// Output:
	// semicolon true
	// row 2 B201 24,99
	// row 4 B202 12,50
	// rows: 3
}

// A table that lacks a column is refused with what to do about it.
func ExampleOpen() {
	needs := table.Needs{Reads: []table.Role{table.RolePrice}}
	_, err := table.Open(strings.NewReader("SKU,Colour\nB201,red\n"), table.Settings{}, needs, 64<<10)
	fmt.Println(err)
	// Output:
	// The table was refused and nothing was changed: row 1, column price: the header has no title that is known for it: say which column it is, with the setting columns=price=TITLE.
	// The header was read as profile plain (comma, LF, UTF-8):
	//   SKU: sku
	//   Colour (red): not known
}
