package table

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/scan"
)

// Records reads the records of one block at a time: by an index of the whole block
// where it is in order, else one by one. It serves one goroutine.
type Records struct {
	Block []byte // the records, a line end and padding
	Limit int    // where the records end
	ASCII bool   // the block is known to be nothing else

	dialect      Dialect
	lineEnd      byte
	quote        byte // NUL: no field is quoted
	index        scan.Index
	splitter     splitter
	fields       int
	trailing     bool // a row may end with one delimiter more than the header
	short        bool // a row may lack fields at its end
	allowFormula bool
	scratch      []byte
}

// NewRecords returns a reader of the table's rows.
func (t *Table) NewRecords() *Records {
	d, fields := t.Dialect, len(t.Header)
	return &Records{
		dialect: d, lineEnd: d.LineEnd.Byte(), quote: t.quote, fields: fields,
		index:    scan.Index{Fields: fields, Delimiter: d.Delimiter.Byte(), LineEnd: d.LineEnd.Byte(), Quote: t.quote},
		splitter: newSplitter(d, t.quote, fields),
		trailing: t.profile.TrailingDelimiter, short: t.profile.ShortRows, allowFormula: t.allowFormula,
	}
}

// Reset makes the rows ready for Block[:limit].
func (r *Records) Reset(limit int) {
	r.Limit, r.ASCII = limit, false
	seal(r.Block, limit, r.lineEnd)
}

// Index indexes the block and reports whether it is in order.
func (r *Records) Index() bool {
	if r.Limit > MaxRecordBytes || !r.index.Read(r.Block, r.Limit) {
		return false
	}
	r.ASCII = r.index.ASCII
	return true
}

// Count is the number of indexed records.
func (r *Records) Count() int { return (len(r.index.Starts) - 1) / r.fields }

// Starts are where the fields of all indexed records begin.
func (r *Records) Starts() []uint32 { return r.index.Starts }

// InLines reports whether each indexed record ends where a line does.
func (r *Records) InLines() bool {
	for i := r.fields; i < len(r.index.Starts); i += r.fields {
		if r.Block[r.index.Starts[i]-1] != r.lineEnd {
			return false
		}
	}
	return true
}

// Row returns an indexed record, or false where the block is not in order after
// all: lines with too few fields may have passed for one.
func (r *Records) Row(i uint32) (Record, bool) {
	first := int(i) * r.fields
	starts := r.index.Starts[first : first+r.fields+1]
	next := starts[r.fields]
	if r.Block[next-1] != r.lineEnd {
		return Record{}, false
	}
	end := next - 1
	if r.Block[end-1] == '\r' && end > starts[r.fields-1] {
		end-- // it is not of the last field
	}
	return Record{starts, end, r.quote}, true
}

// Split reads the record at pos. It returns where the record's text ends and
// where the next begins; after a fault in the quoting, both are where the fault
// is. A record without text is an empty line, and no fault here.
func (r *Records) Split(pos int) (record Record, end, next int, fault Kind) {
	end, next, fault = r.splitter.split(r.Block, r.Limit, pos)
	switch {
	case end == pos && fault == Fine:
	case end-pos > MaxRecordBytes:
		fault = RecordTooLong
	case fault != Fine:
	case bytes.IndexByte(r.Block[pos:end], 0) >= 0:
		fault = NULByte
	case r.splitter.fields < r.fields && r.short:
		r.splitter.lack(r.fields)
	case r.splitter.fields != r.fields && !(r.trailing && r.splitter.trails(r.fields, end)):
		fault = FieldCount
	}
	return r.splitter.record(), end, next, fault
}

// Whole reports whether the record at pos is in the block, or as much of it as
// is needed to say what is wrong with it.
func (r *Records) Whole(pos int) bool {
	_, next, fault := r.splitter.split(r.Block, r.Limit, pos)
	switch {
	case next > r.Limit || fault == UnclosedQuote:
		return false
	case fault != Fine: // the cell is to be shown
		return r.dialect.cellEnd(r.Block, next, r.Limit) < r.Limit || r.Limit-next > MaxValueBytes
	}
	return true
}

// Faulty returns the field in which the record last split has a fault of its
// quoting, at end, and that field's text.
func (r *Records) Faulty(end int) (field int, text []byte) {
	field = r.splitter.fields - 1
	if field >= r.fields {
		return field, nil
	}
	return field, r.Block[r.splitter.at[field]:r.dialect.cellEnd(r.Block, end, r.Limit)]
}

// Fields is how many fields the record last split has.
func (r *Records) Fields() int { return r.splitter.fields }

// LineEnd is the byte that ends a line.
func (r *Records) LineEnd() byte { return r.lineEnd }

// Name finds and checks what a field that holds one name says. Where there is
// one quote for two, its text is put behind the block, in one of a few slots.
func (r *Records) Name(at Record, column, slot int) (cell.Span, Kind) {
	c := at.Field(column)
	if r.Block[c.From] == r.quote {
		c = r.unquote(slot, cell.Span{From: c.From + 1, To: c.To - 1})
	}
	if c.Size() > MaxNameBytes {
		return c, NameTooLong
	}
	return c, r.check(c.Of(r.Block))
}

// Text returns and checks what a cell says that may hold several names, by its
// content. It is overwritten by the next call.
func (r *Records) Text(content []byte) ([]byte, Kind) {
	if r.quote != 0 && bytes.IndexByte(content, r.quote) >= 0 {
		r.scratch = append(r.scratch[:0], bytes.ReplaceAll(content, []byte(`""`), []byte(`"`))...)
		content = r.scratch
	}
	return content, r.check(content)
}

// check checks what is checked of every SKU and category.
func (r *Records) check(text []byte) Kind {
	switch {
	case !r.ASCII && r.dialect.Encoding != Windows1252 && !utf8.Valid(text):
		return BadEncoding
	case len(text) > 0 && !r.allowFormula && cell.FormulaStarts[text[0]]:
		return FormulaCell
	}
	return Fine
}

// unquote returns where the name in a quoted cell's content is.
func (r *Records) unquote(slot int, c cell.Span) cell.Span {
	quoted := c.Of(r.Block)
	if bytes.IndexByte(quoted, '"') < 0 {
		return c
	}
	from := r.Limit + scan.Padding + unquotedRoom*slot
	to := from
	for i := 0; i < len(quoted) && to-from <= MaxNameBytes; i++ {
		r.Block[to] = quoted[i]
		to++
		if quoted[i] == '"' {
			i++ // the second of two
		}
	}
	return cell.Span{From: uint32(from), To: uint32(to)}
}

// Renew gives the rows a block of their own.
func (r *Records) Renew(size int) {
	r.Block = slices.Grow(r.Block[:0], size+BlockPadding)[:size+BlockPadding]
}

// Record returns the record last split.
func (r *Records) Record() Record { return r.splitter.record() }
