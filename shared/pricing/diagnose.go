package pricing

import (
	"bytes"
	"context"
	"fmt"
	"io"
)

// diagnosis goes on, record by record, from the first fault to the end of the
// table, to say all that is wrong with it. Nothing is written any more. Where
// the quoting is at fault it takes up again on the next line.
type diagnosis struct {
	*walker // its rows count the whole table
	names   []string
	in      source
	pos     int  // of the next record
	skips   bool // to the end of a line
	log     faultLog
}

// diagnose returns the *InputError of a table that has a fault.
func (r *run) diagnose(ctx context.Context) error {
	d := &diagnosis{walker: r.newWalker(r.columns, len(r.names)), names: r.names, in: source{in: r.unwritten()}}
	d.walker.rows, d.walker.empties = r.place.rows, r.place.empties
	d.block = make([]byte, blockPadding)
	for {
		if !d.whole() {
			if err := d.read(ctx); err != nil {
				return err
			}
			continue
		}
		if d.pos == d.limit {
			return d.log.err()
		}
		d.step()
	}
}

// whole reports whether the record at pos is there, or as much of it as needed
// to say that it is too long or that the table ends in it.
func (d *diagnosis) whole() bool {
	switch {
	case d.in.err == io.EOF || d.limit-d.pos > maxRecordBytes+2:
		return true
	case d.pos == d.limit:
		return false
	}
	_, next, fault := d.splitter.split(d.block, d.limit, d.pos)
	switch {
	case next > d.limit || fault == unclosedQuote:
		return false
	case fault != fine: // the cell is to be shown
		return cellEnd(d.block, next, d.limit) < d.limit || d.limit-next > maxValueBytes
	}
	return true
}

// read adds to the block, which it moves up to pos before.
func (d *diagnosis) read(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d.limit = copy(d.block, d.block[d.pos:d.limit])
	d.pos = 0
	read := d.in.fill(grow(&d.block, d.limit+d.blockSize)[d.limit : d.limit+d.blockSize])
	d.limit += read
	d.block[d.limit] = '\n'
	if d.in.err != nil && d.in.err != io.EOF {
		return d.in.err
	}
	if d.skips {
		d.skipLine(0)
	}
	return nil
}

// step walks one record and logs its fault.
func (d *diagnosis) step() {
	end, next, found := d.one(d.pos)
	d.edits, d.text, d.lines, d.rests = d.edits[:0], d.text[:0], d.lines[:0], d.rests[:0]
	if found.kind == emptyLine { // and not at the end, as it turns out
		d.rows--
		for ; d.empties > 0; d.empties-- {
			d.log.add(emptyLine, Fault{Row: d.rows - d.empties + 1, Message: advice[emptyLine]})
		}
		return
	}
	if found.kind != fine {
		d.log.add(found.kind, d.describe(end, found))
	}
	if next == end || next > d.limit {
		d.skipLine(next)
		return
	}
	d.pos = next
}

// skipLine moves pos behind the next newline at or after from.
func (d *diagnosis) skipLine(from int) {
	newline := -1
	if from < d.limit {
		newline = bytes.IndexByte(d.block[from:d.limit], '\n')
	}
	d.skips = newline < 0
	if d.pos = d.limit; !d.skips {
		d.pos = from + newline + 1
	}
}

// describe says for a person what is wrong with the record at pos.
func (d *diagnosis) describe(end int, found trouble) Fault {
	fault := Fault{Row: d.rows, Message: advice[found.kind]}
	value, field := d.block[d.pos:end], noColumn
	switch found.kind {
	case strayQuote, textAfterQuote, unclosedQuote, loneCR:
		if field = d.splitter.fields - 1; field < len(d.names) {
			value = d.block[d.splitter.at[field]:cellEnd(d.block, end, d.limit)]
		}
	case fieldCount:
		fault.Message = fmt.Sprintf("the row has %d fields where the header has %d: put quotes around a value with a comma in it", d.splitter.fields, len(d.names))
	case negativePrice:
		fault.Message = fmt.Sprintf("operation %s would make the price negative: leave the row out, or give the operation a min_price", d.operations[found.operation].id)
	case priceTooLarge:
		fault.Message = fmt.Sprintf("operation %s would make a price of more than 18 digits before the point: leave the row out, or give the operation a max_price", d.operations[found.operation].id)
	}
	if found.column != noColumn {
		field = int(d.columns[found.column])
		cell := d.content(d.splitter.record(), int(found.column))
		value = d.block[cell.from:cell.to]
	}
	if field >= 0 && field < len(d.names) {
		fault.Column = d.names[field]
	}
	fault.Value = shown(value)
	return fault
}

// cellEnd returns where a reader would say that the cell ends in which a fault
// of the quoting is; the limit if that is not to be seen.
func cellEnd(block []byte, fault, limit int) int {
	if i := bytes.IndexAny(block[fault:limit], ",\n"); i >= 0 {
		return fault + i
	}
	return limit
}
