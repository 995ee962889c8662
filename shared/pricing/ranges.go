package pricing

import (
	"context"
	"io"

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
	*table.Scanned
	Effect *effect
}

// Open reads the beginning of a table of which ranges are to be run. An undo,
// which reads what it undoes in the order of the rows, has none.
func (e *Engine) Open(ctx context.Context, in io.Reader) (*table.Table, error) {
	if e.undo != nil {
		return nil, errs.New(errs.Invalid, "an undo cannot be run in ranges: run it over the whole table")
	}
	return table.Open(untilDone{ctx, in}, e.settings, e.query.Needs, e.load.ReadBytes)
}

// RunRange does for one range of an open table what Run does for all of it. The
// first range's output begins with the header. In reads the range.
func (e *Engine) RunRange(
	ctx context.Context, t *table.Table, of table.Range, in io.Reader, out io.Writer, changes ...io.Writer,
) (*Part, error) {
	r := e.newRun(t, changes...)
	scanned, err := t.ScanRange(ctx, e.query, of, untilDone{ctx, in}, out, e.load, r.newVisitor)
	if err != nil {
		return nil, err
	}
	if scanned.Fault {
		return &Part{Scanned: scanned}, nil
	}
	if err := r.changes.Flush(); err != nil {
		return nil, err
	}
	return &Part{Scanned: scanned, Effect: r.effect}, nil
}

// Join returns what Run returns, given what was done in all the ranges of a
// table that was opened anew, in their order. From reads the table from a place
// on: where a range has a fault, what is wrong from there on is looked up.
func (e *Engine) Join(
	ctx context.Context,
	t *table.Table,
	ranges []table.Range,
	parts []*Part,
	from func(at int64) (io.ReadCloser, error),
) (Summary, error) {
	r := e.newRun(t)
	r.scanned = t.NothingScanned(e.query)
	for i, part := range parts {
		if !r.scanned.Join(part.Scanned) {
			in, err := from(ranges[i].From)
			if err != nil {
				return Summary{}, err
			}
			defer in.Close()
			return Summary{}, t.Diagnose(ctx, e.query, r.scanned, untilDone{ctx, in}, e.load, r.newVisitor)
		}
		r.effect.join(part.Effect)
	}
	if !r.scanned.SeenAll() {
		if err := t.ReadNear(); err != nil {
			return Summary{}, err
		}
	}
	return r.summary()
}
