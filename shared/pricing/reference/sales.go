package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/profile"
)

// DatedSales says that a plan about sales meets rows whose sale has dates.
type DatedSales struct {
	Rows  int
	First []int64
}

func (d *DatedSales) Error() string { return fmt.Sprint(d.Rows, " rows have dates: ", d.First) }

// saleColumn is a column by which rows are on sale, and those beside it.
type saleColumn struct {
	profile.SaleColumn
	at, flag, from, until int
	form                  column
	readable              bool // its form was found
}

func (c *columns) findSales(h header, s table.Settings, n needs) {
	if !n.price {
		return
	}
	named := map[profile.SaleForm]string{
		profile.SaleBeside: s.Columns.SalePrice,
		profile.SaleWas:    s.Columns.CompareAt,
	}
	for _, form := range []profile.SaleForm{profile.SaleBeside, profile.SaleWas} {
		title := named[form]
		var known []profile.SaleColumn
		for _, k := range c.profile.Sales {
			if k.Form == form {
				known = append(known, k)
			}
		}
		switch {
		case title != "" && (n.sales || len(h.all(title)) > 0):
			as := profile.SaleColumn{Form: form}
			for _, k := range known {
				if newHeader([]cell{{text: title}}).has(k.Titles) {
					as = k
				}
			}
			c.addSale(h, as, c.column(h, title, nil, true))
		case s.Columns.SalePrice+s.Columns.CompareAt == "" && c.price != none && (s.Columns.Price == "" ||
			h[c.price:c.price+1].has(slices.Concat(c.profile.Price, regularTitles(c.profile)))):
			for _, k := range known {
				if h.has(k.Titles) {
					c.addSale(h, k, c.column(h, "", k.Titles, n.sales))
					if at, _ := h.find(profile.RegularPrice); k.Form == profile.SaleBeside && at != none &&
						at != c.price && s.Columns.Price == "" {
						c.fault = "a price, and one without the sale"
					}
					break
				}
			}
		}
	}
	offered := append(c.seek.offered(), c.seek.otherPrices(c.price)...)
	for i, title := range h {
		if slices.ContainsFunc(c.profile.OtherPrices,
			func(known string) bool { return (header{title}).has(profile.Titles{known}) }) && i != c.price ||
			slices.Contains(offered, i) {
			c.others = append(c.others, i)
		}
	}
	if !n.sales {
		return
	}
	if n.compares && len(c.sales) == 1 && c.sales[0].Form != profile.SaleWas {
		c.fault = "no price from before a sale"
	}
	if len(c.sales) != 1 || c.sales[0].UnknownDates && s.SaleDates == "" {
		c.fault = "no sales, or two forms of them"
	}
}

func regularTitles(p profile.Profile) (titles profile.Titles) {
	if len(p.Sales) == 0 {
		return nil
	}
	return profile.RegularPrice
}

func (c *columns) addSale(h header, as profile.SaleColumn, at int) {
	if at == none {
		return
	}
	s := saleColumn{SaleColumn: as, at: at, flag: none}
	s.from, _ = h.find(as.From)
	s.until, _ = h.find(as.Until)
	s.flag, _ = h.find(as.Flag)
	c.sales = append(c.sales, s)
}

// changing are the columns that a plan may change, but for further places of stock.
func (c *columns) changing() []int {
	all := []int{c.price, c.stock, c.quantity}
	for _, s := range c.sales {
		all = append(all, s.at, s.flag, s.from, s.until)
	}
	all = slices.DeleteFunc(all, func(i int) bool { return i == none })
	slices.Sort(all)
	return slices.Compact(all)
}

func (s *saleColumn) findForm(t *run, cells func(int) []string) *Fault {
	shown := cells(s.at)
	if !slices.ContainsFunc(shown, func(cell string) bool { return cell != "" }) {
		shown = cells(t.columns.price)
	}
	documented := t.columns.profile.DecimalPoint && t.prices.point == "."
	form, unclear := findForm(shown, "", documented)
	if unclear >= 0 && t.settings.PriceForm != "" {
		form, unclear = findForm(shown, t.settings.PriceForm, documented)
	}
	if unclear >= 0 {
		return &Fault{t.numberInOrder(unclear), "a sale price with two readings"}
	}
	if form.currency != "" && t.prices.currency != "" &&
		!strings.EqualFold(form.currency, t.prices.currency) {
		return &Fault{1, "sale prices in another currency"}
	}
	if !form.decided {
		form.point, form.unmarked = t.prices.point, t.prices.unmarked
	}
	s.form, s.readable = form, true
	return nil
}

// sale is what a row says of its sale.
type sale struct {
	form   profile.SaleForm
	digits string // of the column's price; "": none
	// flagged: a column says whether it is on; off: it says that it is not.
	flagged, off bool
	dated        bool
}

func (s sale) same(other sale) bool {
	if s.digits == "" || other.digits == "" {
		return s == other
	}
	equal := rat(s.digits).Cmp(rat(other.digits)) == 0
	s.digits, other.digits = "", ""
	return equal && s == other
}

func (s *saleColumn) read(t *run, r record) (is sale, fault string) {
	is.form = s.Form
	is.flagged = s.flag != none
	is.off = is.flagged && !strings.EqualFold(strings.TrimSpace(r.text(s.flag)), profile.FlagOn)
	is.dated = r.text(s.from)+r.text(s.until) != "" && t.settings.SaleDates != table.SaleDatesIgnore
	text := r.text(s.at)
	if !s.readable {
		return is, twoReadings
	}
	if text == "" || slices.Contains(s.None, text) && !strings.ContainsAny(text, "0123456789") {
		return is, ""
	}
	digits, _, worn, fault := s.form.amount(text)
	if t.isStray(r, s.at) {
		fault = strayQuote
	}
	if fault != "" {
		return is, fault
	}
	_, _, mine, _ := t.prices.amount(r.text(t.columns.price))
	if worn.currency != "" && (t.needs.money && !strings.EqualFold(worn.currency, s.form.currency) ||
		mine.currency != "" && !strings.EqualFold(worn.currency, mine.currency)) {
		return is, "another currency"
	}
	if s.form.short && thousands(digits) {
		fault = threeDecimals
	}
	is.digits = digits
	return is, fault
}

func (v values) onSale() bool {
	if v.sale.digits == "" || rat(v.sale.digits).Sign() == 0 {
		return false
	}
	compared := rat(v.sale.digits).Cmp(rat(v.price))
	if v.sale.form == profile.SaleWas {
		return compared > 0
	}
	return compared < 0 && !v.sale.off
}

// paid is what customers pay, and regular what they pay without a sale.
func (v values) paid() string {
	if v.onSale() && v.sale.form == profile.SaleBeside {
		return v.sale.digits
	}
	return v.price
}

func (v values) regular() string {
	if v.onSale() && v.sale.form == profile.SaleWas {
		return v.sale.digits
	}
	return v.price
}

func (v values) ended() values {
	if !v.onSale() {
		return v
	}
	v.price = v.regular()
	v.sale.digits = ""
	v.sale.dated = false
	v.sale.off = v.sale.flagged
	return v
}

// notLower is why a row is not put on sale.
const notLower = "moves_past_sale sale left alone"

// reduced is a row that an operation puts on sale; or why it does not.
func (v values) reduced(op plan.Operation, cost string) (next values, refusal string) {
	regular := v.regular()
	at, refusal := costed(op, regular, cost)
	if refusal != "" {
		return v, refusal
	}
	if rat(at).Sign() == 0 || rat(at).Cmp(rat(regular)) >= 0 {
		return v, notLower
	}
	next = v
	next.sale.dated = false
	if v.sale.form == profile.SaleWas {
		next.price, next.sale.digits = at, regular
	} else {
		next.sale.digits, next.sale.off = at, false
	}
	if next.sale.same(v.sale) && rat(next.price).Cmp(rat(v.price)) == 0 {
		return v, "" // however its numbers are written
	}
	return next, ""
}

// notAbove is why a price from before a sale is not set.
const notAbove = "moves_past_sale compare-at price left alone"

// compared is a row whose price from before a sale is set; or why it is not.
func (v values) compared(op plan.Operation) (next values, refusal string) {
	o, at := op.Options.Rounded(), v.price
	if digits := op.Options.RoundTo; !op.Action.NoValue || o.RoundStep != nil || o.PriceEnding != nil ||
		o.Rounding != "" || digits != nil {
		if op.Action.NoValue {
			op.Action = plan.Action{Type: plan.PercentIncrease}
		} else {
			op.Action.Type = plan.SetPrice
		}
		op.Options = o
		if at, refusal = NewPrice(op, v.price); refusal != "" {
			return v, refusal
		}
	}
	way := rat(at).Cmp(rat(v.price))
	if rat(at).Sign() == 0 || way < 0 || way == 0 && op.Action.Type == plan.SetPrice {
		return v, notAbove
	}
	next = v
	next.sale.digits, next.sale.dated = at, false
	if next.sale.same(v.sale) {
		return v, ""
	}
	return next, ""
}

// takes reports whether a text is what a column would write of an amount.
func (c column) takes(text, digits string) bool {
	is, _, worn, fault := c.amount(text)
	return fault == "" && rat(is).Cmp(rat(digits)) == 0 && strings.EqualFold(worn.currency, c.currency)
}

// asWritten is what a cell holds as it stands in the table, where quotes in quotes are two.
func (t *run) asWritten(r record, column int) string {
	text := r.text(column)
	if text != "" && t.quotedAt(r.cells[column]) {
		text = strings.ReplaceAll(text, `"`, `""`)
	}
	return text
}

// changeSale writes what becomes of a row's sale, tells it, and what customers pay.
func (t *run) changeSale(r record, line *change, was, now values, dressed parts) (fault string) {
	s := &t.columns.sales[0]
	old := t.asWritten(r, s.at)
	text := old
	sold := !now.sale.same(was.sale)
	if quoted := false; sold {
		none := now.sale.digits == "" && was.sale.digits == "" // but for what says whether it is in force
		if !none && (now.sale.digits == "" || was.sale.digits == "" ||
			rat(now.sale.digits).Cmp(rat(was.sale.digits)) != 0) {
			if s.at >= len(r.cells) {
				return "nowhere to write the sale"
			}
			if text, quoted, fault = t.writeSale(s, r, was, now); fault != "" {
				return fault
			}
		}
		if s.Form == profile.SaleWas {
			line.After.CompareAtQuoted = quoted
		} else {
			line.After.SalePriceQuoted = quoted
		}
	}
	if t.needs.sales || was.onSale() || now.onSale() {
		if s.Form == profile.SaleWas {
			line.Before.CompareAt, line.After.CompareAt = &old, &text
		} else {
			line.Before.SalePrice, line.After.SalePrice = &old, &text
		}
	}
	if sold {
		if fault := t.changeTexts(s, r, line, was, now); fault != "" {
			return fault
		}
	}
	paidBy := func(v values, price string, sale string) (paid string, regular *string) {
		switch on := v.onSale(); {
		case on && s.Form == profile.SaleBeside:
			return sale, &price
		case on:
			return price, &sale
		}
		return price, nil
	}
	other := t.otherMoney(r, dressed)
	m := priceMove{row: line.Row, sku: line.SKU, other: other}
	m.before, m.regularBefore = paidBy(was, *line.Before.Price, old)
	m.after, m.regularAfter = paidBy(now, *line.After.Price, text)
	if m.was, m.now = rat(was.paid()), rat(now.paid()); m.was.Cmp(m.now) != 0 {
		t.moves = append(t.moves, m)
	} else if other {
		t.mixed = true
	}
	m.was, m.now = rat(was.regular()), rat(now.regular())
	if m.was.Cmp(m.now) != 0 && (was.onSale() || now.onSale()) {
		if m.regularBefore != nil {
			m.before = *m.regularBefore
		}
		if m.regularAfter != nil {
			m.after = *m.regularAfter
		}
		m.regularBefore, m.regularAfter = nil, nil
		t.regulars = append(t.regulars, m)
	}
	return ""
}

// writeSale writes the price of a sale, or what there is for none, and says whether
// it was put into quotes.
func (t *run) writeSale(s *saleColumn, r record, was, now values) (text string, quoted bool, fault string) {
	at := r.cells[s.at]
	old := r.text(s.at)
	separator := string(rune(t.dialect.Delimiter.Byte()))
	switch {
	case now.sale.digits == "":
		text = s.noneIn(t)
		if strings.Contains(old, separator) && !strings.Contains(text, separator) && t.isQuoted(at) &&
			!t.isQuoted(r.cells[0]) {
			at.from, at.to = at.from-1, at.to+1
		}
	case rat(now.sale.digits).Cmp(rat(was.price)) == 0 && s.form.takes(r.text(t.columns.price), was.price):
		text = r.text(t.columns.price)
	default:
		_, form, worn, _ := s.form.amount(old)
		if old == "" {
			worn = s.usual(t)
		}
		amount := t.paid(r, now.sale.digits)
		if s.form.unmarked && strings.Contains(amount, ".") {
			return "", false, "unknown mark"
		}
		text = s.form.write(amount, form, worn)
	}
	written := text
	if strings.Contains(text, separator) && !t.isQuoted(r.cells[s.at]) {
		if t.columns.profile.Writes(profile.LiteralQuotes) || t.literal {
			return "", false, "nowhere to put quotes"
		}
		written, quoted = `"`+text+`"`, true
	}
	t.edits = append(t.edits, edit{at, written})
	return text, quoted, ""
}

// usual is how the first price of the column is dressed that has a currency.
func (s *saleColumn) usual(t *run) parts {
	for _, column := range []int{s.at, t.columns.price} {
		filled := false
		for _, r := range t.inOrder() {
			text := r.text(column)
			filled = filled || text != ""
			if p, ok := dress(text); ok && p.currency != "" {
				return p
			}
		}
		if filled {
			break
		}
	}
	return parts{}
}

// noneIn is what the column has where there is no sale, in the first row that has a
// price and none.
func (s *saleColumn) noneIn(t *run) string {
	if len(s.None) == 0 {
		return ""
	}
	for _, r := range t.inOrder() {
		price := r.text(t.columns.price)
		if price == "" {
			continue
		}
		if text := r.text(s.at); !t.skip.has(r) && slices.Contains(s.None, text) {
			return text
		}
	}
	return s.None[0]
}

// changeTexts writes what is beside the price of a sale.
func (t *run) changeTexts(s *saleColumn, r record, line *change, was, now values) (fault string) {
	put := func(column int, text string, before, after **string) {
		if column >= len(r.cells) {
			fault = "nowhere to write it"
			return
		}
		old := r.text(column)
		*before, *after = &old, &text
		t.edits = append(t.edits, edit{r.cells[column], text})
	}
	if s.flag != none && now.sale.off != was.sale.off {
		word := profile.FlagOn
		if now.sale.off {
			word = profile.FlagOff
		}
		switch old := r.text(s.flag); {
		case old == "":
		case old == strings.ToLower(old):
			word = strings.ToLower(word)
		case old == strings.ToUpper(old):
			word = strings.ToUpper(word)
		}
		put(s.flag, word, &line.Before.OnSale, &line.After.OnSale)
	}
	if was.sale.dated && !now.sale.dated {
		if r.text(s.from) != "" {
			put(s.from, "", &line.Before.SaleFrom, &line.After.SaleFrom)
		}
		if r.text(s.until) != "" {
			put(s.until, "", &line.Before.SaleUntil, &line.After.SaleUntil)
		}
	}
	return fault
}

// saleNote is what the new price of a row means to its sale.
type saleNote struct {
	code string
	row  int64
	by   []string
}

// noteSales notes what a new price means to a row's sale.
func (t *run) noteSales(r record, line change, was, now string) {
	for i := range t.columns.sales {
		s := &t.columns.sales[i]
		is, fault := s.read(t, r)
		before, after := values{price: was, sale: is}, values{price: now, sale: is}
		code := ""
		switch {
		case s.Form == profile.SaleBeside && !is.off && r.text(s.at) != "" && fault != "":
			code = "sale_unreadable"
		case fault != "" ||
			!before.onSale() && (!after.onSale() || t.compared || t.asksForSale(line.OperationIDs)):
		case t.settings.SaleDates == "" && (is.dated || s.UnknownDates):
			code = "sale_unreadable"
		case !before.onSale():
			code = map[profile.SaleForm]string{
				profile.SaleBeside: "moves_past_sale sale begins",
				profile.SaleWas:    "moves_past_sale reduced",
			}[s.Form]
		case s.Form == profile.SaleBeside && after.onSale():
			code = "moves_past_sale sale stays"
		case s.Form == profile.SaleBeside:
			code = "moves_past_sale sale ends"
		case !after.onSale():
			code = "moves_past_sale no more reduced"
		}
		if code != "" {
			t.sales = append(t.sales, saleNote{code, line.Row, line.OperationIDs})
		}
	}
}

// asksForSale reports whether one of the plan's operations of such ids puts rows on sale.
func (t *run) asksForSale(ids []string) bool {
	return slices.ContainsFunc(t.plan.Operations, func(op plan.Operation) bool {
		return op.Options.AsSale && slices.Contains(ids, op.OperationID)
	})
}

// saleWarnings says how many rows there are of each code, the first of them, and
// what they were changed by.
func (t *run) saleWarnings() (warnings []string) {
	for _, code := range []string{
		"sale_unreadable", "moves_past_sale sale stays", "moves_past_sale sale ends",
		"moves_past_sale no more reduced", "moves_past_sale sale begins", "moves_past_sale reduced",
		withoutCost, outside, notLower, notAbove, "other_prices_stay", "no_price", "against_direction",
		"against_direction left alone", "price_gets_fraction", "odd_rows no name", "price_becomes_zero",
		"untracked", "quantity_below_zero", "still_sold", "quantity_stays", "odd_rows name", "odd_rows price",
		"odd_rows cost", "odd_rows price of a sale", "odd_rows stock", "odd_rows empty line",
		"odd_rows quote within a value", "odd_rows number of cells",
	} {
		var rows []int64
		var ids []string
		for _, note := range t.sales {
			if note.code == code {
				rows = append(rows, note.row)
				ids = append(ids, note.by...)
			}
		}
		slices.Sort(ids)
		if len(rows) > 0 {
			warnings = append(warnings, fmt.Sprint(
				code, slices.Compact(ids), len(rows), rows[:min(len(rows), 20)],
			))
		}
	}
	return warnings
}
