package pricing

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/planwright/planwright/shared/table"
)

// diagnosis goes on, record by record, from the first fault to the end of the
// table, to say all that is wrong with it. Nothing is written any more. Where
// the quoting is at fault it takes up again on the next line.
type diagnosis struct {
	*walker // its rows count the whole table
	in      io.Reader
	ended   bool
	pos     int  // of the next record
	skips   bool // to the end of a line
	log     table.FaultLog
}

func (r *run) diagnose(ctx context.Context) error {
	d := &diagnosis{walker: r.newWalker(r.table), in: r.unwritten()}
	d.walker.rows, d.walker.empties = r.place.rows, r.place.empties
	d.Renew(0)
	for {
		if !d.whole() {
			if err := d.read(ctx); err != nil {
				return err
			}
			continue
		}
		if d.pos == d.Limit {
			return d.log.Err()
		}
		d.step()
	}
}

// whole reports whether the record at pos is there, or as much of it as needed
// to say that it is too long or that the table ends in it.
func (d *diagnosis) whole() bool {
	switch {
	case d.ended || d.Limit-d.pos > table.MaxRecordBytes+2:
		return true
	case d.pos == d.Limit:
		return false
	}
	return d.Whole(d.pos)
}

// read adds to the block, which it moves up to pos before.
func (d *diagnosis) read(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	left := copy(d.Block, d.Block[d.pos:d.Limit])
	d.pos = 0
	room := table.Grow(&d.Block, left+d.blockSize)[left : left+d.blockSize]
	n, err := io.ReadFull(d.in, room)
	d.Reset(left + n)
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		d.ended = true
	case err != nil:
		return err
	}
	if d.skips {
		d.skipLine(0)
	}
	return nil
}

func (d *diagnosis) step() {
	end, next, found := d.one(d.pos)
	d.edits, d.text, d.lines, d.rests = d.edits[:0], d.text[:0], d.lines[:0], d.rests[:0]
	if found.kind == table.EmptyLine { // and not at the end, as it turns out
		d.rows--
		for ; d.empties > 0; d.empties-- {
			d.log.Add(table.EmptyLine, table.Fault{Row: d.rows - d.empties + 1, Message: table.Advice[table.EmptyLine]})
		}
		return
	}
	if found.kind != table.Fine {
		d.log.Add(found.kind, d.describe(end, found))
	}
	if next == end || next > d.Limit {
		d.skipLine(next)
		return
	}
	d.pos = next
}

// skipLine moves pos behind the next line end at or after from.
func (d *diagnosis) skipLine(from int) {
	lineEnd := -1
	if from < d.Limit {
		lineEnd = bytes.IndexByte(d.Block[from:d.Limit], d.LineEnd())
	}
	d.skips = lineEnd < 0
	if d.pos = d.Limit; !d.skips {
		d.pos = from + lineEnd + 1
	}
}

func (d *diagnosis) describe(end int, found problem) table.Fault {
	fault := table.Fault{Row: d.rows, Message: d.advice(found)}
	if found.kind == table.FieldCount && d.Fields() < len(d.table.Header) && end == d.Limit {
		fault.Message = fmt.Sprintf("the file ends within this row, which has %d fields of %d, and seems to be cut off: export or copy it again", d.Fields(), len(d.table.Header))
	}
	value, field := d.Block[d.pos:end], noColumn
	switch found.kind {
	case table.StrayQuote, table.TextAfterQuote, table.UnclosedQuote, table.LoneCR, table.LoneLF:
		if at, text := d.Faulty(end); text != nil {
			field, value = at, text
		}
	}
	if found.column != noColumn {
		field = found.column
		value = d.Record().Content(d.Block, field).Of(d.Block)
	}
	if field >= 0 && field < len(d.table.Header) {
		fault.Column = d.table.Header[field]
	}
	fault.Value = table.Shown(d.table.Dialect.Text(value))
	return fault
}

func (d *diagnosis) advice(found problem) string {
	switch found.kind {
	case table.FieldCount:
		return fmt.Sprintf("the row has %d fields where the header has %d: put quotes around a value with a %s in it", d.Fields(), len(d.table.Header), d.table.Dialect.Delimiter)
	case negativePrice:
		return fmt.Sprintf("operation %s would make the price negative: leave the row out, or give the operation a min_price", d.operations[found.operation].id)
	case priceTooLarge:
		return fmt.Sprintf("operation %s would make a price of more than 18 digits before the point: leave the row out, or give the operation a max_price", d.operations[found.operation].id)
	case unknownQuantity:
		return "out of stock, and the plan puts it in stock, but not with how many: say the quantity with {in_stock_quantity}"
	case unwritableStock:
		return "cannot be changed: the column's first rows do not show the word to be written, so change one of them by hand; or the state is its product's, so change that row"
	case untrackedStock:
		return "the shop does not track this row's quantity, so that it is in stock whatever the quantity: have the shop track it, or leave the row out"
	case unquotablePrice:
		return "the new price would hold what separates the columns, and in this platform's tables no cell is quoted: export it with another separator"
	default:
		return table.Advice[found.kind]
	}
}

// The kinds of faults that a plan's result can have.
const (
	negativePrice = table.Kinds + iota
	priceTooLarge
	unknownQuantity
	unwritableStock
	untrackedStock
	unquotablePrice
)

// problem is what a row function found: the kind, which column it is in (or
// noColumn), and for results the operation.
type problem struct {
	kind      table.Kind
	column    int
	operation int
}

const noColumn = -1
