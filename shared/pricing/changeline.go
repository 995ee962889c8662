package pricing

import (
	"strconv"

	"github.com/planwright/planwright/shared/table"
)

// A change line is a Change as encoding/json writes it with SetEscapeHTML(false),
// byte for byte, and a newline. Its row number is known only once the blocks
// before have been scanned, so the rest of the line is made first.

func appendLineStart(line []byte, row int64) []byte {
	return strconv.AppendInt(append(line, `{"row":`...), row, 10)
}

// appendLine adds the line of a row that was written, from behind the row number.
func (v *visitor) appendLine(r *table.Row, by table.Set) {
	before, after := index(r.InStock()), index(v.edit.InStock)
	text := append(r.AppendSKU(append(v.rests, `,"sku":"`...)), v.lineMiddle(by)...)
	if v.states.prices {
		text = r.AppendMoney(table.Price, text)
	}
	if !v.edit.SetsStock {
		text = append(text, v.states.between[before]...)
	} else {
		text = append(r.AppendStock(append(append(text, v.states.stock[before]...), `,"stock":"`...)), '"')
		text = append(text, v.states.after...)
	}
	if v.states.prices {
		text = r.AppendNewMoney(table.Price, text)
	}
	text = append(text, v.states.stock[after]...)
	if v.edit.SetsStock {
		text = append(r.AppendNewStock(append(text, `,"stock":"`...)), '"')
	}
	if v.edit.Money[table.Price].Sets && r.Enclosed(table.Price) {
		text = append(text, `,"quoted":true`...)
	}
	v.rests = append(text, "}}\n"...)
	v.lines = append(v.lines, line{r.Index(), len(v.rests)})
}

// states is what stands around the values of a line's two States.
type states struct {
	prices        bool      // are read
	before, after string    // up to the price
	stock         [2]string // behind it, by whether the State is in stock
	between       [2]string // stock and after
}

// newStates returns the states of a plan that reads the price and the stock, or one of them.
func newStates(q *table.Query) (s states) {
	price, quote := `"price":null`, ""
	if s.prices = q.Has(table.RolePrice); s.prices {
		price, quote = `"price":"`, `"`
	}
	s.before, s.after = `"before":{`+price, `},"after":{`+price
	for i, inStock := range []string{"false", "true"} {
		if !q.Has(table.RoleInStock) {
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
