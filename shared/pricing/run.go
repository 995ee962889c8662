package pricing

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/planwright/planwright/shared/table"
)

const (
	// defaultBlockSize keeps a block, its edits and its lines in a core's cache.
	defaultBlockSize = 256 << 10
	// defaultPieceSize is how much is written at a time: as much as stays in a
	// core's cache while it is hashed and written. A file system keeps pieces of a
	// power of two, one behind the other from a file's beginning, in large pages,
	// which cost it less.
	defaultPieceSize = 256 << 10
	maxWorkers       = 8
)

// defaultWorkers are some more than can run at once, so that those that wait for
// their turn leave no core idle.
func defaultWorkers() int { return min(runtime.GOMAXPROCS(0), maxWorkers) + 3 }

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
func (e *Engine) Run(ctx context.Context, in io.Reader, out io.Writer, changes ...io.Writer) (Summary, error) {
	opened, err := table.Open(untilDone{ctx, in}, e.settings, e.needs, e.blockSize)
	if err != nil {
		return Summary{}, err
	}
	r := e.newRun(opened, out, changes...)
	r.place.rows = 1
	if e.undo != nil {
		if r.undoing, err = e.undo.over(opened); err != nil {
			return Summary{}, err
		}
	}
	err = r.all(ctx)
	if r.refused != nil && errors.Is(err, errRefused) {
		err = r.diagnose(ctx)
	}
	if err != nil {
		return Summary{}, err
	}
	r.inLine = opened.Blocks.InLine()
	return r.summary()
}

func (e *Engine) newRun(t *table.Table, out io.Writer, changes ...io.Writer) *run {
	return &run{Engine: e, table: t, out: bufio.NewWriterSize(t.Writer(out), e.pieceSize), changes: bufio.NewWriterSize(io.MultiWriter(changes...), e.pieceSize), effect: newEffect(len(e.operations))}
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

// run is one run of an engine. Its workers take turns at each of the things
// that must be done in the order of the blocks; between them they walk their
// blocks at the same time.
type run struct {
	*Engine
	table   *table.Table
	out     *bufio.Writer
	changes *bufio.Writer
	workers []*worker
	undoing *undoing

	reading, writing turns

	// Owned by the worker whose turn it is to write.
	place   place // of what is written
	effect  *effect
	refused *worker // the one that found the first fault
	remarks remarks
	inLine  bool // the table ends within a line
}

// place is how far a table has been read.
type place struct {
	rows    int64 // records, with the header
	empties int64 // of them, the empty lines at the end
}

// after returns the place behind so many more records.
func (p place) after(rows, empties int64) place {
	if rows == empties {
		empties += p.empties
	}
	return place{p.rows + rows, empties}
}

// worker is a walker with a place among the others.
type worker struct {
	*walker
	index    int
	sequence int // of its block; -1: none yet
	fault    bool
	faultPos int
}

var errRefused = errors.New("pricing: the table has a fault")

// all does the whole table.
func (r *run) all(ctx context.Context) error {
	if _, err := r.out.Write(r.table.Head); err != nil {
		return err
	}
	if err := r.body(ctx); err != nil {
		return err
	}
	if err := r.out.Flush(); err != nil {
		return err
	}
	return r.changes.Flush()
}

// body shares the blocks behind the header among the workers.
func (r *run) body(ctx context.Context) error {
	n := r.Engine.workers
	if r.table.Family != nil || r.undoing != nil {
		n = 1 // what a row is depends on the rows before
	}
	r.reading, r.writing = newTurns(n), newTurns(n)
	group, ctx := errgroup.WithContext(ctx)
	for i := range n {
		w := &worker{walker: r.newWalker(r.table), index: i, sequence: -1}
		w.undoing = r.undoing
		w.rests = make([]byte, 0, r.Engine.blockSize)
		r.workers = append(r.workers, w)
		group.Go(func() error { return r.work(ctx, w) })
	}
	return group.Wait()
}

// work takes its share of the blocks from the input to the writers.
func (r *run) work(ctx context.Context, w *worker) error {
	for {
		limit, err := r.read(ctx, w)
		if err != nil || limit == 0 {
			return err
		}
		w.reset(limit)
		if r.undoing != nil {
			r.undoing.base = r.place.rows
		}
		var found problem
		w.faultPos, found = w.walk()
		w.fault = found.kind != table.Fine
		if err := r.write(ctx, w); err != nil {
			return err
		}
	}
}

// read reads the worker's next block; a limit of 0 is the end of the input.
func (r *run) read(ctx context.Context, w *worker) (limit int, err error) {
	if err := r.reading.wait(ctx, w.index); err != nil {
		return 0, err
	}
	if w.Block, limit, err = r.table.Blocks.Next(w.Block); err != nil {
		return 0, err
	}
	if r.table.Blocks.Keeps() && w.names.seenAll() {
		r.table.Blocks.Forget()
	}
	if limit > 0 {
		w.sequence = r.table.Blocks.Given
	}
	r.reading.pass(w.index)
	return limit, nil
}

// write writes the worker's block, with its edits made, once those before are
// written. A fault ends the run here: nothing of its block is written.
func (r *run) write(ctx context.Context, w *worker) error {
	if err := r.writing.wait(ctx, w.index); err != nil {
		return err
	}
	if r.place.empties > 0 && w.rows > w.empties { // they were not at the end
		w.fault, w.faultPos, w.rows, w.empties = true, 0, 1, 0
	}
	if w.fault {
		r.place = r.place.after(w.rows-1, w.empties)
		r.refused = w
		return errRefused
	}
	first := r.place.rows + 1
	r.remarks.add(&w.remarks, first-1)
	r.place = r.place.after(w.rows, w.empties)
	if err := w.putBlock(r.out); err != nil {
		return err
	}
	if err := w.putLines(r.changes, first); err != nil {
		return err
	}
	r.effect.add(w, first)
	r.writing.pass(w.index)
	return nil
}

// putBlock writes the block with its edits made: in place where they fit.
func (w *worker) putBlock(out *bufio.Writer) error {
	text, done := w.text, 0
	for _, edit := range w.edits {
		cell := text[:edit.size]
		text = text[edit.size:]
		if int(edit.To-edit.From) == edit.size {
			copy(w.Block[edit.From:], cell)
			continue
		}
		out.Write(w.Block[done:edit.From]) // an error stays in the writer
		out.Write(cell)
		done = int(edit.To)
	}
	_, err := out.Write(w.Block[done:w.Limit])
	return err
}

// putLines writes the change lines with their rows' numbers, of which the
// block's first row has the given one.
func (w *worker) putLines(changes *bufio.Writer, first int64) error {
	start := 0
	for _, line := range w.lines {
		changes.Write(appendLineStart(changes.AvailableBuffer(), first+line.row))
		if _, err := changes.Write(w.rests[start:line.end]); err != nil {
			return err
		}
		start = line.end
	}
	return nil
}

// summary is what the run did, unless the plan names what no row has.
func (r *run) summary() (Summary, error) {
	s := Summary{RowsTotal: r.place.rows - r.place.empties - 1, RowsChanged: r.effect.Changed, Table: r.table.Recognized}
	for i, count := range r.effect.Counts {
		s.Operations = append(s.Operations, OperationCount{r.operations[i].id, count.Matched, count.Changed, count.Against})
	}
	currency := ""
	if r.table.Prices != nil {
		currency = r.table.Prices.Currency()
	}
	s.Effect = r.effect.told(currency)
	s.Warnings = append(r.warnings(), r.lastLine()...)
	if r.undoing != nil {
		if err := r.undoing.tell(&s); err != nil {
			return Summary{}, err
		}
	}
	warnings, err := r.checkNames()
	if err != nil {
		return Summary{}, err
	}
	s.Warnings = append(s.Warnings, warnings...)
	for i := range s.Warnings {
		s.Warnings[i].Message, _ = s.Warnings[i].Sentence()
	}
	return s, nil
}

func list(numbers []int64) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(texts, ", ")
}

// unwritten returns the input from the first fault on: the rest of that block,
// the blocks that others have read and not changed, and what was not yet read.
func (r *run) unwritten() io.Reader {
	rest := []io.Reader{bytes.NewReader(r.refused.Block[r.refused.faultPos:r.refused.Limit])}
	for range r.workers {
		next := r.refused.sequence + len(rest)
		for _, w := range r.workers {
			if w.sequence == next {
				rest = append(rest, bytes.NewReader(w.Block[:w.Limit]))
			}
		}
	}
	return io.MultiReader(append(rest, r.table.Blocks)...)
}

// turns hands a turn from worker to worker, in a ring.
type turns []chan struct{}

func newTurns(workers int) turns {
	t := make(turns, workers)
	for i := range t {
		t[i] = make(chan struct{}, 1)
	}
	t[0] <- struct{}{}
	return t
}

func (t turns) wait(ctx context.Context, i int) error {
	select {
	case <-t[i]:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pass hands the turn on, and the processor with it to the worker that waits
// for it: to be woken on another would take it longer than a block is written.
func (t turns) pass(i int) {
	t[(i+1)%len(t)] <- struct{}{}
	runtime.Gosched()
}

// WarnNoLastLineEnd is the code of a warning of a table whose last row has no
// line end: many programs write none, and a file that was cut off has none either.
const WarnNoLastLineEnd = "no_last_line_end"

func (r *run) lastLine() []Warning {
	if !r.inLine {
		return nil
	}
	return []Warning{{Code: WarnNoLastLineEnd, Rows: 1, FirstRows: []int64{r.place.rows}}}
}
