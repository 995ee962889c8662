package pricing

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
)

// A change line is a Change as encoding/json writes it with SetEscapeHTML(false),
// byte for byte, and a newline. Its row number is known only once the blocks
// before have been walked, so the rest of the line is made first.

const maxLineStart = len(`{"row":9223372036854775807`)

func appendLineStart(line []byte, row int64) []byte {
	return strconv.AppendInt(append(line, `{"row":`...), row, 10)
}

// rowChange is what a plan did to a row.
type rowChange struct {
	by              opSet
	price           table.Price
	newPrice        amount.Amount
	stock, newStock bool
	priced, stocked bool
	priceText       []byte // what the cell holds afterwards
	stockText       []byte
}

// appendLineRest appends to rests the line of the row that is walked, from
// behind the row number.
func (w *walker) appendLineRest(at table.Record, c *rowChange) {
	line := append(w.rests, `,"sku":"`...)
	switch {
	case w.table.SKU >= 0 && !w.sku.Empty() || len(w.table.Identity) == 0:
		line = w.appendCell(line, w.Block, w.sku)
	default:
		line = appendRare(line, w.table.Dialect.Text(w.identify(at)))
	}
	line = append(line, w.lineMiddle(c.by)...)
	line = w.appendState(line, c.price.Plain(), w.price.Of(w.Block), c.stock)
	if c.stocked {
		line = w.appendStock(line, w.stock.Of(w.Block))
	}
	line = append(line, `},"after":`...)
	line = w.appendState(line, c.price.Plain(), c.priceText, c.newStock)
	if c.stocked {
		line = w.appendStock(line, c.stockText)
	}
	w.rests = append(line, "}}\n"...)
}

// appendStock appends a stock cell's own text, which only a line of a change of
// the stock has.
func (w *walker) appendStock(line, text []byte) []byte {
	return append(appendRare(append(line, `,"stock":"`...), w.table.Dialect.Text(text)), '"')
}

// appendState appends a State up to its in_stock. There is nothing to escape in
// a plain price: digits and a mark.
func (w *walker) appendState(line []byte, plain bool, price []byte, inStock bool) []byte {
	switch {
	case !w.needs.Price:
		line = append(line, `{"price":null,`...)
	case plain:
		line = append(append(append(line, `{"price":"`...), price...), `",`...)
	default:
		line = append(appendRare(append(line, `{"price":"`...), w.table.Dialect.Text(price)), `",`...)
	}
	switch {
	case !w.needs.Stock:
		line = append(line, `"in_stock":null`...)
	case inStock:
		line = append(line, `"in_stock":true`...)
	default:
		line = append(line, `"in_stock":false`...)
	}
	return line
}

// lineMiddle returns what stands between a line's SKU and its first state. Most
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
	w.middle = append(w.middle, `],"before":`...)
	return w.middle
}

// appendCell appends what a cell of a block says as it stands in a JSON string.
func (w *walker) appendCell(line, block []byte, at cell.Span) []byte {
	for from := at.From; from < at.To; from += cell.WordBytes {
		beyond := ^cell.LowBytes(at.To - from)
		if mayNeedEscape(cell.Word(block, from)&^beyond | beyond&(' '*cell.EveryByte)) {
			return appendRare(line, w.table.Dialect.Text(at.Of(block)))
		}
	}
	return append(line, at.Of(block)...)
}

// mayNeedEscape reports whether there is a byte in a word that JSON has another
// form for, or that is not ASCII.
func mayNeedEscape(word uint64) bool {
	quotes, slashes := word^('"'*cell.EveryByte), word^('\\'*cell.EveryByte)
	return (word|(word-' '*cell.EveryByte)|(quotes-cell.EveryByte)|(slashes-cell.EveryByte))&cell.HighBits != 0
}

// appendRare leaves the rare string that may need escapes to the standard
// library.
func appendRare(line []byte, text string) []byte {
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string always encodes
	return append(line, bytes.TrimSuffix(quoted.Bytes()[1:], []byte("\"\n"))...)
}
