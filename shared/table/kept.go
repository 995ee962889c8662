package table

import (
	"github.com/planwright/planwright/shared/table/dialect"
)

// near returns the names that the table's first rows have, for those of a
// plan's that no row has.
func (t *Table) near(wanted map[Role][]string) map[Role]*nearest {
	near := make(map[Role]*nearest, len(wanted))
	for role, names := range wanted {
		near[role] = newNearest(names)
	}
	text := t.blocks.Kept()
	text = text[min(len(t.Head), len(text)):]
	t.each(text, func(text []byte, _ int64, r dialect.Record) {
		for role, nearest := range near {
			for _, c := range t.columns[role] {
				c.Names(t.Dialect.Text(r.Says(text, c.Index)), nearest.Add)
			}
		}
	})
	return near
}
