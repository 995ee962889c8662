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
)

// Fault says that a table is refused, and where its first fault is.
type Fault struct {
	Row    int64
	Reason string
}

func (f *Fault) Error() string { return fmt.Sprintf("row %d: %s", f.Row, f.Reason) }

// Run does what Engine.Run does. A table that breaks a rule gives a *Fault.
func Run(p *plan.Plan, s pricing.Settings, in io.Reader, out, changes io.Writer) (pricing.Summary, error) {
	table, err := io.ReadAll(in)
	if err != nil {
		return pricing.Summary{}, err
	}
	r := &run{plan: p, settings: s, table: table}
	for _, op := range p.Operations {
		r.summary.Operations = append(r.summary.Operations, pricing.OperationCount{OperationID: op.OperationID})
	}
	if err := r.records(); err != nil {
		return pricing.Summary{}, err
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
	columns  [4]int // sku, category, price, in_stock
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
	sku, category, price, stock := fields[r.columns[0]], fields[r.columns[1]], fields[r.columns[2]], fields[r.columns[3]]
	r.summary.RowsTotal++
	for _, name := range []string{sku.value, category.value} {
		switch {
		case len(name) > 512:
			return "long name"
		case !utf8.ValidString(name):
			return "not UTF-8"
		case name != "" && strings.Contains("=+-@\t\r", name[:1]) && !r.settings.AllowFormulaCells:
			return "formula"
		}
	}
	inStock, readable := stocks[strings.ToLower(stock.value)]
	if price.value == "" {
		if r.settings.BlankPrice != pricing.BlankPriceKeep || !readable && stock.value != "" {
			return "blank price"
		}
		return ""
	}
	if !prices.MatchString(price.value) || !readable {
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
		if r.columns[i] < 0 || slices.ContainsFunc(fields[r.columns[i]+1:], is) {
			return "column " + name
		}
	}
	return ""
}

func (r *run) apply(row int64, sku, category, price, stock field, inStock bool) (refusal string) {
	before := pricing.State{Price: price.value, InStock: inStock}
	after := before
	ids := []string{}
	for i, op := range r.plan.Operations {
		if !matches(op.Filter, category.value, sku.value, after) {
			continue
		}
		r.summary.Operations[i].RowsMatched++
		next := after
		if op.Action.Type == plan.SetStock {
			next.InStock = op.Action.Stock
		} else if next.Price, refusal = NewPrice(op, after.Price); refusal != "" {
			return refusal
		}
		if next != after {
			r.summary.Operations[i].RowsChanged++
			ids = append(ids, op.OperationID)
			after = next
		}
	}
	if rat(after.Price).Cmp(rat(before.Price)) == 0 {
		after.Price = before.Price
	}
	if after == before {
		return ""
	}
	r.summary.RowsChanged++
	r.edit(price, stock, before, after)
	encoder := json.NewEncoder(&r.changes)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(pricing.Change{Row: row, SKU: sku.value, OperationIDs: ids, Before: before, After: after})
	return ""
}

func (r *run) edit(price, stock field, before, after pricing.State) {
	edits := []struct {
		field
		text string
	}{{price, after.Price}, {stock, stock.value}}
	if after.InStock != before.InStock {
		edits[1].text = stockLike(stock.value, after.InStock)
	}
	if stock.from < price.from {
		slices.Reverse(edits)
	}
	for _, edit := range edits {
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
