package pricing

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
)

// A change line is a Change as encoding/json writes it with SetEscapeHTML(false),
// byte for byte, and a newline. Its row number is known only once the blocks
// before have been walked, so the rest of the line is made first.

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
	quoted          bool // quotes were put around the price
}

// appendLineRest appends to rests the line of the row that is walked, from
// behind the row number.
func (w *walker) appendLineRest(at table.Record, c *rowChange) {
	line := append(w.rests, `,"sku":"`...)
	switch {
	case w.table.SKU >= 0 && !w.sku.Empty() || len(w.table.Identity) == 0:
		line = w.appendCell(line, w.Block, w.sku)
	default:
		w.identity = identify(w.identity[:0], w.table, w.Block, at)
		line = appendRare(line, w.table.Dialect.Text(w.identity))
	}
	line = append(line, w.lineMiddle(c.by)...)
	line = w.appendPrice(line, c.price.Plain(), w.price.Of(w.Block))
	if !c.stocked {
		line = append(line, w.states.between[index(c.stock)]...)
	} else {
		line = w.appendStock(append(line, w.states.stock[index(c.stock)]...), w.stock.Of(w.Block))
		line = append(line, w.states.after...)
	}
	line = w.appendPrice(line, c.price.Plain() && !w.table.Prices.Groups(), c.priceText)
	line = append(line, w.states.stock[index(c.newStock)]...)
	if c.stocked {
		line = w.appendStock(line, c.stockText)
	}
	if c.priced && c.quoted {
		line = append(line, `,"quoted":true`...)
	}
	w.rests = append(line, "}}\n"...)
}

// appendStock appends a stock cell's own text, which only a line of a change of the stock has.
func (w *walker) appendStock(line, text []byte) []byte {
	return append(appendRare(append(line, `,"stock":"`...), w.table.Dialect.Text(text)), '"')
}

// states is what stands around the values of a line's two States.
type states struct {
	before, after string    // up to the price
	stock         [2]string // behind it, by whether the State is in stock
	between       [2]string // stock and after
}

// newStates returns the states of a plan that needs the price and the stock, or one of them.
func newStates(needs table.Needs) (s states) {
	price, quote := `"price":null`, ""
	if needs.Price {
		price, quote = `"price":"`, `"`
	}
	s.before, s.after = `"before":{`+price, `},"after":{`+price
	for i, inStock := range []string{"false", "true"} {
		if !needs.Stock {
			inStock = "null"
		}
		s.stock[i] = quote + `,"in_stock":` + inStock
		s.between[i] = s.stock[i] + s.after
	}
	return s
}

func index(inStock bool) int {
	if inStock {
		return 1
	}
	return 0
}

// appendPrice appends a price where it is needed. There is nothing to escape in
// a plain one: digits and a mark.
func (w *walker) appendPrice(line []byte, plain bool, price []byte) []byte {
	switch {
	case !w.needs.Price:
		return line
	case plain || needsNoEscape(price):
		return append(line, price...)
	default:
		return appendRare(line, w.table.Dialect.Text(price))
	}
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
	w.middle = append(append(w.middle, ']', ','), w.states.before...)
	return w.middle
}

// appendCell appends what a cell of a block says as it stands in a JSON string.
func (w *walker) appendCell(line, block []byte, at cell.Span) []byte {
	start := len(line)
	for from := at.From; from < at.To; from += cell.WordBytes {
		word, beyond := cell.Word(block, from), ^cell.LowBytes(at.To-from)
		if mayNeedEscape(word&^beyond | beyond&(' '*cell.EveryByte)) {
			return appendRare(line[:start], w.table.Dialect.Text(at.Of(block)))
		}
		line = binary.LittleEndian.AppendUint64(line, word)
	}
	return line[:start+int(at.Size())]
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

// appendRare leaves the rare string that may need escapes to the standard library.
func appendRare(line []byte, text string) []byte {
	return append(line, bytes.TrimSuffix(strictjson.Line(text)[1:], []byte("\"\n"))...)
}
