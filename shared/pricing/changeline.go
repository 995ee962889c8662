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
	text = append(text, v.states.stock[before]...)
	if v.edit.SetsStock {
		text = append(r.AppendStock(append(text, `,"stock":"`...)), '"')
	}
	text = append(v.appendMoney(text, r, (*table.Row).AppendMoney), v.states.after...)
	if v.states.prices {
		text = r.AppendNewMoney(table.Price, text)
	}
	text = append(text, v.states.stock[after]...)
	if v.edit.SetsStock {
		text = append(r.AppendNewStock(append(text, `,"stock":"`...)), '"')
	}
	text = v.appendMoney(text, r, (*table.Row).AppendNewMoney)
	for m := range table.Moneys {
		if v.edit.Money[m].Sets && r.Enclosed(m) {
			text = append(text, moneyStates[m].quotedKey...)
		}
	}
	v.rests = append(text, "}}\n"...)
	v.lines = append(v.lines, line{r.Index(), len(v.rests)})
}

// appendMoney appends what amounts of the row are, or become, but for its price:
// of those that change.
func (v *visitor) appendMoney(line []byte, r *table.Row, text func(*table.Row, table.Money, []byte) []byte) []byte {
	for m := table.Price + 1; m < table.Moneys; m++ {
		if v.edit.Money[m].Sets {
			line = append(text(r, m, append(line, moneyStates[m].key...)), '"')
		}
	}
	return line
}

// moneyState is how a State has an amount that plans change.
type moneyState struct {
	text           func(*State) **string
	quoted         func(*State) *bool
	key, quotedKey string // in a change line
}

// moneyStates are the amounts of a State: all are told where they change, and
// the price wherever it is read. Their texts stand behind the stock's, in this
// order, and behind them which of them got quotes.
var moneyStates = [table.Moneys]moneyState{
	table.Price: {func(s *State) **string { return &s.Price }, func(s *State) *bool { return &s.Quoted }, "", `,"quoted":true`},
}

// states is what stands around the values of a line's two States.
type states struct {
	prices        bool      // are read
	before, after string    // up to the price
	stock         [2]string // behind it, by whether the State is in stock
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
