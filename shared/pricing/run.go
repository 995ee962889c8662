package pricing

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

const (
	// defaultBlockSize keeps a block, its edits and its lines in a core's cache.
	defaultBlockSize = 128 << 10
	maxWriteBytes    = 128 << 10
	maxWorkers       = 8
)

// defaultWorkers is one more than can run at once, so that one that waits for
// its turn leaves no core idle.
func defaultWorkers() int { return min(runtime.GOMAXPROCS(0), maxWorkers) + 1 }

// Run reads a table from in and writes it, with the plan carried out, to out
// and a line for each changed row to each of changes. Bytes that the plan does
// not change come out as they came in. Every writer gets its bytes in order,
// while others may be getting theirs, and what it gets depends on nothing but
// the plan, the settings and the input.
//
// A change line is a Change as encoding/json writes it with
// SetEscapeHTML(false), lines in the order of the rows.
//
//   - A price action whose result is the number that was there (33 and 33.00)
//     changes nothing; a row that later operations put back as it was counts as
//     unchanged, though each of those operations counts it as changed.
//   - Column names are compared without regard to case and to the blanks around
//     them. Cells are taken as they are: " 5" is not a price.
//   - With BlankPriceKeep a row with an empty price is left alone by every
//     operation, and may have an empty in_stock.
//   - A carriage return outside quotes must end a line: readers disagree about
//     what else it means.
//
// A table that breaks a rule is refused with an *InputError, which is
// errs.Invalid; an error of in or of a writer is returned as it is, and ctx's
// when it is done first. After any error the writers have some of their bytes,
// which the caller drops. Memory is bounded whatever the table's size.
func (e *Engine) Run(ctx context.Context, in io.Reader, out io.Writer, changes ...io.Writer) (Summary, error) {
	r := &run{Engine: e, source: &source{in: in, size: e.blockSize}, out: out, changes: changes}
	if err := r.header(); err != nil {
		return Summary{}, err
	}
	if err := r.body(ctx); err != nil {
		return Summary{}, err
	}
	return r.summary(), nil
}

// run is one run of an engine. Its workers take turns at each of the things
// that must be done in the order of the blocks; between them they walk their
// blocks at the same time.
type run struct {
	*Engine
	source  *source
	out     io.Writer
	changes []io.Writer
	names   []string // the header's
	columns [neededColumns]int
	workers []*worker

	reading, writing turns
	noting           []turns // one for each of changes

	// Owned by the worker whose turn it is to write.
	place   place   // of what is written
	refused *worker // the one that found the first fault
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
	firstRow int64  // of its block
	output   []byte // the block where edits changed its length; change lines
}

var errRefused = errors.New("pricing: the table has a fault")

// body carries the plan out over the records behind the header.
func (r *run) body(ctx context.Context) error {
	n := r.Engine.workers
	r.reading, r.writing = newTurns(n), newTurns(n)
	for range r.changes {
		r.noting = append(r.noting, newTurns(n))
	}
	r.place.rows = 1
	group, groupCtx := errgroup.WithContext(ctx)
	for i := range n {
		w := &worker{walker: r.newWalker(r.columns, len(r.names)), index: i, sequence: -1}
		w.rests = make([]byte, 0, maxWriteBytes)
		r.workers = append(r.workers, w)
		group.Go(func() error { return r.work(groupCtx, w) })
	}
	err := group.Wait()
	if r.refused != nil && errors.Is(err, errRefused) {
		return r.diagnose(ctx)
	}
	return err
}

// work takes its share of the blocks from the input to the outputs.
func (r *run) work(ctx context.Context, w *worker) error {
	for {
		limit, err := r.read(ctx, w)
		if err != nil || limit == 0 {
			return err
		}
		w.reset(limit)
		var found trouble
		w.faultPos, found = w.walk()
		w.fault = found.kind != fine
		if err := r.write(ctx, w); err != nil {
			return err
		}
		if err := r.note(ctx, w); err != nil {
			return err
		}
	}
}

// read reads the worker's next block; a limit of 0 is the end of the input.
func (r *run) read(ctx context.Context, w *worker) (limit int, err error) {
	if err := r.reading.wait(ctx, w.index); err != nil {
		return 0, err
	}
	if w.block, limit, err = r.source.next(w.block); err != nil {
		return 0, err
	}
	if limit > 0 {
		w.sequence = r.source.given
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
	w.firstRow = r.place.rows + 1
	r.place = r.place.after(w.rows, w.empties)
	if err := writeAll(r.out, w.edited()); err != nil {
		return err
	}
	r.writing.pass(w.index)
	return nil
}

// edited makes the edits: in place as long as they fit, and in a copy from the
// first that does not.
func (w *worker) edited() []byte {
	text, copied := w.text, 0
	w.output = slices.Grow(w.output[:0], w.limit+len(w.text))
	for _, edit := range w.edits {
		cell := text[:edit.size]
		text = text[edit.size:]
		if int(edit.to-edit.from) == edit.size {
			copy(w.block[edit.from:], cell)
			continue
		}
		w.output = append(w.output, w.block[copied:edit.from]...)
		w.output = append(w.output, cell...)
		copied = int(edit.to)
	}
	if copied == 0 {
		return w.block[:w.limit]
	}
	w.output = append(w.output, w.block[copied:w.limit]...)
	return w.output
}

// note writes the worker's change lines once those before are written.
func (r *run) note(ctx context.Context, w *worker) error {
	lines := w.numbered()
	for i, to := range r.changes {
		if err := r.noting[i].wait(ctx, w.index); err != nil {
			return err
		}
		if err := writeAll(to, lines); err != nil {
			return err
		}
		r.noting[i].pass(w.index)
	}
	return nil
}

// numbered returns the change lines with their rows' numbers.
func (w *worker) numbered() []byte {
	output, start := slices.Grow(w.output[:0], len(w.rests)+maxLineStart*len(w.lines)), 0
	for _, line := range w.lines {
		output = appendLineStart(output, w.firstRow+line.row)
		output = append(output, w.rests[start:line.end]...)
		start = line.end
	}
	w.output = output
	return output
}

// writeAll writes in pieces that stay in the cache.
func writeAll(to io.Writer, p []byte) error {
	for piece := range slices.Chunk(p, maxWriteBytes) {
		if n, err := to.Write(piece); err != nil {
			return err
		} else if n < len(piece) {
			return io.ErrShortWrite
		}
	}
	return nil
}

func (r *run) summary() Summary {
	s := Summary{RowsTotal: r.place.rows - r.place.empties - 1, Operations: make([]OperationCount, len(r.operations))}
	for i, op := range r.operations {
		s.Operations[i].OperationID = op.id
	}
	for _, w := range r.workers {
		s.RowsChanged += w.changed
		for i, count := range w.counts {
			s.Operations[i].RowsMatched += count.matched
			s.Operations[i].RowsChanged += count.changed
		}
	}
	return s
}

// unwritten returns the input from the first fault on: the rest of that block,
// the blocks that others have read and not changed, and what was not yet read.
func (r *run) unwritten() io.Reader {
	rest := []io.Reader{bytes.NewReader(r.refused.block[r.refused.faultPos:r.refused.limit])}
	for range r.workers {
		next := r.refused.sequence + len(rest)
		for _, w := range r.workers {
			if w.sequence == next {
				rest = append(rest, bytes.NewReader(w.block[:w.limit]))
			}
		}
	}
	return io.MultiReader(append(rest, r.source)...)
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
