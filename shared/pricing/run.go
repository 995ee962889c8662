package pricing

import (
	"bufio"
	"context"
	"io"

	"github.com/planwright/planwright/shared/table"
)

// Run reads a table from in and writes it, with the plan carried out, to out
// and a line for each changed row to each of changes. Bytes that the plan does
// not change come out as they came in. Every writer gets its bytes in order, and
// what it gets depends on nothing but the plan, the settings and the input. The
// writers are written to one at a time.
//
// A change line is a Change as encoding/json writes it with
// SetEscapeHTML(false), lines in the order of the rows.
//
//   - A price action whose result is the number that was there (33 and 33.00)
//     changes nothing; a row that later operations put back as it was counts as
//     unchanged, though each of those operations counts it as changed.
//   - Column names are compared without regard to case and to the blanks around
//     them. Cells of names and of stock are taken as they are: " true" is no word.
//   - With BlankPriceKeep a row with an empty price is left alone by every
//     operation that looks at a price or changes one, and, where its in_stock
//     is empty too, by all.
//   - A carriage return outside quotes must end a line: readers disagree about
//     what else it means.
//
// A table that breaks a rule is refused with an *InputError, which is
// errs.Invalid; an error of in or of a writer is returned as it is, and ctx's
// when it is done first. After any error the writers have some of their bytes,
// which the caller drops. Memory is bounded whatever the table's size.
func (e *Engine) Run(
	ctx context.Context, in io.Reader, out io.Writer, changes ...io.Writer,
) (Summary, error) {
	_, summary, err := e.run(ctx, in, out, nil, changes...)
	return summary, err
}

// EachChange is Run for the changes alone, which it hands one by one to see, with how far
// each moves its price.
func (e *Engine) EachChange(ctx context.Context, in io.Reader, see func(Seen) error) (Summary, error) {
	_, summary, err := e.run(ctx, in, io.Discard, see)
	return summary, err
}

// Seen is a change with how far it moves what customers pay, in units of 0.0001
// percent: below 0 where that falls, FromZero where it was 0, nil where it stays.
type Seen struct {
	Change
	Moved  *int64
	OnSale bool // what customers pay moves, and is that of a sale afterwards
}

// FromZero is how far a price moves that was 0.
const FromZero = int64(fromZero)

// Percent is how far the price moves, with its sign; "" where it stays, and where it
// was 0.
func (s Seen) Percent() string {
	if s.Moved == nil || *s.Moved == FromZero {
		return ""
	}
	if *s.Moved < 0 {
		return "-" + percent(-*s.Moved).String()
	}
	return percent(*s.Moved).String()
}

func (e *Engine) run(
	ctx context.Context, in io.Reader, out io.Writer, see func(Seen) error, changes ...io.Writer,
) (*run, Summary, error) {
	opened, err := table.Open(untilDone{ctx, in}, e.settings, e.query.Needs, e.load.ReadBytes)
	if err != nil {
		return nil, Summary{}, err
	}
	r := e.newRun(opened, changes...)
	r.see = see
	if e.undo != nil {
		r.undoing = e.undo.over(opened)
	}
	if r.scanned, err = opened.Scan(ctx, e.query, out, e.load, r.newVisitor); err != nil {
		return nil, Summary{}, err
	}
	if err := r.changes.Flush(); err != nil {
		return nil, Summary{}, err
	}
	summary, err := r.summary()
	return r, summary, err
}

func (e *Engine) newRun(t *table.Table, changes ...io.Writer) *run {
	return &run{
		Engine:   e,
		table:    t,
		changes:  bufio.NewWriterSize(io.MultiWriter(changes...), e.load.WriteBytes),
		effect:   newEffect(len(e.operations)),
		states:   newStates(e.query, t),
		decimals: t.Decimals(),
		hasSales: t.HasSales(),
	}
}

// untilDone is a reader that ends with its context.
type untilDone struct {
	ctx context.Context
	in  io.Reader
}

func (r untilDone) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(p)
}

// run is one run of an engine. What is below the first lines is owned by the
// visitor whose block is written.
type run struct {
	*Engine
	table    *table.Table
	decimals int  // of the table's prices
	hasSales bool // the table has a column by which rows are on sale
	states   states
	undoing  *undoing // nil where no change is undone

	changes *bufio.Writer
	see     func(Seen) error // nil: nobody looks at changes one by one
	effect  *effect
	scanned *table.Scanned
}

// summary is what the run did, unless the plan names what no row has.
func (r *run) summary() (Summary, error) {
	s := Summary{Counts: Counts{
		RowsTotal:   r.scanned.Rows - r.scanned.Empties,
		RowsChanged: r.effect.Changed,
		Table:       r.table.Recognized,
	}}
	if s.RowsTotal == 0 {
		return Summary{}, &table.InputError{Faults: []table.Fault{{
			Row:     1,
			Message: "there are no rows below the header: export the table again, with its products",
		}}}
	}
	for i, count := range r.effect.Counts {
		s.Operations = append(s.Operations, OperationCount{r.operations[i].id, count.Matched, count.Changed})
	}
	if dated := r.effect.Remarks[datedSale]; dated.Rows > 0 {
		return Summary{}, r.table.DatedSales(dated.RowList, r.ids(dated.By))
	}
	if question := r.table.StockQuestion(r.scanned); question != nil {
		return Summary{}, question
	}
	s.Effect = r.effect.shown(r.table.Currency(table.Price))
	r.tellRows(&s)
	if r.undoing != nil {
		if err := r.undoing.tell(&s); err != nil {
			return Summary{}, err
		}
	}
	if err := r.checkNames(&s); err != nil {
		return Summary{}, err
	}
	r.tellUnmatched(&s)
	for i := range s.Warnings {
		s.Warnings[i].Message, _ = s.Warnings[i].Sentence()
	}
	return s, nil
}

// tellUnmatched tells what of the plan matched no row.
func (r *run) tellUnmatched(s *Summary) {
	s.Figures.Unmatched.Exceptions = r.query.IdleExceptions(r.scanned, r.ids)
	for _, operation := range s.Operations {
		if operation.RowsMatched == 0 {
			s.Figures.Unmatched.Operations = append(s.Figures.Unmatched.Operations, operation.OperationID)
		}
	}
}

// checkNames refuses a plan that names what no row has, or one of several names
// that look the same; what the settings allow of it is told.
func (r *run) checkNames(s *Summary) error {
	unknown, allowed := r.table.Unknown(r.query, r.scanned, r.settings.Unmatched, r.ids)
	s.Figures.Unmatched.Names = allowed.Names
	whole := r.query.AddAlike(unknown, r.scanned, r.ids)
	if len(unknown.Names) > 0 {
		return unknown
	}
	for _, name := range whole {
		alike := Warning{Code: WarnNamesAlike, OperationIDs: name.OperationIDs, UnknownName: &name}
		for _, spelling := range name.Alike {
			alike.Rows += spelling.Rows
		}
		s.Warnings = append(s.Warnings, alike)
	}
	return nil
}

// ids are those of some operations.
func (e *Engine) ids(of table.Set) (ids []string) {
	for i := 0; !of.Empty(); {
		i, of = of.Next()
		ids = append(ids, e.operations[i].id)
	}
	return ids
}
