package pricing

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
)

// A change line is a Change as encoding/json writes it with SetEscapeHTML(false),
// byte for byte, and a newline. Its row number is known only once the blocks
// before have been scanned, so the rest of the line is made first.

const (
	lineStart = `{"row":`
	usualLine = 256 // bytes: most are shorter
)

// startLine appends the start of a row's line.
func startLine(to []byte, row int64) []byte {
	return strconv.AppendInt(append(to, lineStart...), row, 10)
}

// appendLine adds the line of a row that was written, from behind the row number.
func (v *visitor) appendLine(r *table.Row, by table.Set) {
	if n := len(v.rests); cap(v.rests)-n < usualLine {
		v.rests = slices.Grow(v.rests, usualLine+r.ToCome(n))
	}
	if n := len(v.lines); n == cap(v.lines) {
		v.lines = slices.Grow(v.lines, r.ToCome(n+1))
	}
	before, after := index(r.Stock.In), index(v.edit.InStock)
	text := append(r.AppendSKU(append(v.rests, `,"sku":"`...)), v.lineMiddle(by)...)
	if v.states.prices {
		text = r.AppendText(text, r.Money[table.Price].Old)
	}
	tells := v.tells(r)
	if v.edit.SetsStock || v.edit.Texts[table.Quantity] != nil || tells {
		text = append(text, v.states.stock[before]...)
		text = v.appendStock(text, r, false)
		if tells {
			text = v.appendSale(text, r, false)
		}
		text = append(text, v.states.after...)
	} else {
		text = append(text, v.states.between[before]...)
	}
	if v.states.prices {
		text = r.AppendText(text, r.Money[table.Price].New)
	}
	text = append(text, v.states.stock[after]...)
	text = v.appendStock(text, r, true)
	if tells {
		text = v.appendSale(text, r, true)
	}
	for m := range table.Moneys {
		if v.edit.Money[m].Sets && r.Money[m].Quoted { // of what is not a sale's, the price alone
			text = append(text, cellStates[m].quotedKey...)
		}
	}
	v.rests = append(text, "}}\n"...)
	v.lines = append(v.lines, line{r.Index, len(v.rests)})
}

// appendStock appends what the stock's cell says, where that changes, and the quantity, which
// may be the same cell.
func (v *visitor) appendStock(line []byte, r *table.Row, after bool) []byte {
	text := r.Stock.Old
	if after {
		text = r.Stock.New
	}
	if v.edit.SetsStock {
		line = append(r.AppendText(append(line, `,"stock":"`...), text), '"')
	}
	if v.edit.StockText != nil {
		return append(
			r.AppendText(append(line, cellStates[firstText+int(table.Quantity)].key+`"`...), text), '"',
		)
	}
	return v.appendText(line, r, table.Quantity, after)
}

// tells reports whether a row's line tells its sale: of a plan that is about sales,
// and of a row on sale.
func (v *visitor) tells(r *table.Row) bool {
	if !v.hasSales || !v.changesPrices() {
		return false
	}
	if v.query.Sales {
		return true
	}
	was, now := v.prices(r)
	return was.OnSale() || now.OnSale()
}

// appendSale appends what the sale of a row is, or becomes.
func (v *visitor) appendSale(line []byte, r *table.Row, after bool) []byte {
	sale, _ := v.table.Sale()
	text := r.Money[sale].Old
	if after {
		text = r.Money[sale].New
	}
	line = append(r.AppendText(append(line, cellStates[sale].key...), text), '"')
	for x := range table.Quantity {
		line = v.appendText(line, r, x, after)
	}
	return line
}

// appendText appends a text that changes, as it was or becomes.
func (v *visitor) appendText(line []byte, r *table.Row, x table.Text, after bool) []byte {
	text, is := v.edit.Texts[x], &cellStates[firstText+int(x)]
	if text == nil {
		return line
	}
	said := r.Text(x.Role())
	if after {
		said = *text
	}
	return append(append(line, is.key...), bytes.TrimSuffix(strictjson.Line(said), []byte("\n"))...)
}

// writeLines writes the block's lines, the first row of which has that number.
func (v *visitor) writeLines(first int64) error {
	start := 0
	for _, line := range v.lines {
		text := startLine(v.changes.AvailableBuffer(), first+line.row)
		if _, err := v.changes.Write(append(text, v.rests[start:line.end]...)); err != nil {
			return err
		}
		start = line.end
	}
	return nil
}

// changeAt returns a change of the visitor's block, whose first row has the given
// number, and the size of its line.
func (v *visitor) changeAt(i int, first int64) (change Change, size int) {
	start := 0
	if i > 0 {
		start = v.lines[i-1].end
	}
	line := append(startLine(nil, first+v.lines[i].row), v.rests[start:v.lines[i].end]...)
	_ = json.Unmarshal(line, &change) // it was made here
	return change, len(line)
}

// cellState is how a State has what a cell of a role says.
type cellState struct {
	text           func(*State) **string // nil: it has it not
	quoted         func(*State) *bool    // nil: it is written without quotes of its own
	key, quotedKey string                // in a change line
}

// cellStates are the cells that plans change, beside the stock's: the amounts by their
// numbers, of which the price is told wherever it is read, and then the texts. The
// others are told where they change. In a change line a quantity stands behind the
// stock's text, behind it the others in this order, and then which of them got quotes.
var cellStates = [int(table.Moneys) + int(table.Texts)]cellState{
	table.Price: {
		func(s *State) **string { return &s.Price }, func(s *State) *bool { return &s.Quoted }, "",
		`,"quoted":true`,
	},
	table.SalePrice: {
		func(s *State) **string { return &s.SalePrice }, func(s *State) *bool { return &s.SalePriceQuoted },
		`,"sale_price":"`, `,"sale_price_quoted":true`,
	},
	table.CompareAt: {
		func(s *State) **string { return &s.CompareAt }, func(s *State) *bool { return &s.CompareAtQuoted },
		`,"compare_at":"`, `,"compare_at_quoted":true`,
	},

	firstText + int(table.OnSale): {func(s *State) **string { return &s.OnSale }, nil, `,"on_sale":`, ""},
	firstText + int(table.SaleFrom): {
		func(s *State) **string { return &s.SaleFrom }, nil, `,"sale_from":`, "",
	},
	firstText + int(table.SaleUntil): {
		func(s *State) **string { return &s.SaleUntil }, nil, `,"sale_until":`, "",
	},
	firstText + int(table.Quantity): {
		func(s *State) **string { return &s.Quantity }, nil, `,"quantity":`, "",
	},
}

// firstText is the number of the first text among the cells.
const firstText = int(table.Moneys)

// roleOf is the role of a cell by its number.
func roleOf(cell int) table.Role {
	if cell < firstText {
		return table.Money(cell).Role()
	}
	return table.Text(cell - firstText).Role()
}

// states is what stands around the values of a line's two States.
type states struct {
	prices        bool      // are read
	before, after string    // up to the price
	stock         [2]string // behind it, by whether the State is in stock
	between       [2]string // that and after, most often
}

// newStates returns the states of a plan that reads the price and the stock, or one of them.
func newStates(q *table.Query, t *table.Table) (s states) {
	price, quote := `"price":null`, ""
	if s.prices = q.Has(table.RolePrice); s.prices {
		price, quote = `"price":"`, `"`
	}
	s.before, s.after = `"before":{`+price, `},"after":{`+price
	for i, inStock := range []string{"false", "true"} {
		if !t.ReadsStock() {
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

// lineMiddle returns what stands between a line's SKU and its first price. Most
// often it is what stood in the line before.
func (v *visitor) lineMiddle(by table.Set) []byte {
	if by == v.by {
		return v.middle
	}
	v.by, v.middle = by, append(v.middle[:0], `","operation_ids":`...)
	separator := byte('[')
	for i := 0; !by.Empty(); {
		i, by = by.Next()
		v.middle = append(append(v.middle, separator), v.operations[i].quotedID...)
		separator = ','
	}
	v.middle = append(append(v.middle, ']', ','), v.states.before...)
	return v.middle
}
