package table

import (
	"bytes"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/strictjson"
)

// What is appended here stands in a JSON string as encoding/json writes it with
// SetEscapeHTML(false).

// appendText appends a cell's text. There is nothing to escape in a plain
// price: digits and a mark.
func (s *scanner) appendText(to []byte, plain bool, text []byte) []byte {
	if plain || needsNoEscape(text) {
		return append(to, text...)
	}
	return appendEscaped(to, s.table.Dialect.Text(text))
}

// needsNoEscape reports whether a text is ASCII that JSON has no other form for.
func needsNoEscape(text []byte) bool {
	for _, b := range text {
		if mayEscape[b] {
			return false
		}
	}
	return true
}

// mayEscape has the bytes that JSON may have another form for.
var mayEscape = func() (may [256]bool) {
	for b := range may {
		may[b] = b < ' ' || b == '"' || b == '\\' || b >= utf8.RuneSelf
	}
	return may
}()

// appendEscaped leaves the rare string that may need escapes to the standard library.
func appendEscaped(to []byte, text string) []byte {
	return append(to, bytes.TrimSuffix(strictjson.Line(text)[1:], []byte("\"\n"))...)
}
