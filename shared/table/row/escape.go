package row

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table/cell"
)

// What is appended here stands in a JSON string as encoding/json writes it with
// SetEscapeHTML(false).

// appendCell appends a cell's text.
func (s *scanner) appendCell(to []byte, at cell.Span) []byte {
	if cell.IsPlain(s.Block, at) {
		return cell.Append(to, s.Block, at)
	}
	return s.appendText(to, at.Of(s.Block))
}

// appendText appends a text as the table writes it.
func (s *scanner) appendText(to, text []byte) []byte {
	if !slices.ContainsFunc(text, mayEscape) {
		return append(to, text...)
	}
	return appendEscaped(to, s.table.Dialect.Text(text))
}

// mayEscape reports whether JSON may have another form for a byte.
func mayEscape(b byte) bool { return b < ' ' || b == '"' || b == '\\' || b >= utf8.RuneSelf }

// appendEscaped leaves the rare string that may need escapes to the standard library.
func appendEscaped(to []byte, text string) []byte {
	return append(to, bytes.TrimSuffix(strictjson.Line(text)[1:], []byte("\"\n"))...)
}
