package row

import (
	"bytes"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table/cell"
)

// What is appended here stands in a JSON string as encoding/json writes it with
// SetEscapeHTML(false).

// AppendSKU appends what the SKU says, as it stands in a JSON string. Where the
// SKU is blank, it is what the platform has instead.
func (r *Row) AppendSKU(to []byte) []byte {
	sku := r.s.names.sku
	switch {
	case (sku.Empty() || r.s.table.sku < 0) && len(r.s.table.identity) > 0:
		r.identity = r.s.table.identify(r.identity[:0], r.s.Block, r.record)
		return appendEscaped(to, r.s.table.Dialect.Text(r.identity))
	case cell.IsPlain(r.s.Block, sku):
		return cell.Append(to, r.s.Block, sku)
	}
	return r.AppendText(to, sku.Of(r.s.Block))
}

// AppendText appends what the text of a cell says, as it stands in a JSON string.
func (r *Row) AppendText(to, text []byte) []byte {
	for _, b := range text {
		if b < ' ' || b == '"' || b == '\\' || b >= utf8.RuneSelf { // JSON may have another form for it
			return appendEscaped(to, r.s.table.Dialect.Text(text))
		}
	}
	return append(to, text...)
}

// appendEscaped leaves the rare string that may need escapes to the standard library.
func appendEscaped(to []byte, text string) []byte {
	return append(to, bytes.TrimSuffix(strictjson.Line(text)[1:], []byte("\"\n"))...)
}
