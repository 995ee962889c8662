package overview

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
)

// ColumnValue is a value of a column that plans look at by its title.
type ColumnValue struct {
	Title string
	Value string
	Rows  int64 // rows that have it in a cell of their own
}

const (
	maxValueBytes = 64
	maxValueWords = 5
)

// valueRuns are the runs of words of a text, for which cells are looked through.
type valueRuns struct {
	runs   map[string]bool
	begins [256]bool // the first bytes of cells that may be one
}

func newValueRuns(all *names.Words) *valueRuns {
	v := &valueRuns{runs: map[string]bool{}}
	for i := range all.Starts {
		for count := 1; count <= maxValueWords && i+count <= len(all.Starts); count++ {
			v.runs[string(all.Run(i, count))] = true
		}
		first := all.First(i)[0]
		v.begins[first] = true
		if 'a' <= first && first <= 'z' {
			v.begins[first-'a'+'A'] = true
		}
	}
	for b := 0x80; b < len(v.begins); b++ {
		v.begins[b] = true // another form of a letter
	}
	return v
}

// valueColumn is a column whose values are looked for.
type valueColumn struct {
	index int
	namesCounted
}

// valueColumns are the columns that are known for no names, money or stock, and whose title
// stands once.
func valueColumns(t *row.Table) (found []valueColumn) {
	for i, title := range t.Header {
		title = strings.TrimSpace(title)
		known := slices.ContainsFunc(t.Columns, func(c row.Column) bool {
			return c.Index == i && recognize.Mapped(c.Role)
		})
		again := slices.ContainsFunc(slices.Concat(t.Header[:i], t.Header[i+1:]), func(other string) bool {
			return profile.SameTitle(other, title)
		})
		if title != "" && !known && !again {
			found = append(found, valueColumn{
				index:        i,
				namesCounted: namesCounted{counted: map[string]*count{}},
			})
		}
	}
	return found
}

// countValues counts the row for the values of other columns that the text has.
func (v *viewer) countValues(r *row.Row) {
	for i := range v.values {
		column := &v.values[i]
		content := r.Content(column.index)
		if len(content) == 0 || len(content) > maxValueBytes || !v.asked.values.begins[content[0]] {
			continue
		}
		cell := column.cells.Find(content)
		if cell == nil {
			cell = &counts{}
			text := r.Unquoted(content)
			v.words.Read(v.table.Dialect, text)
			if v.asked.values.runs[string(v.words.Text)] &&
				len(strings.Trim(string(text), "0123456789.,")) > 0 {
				if counted := column.take(v.table.Dialect.Text(text)); counted != nil {
					cell.names = append(cell.names, counted)
				}
			}
			column.cells.Add(content, cell)
		}
		column.block = append(column.block, cell.names...)
	}
}

// tellValues says which values were found, those with the most rows first.
func (v *viewer) tellValues(f *Overview) {
	for i := range v.values {
		column := &v.values[i]
		for value, counted := range column.counted {
			if counted.rows > 0 {
				f.Values = append(
					f.Values,
					ColumnValue{strings.TrimSpace(v.table.Header[column.index]), value, counted.rows},
				)
			}
		}
	}
	slices.SortFunc(f.Values, func(a, b ColumnValue) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Title, b.Title),
			cmp.Compare(a.Value, b.Value))
	})
}

// countAll counts the rows of a block for their names.
func (n *namesCounted) countAll() {
	for _, found := range n.block {
		found.rows++
	}
}

// join adds what another has counted.
func (n *namesCounted) join(other *namesCounted) {
	n.cut = n.cut || other.cut
	for _, name := range slices.Sorted(maps.Keys(other.counted)) {
		if counted := n.take(name); counted != nil {
			counted.rows += other.counted[name].rows
		}
	}
}
