// Package reference is the pricing engine again, as plainly as it can be
// written: the whole table in memory, encoding/csv for the quoting, exact
// fractions for the prices, encoding/json for the change lines. It is what the
// engine is tested against, byte for byte, and shares no code with it.
package reference

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// Fault says that a table is refused, and where its first fault is.
type Fault struct {
	Row    int64
	Reason string
}

func (f *Fault) Error() string { return fmt.Sprintf("row %d: %s", f.Row, f.Reason) }

// Unknown says that the plan names what no row has.
type Unknown struct{ Names []string }

func (u *Unknown) Error() string { return fmt.Sprintf("unknown names: %q", u.Names) }

// needs are the columns that a plan looks at or changes.
func needs(p *plan.Plan) (n table.Needs) {
	for _, op := range p.Operations {
		f := op.Filter
		n.Category = n.Category || f.Categories != nil || len(f.ExcludeCategories) > 0
		n.Price = n.Price || f.PriceGTE != nil || f.PriceLTE != nil || op.Action.Type != plan.SetStock
		n.Stock = n.Stock || f.InStock != nil || op.Action.Type == plan.SetStock
	}
	return n
}

// unknown are the names of the plan that no row has.
func (r *run) unknown() (names []string) {
	for _, op := range r.plan.Operations {
		f := op.Filter
		for _, name := range slices.Concat(f.Categories, f.ExcludeCategories) {
			if !r.seen["category "+name] {
				names = append(names, "category "+name)
			}
		}
		for _, name := range slices.Concat(f.SKUs, f.ExcludeSKUs) {
			if !r.seen["sku "+name] {
				names = append(names, "sku "+name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Run does what Engine.Run does. A table that breaks a rule gives a *Fault.
func Run(p *plan.Plan, s pricing.Settings, in io.Reader, out, changes io.Writer) (pricing.Summary, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return pricing.Summary{}, err
	}
	r := &run{plan: p, settings: s, table: text, needs: needs(p), seen: map[string]bool{}}
	for _, op := range p.Operations {
		r.summary.Operations = append(r.summary.Operations, pricing.OperationCount{OperationID: op.OperationID})
	}
	if err := r.records(); err != nil {
		return pricing.Summary{}, err
	}
	if unknown := r.unknown(); len(unknown) > 0 && s.Unmatched != table.UnmatchedAllow {
		return pricing.Summary{}, &Unknown{unknown}
	}
	r.out.Write(r.table[r.kept:])
	if _, err := out.Write(r.out.Bytes()); err != nil {
		return pricing.Summary{}, err
	}
	_, err = changes.Write(r.changes.Bytes())
	return r.summary, err
}

type run struct {
	plan     *plan.Plan
	settings pricing.Settings
	table    []byte
	columns  [4]int // sku, category, price, in_stock; -1: none
	needs    table.Needs
	seen     map[string]bool // names, behind "sku " or "category "
	fields   int
	summary  pricing.Summary

	out, changes bytes.Buffer
	kept         int // what of the table is in out
}

// field is one cell: where its content is in the table, without quotes around
// it, and what it says.
type field struct {
	from, to int
	value    string
}

// records reads record after record. encoding/csv skips empty lines, and its
// offsets tell where it did.
func (r *run) records() error {
	base := 0
	if bytes.HasPrefix(r.table, []byte("\ufeff")) {
		base = 3
	}
	start := base
	reader := csv.NewReader(bytes.NewReader(r.table[base:]))
	reader.FieldsPerRecord = -1
	row := int64(0)
	for {
		_, err := reader.Read()
		end := base + int(reader.InputOffset())
		if err == io.EOF {
			if row == 0 {
				return &Fault{1, "no header"}
			}
			return nil
		}
		empties := 0
		for from := start; start < len(r.table); from = start {
			start += len(lineEnd(r.table[start:]))
			if start == from {
				break
			}
			empties++
		}
		row++
		if empties > 0 {
			return &Fault{row, "empty line"}
		}
		if err != nil {
			return &Fault{row, err.Error()}
		}
		raw := r.table[start:end]
		raw = raw[:len(raw)-len(ending(raw))]
		if reason := r.record(row, start, raw); reason != "" {
			return &Fault{row, reason}
		}
		start = end
	}
}

// lineEnd returns the line ending that text begins with; a carriage return
// that ends the file counts as one.
func lineEnd(text []byte) []byte {
	switch {
	case bytes.HasPrefix(text, []byte("\n")):
		return text[:1]
	case bytes.HasPrefix(text, []byte("\r\n")):
		return text[:2]
	case len(text) == 1 && text[0] == '\r':
		return text
	default:
		return nil
	}
}

// ending returns the line ending that a record ends with.
func ending(record []byte) []byte {
	for _, size := range []int{2, 1} {
		if tail := record[max(len(record)-size, 0):]; len(lineEnd(tail)) == len(tail) {
			return tail
		}
	}
	return nil
}

func (r *run) record(row int64, start int, raw []byte) (refusal string) {
	fields, fine := split(raw, start)
	switch {
	case !fine:
		return "carriage return"
	case len(raw) > 4<<20:
		return "too long"
	case bytes.IndexByte(raw, 0) >= 0:
		return "NUL"
	case row == 1:
		return r.header(fields)
	case len(fields) != r.fields:
		return "field count"
	}
	var cells [4]field
	for i, column := range r.columns {
		if column >= 0 {
			cells[i] = fields[column]
		}
	}
	sku, category, price, stock := cells[0], cells[1], cells[2], cells[3]
	r.summary.RowsTotal++
	names := []string{sku.value}
	if r.needs.Category {
		names = append(names, category.value)
	}
	for _, name := range names {
		switch {
		case len(name) > 512:
			return "long name"
		case !utf8.ValidString(name):
			return "not UTF-8"
		case name != "" && strings.Contains("=+-@\t\r", name[:1]) && !r.settings.AllowFormulaCells:
			return "formula"
		}
	}
	r.seen["sku "+sku.value], r.seen["category "+category.value] = true, true
	inStock, readable := stocks[strings.ToLower(stock.value)]
	readable = readable || !r.needs.Stock
	if price.value == "" && r.columns[2] >= 0 && r.settings.BlankPrice == pricing.BlankPriceKeep {
		if !readable && stock.value != "" {
			return "stock"
		}
		return ""
	}
	if r.needs.Price && !prices.MatchString(price.value) || !readable {
		return "price or stock"
	}
	return r.apply(row, sku, category, price, stock, inStock)
}

var (
	prices = regexp.MustCompile(`^[0-9]{1,18}(\.[0-9]{1,9})?$`)
	stocks = map[string]bool{"true": true, "1": true, "yes": true, "false": false, "0": false, "no": false}
)

// split finds the cells of a record whose quoting encoding/csv has accepted.
// It is not fine where a carriage return stands outside quotes.
func split(raw []byte, start int) (fields []field, fine bool) {
	begin, quoted := 0, false
	for i := 0; i <= len(raw); i++ {
		switch {
		case i < len(raw) && raw[i] == '"':
			quoted = !quoted
		case i < len(raw) && raw[i] == '\r' && !quoted:
			return nil, false
		case i == len(raw) || raw[i] == ',' && !quoted:
			f := field{start + begin, start + i, string(raw[begin:i])}
			if strings.HasPrefix(f.value, `"`) {
				f = field{f.from + 1, f.to - 1, strings.ReplaceAll(f.value[1:len(f.value)-1], `""`, `"`)}
			}
			fields = append(fields, f)
			begin = i + 1
		}
	}
	return fields, true
}

func (r *run) header(fields []field) (refusal string) {
	r.fields = len(fields)
	columns := r.settings.Columns
	for i, names := range [][2]string{{columns.SKU, "sku"}, {columns.Category, "category"}, {columns.Price, "price"}, {columns.InStock, "in_stock"}} {
		name := names[0]
		if name == "" {
			name = names[1]
		}
		is := func(f field) bool {
			return strings.EqualFold(strings.Trim(f.value, " \t"), strings.Trim(name, " \t"))
		}
		r.columns[i] = slices.IndexFunc(fields, is)
		needed := [4]bool{true, r.needs.Category, r.needs.Price, r.needs.Stock}[i]
		if needed && (r.columns[i] < 0 || slices.ContainsFunc(fields[r.columns[i]+1:], is)) {
			return "column " + name
		}
	}
	return ""
}

// state is what a row's cells say.
type state struct {
	price   string
	inStock bool
}

// told is a state as the change lines tell it: null where it was not read.
func (r *run) told(s state) (told pricing.State) {
	if r.needs.Price {
		told.Price = &s.price
	}
	if r.needs.Stock {
		told.InStock = &s.inStock
	}
	return told
}

func (r *run) apply(row int64, sku, category, price, stock field, inStock bool) (refusal string) {
	before := state{price.value, inStock}
	after := before
	ids := []string{}
	for i, op := range r.plan.Operations {
		if !matches(op.Filter, category.value, sku.value, after) {
			continue
		}
		r.summary.Operations[i].RowsMatched++
		next := after
		if op.Action.Type == plan.SetStock {
			next.inStock = op.Action.Stock
		} else if next.price, refusal = NewPrice(op, after.price); refusal != "" {
			return refusal
		}
		if next != after {
			r.summary.Operations[i].RowsChanged++
			ids = append(ids, op.OperationID)
			after = next
		}
	}
	if r.needs.Price && rat(after.price).Cmp(rat(before.price)) == 0 {
		after.price = before.price
	}
	if after == before {
		return ""
	}
	r.against(ids, before, after)
	r.summary.RowsChanged++
	r.edit(price, stock, before, after)
	encoder := json.NewEncoder(&r.changes)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(pricing.Change{Row: row, SKU: sku.value, OperationIDs: ids, Before: r.told(before), After: r.told(after)})
	return ""
}

// against counts a row whose price went the other way than the one operation
// that changed it was to move it.
func (r *run) against(ids []string, before, after state) {
	for i, op := range r.plan.Operations {
		if len(ids) != 1 || ids[0] != op.OperationID || before.price == after.price {
			continue
		}
		rose := rat(after.price).Cmp(rat(before.price)) > 0
		switch op.Action.Type {
		case plan.PercentIncrease, plan.FixedIncrease:
			if !rose && rat(op.Action.Value.String()).Sign() != 0 {
				r.summary.Operations[i].RowsAgainst++
			}
		case plan.PercentDecrease, plan.FixedDecrease:
			if rose && rat(op.Action.Value.String()).Sign() != 0 {
				r.summary.Operations[i].RowsAgainst++
			}
		}
	}
}

func (r *run) edit(price, stock field, before, after state) {
	edits := []struct {
		field
		text string
	}{{price, after.price}, {stock, stock.value}}
	if after.inStock != before.inStock {
		edits[1].text = stockLike(stock.value, after.inStock)
	}
	if stock.from < price.from {
		slices.Reverse(edits)
	}
	for _, edit := range edits {
		if edit.to == 0 || edit.text == edit.value { // there is no such column, or nothing to change
			continue
		}
		r.out.Write(r.table[r.kept:edit.from])
		r.out.WriteString(edit.text)
		r.kept = edit.to
	}
}

// stockLike writes in_stock in the form and case of old.
func stockLike(old string, inStock bool) string {
	pairs := map[string][2]string{"true": {"false", "true"}, "1": {"0", "1"}, "yes": {"no", "yes"}}
	pairs["false"], pairs["0"], pairs["no"] = pairs["true"], pairs["1"], pairs["yes"]
	word := pairs[strings.ToLower(old)][0]
	if inStock {
		word = pairs[strings.ToLower(old)][1]
	}
	switch old {
	case strings.ToUpper(old):
		return strings.ToUpper(word)
	case strings.ToUpper(old[:1]) + strings.ToLower(old[1:]):
		return strings.ToUpper(word[:1]) + word[1:]
	default:
		return word
	}
}
