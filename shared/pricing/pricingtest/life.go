package pricingtest

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing/reference"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/profile"
)

// Life is one plan over one table, and what the reference makes of it.
type Life struct {
	*Generator
	Plan     *plan.Plan
	Said     map[string]string // the settings as people give them
	Settings table.Settings
	Dialect  dialect.Dialect
	Input    []byte
	Want     reference.Result
	Refusal  error
	Stale    int // rows that an undo of an edited table left
}

// NewLife returns a random life. Most plans change something: of a few it is
// left to chance.
func NewLife(seed uint64) *Life {
	for try := uint64(0); ; try++ {
		l := &Life{Generator: New(seed + try<<32)}
		if l.begin(seed); l.Plan != nil && (l.Want.RowsChanged > 0 || seed%5 == 0 || try == 100) {
			return l
		}
	}
}

func (l *Life) begin(seed uint64) {
	l.Input = l.Table(12)
	p := l.Generator.Plan()
	l.Said, l.Settings = l.givenSettings()
	p.ExecutionID, p.CreatedAt, p.SourceInstruction = fmt.Sprintf("plan_life_%d", seed), "2026-01-05T09:00:00Z", "A random plan."
	var err error
	if l.Plan, err = plan.Decode(p.Canonical()); err != nil {
		return // it names one thing twice
	}
	l.Dialect = dialect.Detect(l.Input[:min(len(l.Input), dialect.HeadBytes)], l.Settings.Dialect)
	l.Want, l.Refusal = reference.Run(l.Plan, l.Settings, l.Dialect, l.Input)
}

// givenSettings are the generator's settings as people give them, and what is read of that.
func (g *Generator) givenSettings() (map[string]string, table.Settings) {
	s := g.Settings()
	said := map[string]string{}
	add := func(name, value string) {
		if value != "" {
			said[name] = value
		}
	}
	add("unmatched", string(s.Unmatched))
	add("near_names", string(s.NearNames))
	add("blank_price", string(s.BlankPrice))
	add("price_form", string(s.PriceForm))
	add("odd_rows", string(s.OddRows))
	add("stock_words", s.StockWords.String())
	add("encoding", string(s.Dialect.Encoding))
	add("sale_dates", string(s.SaleDates))
	if s.InStockQuantity != nil {
		add("in_stock_quantity", fmt.Sprint(*s.InStockQuantity))
	}
	var pairs []string
	for _, column := range [][2]string{{"price", s.Columns.Price}, {"category", s.Columns.Category}, {"in_stock", s.Columns.InStock}, {"brand", s.Columns.Brand}, {"tags", s.Columns.Tags}, {"name", s.Columns.Name}, {"sale_price", s.Columns.SalePrice}, {"compare_at", s.Columns.CompareAt}, {"quantity", s.Columns.Quantity}} {
		if title := strings.TrimSpace(column[1]); title != "" {
			pairs = append(pairs, column[0]+"="+title)
		}
	}
	if len(pairs) > 0 {
		var text strings.Builder
		w := csv.NewWriter(&text)
		_ = w.Write(pairs) // a strings.Builder takes all
		w.Flush()
		add("columns", strings.TrimSuffix(text.String(), "\n"))
	}
	read, err := table.Settings{}.With(said)
	if err != nil {
		delete(said, "columns")
		read, _ = table.Settings{}.With(said)
	}
	return said, read
}

// String says what the life is of, where a test failed.
func (l *Life) String() string {
	return fmt.Sprintf("%s, %v\n%v\n%s\n%q", l.Profile.Name, l.Dialect, l.Said, PlanText(l.Plan), l.Input)
}

// PlanText are the operations of a plan, one a line.
func PlanText(p *plan.Plan) string {
	var text strings.Builder
	for _, op := range p.Operations {
		fmt.Fprintf(&text, "%s\n", op.Canonical())
	}
	return text.String()
}

// SameUndo undoes the plan on an edited table, and compares with the reference.
func (l *Life) SameUndo(t testing.TB, what string, edited []byte, undo func([]byte) (back string, done bool)) {
	t.Helper()
	now := dialect.Dialect{Delimiter: l.Dialect.Delimiter, Encoding: l.Dialect.Encoding}
	if end := l.Dialect.LineEnd; end == dialect.CR || end == dialect.CRCRLF {
		now.LineEnd = end
	}
	want, stale, err := reference.Undo(l.Plan, l.Settings, l.Dialect, l.Input, dialect.Detect(edited[:min(len(edited), dialect.HeadBytes)], now), edited)
	got, done := undo(edited)
	if done != (err == nil) {
		t.Errorf("%s: it was done: %v; the reference says %v\n%q", what, done, err, edited)
	} else if done && got != want {
		t.Errorf("%s:\nwritten %q\nedited  %q\ngot     %q\nwant    %q", what, l.Want.Out, edited, got, want)
	}
	l.Stale += stale
}

// Edit does to what was written what people do: rows go, come twice, move, and
// get back by hand what they had.
func (l *Life) Edit() []byte {
	d := dialect.Detect([]byte(l.Want.Out), l.Settings.Dialect)
	head, rows, tail := l.split(d, []byte(l.Want.Out))
	_, before, _ := l.split(d, l.Input)
	for range 1 + l.IntN(3) {
		if len(rows) == 0 {
			break
		}
		i, k := l.IntN(len(rows)), l.IntN(len(rows))
		switch l.IntN(5) {
		case 0:
			rows = slices.Delete(rows, i, i+1)
		case 1:
			rows = slices.Insert(rows, k, rows[i])
		case 2:
			rows[i], rows[k] = rows[k], rows[i]
		case 3:
			row := rows[i]
			rows = slices.Insert(slices.Delete(rows, i, i+1), k, row)
		default:
			rows[i] = before[l.IntN(len(before))]
		}
	}
	return slices.Concat(head, bytes.Join(rows, nil), tail)
}

// split parts a table into what stands before its rows, them, and the empty lines
// behind them. It looks at nothing but quotes and line ends.
func (l *Life) split(d dialect.Dialect, text []byte) (head []byte, rows [][]byte, tail []byte) {
	size, high := 1, 0
	switch d.Encoding {
	case dialect.UTF16LE:
		size, high = 2, 1
	case dialect.UTF16BE:
		size = 2
	}
	quoted, start := false, 0
	var all [][]byte
	before, rowsEnd := byte('\n'), 0
	for at := 0; at+size <= len(text); at += size {
		b := text[at]
		if size == 2 {
			if b = text[at+1-high]; text[at+high] != 0 {
				before, rowsEnd = 0, len(all)+1
				continue
			}
		}
		last := before
		before = b
		if b != '\r' && b != '\n' {
			rowsEnd = len(all) + 1
		}
		switch {
		case b == '"' && !l.Profile.Writes(profile.LiteralQuotes) && !quoted && !strings.ContainsRune("\"\r\n", rune(last)) && last != d.Delimiter.Byte() && !(at == 0 || d.BOM && at <= 3):
		case b == '"' && !l.Profile.Writes(profile.LiteralQuotes):
			quoted = !quoted
		case b == d.LineEnd.Byte() && !quoted:
			all, start = append(all, text[start:at+size]), at+size
		}
	}
	if start < len(text) { // the last row gets a line end, so that it can stand anywhere
		end := map[dialect.LineEnd]string{dialect.LF: "\n", dialect.CRLF: "\r\n", dialect.CR: "\r", dialect.CRCRLF: "\r\r\n"}[d.LineEnd]
		all = append(all, slices.Concat(text[start:], units(end, d)))
	}
	first := 1
	for _, more := range []bool{d.SepLine, d.Comment} {
		if more {
			first++
		}
	}
	last := max(first, rowsEnd)
	return bytes.Join(all[:first], nil), slices.Clone(all[first:last]), bytes.Join(all[last:], nil)
}

// units are ASCII characters in an encoding.
func units(text string, d dialect.Dialect) []byte {
	var encoded []byte
	for _, b := range []byte(text) {
		switch d.Encoding {
		case dialect.UTF16LE:
			encoded = append(encoded, b, 0)
		case dialect.UTF16BE:
			encoded = append(encoded, 0, b)
		default:
			encoded = append(encoded, b)
		}
	}
	return encoded
}
