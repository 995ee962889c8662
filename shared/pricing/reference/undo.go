package reference

import (
	"errors"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
)

// Undo takes back, in a later version of a table, what a plan did to it, and says
// how many of its changes are stale: where all are, it fails. Both dialects are known.
func Undo(
	p *plan.Plan, s table.Settings, d dialect.Dialect, before []byte, nowIn dialect.Dialect, now []byte,
) (out string, stale int, err error) {
	did, err := carryOut(p, s, d, before)
	if err != nil {
		return "", 0, err
	}
	after := &run{settings: s, dialect: d, text: decode(did.result.Out, d.Encoding)}
	later := &run{settings: s, dialect: nowIn, text: decode(string(now), nowIn.Encoding)}
	for _, t := range []*run{after, later} {
		t.settings.Profile = did.columns.profile.Name
		if _, err := t.readTable(); err != nil {
			return "", 0, err
		}
	}
	stale = len(did.changes)
	type replaced struct {
		from, to int
		raw      string
	}
	var all []replaced
	for _, c := range did.changes {
		i := int(c.Row - did.number(0))
		at, certain := later.find(after, i)
		if !certain {
			continue
		}
		var cells []replaced
		was, given, is := did.rows[i], after.rows[i], later.rows[at]
		for _, column := range did.columns.changing() {
			if was.text(column) == given.text(column) {
				continue
			}
			if certain = certain && is.text(column) == given.text(column); certain {
				from, to := later.field(is.cells[column])
				start, end := did.field(was.cells[column])
				cells = append(cells, replaced{from, to, did.text.raw(start, end)})
			}
		}
		if certain {
			stale--
			all = append(all, cells...)
		}
	}
	if stale > 0 && stale == len(did.changes) {
		return "", stale, errors.New("no row to put back")
	}
	slices.SortFunc(all, func(a, b replaced) int { return a.from - b.from })
	var text strings.Builder
	done := 0
	for _, r := range all {
		text.WriteString(later.text.raw(done, r.from) + r.raw)
		done = r.to
	}
	return text.String() + later.text.raw(done, len(later.text.runes)), stale, nil
}

// find returns the row that another table's row is now: the one that has its identity, where
// no other has, nor had it before.
func (t *run) find(before *run, i int) (row int, alone bool) {
	key := before.identity(before.rows[i])
	were, are := before.rowsOf(key), t.rowsOf(key)
	if len(were) != 1 || len(are) != 1 {
		return 0, false
	}
	return are[0], true
}

// rowsOf returns the rows that have an identity.
func (t *run) rowsOf(identity string) (rows []int) {
	for i, r := range t.rows {
		if !r.empty && !t.skip.has(r) && t.identity(r) == identity {
			rows = append(rows, i)
		}
	}
	return rows
}

// field is a cell with the quotes around it.
func (t *run) field(c cell) (from, to int) {
	if t.isQuoted(c) {
		return c.from - 1, c.to + 1
	}
	return c.from, c.to
}
