package dialect

import (
	"bytes"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/scan"
)

// Record is a record of a block by where its fields begin: field i begins at
// starts[i], and the delimiter it ends with is the last byte before the next
// one begins. The last field ends where the record does.
type Record struct {
	starts []uint32
	end    uint32
	quote  byte
}

// Row returns an indexed record, or false where the block is not in order after
// all: lines with too few fields may have passed for one.
func (r *Records) Row(i uint32) (Record, bool) {
	first := int(i) * r.of.Fields
	starts := r.index.Starts[first : first+r.of.Fields+1]
	next := starts[r.of.Fields]
	if r.Block[next-1] != r.lineEnd {
		return Record{}, false
	}
	end := next - 1
	if r.Block[end-1] == '\r' && end > starts[r.of.Fields-1] {
		end-- // it is not of the last field
	}
	return Record{starts, end, r.of.Quote}, true
}

// Field returns where a field is, with the quotes around it. One that the
// record lacks is empty, at its end.
func (r Record) Field(i int) cell.Span {
	if i == len(r.starts)-2 {
		return cell.Span{From: min(r.starts[i], r.end), To: r.end}
	}
	return cell.Span{From: min(r.starts[i], r.end), To: r.starts[i+1] - 1}
}

// Lacks reports whether the record ends before a field.
func (r Record) Lacks(i int) bool { return r.starts[i] > r.end }

// Content returns where what a field holds is, without the quotes around it.
func (r Record) Content(block []byte, i int) cell.Span {
	s := r.Field(i)
	if block[s.From] == r.quote {
		s.From, s.To = s.From+1, s.To-1
	}
	return s
}

// Cell is a cell that is read of every record: its column, and where its place is noted.
type Cell struct {
	Column int
	At     *cell.Span
}

// Find finds what some of the fields hold, without the quotes around it.
func (r Record) Find(block []byte, cells []Cell) {
	for _, c := range cells {
		*c.At = r.Content(block, c.Column)
	}
}

// Says returns what a field says, which may be the block's own text.
func (r Record) Says(block []byte, i int) []byte {
	text := r.Content(block, i)
	if text == r.Field(i) || bytes.IndexByte(text.Of(block), '"') < 0 {
		return text.Of(block)
	}
	return bytes.ReplaceAll(text.Of(block), []byte(`""`), []byte(`"`))
}

// Name finds and checks what a field that holds one name says. Where there is
// one quote for two, its text is put behind the block, in one of a few slots.
func (r *Records) Name(at Record, column, slot int) (cell.Span, faults.Kind) {
	c := at.Field(column)
	if r.Block[c.From] == r.of.Quote {
		c = r.unquote(slot, cell.Span{From: c.From + 1, To: c.To - 1})
	}
	if c.Size() > cell.MaxNameBytes {
		return c, faults.NameTooLong
	}
	return c, r.check(c.Of(r.Block))
}

// unquote returns where the name in a quoted cell's content is.
func (r *Records) unquote(slot int, c cell.Span) cell.Span {
	quoted := c.Of(r.Block)
	if bytes.IndexByte(quoted, '"') < 0 {
		return c
	}
	from := r.Limit + scan.Padding + scan.UnquotedRoom*slot
	to := from
	for i := 0; i < len(quoted) && to-from <= cell.MaxNameBytes; i++ {
		r.Block[to] = quoted[i]
		to++
		if quoted[i] == '"' {
			i++ // the second of two
		}
	}
	return cell.Span{From: uint32(from), To: uint32(to)}
}

// Text returns and checks what a cell says that may hold several names, by its
// content. It is overwritten by the next call.
func (r *Records) Text(content []byte) ([]byte, faults.Kind) {
	if r.of.Quote != 0 && bytes.IndexByte(content, r.of.Quote) >= 0 {
		r.scratch = appendUnquoted(r.scratch[:0], content)
		content = r.scratch
	}
	return content, r.check(content)
}

// appendUnquoted appends a quoted cell's content with one quote for two.
func appendUnquoted(text, content []byte) []byte {
	for {
		at := bytes.Index(content, []byte(`""`))
		if at < 0 {
			return append(text, content...)
		}
		text, content = append(text, content[:at+1]...), content[at+2:]
	}
}

// check checks what is checked of every SKU and category.
func (r *Records) check(text []byte) faults.Kind {
	switch {
	case !r.ASCII && r.dialect.Unclear(text):
		return faults.UnclearEncoding
	case !r.ASCII && !r.dialect.readable(text):
		return faults.BadEncoding
	case r.of.Opening && len(text) > 0 && text[0] == '"':
		return faults.StrayQuote
	}
	return faults.Fine
}
