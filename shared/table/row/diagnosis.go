package row

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/scan"
)

// diagnosis goes on, record by record, from the first fault to the end of the
// table, to say all that is wrong with it. Nothing is written any more. Where
// the quoting is at fault it takes up again on the next line.
type diagnosis struct {
	*scanner // its rows count the whole table
	in       io.Reader
	size     int // bytes read at a time
	ended    bool
	pos      int  // of the next record
	skips    bool // to the end of a line
	log      faults.Log
	encoding string // the question for it
}

func (p *pass) diagnose(ctx context.Context) error {
	var visitor Visitor
	if !p.query.Unchecked { // what is wrong with a table is not in what a visitor of all rows does
		visitor = p.visitors()
	}
	d := &diagnosis{scanner: p.table.newScanner(p.query, visitor), in: p.unwritten(), size: p.load.ReadBytes}
	d.rows, d.empties = p.reached.rows, p.reached.empties
	d.Renew(0)
	for {
		if !d.whole() {
			if err := d.read(ctx); err != nil {
				return err
			}
			continue
		}
		if d.pos == d.Limit {
			found, more := d.log.All()
			return &InputError{Faults: found, More: more}
		}
		d.step()
	}
}

// whole reports whether the record at pos is there, or as much of it as needed
// to say that it is too long or that the table ends in it.
func (d *diagnosis) whole() bool {
	switch {
	case d.ended || d.Limit-d.pos > scan.MaxRecordBytes+2:
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
	room := scan.Grow(&d.Block, left+d.size)[left : left+d.size]
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
	end, next, found := d.scanRecord(d.pos)
	if d.edits, d.text = d.edits[:0], d.text[:0]; d.visitor != nil {
		d.visitor.Begin()
	}
	if found.Kind != faults.Fine {
		d.log.Add(found.Kind, d.describe(end, found))
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

func (d *diagnosis) describe(end int, found Problem) faults.Fault {
	fault := faults.Fault{Code: found.Kind.Code(), Row: d.rows}
	value, field := d.Block[d.pos:end], noColumn
	switch found.Kind {
	case faults.TextAfterQuote, faults.UnclosedQuote, faults.LoneCR, faults.LoneLF:
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
	fault.Value, fault.Message = faults.Shown(d.table.Dialect.Text(value)), d.advice(found, end, value)
	return fault
}

func (d *diagnosis) advice(found Problem, end int, value []byte) string {
	advice := cmp.Or(found.Advice, faults.Advice[found.Kind])
	switch {
	case found.Kind == faults.UnclearEncoding:
		if d.encoding == "" { // the first cell tells for all
			d.encoding = advice + ": " + dialect.AskEncoding(value)
		}
		return d.encoding
	case found.Kind == faults.UnwritableStock:
		return advice + "; " + d.table.stocks.Advice()
	case found.Kind == faults.OtherPriceForm && d.table.settings.PriceForm != "":
		advice = fmt.Sprintf("not written as the setting price_form says, %s: write it so",
			d.table.settings.PriceForm)
	case found.Kind == faults.ThreeDecimals, found.Kind == faults.OtherPriceForm:
		advice = strings.Replace(
			advice, "{price_form}", "{price_form="+string(d.table.formIn(found.column))+"}", 1,
		)
	case found.Kind == faults.BadPrice:
		advice = cmp.Or(d.table.asksOf(found.column, value), advice)
	case found.Kind == faults.BadEncoding && d.table.Dialect.EncodingSaid:
		advice = "not valid text in the encoding that was given: save the file as CSV (UTF-8)"
	}
	switch fields, columns := d.Fields(), len(d.table.Header); {
	case found.Kind.Odd() && !d.leaves:
		return advice + faults.LeaveOdd
	case found.Kind != faults.FieldCount:
		return advice
	case fields < columns && end == d.Limit:
		return fmt.Sprintf("the file ends within this row, which has %d fields of %d, and seems to be cut off: export or copy it again", fields, columns)
	default:
		advice := fmt.Sprintf("the row has %d fields where the header has %d: put quotes around a value with a %s in it", fields, columns, d.table.Dialect.Delimiter)
		if !d.leaves && d.table.family == nil {
			advice += faults.LeaveOdd
		}
		return advice
	}
}

// asksOf is the question about a cell of money that has what most of its column have
// around their digits; "": it has something else, or that is known.
func (t *Table) asksOf(column int, text []byte) string {
	for _, m := range t.money {
		if m.index == column && m.form != nil {
			return m.form.Asks(text)
		}
	}
	return ""
}

// formIn is the setting by which a column of money is read with its decimal mark.
func (t *Table) formIn(column int) profile.PriceForm {
	for _, m := range t.money {
		if m.index == column && m.form != nil {
			return m.form.Form()
		}
	}
	return ""
}
