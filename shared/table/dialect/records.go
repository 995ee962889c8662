package dialect

import (
	"bytes"
	"slices"

	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/scan"
)

// Records reads the records of one block at a time: by an index of the whole block
// where it is in order, else one by one. It serves one goroutine.
type Records struct {
	Block []byte // the records, a line end and padding
	Limit int    // where the records end
	ASCII bool   // the block is known to be nothing else
	// Stray: a field of the record last split has a quote and does not begin with one.
	Stray bool

	dialect  Dialect
	lineEnd  byte
	index    scan.Index
	splitter splitter
	of       Rules
	scratch  []byte
	noBreak  byte
}

// NoBreak is the byte of a no-break space; 0: it has several, as in UTF-8, or none.
func (r *Records) NoBreak() byte { return r.noBreak }

// Rules are what is particular to the records of a table.
type Rules struct {
	Fields            int  // of the header
	Quote             byte // NUL: no field is quoted
	TrailingDelimiter bool // a row may end with one delimiter more than the header
	ShortRows         bool // a row may lack fields at its end
	Opening           bool // a name that begins with a quote is a fault
}

// NewRecords returns a reader of the rows of a table.
func (d Dialect) NewRecords(of Rules) *Records {
	r := &Records{
		of: of, dialect: d, lineEnd: d.LineEnd.Byte(),
		index: scan.Index{
			Fields:    of.Fields,
			Delimiter: d.Delimiter.Byte(),
			LineEnd:   d.LineEnd.Byte(),
			Quote:     of.Quote,
		},
		splitter: newSplitter(d, of.Quote, of.Fields),
	}
	if noBreak, ok := d.Bytes("\u00a0"); ok && len(noBreak) == 1 && !d.SeveralBytes() {
		r.noBreak = noBreak[0]
	}
	return r
}

// Reset makes the rows ready for Block[:limit].
func (r *Records) Reset(limit int) {
	r.Limit, r.ASCII, r.Stray = limit, false, false
	r.splitter.strays = r.splitter.strays[:0]
	seal(r.Block, limit, r.lineEnd)
}

// Index indexes the block and reports whether it is in order.
func (r *Records) Index() bool {
	if r.Limit > scan.MaxRecordBytes || !r.index.Read(r.Block, r.Limit) {
		return false
	}
	r.ASCII = r.index.ASCII && !r.dialect.Escapes
	return true
}

// Count is the number of indexed records.
func (r *Records) Count() int { return (len(r.index.Starts) - 1) / r.of.Fields }

// Starts are where the fields of all indexed records begin.
func (r *Records) Starts() []uint32 { return r.index.Starts }

// InLines reports whether each indexed record ends where a line does.
func (r *Records) InLines() bool {
	for i := r.of.Fields; i < len(r.index.Starts); i += r.of.Fields {
		if r.Block[r.index.Starts[i]-1] != r.lineEnd {
			return false
		}
	}
	return true
}

// Split reads the record at pos. It returns where the record's text ends and
// where the next begins; after a fault in the quoting, both are where the fault
// is. A record without text is an empty line, and no fault here.
func (r *Records) Split(pos int) (record Record, end, next int, fault faults.Kind) {
	end, next, fault = r.splitter.split(r.Block, r.Limit, pos)
	r.Stray = len(r.splitter.strays) > 0
	switch {
	case end == pos && fault == faults.Fine:
	case end-pos > scan.MaxRecordBytes:
		fault = faults.RecordTooLong
	case fault != faults.Fine:
	case bytes.IndexByte(r.Block[pos:end], 0) >= 0:
		fault = faults.NULByte
	case r.splitter.fields < r.of.Fields && r.of.ShortRows:
		r.splitter.lack(r.of.Fields)
	case r.splitter.fields != r.of.Fields && !(r.of.TrailingDelimiter && r.splitter.trails(r.of.Fields, end)):
		fault = faults.FieldCount
	}
	return r.splitter.record(), end, next, fault
}

// Whole reports whether the record at pos is in the block, or as much of it as
// is needed to say what is wrong with it.
func (r *Records) Whole(pos int) bool {
	_, next, fault := r.splitter.split(r.Block, r.Limit, pos)
	switch {
	case next > r.Limit || fault == faults.UnclosedQuote:
		return false
	case fault != faults.Fine: // the cell is to be shown
		return r.dialect.CellEnd(r.Block, next, r.Limit) < r.Limit || r.Limit-next > faults.MaxValueBytes
	}
	return true
}

// Faulty returns the field in which the record last split has a fault of its
// quoting, at end, and that field's text.
func (r *Records) Faulty(end int) (field int, text []byte) {
	field = r.splitter.fields - 1
	if field >= r.of.Fields {
		return field, nil
	}
	return field, r.Block[r.splitter.at[field]:r.dialect.CellEnd(r.Block, end, r.Limit)]
}

// Strays are the fields of the record last split that have a quote and do not begin
// with one. Indexed records have none.
func (r *Records) Strays() []int { return r.splitter.strays }

// IsStray reports whether a field of a record with Stray is one of them.
func (r *Records) IsStray(field int) bool { return slices.Contains(r.splitter.strays, field) }

// Fields is how many fields the record last split has.
func (r *Records) Fields() int { return r.splitter.fields }

// LineEnd is the byte that ends a line.
func (r *Records) LineEnd() byte { return r.lineEnd }

// Renew gives the rows a block of their own.
func (r *Records) Renew(size int) {
	r.Block = slices.Grow(r.Block[:0], size+scan.BlockPadding)[:size+scan.BlockPadding]
}

// Record returns the record last split.
func (r *Records) Record() Record { return r.splitter.record() }
