package table

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table/cell"
)

// What is appended here stands in a JSON string as encoding/json writes it with
// SetEscapeHTML(false).

// appendCell appends what a cell of the block says.
func (s *scanner) appendCell(to []byte, at cell.Span) []byte {
	start := len(to)
	for from := at.From; from < at.To; from += cell.WordBytes {
		word, beyond := cell.Word(s.Block, from), ^cell.LowBytes(at.To-from)
		if mayNeedEscape(word&^beyond | beyond&(' '*cell.EveryByte)) {
			return appendEscaped(to[:start], s.table.Dialect.Text(at.Of(s.Block)))
		}
		to = binary.LittleEndian.AppendUint64(to, word)
	}
	return to[:start+int(at.Size())]
}

// appendText appends a cell's text. There is nothing to escape in a plain
// price: digits and a mark.
func (s *scanner) appendText(to []byte, plain bool, text []byte) []byte {
	if plain || needsNoEscape(text) {
		return append(to, text...)
	}
	return appendEscaped(to, s.table.Dialect.Text(text))
}

// mayNeedEscape reports whether there is a byte in a word that JSON has another
// form for, or that is not ASCII.
func mayNeedEscape(word uint64) bool {
	quotes, slashes := word^('"'*cell.EveryByte), word^('\\'*cell.EveryByte)
	return (word|(word-' '*cell.EveryByte)|(quotes-cell.EveryByte)|(slashes-cell.EveryByte))&cell.HighBits != 0
}

// needsNoEscape reports whether a text is ASCII that JSON has no other form for.
func needsNoEscape(text []byte) bool {
	for _, b := range text {
		if b < ' ' || b == '"' || b == '\\' || b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// appendEscaped leaves the rare string that may need escapes to the standard library.
func appendEscaped(to []byte, text string) []byte {
	return append(to, bytes.TrimSuffix(strictjson.Line(text)[1:], []byte("\"\n"))...)
}
