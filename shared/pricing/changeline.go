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

const maxLineStart = len(`{"row":9223372036854775807`)

func appendLineStart(line []byte, row int64) []byte {
	return strconv.AppendInt(append(line, `{"row":`...), row, 10)
}

// appendLineRest appends what follows the row number. The prices are digits and
// points: there is nothing to escape in them.
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
	line = append(line, `],"before":{"price":"`...)
	line = append(line, before.price...)
	if before.inStock {
		line = append(line, `","in_stock":true},"after":{"price":"`...)
	} else {
		line = append(line, `","in_stock":false},"after":{"price":"`...)
	}
	line = append(line, after.price...)
	if after.inStock {
		return append(line, `","in_stock":true}}`+"\n"...)
	}
	return append(line, `","in_stock":false}}`+"\n"...)
}

// cells is a State whose price is not yet a string.
type cells struct {
	price   []byte
	inStock bool
}

// appendString appends text as a JSON string.
func appendString(line, text []byte) []byte {
	for _, c := range text {
		if mayNeedEscape[c] {
			return appendEscaped(line, text)
		}
	}
	line = append(line, '"')
	line = append(line, text...)
	return append(line, '"')
}

var mayNeedEscape = func() (may [256]bool) {
	for c := range may {
		may[c] = c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf
	}
	return may
}()

// appendEscaped leaves the rare string that may need escapes to the standard
// library.
func appendEscaped(line, text []byte) []byte {
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(string(text)) // a string always encodes
	return append(line, bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))...)
}
