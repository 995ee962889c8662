package row

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/names"
)

// Workload is how a table is read and written: how many bytes at a time, and by
// how many workers at most.
type Workload struct {
	ReadBytes, WriteBytes, Workers int
}

const (
	// defaultReadBytes keeps a block, its edits and what a visitor keeps of it in a
	// core's cache.
	defaultReadBytes = 256 << 10
	// defaultWriteBytes is as much as stays in a core's cache while it is hashed and
	// written. A file system keeps pieces of a power of two, one behind the other
	// from a file's beginning, in large pages, which cost it less.
	defaultWriteBytes = 256 << 10
	maxWorkers        = 8
)

// UsualWorkload is what is fastest. There are some more workers than can run at
// once, so that those that wait for their turn leave no core idle.
func UsualWorkload() Workload {
	return Workload{defaultReadBytes, defaultWriteBytes, min(runtime.GOMAXPROCS(0), maxWorkers) + 4}
}

// Scanned is what a scan met, of a table or of a range of it.
type Scanned struct {
	Rows    int64    // records behind the header
	Empties int64    // of them, the empty lines
	AtEnd   int64    // of these, those behind all others
	Seen    [][]bool // of the query's names, by role
	// Spelled counts the rows that have each of them, or a name that looks the same.
	Spelled []map[string]int64
	LeftOut
	InLine bool // it ends within a line
	Fault  bool // a range has one: the rest says nothing
}

// LeftOut are rows that a person might count in, for what they lack.
type LeftOut struct {
	Orphans RowList // leave a category blank and name a product that the table does not have
	Blank   RowList // have no category, nor a product's, where the query names some
	Short   RowList // end before a column that is read
	Empty   RowList // are empty lines
	Ragged  RowList // have another number of cells than the header, and stay as they are
	Strays  RowList // have a quote in a value that does not begin with one, in a column that nobody needs
	// Contradicted are rows that two columns of stock say otherwise of.
	Contradicted RowList
	// Excepted are the exceptions of the query that left a row out.
	Excepted names.Set
}

// Append adds the rows that stand behind so many others.
func (l *LeftOut) Append(more LeftOut, behind int64) {
	l.Orphans.Append(more.Orphans, behind)
	l.Blank.Append(more.Blank, behind)
	l.Short.Append(more.Short, behind)
	l.Empty.Append(more.Empty, behind)
	l.Ragged.Append(more.Ragged, behind)
	l.Strays.Append(more.Strays, behind)
	l.Contradicted.Append(more.Contradicted, behind)
	l.Excepted = l.Excepted.Or(more.Excepted)
}

// RowList counts rows, and has the numbers of the first of them.
type RowList struct {
	Rows  int64
	First []int64 // at most MaxFirstRows
}

// MaxFirstRows is how many rows are named of those that a warning counts.
const MaxFirstRows = 20

// ListRows says the numbers of rows to people.
func ListRows(numbers []int64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}

// Add adds a row.
func (l *RowList) Add(row int64) {
	if l.Rows++; len(l.First) < MaxFirstRows {
		l.First = append(l.First, row)
	}
}

// Append adds the rows of a list that stand behind so many others.
func (l *RowList) Append(more RowList, behind int64) {
	l.Rows += more.Rows
	for _, row := range more.First[:min(len(more.First), MaxFirstRows-len(l.First))] {
		l.First = append(l.First, behind+row)
	}
}

// Scan reads the table that was opened, shows the rows that may matter to
// visitors, and writes to out all of it as the visitors had it edited. Each
// worker has a visitor of its own. A table that breaks a rule is refused with an
// *InputError; an error of the input, of out or of a visitor is returned as it
// is, and ctx's when it is done first. After any error out has some of the bytes.
func (t *Table) Scan(
	ctx context.Context, q *Query, out io.Writer, w Workload, visitors func() Visitor,
) (*Scanned, error) {
	p := t.newPass(q, out, w, visitors)
	if err := p.orDiagnosis(ctx); err != nil {
		return nil, err
	}
	return p.scanned(), nil
}

// ScanRange does for one range of an opened table what Scan does for all of it.
// The first range's output begins with the header. In reads the range. A range
// with a fault is no error.
func (t *Table) ScanRange(
	ctx context.Context, q *Query, of Range, in io.Reader, out io.Writer, w Workload, visitors func() Visitor,
) (*Scanned, error) {
	part := t.of(in, w.ReadBytes)
	if of.Row == t.firstRow() {
		part.Head = t.Head
	}
	p := part.newPass(q, out, w, visitors)
	p.reached.rows = of.Row - 1
	err := p.all(ctx)
	if p.refused != nil && errors.Is(err, errRefused) {
		return &Scanned{Fault: true}, nil
	}
	if err != nil {
		return nil, err
	}
	scanned := p.scanned()
	scanned.Rows -= of.Row - t.firstRow()
	scanned.InLine = of.To > of.From && scanned.InLine
	return scanned, nil
}

// ErrMisread says that a range was read with other bytes than the table has.
var ErrMisread = errors.New("table: a range was read with other bytes than the table has")

// Diagnose returns what is wrong with a table from a range on, before which was
// scanned what is given: the range has a fault, or what stands before it has one
// now that it does not end there.
func (t *Table) Diagnose(
	ctx context.Context, q *Query, before *Scanned, in io.Reader, w Workload, visitors func() Visitor,
) error {
	p := t.of(in, w.ReadBytes).newPass(q, io.Discard, w, visitors)
	p.reached = progress{before.Rows + t.firstRow() - 1, before.Empties, before.AtEnd}
	return cmp.Or(p.orDiagnosis(ctx), ErrMisread)
}

// NothingScanned is what was scanned of a table before its first range.
func (t *Table) NothingScanned(q *Query) *Scanned {
	s := &Scanned{InLine: t.InLine()}
	for _, l := range q.search.Lookups {
		s.Seen = append(s.Seen, make([]bool, len(l.Named)))
		s.Spelled = append(s.Spelled, map[string]int64{})
	}
	return s
}

// SeenAll reports whether all names of the query were seen.
func (s *Scanned) SeenAll() bool {
	return !slices.ContainsFunc(s.Seen, func(seen []bool) bool { return slices.Contains(seen, false) })
}

// Join adds what was scanned behind, and reports whether it has no fault.
func (s *Scanned) Join(behind *Scanned) (fits bool) {
	if behind.Fault {
		return false
	}
	s.InLine = behind.InLine || s.InLine && behind.Rows == 0
	reached := progress{s.Rows, s.Empties, s.AtEnd}.after(behind.Rows, behind.Empties, behind.AtEnd)
	s.Rows, s.Empties, s.AtEnd = reached.rows, reached.empties, reached.atEnd
	for i, seen := range behind.Seen {
		for id, is := range seen {
			s.Seen[i][id] = s.Seen[i][id] || is
		}
	}
	for i, spelled := range behind.Spelled {
		for name, rows := range spelled {
			s.Spelled[i][name] += rows
		}
	}
	s.LeftOut.Append(behind.LeftOut, 0)
	return true
}

// pass is one pass over a table. Its workers take turns at each of the things
// that must be done in the order of the blocks; between them they scan their
// blocks at the same time.
type pass struct {
	table    *Table
	query    *Query
	load     Workload
	visitors func() Visitor
	out      *bufio.Writer
	workers  []*worker
	former   []*worker // those before blocks were cut exactly

	reading, writing turns

	// Owned by the worker whose turn it is to write.
	reached progress // by what is written
	refused *worker  // the one that found the first fault
	strayed *worker  // the one that found the first quote that begins no field
	leftOut LeftOut
}

func (t *Table) newPass(q *Query, out io.Writer, w Workload, visitors func() Visitor) *pass {
	if q.inOrder() { // a visitor of all rows sees each once
		t.blocks.CutExactly(nil)
	}
	return &pass{
		table:    t,
		query:    q,
		load:     w,
		visitors: visitors,
		out:      bufio.NewWriterSize(t.Writer(out), w.WriteBytes),
		reached:  progress{rows: t.firstRow() - 1},
	}
}

// progress is how far a table has been read.
type progress struct {
	rows    int64 // records, with the header
	empties int64 // of them, the empty lines
	atEnd   int64 // of these, those behind all others
}

// after returns the progress behind so many more records.
func (p progress) after(rows, empties, atEnd int64) progress {
	if rows == atEnd {
		atEnd += p.atEnd
	}
	return progress{p.rows + rows, p.empties + empties, atEnd}
}

// EmptyWithin are the empty lines that stand before other rows.
func (s *Scanned) EmptyWithin(t *Table) RowList {
	within := RowList{Rows: s.Empty.Rows - s.AtEnd}
	for _, row := range s.Empty.First {
		if row < t.firstRow()+s.Rows-s.AtEnd {
			within.First = append(within.First, row)
		}
	}
	return within
}

// LastRow is the number of the last row.
func (s *Scanned) LastRow(t *Table) int64 { return t.firstRow() + s.Rows - 1 }

// worker is a scanner with a place among the others.
type worker struct {
	*scanner
	index    int
	sequence int // of its block; -1: none yet
	fault    bool
	faultPos int
}

var (
	errRefused = errors.New("table: the table has a fault")
	errStrayed = errors.New("table: a quote begins no field")
)

// all does the whole table.
func (p *pass) all(ctx context.Context) error {
	if _, err := p.out.Write(p.table.Head); err != nil {
		return err
	}
	err := p.body(ctx)
	if p.strayed != nil && errors.Is(err, errStrayed) {
		err = p.goOn(ctx)
	}
	if err != nil {
		return err
	}
	return p.out.Flush()
}

// goOn does the rest of a table from the block in which the first quote begins no field:
// the blocks that were read behind it may not end where a record does.
func (p *pass) goOn(ctx context.Context) error {
	rest := p.readBehind(p.strayed, 0)
	p.table.blocks.CutExactly(bytes.Join(rest, nil))
	p.former, p.workers, p.strayed = p.workers, nil, nil
	p.table.family.Again()
	return p.body(ctx)
}

// orDiagnosis does the whole table, or says all that is wrong with it.
func (p *pass) orDiagnosis(ctx context.Context) error {
	err := p.all(ctx)
	if p.refused != nil && errors.Is(err, errRefused) {
		return p.diagnose(ctx)
	}
	return err
}

// body shares the blocks behind the header among the workers.
func (p *pass) body(ctx context.Context) error {
	n := p.load.Workers
	if p.table.family != nil || p.query.inOrder() {
		n = 1 // what a row is depends on the rows before
	}
	p.reading, p.writing = newTurns(n), newTurns(n)
	group, ctx := errgroup.WithContext(ctx)
	for i := range n {
		w := &worker{scanner: p.table.newScanner(p.query, p.visitors()), index: i, sequence: -1}
		p.workers = append(p.workers, w)
		group.Go(func() error { return p.work(ctx, w) })
	}
	return group.Wait()
}

// work takes its share of the blocks from the input to the output.
func (p *pass) work(ctx context.Context, w *worker) error {
	for {
		limit, err := p.read(ctx, w)
		if err != nil || limit == 0 {
			return err
		}
		if p.query.inOrder() { // by one worker alone
			w.before = p.reached.rows
		}
		w.begin(limit)
		p.table.family.Begin()
		var found Problem
		w.faultPos, found = w.scan()
		w.fault = found.Kind != faults.Fine
		if err := p.write(ctx, w); err != nil {
			return err
		}
	}
}

// read reads the worker's next block; a limit of 0 is the end of the input.
func (p *pass) read(ctx context.Context, w *worker) (limit int, err error) {
	if err := p.reading.wait(ctx, w.index); err != nil {
		return 0, err
	}
	if w.Block, limit, err = p.table.blocks.Next(w.Block); err != nil {
		return 0, err
	}
	if p.table.blocks.Keeps() && w.names.seenAll() {
		p.table.blocks.Forget()
	}
	if limit > 0 {
		w.sequence = p.table.blocks.Given
	}
	p.reading.pass(w.index)
	return limit, nil
}

// write writes the worker's block, with its edits made, once those before are
// written. A fault ends the pass here: nothing of its block is written.
func (p *pass) write(ctx context.Context, w *worker) error {
	if err := p.writing.wait(ctx, w.index); err != nil {
		return err
	}
	if w.strays && !p.table.blocks.Exact() {
		p.strayed = w
		return errStrayed
	}
	if w.fault {
		p.reached = p.reached.after(w.rows-1, w.empties, 0)
		p.refused = w
		return errRefused
	}
	first := p.reached.rows + 1
	p.leftOut.Append(w.leftOut, first-1)
	p.reached = p.reached.after(w.rows, w.empties, w.atEnd)
	if err := w.putBlock(p.out); err != nil {
		return err
	}
	if err := w.visitor.Done(first); err != nil {
		return err
	}
	w.names.keep()
	p.writing.pass(w.index)
	return nil
}

// putBlock writes the block with its edits made: in place where they fit.
func (s *scanner) putBlock(out *bufio.Writer) error {
	done := 0
	for _, edit := range s.edits {
		content := s.text[edit.from:edit.to]
		if int(edit.Size()) == len(content) {
			copy(s.Block[edit.From:], content)
			continue
		}
		out.Write(s.Block[done:edit.From]) // an error stays in the writer
		out.Write(content)
		done = int(edit.To)
	}
	_, err := out.Write(s.Block[done:s.Limit])
	return err
}

// scanned is what the pass met.
func (p *pass) scanned() *Scanned {
	s := p.table.NothingScanned(p.query)
	s.Rows, s.Empties, s.AtEnd = p.reached.rows-p.table.firstRow()+1, p.reached.empties, p.reached.atEnd
	s.LeftOut, s.InLine = p.leftOut, p.table.blocks.InLine()
	for _, w := range slices.Concat(p.former, p.workers) {
		for i := range w.names.columns {
			for id, is := range w.names.columns[i].seen {
				s.Seen[i][id] = s.Seen[i][id] || is
			}
			w.names.columns[i].addTo(s.Spelled[i])
		}
	}
	return s
}

// unwritten returns the input from the first fault on.
func (p *pass) unwritten() io.Reader {
	var rest []io.Reader
	for _, text := range p.readBehind(p.refused, p.refused.faultPos) {
		rest = append(rest, bytes.NewReader(text))
	}
	return io.MultiReader(append(rest, p.table.blocks)...)
}

// readBehind returns what was read and not written: the rest of a worker's block, and the
// blocks behind it that others have read and not changed.
func (p *pass) readBehind(from *worker, pos int) (texts [][]byte) {
	texts = append(texts, from.Block[pos:from.Limit])
	for range p.workers {
		next := from.sequence + len(texts)
		for _, w := range p.workers {
			if w.sequence == next {
				texts = append(texts, w.Block[:w.Limit])
			}
		}
	}
	return texts
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
