package pricing

import (
	"context"
	"errors"
	"io"
	"maps"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/table"
)

// A table may be run in ranges, by many machines at the same time. Every one of
// them opens the table, of which it reads the beginning alone; each stretch is
// surveyed; each range that the surveys give is run; and the parts are joined.
// What the parts wrote, one behind the other, is what Run writes.

// Part is what a run of one range did. As JSON it goes from the machine that ran
// the range to the one that joins them; nobody else reads what is in it.
type Part struct {
	Rows, Empties int64 // as in a place
	Effect        *effect
	Seen          [][]bool           // of the plan's names, by column
	Spelled       []map[string]int64 // the rows that have them, or names that look the same, by column and name
	Remarks       remarks
	Last          bool // it ends the table within a line
	Fault         bool // it has one: the rest says nothing
}

// Refused reports whether the range has a fault. What was written of it is to be dropped.
func (p *Part) Refused() bool { return p.Fault }

// Open reads the beginning of a table of which ranges are to be run. An undo,
// which reads what it undoes in the order of the rows, has none.
func (e *Engine) Open(ctx context.Context, in io.Reader) (*table.Table, error) {
	if e.undo != nil {
		return nil, errs.New(errs.Invalid, "an undo cannot be run in ranges: run it over the whole table")
	}
	return table.Open(untilDone{ctx, in}, e.settings, e.needs, e.blockSize)
}

// RunRange does for one range of an open table what Run does for all of it. The
// first range's output begins with the header. In reads the range.
func (e *Engine) RunRange(ctx context.Context, t *table.Table, of table.Range, in io.Reader, out io.Writer, changes ...io.Writer) (*Part, error) {
	r := e.newRun(t.Of(untilDone{ctx, in}, e.blockSize), out, changes...)
	r.place.rows = of.Row - 1
	if of.Row == firstRow {
		r.table.Head = t.Head
	}
	err := r.all(ctx)
	if r.refused != nil && errors.Is(err, errRefused) {
		return &Part{Fault: true}, nil
	}
	if err != nil {
		return nil, err
	}
	return &Part{
		Rows: r.place.rows - of.Row + 1, Empties: r.place.empties, Effect: r.effect, Remarks: r.remarks,
		Seen: r.seen(), Spelled: r.rowsByName(), Last: of.To > of.From && r.table.Blocks.InLine(),
	}, nil
}

const firstRow = 2 // behind the header

// Join returns what Run returns, given what was done in all the ranges of a
// table that was opened anew, in their order. From reads the table from a place
// on: where a range has a fault, what is wrong from there on is looked up.
func (e *Engine) Join(ctx context.Context, t *table.Table, ranges []table.Range, parts []*Part, from func(at int64) (io.ReadCloser, error)) (Summary, error) {
	r := e.newRun(t, io.Discard)
	all := newNames(e, t, nil)
	r.workers = []*worker{{walker: &walker{names: all}}}
	r.place.rows, r.inLine = firstRow-1, t.InLine()
	for i, part := range parts {
		if part.Fault || r.place.empties > 0 && part.Rows > part.Empties {
			in, err := from(ranges[i].From)
			if err != nil {
				return Summary{}, err
			}
			defer in.Close()
			return Summary{}, e.refusal(ctx, t, in, r.place)
		}
		r.join(part)
		r.inLine = part.Last || r.inLine && part.Rows == 0
	}
	if !all.seenAll() {
		if err := t.ReadNear(); err != nil {
			return Summary{}, err
		}
	}
	return r.summary()
}

// ErrMisread says that a range was read with other bytes than the table has.
var ErrMisread = errors.New("pricing: a range was read with other bytes than the table has")

// refusal returns what is wrong with a table from a range's beginning on.
func (e *Engine) refusal(ctx context.Context, t *table.Table, in io.Reader, at place) error {
	r := e.newRun(t.Of(untilDone{ctx, in}, e.blockSize), io.Discard)
	r.place = at
	err := r.all(ctx)
	if r.refused != nil && errors.Is(err, errRefused) {
		return r.diagnose(ctx)
	}
	if err == nil {
		return ErrMisread
	}
	return err
}

// seen returns which of the plan's names any worker has seen, by column.
func (r *run) seen() [][]bool {
	all := make([][]bool, len(r.lookups))
	for i, l := range r.lookups {
		all[i] = make([]bool, len(l.named))
		for _, w := range r.workers {
			addSeen(all[i], w.names.columns[i].seen)
		}
	}
	return all
}

func addSeen(all, more []bool) {
	for i, seen := range more {
		all[i] = all[i] || seen
	}
}

// spelled returns how many rows have each name of the plan, or one like it, by column.
func (r *run) spelled() (all []spellings) {
	for i, l := range r.lookups {
		of := newSpellings(l)
		for _, w := range r.workers {
			of.add(w.names.columns[i].spelled)
		}
		all = append(all, of)
	}
	return all
}

// rowsByName is what spelled returns, by column and name.
func (r *run) rowsByName() (all []map[string]int64) {
	for i, of := range r.spelled() {
		rows := map[string]int64{}
		for id, n := range r.lookups[i].named {
			rows[n.text] = of.named[id].rows
		}
		for name, other := range of.other {
			rows[name] = other.rows
		}
		all = append(all, rows)
	}
	return all
}

// addRows adds the rows of a part, by name.
func (c *nameColumn) addRows(rows map[string]int64) {
	rows = maps.Clone(rows)
	for id, n := range c.named {
		c.spelled.named[id].rows += rows[n.text]
		delete(rows, n.text)
	}
	for name, more := range rows {
		if other := c.spelled.another(name, c.looks(name)); other != nil {
			other.rows += more
		}
	}
}

// join adds what was done behind what the run has so far.
func (r *run) join(p *Part) {
	r.place = r.place.after(p.Rows, p.Empties)
	r.effect.join(p.Effect)
	for i := range p.Seen {
		c := &r.workers[0].names.columns[i]
		addSeen(c.seen, p.Seen[i])
		c.addRows(p.Spelled[i])
	}
	r.remarks.add(&p.Remarks, 0)
}
