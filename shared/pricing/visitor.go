package pricing

import (
	"github.com/planwright/planwright/shared/table"
)

// visitor carries the plan out over the rows that it is shown, one block at a
// time.
type visitor struct {
	*run
	edit table.Edit // what becomes of the row
	// Of a row for which an operation about sales may be: what it has, and what becomes
	// of that. Asked: they were read; sells: some operation is about sales.
	were, prices table.Prices
	asked, sells bool
	unread       table.Problem // why they cannot be
	compared     bool          // an operation is for it that sets the price from before a sale

	lines  []line
	rests  []byte    // the lines' rests, one behind the other
	by     table.Set // the operations of the line before
	middle []byte    // of that line
	tally  tally
}

// line is a change line: its row, counted from 0 in the block, and where its
// rest ends.
type line struct {
	row int64
	end int
}

func (r *run) newVisitor() table.Visitor {
	v := &visitor{run: r, sells: r.query.Sales, tally: tally{Counts: make([]opCount, len(r.operations)), Moved: noMoves, keeps: r.see != nil}}
	if r.undoing != nil {
		return undoer{v}
	}
	return v
}

// Begin begins a block.
func (v *visitor) Begin() {
	v.lines, v.rests = v.lines[:0], v.rests[:0]
	v.tally.reset()
}

// Row carries the plan out on a row.
func (v *visitor) Row(r *table.Row) table.Problem {
	by, found := v.decide(r, table.EverySet)
	if found.Kind != table.Fine || !v.edit.Changes() {
		return found
	}
	if found = r.Write(&v.edit); found.Kind != table.Fine {
		return found
	}
	v.count(r, by)
	v.appendLine(r, by)
	return table.Problem{}
}

// count adds a changed row, whose line is the next one, to the tally.
func (v *visitor) count(r *table.Row, by table.Set) {
	v.tally.Changed++
	if price := &v.edit.Money[table.Price]; v.table.HasSales() {
		v.countSale(r, by)
	} else if price.Sets {
		was, _ := r.Amount(table.Price)
		v.tally.Mixed = v.tally.Mixed || !r.UsualMoney(table.Price)
		v.tally.moved(up, len(v.lines), [2]bool{}, was, price.Amount)
	}
	if r.Nameless() {
		v.tally.Remarks.note(nameless, r.Index()+1, by)
	}
	if price := &v.edit.Money[table.Price]; price.Sets && price.Amount.IsZero() {
		v.tally.Remarks.note(free, r.Index()+1, by)
	}
	if r.HasFractions(&v.edit) {
		v.tally.Remarks.note(fractions, r.Index()+1, by)
	}
	if r.HasOtherPrices() && v.edit.ChangesPrices() {
		v.tally.Remarks.note(otherPrices, r.Index()+1, by)
	}
	if v.edit.InStock != r.InStock() {
		v.tally.Stocked[index(v.edit.InStock)]++
	}
}

// countSale counts a row of a table with sales: what customers pay, and what that
// means to its sale.
func (v *visitor) countSale(r *table.Row, by table.Set) {
	if !v.edit.ChangesPrices() {
		return
	}
	price := &v.edit.Money[table.Price]
	v.settlePrices(r)
	v.tally.Mixed = v.tally.Mixed || !r.UsualMoney(table.Price)
	v.tally.prices(len(v.lines), &v.were, &v.prices)
	if sale, _ := v.table.Sale(); price.Sets && !v.edit.Money[sale].Sets {
		r.Moves(price.Amount, v.settings.SaleDates == "", func(move table.SaleMove) {
			if begins := move == table.AboveSale || move == table.BelowCompareAt; !begins || !v.compared && by.And(v.asSale).Empty() {
				v.tally.Remarks.note(remark(move), r.Index()+1, by)
			}
		})
	}
}

// settlePrices has were and prices say what the row's prices were and what becomes of
// them by the edit.
func (v *visitor) settlePrices(r *table.Row) {
	if !v.asked { // a sale that cannot be read is none
		v.were, _ = r.Prices()
		if v.were.MayEnd() && v.settings.SaleDates == "" {
			v.were.HasSale = false // it may not be in force
		}
		v.prices = v.were
	}
	if price := &v.edit.Money[table.Price]; price.Sets {
		v.prices.Price = price.Amount
	}
}

// show hands the block's changes to who looks at them.
func (v *visitor) show(first int64) error {
	shares := v.tally.shares
	for i := 0; v.see != nil && i < len(v.lines); i++ {
		seen := Seen{Change: Change{Row: first + v.lines[i].row}}
		if len(shares) > 0 && shares[0].line == i {
			seen.Moved, seen.OnSale = new(int64(shares[0].share)), shares[0].onSale
			shares = shares[1:]
		}
		if v.skip != nil && v.skip(&seen) {
			continue
		}
		seen.Change, _ = v.changeAt(i, first)
		if err := v.see(seen); err != nil {
			return err
		}
	}
	return nil
}

// Done writes the block's change lines and adds up what was done in it.
func (v *visitor) Done(first int64) error {
	start := 0
	for _, line := range v.lines {
		text := startLine(v.changes.AvailableBuffer(), first+line.row)
		if _, err := v.changes.Write(append(text, v.rests[start:line.end]...)); err != nil {
			return err
		}
		start = line.end
	}
	v.effect.add(v, first)
	return v.show(first)
}
