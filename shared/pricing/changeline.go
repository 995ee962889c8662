package pricing

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// A change line is a Change as encoding/json writes it with SetEscapeHTML(false),
// byte for byte, and a newline. Its row number is known only once the blocks
// before have been walked, so the rest of the line is made first.

func appendLineStart(line []byte, row int64) []byte {
	return strconv.AppendInt(append(line, `{"row":`...), row, 10)
}

// appendLineRest appends what follows the row number.
func (w *walker) appendLineRest(line, sku []byte, by opSet, before, after cells) []byte {
	line = append(line, `,"sku":`...)
	line = appendString(line, sku)
	line = append(line, `,"operation_ids":`...)
	separator := byte('[')
	for i := 0; !by.empty(); {
		i, by = by.next()
		line = append(line, separator)
		line = append(line, w.operations[i].quotedID...)
		separator = ','
	}
	line = append(line, `],"before":`...)
	line = before.append(line)
	line = append(line, `,"after":`...)
	line = after.append(line)
	return append(line, "}\n"...)
}

// cells is a State whose price is not yet a string.
type cells struct {
	price   []byte // digits and a point: nothing to escape
	inStock bool
}

func (c cells) append(line []byte) []byte {
	line = append(line, `{"price":"`...)
	line = append(line, c.price...)
	if c.inStock {
		return append(line, `","in_stock":true}`...)
	}
	return append(line, `","in_stock":false}`...)
}

// appendString appends text as a JSON string.
func appendString(line, text []byte) []byte {
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendEscaped(line, text)
		}
	}
	line = append(line, '"')
	line = append(line, text...)
	return append(line, '"')
}

// appendEscaped leaves the rare string that may need escapes to the standard
// library.
func appendEscaped(line, text []byte) []byte {
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(string(text)) // a string always encodes
	return append(line, bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))...)
}
