package pricing

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
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

const (
	maxStale      = 1000
	maxStaleBytes = 200 << 10
)

// hasBefore reports whether the row has what the undo would have given back.
func (s *StaleRow) hasBefore() bool {
	alike := func(was, is *string) bool { return was == nil || is != nil && *is == *was }
	if s.Found == nil || !alike(s.Before.Stock, s.Found.Stock) {
		return false
	}
	return !slices.ContainsFunc(cellStates[:], func(c cellState) bool {
		return c.text != nil && !alike(*c.text(&s.Before), *c.text(s.Found))
	})
}

// StaleError refuses an undo that is to fail where a row is stale, or that has no row
// to put back: it would complete, and be the only one that there is. Its kind is
// errs.Invalid.
type StaleError struct {
	ExecutionID string     // that is undone
	RowsStale   int64      // at least 1
	Stale       []StaleRow // the first of them
	none        bool       // there is no other row
}

func (e *StaleError) Error() string {
	const stillPossible = " No other row was changed by it, so nothing was undone. It can still be undone: use the table that it wrote, or a later one in which rows have what it gave them."
	if e.none && len(e.Stale) == int(e.RowsStale) &&
		!slices.ContainsFunc(e.Stale, func(s StaleRow) bool { return !s.hasBefore() }) {
		return inItsTable(e.RowsStale, firstRows(e.Stale),
			"row that execution "+e.ExecutionID+" changed has here what it had before",
			"rows that execution "+e.ExecutionID+" changed have here what they had before") + stillPossible
	}
	message := staleMessage(" that execution "+e.ExecutionID+" changed", e.RowsStale, firstRows(e.Stale))
	if e.none {
		return message + stillPossible
	}
	return fmt.Sprintf("%s The undo was asked for with stale: fail, so nothing was undone. To undo the other rows and leave these as they are, ask for another undo with stale: %s.", message, plan.StaleReport)
}

// Unwrap gives the error its kind and its message.
func (e *StaleError) Unwrap() error { return errs.New(errs.Invalid, "%s", e.Error()) }

// firstRows are the numbers of the first stale rows.
func firstRows(stale []StaleRow) (numbers []int64) {
	for _, row := range stale[:min(len(stale), table.MaxFirstRows)] {
		numbers = append(numbers, row.Row)
	}
	return numbers
}

// staleMessage says which rows are stale, of an execution that changed them.
func staleMessage(changed string, rows int64, first []int64) string {
	return inItsTable(rows, first,
		"row"+changed+" was changed again since, is gone, or shares its SKU with another",
		"rows"+changed+" were changed again since, are gone, or share their SKU with others")
}

// inItsTable says something of one row of the table of an execution, or of several.
func inItsTable(rows int64, first []int64, one, several string) string {
	if rows == 1 {
		return fmt.Sprintf("1 %s: row %s of its table.", one, table.ListRows(first))
	}
	return fmt.Sprintf("%d %s; in its table the first are rows %s.", rows, several, table.ListRows(first))
}

// undoing is an undo over one table. One worker does it, row after row.
type undoing struct {
	*undo
	next   int    // the change whose row comes next, where rows stand where they stood
	done   []bool // of each change
	undone int
	found  map[int]State // of stale ones, what the row holds, the first of them
	// One cell is both the quantity and what is in stock: a change tells it twice.
	oneCell bool
}

// over prepares the undo for one table.
func (u *undo) over(t *table.Table) *undoing {
	return &undoing{
		undo:    u,
		done:    make([]bool, len(u.at)),
		found:   map[int]State{},
		oneCell: t.QuantityIsStock(),
	}
}

// change returns a change, with each of its cells once.
func (o *undoing) change(i int) Change {
	change := o.undo.change(i)
	if o.oneCell && change.After.Stock != nil {
		change.Before.Quantity, change.After.Quantity = nil, nil
	}
	return change
}

// undoer takes back what an execution did to the rows that it is shown.
type undoer struct{ *visitor }

// Row takes back what was done to a row.
func (u undoer) Row(r *table.Row) table.Problem {
	switch o := u.undoing; {
	case o.onRow != nil:
		o.onRow(r)
	case o.bySKU != nil:
		u.takeBackBySKU(r)
	default:
		u.takeBackInPlace(r)
	}
	return table.Problem{}
}

// takeBackBySKU takes back what was done to a row that is told by its SKU.
func (u undoer) takeBackBySKU(row *table.Row) {
	o := u.undoing
	i, found, alone := o.bySKU.changeOf(row)
	switch {
	case !found:
	case alone:
		u.restore(row, i, o.change(i))
	default:
		r := restoring{undoer: u, row: row, change: o.change(i)}
		now, _ := r.compare()
		o.noteFound(i, now)
	}
}

// takeBackInPlace takes back what was done to a row that stands where it stood.
func (u undoer) takeBackInPlace(r *table.Row) {
	o := u.undoing
	for o.next < len(o.at) && o.row(o.next) < r.Number {
		o.next++
	}
	if o.next < len(o.at) && o.row(o.next) == r.Number {
		if change := o.change(o.next); r.Key() == change.SKU {
			u.restore(r, o.next, change)
		}
	}
}

// restore gives a row back what it had before a change, if it has what that
// gave it, and notes what it has otherwise.
func (u undoer) restore(row *table.Row, i int, change Change) {
	o := u.undoing
	r := restoring{undoer: u, row: row, change: change}
	now, same := r.compare()
	if !same && (o.Stale != plan.StaleOverwrite || !r.holds()) {
		o.noteFound(i, now)
		return
	}
	if same && now.Stock != nil {
		now.InStock = change.After.InStock
	}
	o.done[i] = true
	o.undone++
	r.note(now)
}

// noteFound notes what the first row has whose change is not taken back, of the first changes.
func (o *undoing) noteFound(i int, now State) {
	if _, noted := o.found[i]; !noted && len(o.found) < maxStale {
		o.found[i] = now
	}
}

// restoring is the undo of one change in a row.
type restoring struct {
	undoer
	row    *table.Row
	change Change
}

// compare returns what the row has where the change changed it, and whether
// that is still what it gave.
func (r *restoring) compare() (now State, same bool) {
	same = true
	for i, is := range r.changed {
		role := roleOf(i)
		text, before, given := r.row.Text(role), *is.text(&r.change.Before), *is.text(&r.change.After)
		*is.text(&now) = &text
		alike := text == *given ||
			i < firstText && r.table.SameMoney(table.Money(i), text, *given, *before) ||
			role == table.RoleQuantity && table.SameQuantity(text, *given)
		same = same && r.row.Holds(role, *before) && alike
	}
	if before, given := r.change.Before.Stock, r.change.After.Stock; given != nil {
		text := r.row.Text(table.RoleInStock)
		now.Stock = &text
		if inStock, ok := r.row.StockNow(); ok {
			now.InStock = &inStock
		}
		same = same && r.row.Holds(table.RoleInStock, *before) &&
			(text == *given || r.row.SameStock(*given, *r.change.After.InStock))
	}
	return now, same
}

// holds reports whether the row's cells can hold what they had before, whatever they have.
func (r *restoring) holds() bool {
	for i, is := range r.changed {
		if !r.row.Holds(roleOf(i), **is.text(&r.change.Before)) {
			return false
		}
	}
	return r.change.After.Stock == nil || r.row.Holds(table.RoleInStock, *r.change.Before.Stock)
}

// changed yields the cells that the change is of, with their numbers.
func (r *restoring) changed(yield func(int, *cellState) bool) {
	for i := range cellStates {
		is := &cellStates[i]
		if is.text != nil && *is.text(&r.change.After) != nil && !yield(i, is) {
			return
		}
	}
}

// note has the row written as it was, and notes its line and what is counted of it.
func (r *restoring) note(now State) {
	after := r.change.Before
	e := table.Edit{SetsStock: after.Stock != nil, StockText: after.Stock}
	for i, is := range r.changed {
		if i >= firstText {
			e.Texts[i-firstText] = *is.text(&after)
		} else {
			e.Money[i] = table.MoneyEdit{
				Sets: true,
				Text: *is.text(&after),
				Bare: *is.quoted(&r.change.After),
			}
		}
	}
	r.row.Write(&e) // that it can be, Holds says
	for m := range e.Money {
		if e.Money[m].Sets {
			*cellStates[m].quoted(&after) = r.row.Money[m].Quoted
		}
	}
	count := &r.tally.Counts[0]
	count.Matched, count.Changed = count.Matched+1, count.Changed+1
	r.tally.Changed++
	if e.ChangesPrices() {
		r.countPrices(&now, &after)
	}
	if now.Stock != nil && now.InStock != nil && *r.change.Before.InStock != *now.InStock {
		r.tally.Stocked[index(*r.change.Before.InStock)]++
	}
	r.addLine(Change{
		SKU:          r.change.SKU,
		OperationIDs: []string{plan.UndoOperationID},
		Before:       now,
		After:        after,
	})
}

// countPrices counts what customers pay again, and has the states say it.
func (r *restoring) countPrices(now, after *State) {
	price := r.row.Text(table.RolePrice)
	if now.Price == nil {
		now.Price, after.Price = &price, &price
	}
	from, usual, fromRead := r.table.ReadMoney(table.Price, *now.Price)
	to, _, toRead := r.table.ReadMoney(table.Price, *after.Price)
	if !fromRead || !toRead {
		return
	}
	r.tally.Mixed = r.tally.Mixed || !usual || !r.row.OneCurrency
	if !r.table.HasSales() {
		if !from.Equal(to) {
			r.tally.moved(up, len(r.lines), [2]bool{}, from, to)
		}
		return
	}
	m, _ := r.table.Sale()
	was, is := cellStates[m].text(now), cellStates[m].text(after)
	if *was == nil {
		sale := r.row.Text(m.Role())
		*was, *is = &sale, &sale
	}
	on := r.row.Text(table.OnSale.Role())
	onAfter := on
	if after.OnSale != nil {
		onAfter = *after.OnSale
	}
	paid, _ := r.table.PricesOf(*now.Price, **was, on)
	again, _ := r.table.PricesOf(*after.Price, **is, onAfter)
	r.tally.prices(len(r.lines), &paid, &again)
}

// addLine adds the line of a change, of which the row is known later.
func (r *restoring) addLine(change Change) {
	r.rests = append(r.rests, strictjson.Line(change)[len(startLine(nil, change.Row)):]...)
	r.lines = append(r.lines, line{row: r.row.Index, end: len(r.rests)})
}

// tell adds to the summary what became of stale rows.
func (o *undoing) tell(s *Summary) error {
	if s.RowsStale = int64(len(o.at) - o.undone); s.RowsStale == 0 || o.onRow != nil {
		return nil
	}
	size := 0
	for i := 0; i < len(o.at) && len(s.Stale) < maxStale && size < maxStaleBytes; i++ {
		if !o.done[i] {
			stale := o.stale(i)
			text, _ := json.Marshal(stale) // it always encodes
			size += len(text)
			s.Stale = append(s.Stale, stale)
		}
	}
	if o.Stale == plan.StaleFail || o.undone == 0 {
		return &StaleError{
			ExecutionID: o.ExecutionID,
			RowsStale:   s.RowsStale,
			Stale:       s.Stale,
			none:        o.undone == 0,
		}
	}
	s.Figures.LeftAlone = append(s.Figures.LeftAlone, Figure{
		Code:         LeftStale,
		OperationIDs: []string{plan.UndoOperationID},
		Rows:         s.RowsStale,
		FirstRows:    firstRows(s.Stale),
	})
	return nil
}

func (o *undoing) stale(i int) StaleRow {
	change := o.change(i)
	stale := StaleRow{Row: change.Row, SKU: clipped(change.SKU), Before: change.Before, Given: change.After}
	if found, is := o.found[i]; is {
		stale.Found = &found
	}
	return stale
}
