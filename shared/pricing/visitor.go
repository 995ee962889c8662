package pricing

import "github.com/planwright/planwright/shared/table"

// visitor carries the plan out over the rows that it is shown, one block at a
// time.
type visitor struct {
	*run
	edit table.Edit // what becomes of the row
	now  state

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
	v := &visitor{
		run:   r,
		tally: tally{Counts: make([]opCount, len(r.operations)), Moved: noMoves, keeps: r.see != nil},
	}
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
	if found.Kind != table.Fine || !v.changesRow() {
		return found
	}
	if found = r.Write(&v.edit); found.Kind != table.Fine {
		return found
	}
	v.count(r, by)
	v.appendLine(r, by)
	return table.Problem{}
}

// changesRow reports whether the row becomes another.
func (v *visitor) changesRow() bool {
	return v.edit.SetsStock || v.edit.Texts[table.Quantity] != nil || v.changesPrices()
}

// changesPrices reports whether the row gets another price or sale: a sale only where an
// operation is about it.
func (v *visitor) changesPrices() bool {
	return v.edit.Money[table.Price].Sets || v.now.asked && v.edit.ChangesPrices()
}

// count adds a changed row, whose line is the next one, to the tally.
func (v *visitor) count(r *table.Row, by table.Set) {
	v.tally.Changed++
	note := func(what remark, applies bool) {
		if applies {
			v.tally.Remarks.note(what, r.Index+1, by)
		}
	}
	price, sells := &v.edit.Money[table.Price], v.changesPrices()
	if sells {
		v.countPrices(r, by)
	}
	note(nameless, r.Nameless)
	note(free, price.Sets && price.Amount.IsZero())
	note(fractions, r.Whole && v.edit.HasFractions())
	note(otherPrices, sells && r.OtherPrices)
	if v.edit.InStock != r.Stock.In {
		v.tally.Stocked[index(v.edit.InStock)]++
	}
}

// countPrices counts what becomes of what customers pay, and what that means to the row's sale.
func (v *visitor) countPrices(r *table.Row, by table.Set) {
	v.tally.Mixed = v.tally.Mixed || !r.Money[table.Price].Usual
	price := &v.edit.Money[table.Price]
	if !v.hasSales {
		v.tally.moved(up, len(v.lines), [2]bool{}, r.Money[table.Price].Amount, price.Amount)
		return
	}
	was, now := v.prices(r)
	v.tally.prices(len(v.lines), &was, &now)
	if sale, _ := v.table.Sale(); !price.Sets || v.edit.Money[sale].Sets {
		return
	}
	asks := v.now.compared || !by.And(v.asSale).Empty()
	for i := range r.Sales {
		move := saleMove(&r.Sales[i], price.Amount, v.settings.SaleDates == "")
		if begins := move == aboveSale || move == belowCompareAt; move != notLeft && !(begins && asks) {
			v.tally.Remarks.note(move, r.Index+1, by)
		}
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
	if err := v.writeLines(first); err != nil {
		return err
	}
	v.effect.add(v, first)
	return v.show(first)
}
