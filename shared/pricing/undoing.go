package pricing

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/cell"
)

// StaleRow is a row that an undo left as it was, because it no longer has what
// the execution that is undone gave it.
type StaleRow struct {
	Row    int64  `json:"row"` // in the table of that execution
	SKU    string `json:"sku"`
	Before State  `json:"before"` // what the undo would have given back
	Given  State  `json:"given"`  // what that execution gave it
	Found  *State `json:"found"`  // what it has now; null: the table does not have it any more
}

// WarnStale is the code of the warning of stale rows.
const WarnStale = "stale_rows"

const (
	maxStale       = 1000
	maxStaleBytes  = 200 << 10
	undoAheadBytes = 32 << 20 // of a table, in which its rows are looked for
)

// StaleError refuses an undo that is to fail where a row is stale. Its kind is
// errs.Invalid.
type StaleError struct {
	ExecutionID string     // that is undone
	RowsStale   int64      // at least 1
	Stale       []StaleRow // the first of them
	ambiguous   *Warning   // nil: it is known which rows they are
}

func (e *StaleError) Error() string {
	message := staleMessage(e.ExecutionID, e.RowsStale, firstRows(e.Stale))
	if e.ambiguous != nil {
		message += " " + ambiguousMessage(e.ambiguous.Rows, e.ambiguous.FirstRows)
	}
	return fmt.Sprintf("%s The undo was asked for with stale: fail, so nothing was undone. To undo the other rows and leave these as they are, ask for another undo with stale: %s.", message, plan.StaleReport)
}

// Unwrap gives the error its kind and its message.
func (e *StaleError) Unwrap() error { return errs.New(errs.Invalid, "%s", e.Error()) }

// firstRows are the numbers of the first stale rows.
func firstRows(stale []StaleRow) (numbers []int64) {
	for _, row := range stale[:min(len(stale), maxWarningRows)] {
		numbers = append(numbers, row.Row)
	}
	return numbers
}

func staleMessage(executionID string, rows int64, first []int64) string {
	if rows == 1 {
		return fmt.Sprintf("1 row that execution %s changed was changed again since, or is gone: row %s of its table.", executionID, list(first))
	}
	return fmt.Sprintf("%d rows that execution %s changed were changed again since, or are gone; in its table the first are rows %s.", rows, executionID, list(first))
}

// undoing is an undo over one table. One worker does it, row after row.
type undoing struct {
	*undo
	table *table.Table
	base  int64      // rows before the block that is walked
	told  *rowTeller // nil: as follows

	inPlace bool // all rows so far stand where the changes were made
	next    int  // the change that is next while they do
	keys    []keyed
	seed    maphash.Seed
	done    []doneState // of each change
	undone  int
	found   map[int]State // of stale ones, what the row holds, the first of them
}

// doneState is what became of a change.
type doneState byte

const (
	waits doneState = iota
	done
	uncertain // there is a row that may be its, or another
)

// keyed is a change by the hash of its SKU.
type keyed struct {
	hash   uint64
	change int
}

// over prepares the undo for a table that was opened. Whether its rows stand
// where the changes were made is known from its beginning.
func (u *undo) over(t *table.Table) (*undoing, error) {
	o := &undoing{undo: u, table: t, inPlace: true, seed: maphash.MakeSeed(), done: make([]doneState, len(u.at)), found: map[int]State{}}
	if u.apart != nil || u.look != nil {
		if u.apart != nil {
			o.told = u.apart.over()
		}
		return o, nil
	}
	rows, next := t.NewRecords(), 0
	err := t.Ahead(u.ahead, func(block []byte, row int64, r table.Record) {
		if o.inPlace && next < len(u.at) && u.row(next) == row {
			rows.Block = block
			o.inPlace = identityOf(t, rows, r) == u.change(next).SKU
			next++
		}
	})
	if !o.inPlace {
		o.lookByKey(0)
	}
	return o, err
}

// identityOf is what a row's change has for its SKU.
func identityOf(t *table.Table, rows *table.Records, at table.Record) string {
	if t.SKU >= 0 {
		if text, _ := rows.Text(at.Content(rows.Block, t.SKU).Of(rows.Block)); len(text) > 0 || len(t.Identity) == 0 {
			return t.Dialect.Text(text)
		}
	}
	return t.Dialect.Text(identify(nil, t, rows.Block, at))
}

// lookByKey looks for the changes from one on by their SKU, wherever their rows
// are.
func (o *undoing) lookByKey(from int) {
	o.inPlace, o.keys = false, o.keysFrom(from, o.seed)
}

// keysFrom returns the changes from one on in the order of their SKUs' hashes.
func (u *undo) keysFrom(from int, seed maphash.Seed) []keyed {
	keys := make([]keyed, 0, len(u.at)-from)
	for i := from; i < len(u.at); i++ {
		keys = append(keys, keyed{maphash.String(seed, u.change(i).SKU), i})
	}
	slices.SortFunc(keys, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.change, b.change)) })
	return keys
}

// firstOf is where the changes of a hash begin.
func firstOf(keys []keyed, hash uint64) int {
	first, _ := slices.BinarySearchFunc(keys, hash, func(k keyed, hash uint64) int { return cmp.Compare(k.hash, hash) })
	return first
}

func (w *walker) takeBack(at table.Record) {
	o := w.undoing
	if o == nil || w.table.Skips(w.Block, at) {
		return // what is wrong elsewhere is looked for
	}
	number := o.base + w.rows
	switch {
	case o.look != nil:
		o.look(o.table, w.Records, at, number)
	case o.told != nil:
		w.takeBackTold(at)
	default:
		w.takeBackByPlace(at, number)
	}
}

// takeBackTold takes back what was done to a row of which it is known what it was.
func (w *walker) takeBackTold(at table.Record) {
	o := w.undoing
	i, found, certain := o.told.find(o.table, w.Records, at)
	switch change := o.change; {
	case !found:
	case certain:
		w.restore(at, i, change(i))
	default:
		o.done[i] = uncertain
		r := restoring{walker: w, at: at, change: change(i)}
		now, _ := r.compare()
		o.noteFound(i, now)
	}
}

// takeBackByPlace takes back what was done to a row that stands where it stood,
// or is the next of its SKU.
func (w *walker) takeBackByPlace(at table.Record, number int64) {
	o := w.undoing
	if o.inPlace {
		if o.next == len(o.at) || o.row(o.next) != number {
			return
		}
		change := o.change(o.next)
		if identityOf(o.table, w.Records, at) == change.SKU {
			w.restore(at, o.next, change)
			o.next++
			return
		}
		o.lookByKey(o.next)
	}
	key := identityOf(o.table, w.Records, at)
	if key == "" {
		return // nothing tells such rows apart
	}
	hash := maphash.String(o.seed, key)
	for _, k := range o.keys[firstOf(o.keys, hash):] {
		if k.hash != hash {
			break
		}
		if o.done[k.change] == done {
			continue
		}
		if change := o.change(k.change); change.SKU == key && w.restore(at, k.change, change) {
			break
		}
	}
}

// restore gives a row back what it had before a change, if it has what that
// gave it, and notes what it has otherwise.
func (w *walker) restore(at table.Record, i int, change Change) (restored bool) {
	o := w.undoing
	r := restoring{walker: w, at: at, change: change}
	now, same := r.compare()
	if !same {
		o.noteFound(i, now)
		return false
	}
	o.done[i] = done
	o.undone++
	delete(o.found, i)
	r.note(now)
	return true
}

// noteFound notes what a row has whose change is not taken back, of the first.
func (o *undoing) noteFound(i int, now State) {
	if _, noted := o.found[i]; !noted && len(o.found) < maxStale {
		o.found[i] = now
	}
}

// restoring is the undo of one change in a row.
type restoring struct {
	*walker
	at     table.Record
	change Change
}

// compare returns what the row has where the change changed it, and whether
// that is still what it gave.
func (r *restoring) compare() (now State, same bool) {
	same = true
	if before, given := r.change.Before.Price, r.change.After.Price; given != nil {
		r.price = r.at.Content(r.Block, r.table.Price)
		text := r.table.Dialect.Text(r.price.Of(r.Block))
		now.Price = &text
		same = r.holds(r.table.Price, *before) && (text == *given || r.samePrice(text, *given, *before))
	}
	if before, given := r.change.Before.Stock, r.change.After.Stock; given != nil {
		r.stock = r.at.Content(r.Block, r.table.Stock)
		text := r.table.Dialect.Text(r.stock.Of(r.Block))
		now.Stock = &text
		if inStock, fault := r.table.Stocks.Read(r.Block, r.stock); fault == table.Fine {
			now.InStock = &inStock
		}
		same = same && r.holds(r.table.Stock, *before) && (text == *given || r.sameStock(text, *given, now.InStock))
	}
	return now, same
}

// holds reports whether a cell can be made to hold a text.
func (r *restoring) holds(column int, text string) bool {
	content, ok := r.table.Dialect.Bytes(text)
	return ok && (r.table.Quotes() || !r.needsQuotes(r.at, column, content))
}

// samePrice reports whether two prices are one amount, in a form in which the
// one before can be read too.
func (r *restoring) samePrice(now, given, before string) bool {
	is, isRead := r.readPrice(now)
	was, wasRead := r.readPrice(given)
	_, beforeRead := r.readPrice(before)
	return isRead && wasRead && beforeRead && is.Amount.Equal(was.Amount) && strings.EqualFold(is.Currency(), was.Currency())
}

func (r *restoring) readPrice(text string) (price table.Price, ok bool) {
	content, ok := r.table.Dialect.Bytes(text)
	if !ok || r.table.Prices == nil {
		return price, false
	}
	price, fault := r.table.Prices.Read(cell.Block(string(content)))
	return price, fault == table.Fine
}

// sameStock reports whether two texts of a stock cell say the same: one
// quantity, or one state.
func (r *restoring) sameStock(now, given string, inStock *bool) bool {
	if r.table.Stocks.Quantity() {
		return plainQuantity(now) == plainQuantity(given)
	}
	return inStock != nil && *inStock == *r.change.After.InStock
}

// plainQuantity leaves out a fraction of zeros.
func plainQuantity(text string) string {
	if whole, fraction, found := strings.Cut(strings.Replace(text, ",", ".", 1), "."); found && strings.Trim(fraction, "0") == "" {
		return whole
	}
	return text
}

// note notes the edits of the row, its line and what is counted of it.
func (r *restoring) note(now State) {
	after := r.change.Before
	price := func() {
		if after.Price != nil {
			after.Quoted = r.put(r.table.Price, *after.Price, r.change.After.Quoted)
		}
	}
	stock := func() {
		if after.Stock != nil {
			r.put(r.table.Stock, *after.Stock, false)
		}
	}
	if r.table.Stock < r.table.Price {
		stock()
		price()
	} else {
		price()
		stock()
	}
	count := &r.tally.Counts[0]
	count.Matched, count.Changed = count.Matched+1, count.Changed+1
	r.tally.Changed++
	if now.Price != nil {
		from, fromRead := r.readPrice(*now.Price)
		to, toRead := r.readPrice(*r.change.Before.Price)
		if fromRead && toRead && !from.Amount.Equal(to.Amount) {
			r.tally.Mixed = r.tally.Mixed || !r.table.Prices.SameMoney(from)
			r.tally.price(len(r.lines), from.Amount, to.Amount)
		}
	}
	if now.Stock != nil {
		now.InStock = r.change.After.InStock
		r.tally.stock(*r.change.Before.InStock)
	}
	r.addLine(Change{SKU: r.change.SKU, OperationIDs: []string{plan.UndoOperationID}, Before: now, After: after})
}

// put notes the edit of a cell that gets back a text, without the quotes around
// it where they were added. It reports whether it adds some.
func (r *restoring) put(column int, text string, unquote bool) (quoted bool) {
	content, _ := r.table.Dialect.Bytes(text) // that it can, holds says
	at := r.at.Content(r.Block, column)
	if unquote {
		at = r.at.Field(column)
	}
	if quoted = r.needsQuotes(r.at, column, content); quoted {
		content = slices.Concat([]byte{'"'}, content, []byte{'"'})
	}
	r.edit(at, append(r.text, content...))
	return quoted
}

// addLine adds the line of a change, of which the row is known later.
func (r *restoring) addLine(change Change) {
	r.rests = append(r.rests, strictjson.Line(change)[len(appendLineStart(nil, change.Row)):]...)
	r.lines = append(r.lines, line{row: r.rows - 1, end: len(r.rests)})
}

// tell adds to the summary what became of stale rows.
func (o *undoing) tell(s *Summary) error {
	s.Distinct = o.told != nil && o.told.isDistinct()
	if s.RowsStale = int64(len(o.at) - o.undone); s.RowsStale == 0 || o.look != nil {
		return nil
	}
	size := 0
	for i := 0; i < len(o.at) && len(s.Stale) < maxStale && size < maxStaleBytes; i++ {
		if o.done[i] != done {
			stale := o.stale(i)
			text, _ := json.Marshal(stale) // it always encodes
			size += len(text)
			s.Stale = append(s.Stale, stale)
		}
	}
	ambiguous := o.ambiguous()
	if o.Stale == plan.StaleFail {
		return &StaleError{ExecutionID: o.ExecutionID, RowsStale: s.RowsStale, Stale: s.Stale, ambiguous: ambiguous}
	}
	s.Warnings = append(s.Warnings, Warning{
		Code: WarnStale, OperationIDs: []string{plan.UndoOperationID}, Rows: s.RowsStale, FirstRows: firstRows(s.Stale), Arguments: []string{o.ExecutionID},
	})
	if ambiguous != nil {
		s.Warnings = append(s.Warnings, *ambiguous)
	}
	return nil
}

// ambiguous warns of changes of which it is not known which rows are theirs; nil:
// there are none.
func (o *undoing) ambiguous() *Warning {
	if o.told == nil {
		return nil
	}
	warning := Warning{Code: WarnAmbiguous, OperationIDs: []string{plan.UndoOperationID}}
	for i, became := range o.done {
		if became == uncertain || became == waits && o.told.isUneven(i) {
			if warning.Rows++; len(warning.FirstRows) < maxWarningRows {
				warning.FirstRows = append(warning.FirstRows, o.row(i))
			}
		}
	}
	if warning.Rows == 0 {
		return nil
	}
	return &warning
}

func (o *undoing) stale(i int) StaleRow {
	change := o.change(i)
	stale := StaleRow{Row: change.Row, SKU: clipped(change.SKU), Before: change.Before, Given: change.After}
	if found, is := o.found[i]; is {
		stale.Found = &found
	}
	return stale
}
