package pricing

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// A change line is a Change as encoding/json writes it with SetEscapeHTML(false),
// byte for byte, and a newline. Its row number is known only once the blocks
// before have been walked, so the rest of the line is made first.

const maxLineStart = len(`{"row":9223372036854775807`)

func appendLineStart(line []byte, row int64) []byte {
	return strconv.AppendInt(append(line, `{"row":`...), row, 10)
}

// appendLineRest appends to rests the line of the row that is walked, from
// behind the row number. The prices are digits and points: there is nothing to
// escape in them.
func (w *walker) appendLineRest(by opSet, stock bool, newPrice []byte, newStock bool) {
	line := append(w.rests, `,"sku":"`...)
	line = appendEscaped(line, w.block, w.sku)
	line = append(line, w.lineMiddle(by)...)
	line = append(line, w.block[w.price.from:w.price.to]...)
	if stock {
		line = append(line, `","in_stock":true},"after":{"price":"`...)
	} else {
		line = append(line, `","in_stock":false},"after":{"price":"`...)
	}
	line = append(line, newPrice...)
	if newStock {
		line = append(line, `","in_stock":true}}`+"\n"...)
	} else {
		line = append(line, `","in_stock":false}}`+"\n"...)
	}
	w.rests = line
}

// lineMiddle returns what stands between a line's SKU and its first price. Most
// often it is what stood in the line before.
func (w *walker) lineMiddle(by opSet) []byte {
	if by == w.by {
		return w.middle
	}
	w.by, w.middle = by, append(w.middle[:0], `","operation_ids":`...)
	separator := byte('[')
	for i := 0; !by.empty(); {
		i, by = by.next()
		w.middle = append(append(w.middle, separator), w.operations[i].quotedID...)
		separator = ','
	}
	w.middle = append(w.middle, `],"before":{"price":"`...)
	return w.middle
}

// appendEscaped appends a cell of a block as it stands in a JSON string.
func appendEscaped(line, block []byte, c cell) []byte {
	for at := c.from; at < c.to; at += wordBytes {
		beyond := ^lowBytes(c.to - at)
		if mayNeedEscape(wordAt(block, at)&^beyond | beyond&(' '*everyByte)) {
			return appendRare(line, block[c.from:c.to])
		}
	}
	return append(line, block[c.from:c.to]...)
}

// mayNeedEscape reports whether there is a byte in a word that JSON has another
// form for, or that is not ASCII.
func mayNeedEscape(word uint64) bool {
	quotes, slashes := word^('"'*everyByte), word^('\\'*everyByte)
	return (word|(word-' '*everyByte)|(quotes-everyByte)|(slashes-everyByte))&highBits != 0
}

// appendRare leaves the rare string that may need escapes to the standard
// library.
func appendRare(line, text []byte) []byte {
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(string(text)) // a string always encodes
	return append(line, bytes.TrimSuffix(quoted.Bytes()[1:], []byte("\"\n"))...)
}
