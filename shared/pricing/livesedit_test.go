package pricing_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
)

// TestUndoBesideTheReference takes back, in tables that were edited since, what
// random plans did: the engine alone, as TestLives has commands and a server do it.
func TestUndoBesideTheReference(t *testing.T) {
	var l *life
	for seed := range seeds(1000) {
		if l = newLife(t, seed, ""); l.want.RowsChanged == 0 {
			continue
		}
		l.sameUndo("undone", l.edit(), l.undoAlone)
		if t.Failed() {
			t.Fatalf("seed %d: %s, %v, %v\n%s", seed, l.g.profile.Name, l.g.dialect, l.metadata, planText(l.plan))
		}
	}
}

// undoAlone has the engine undo the plan on an edited table.
func (l *life) undoAlone(edited []byte) (back string, done bool) {
	l.t.Helper()
	e, err := pricing.Compile(l.plan, l.settings)
	l.must(err)
	forth, err := runEngine(l.t, e, string(l.input))
	l.must(err)
	again, err := forth.Table.ReadAgain(l.settings, table.Settings{AllowFormulaCells: l.settings.AllowFormulaCells})
	l.must(err)
	undo, err := pricing.CompileUndo(undoOf(forth.changes, ""), again, strings.NewReader(forth.changes))
	l.must(err)
	if undo, err = undo.TellApart(l.t.Context(), bytes.NewReader(l.input), bytes.NewReader(edited)); err != nil {
		return "", false
	}
	got, err := runEngine(l.t, undo, string(edited))
	return got.out, err == nil
}

// edit does to what was written what people do: rows go, come twice, move, and
// get back by hand what they had.
func (l *life) edit() []byte {
	d := dialect.Detect([]byte(l.want.Out), l.settings.Dialect)
	head, rows, tail := l.split(d, []byte(l.want.Out))
	_, before, _ := l.split(d, l.input)
	for range 1 + l.g.IntN(3) {
		if len(rows) == 0 {
			break
		}
		i, k := l.g.IntN(len(rows)), l.g.IntN(len(rows))
		switch l.g.IntN(5) {
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
			rows[i] = before[l.g.IntN(len(before))]
		}
	}
	return slices.Concat(head, bytes.Join(rows, nil), tail)
}

// split parts a table into what stands before its rows, them, and the empty lines
// behind them. It looks at nothing but quotes and line ends.
func (l *life) split(d dialect.Dialect, text []byte) (head []byte, rows [][]byte, tail []byte) {
	size, high := 1, 0
	switch d.Encoding {
	case dialect.UTF16LE:
		size, high = 2, 1
	case dialect.UTF16BE:
		size = 2
	}
	quoted, start := false, 0
	var all [][]byte
	for at := 0; at+size <= len(text); at += size {
		b := text[at]
		if size == 2 {
			if b = text[at+1-high]; text[at+high] != 0 {
				continue
			}
		}
		switch {
		case b == '"' && !l.g.profile.LiteralQuotes:
			quoted = !quoted
		case b == d.LineEnd.Byte() && !quoted:
			all, start = append(all, text[start:at+size]), at+size
		}
	}
	if start < len(text) { // the last row gets a line end, so that it can stand anywhere
		end := map[dialect.LineEnd]string{dialect.LF: "\n", dialect.CRLF: "\r\n", dialect.CR: "\r"}[d.LineEnd]
		all = append(all, slices.Concat(text[start:], l.g.units(end, d)))
	}
	first := 1
	for _, more := range []bool{d.SepLine, d.Comment} {
		if more {
			first++
		}
	}
	last := first + int(l.want.RowsTotal)
	return bytes.Join(all[:first], nil), slices.Clone(all[first:last]), bytes.Join(all[last:], nil)
}

// units are ASCII characters in an encoding.
func (g *generator) units(text string, d dialect.Dialect) []byte {
	encoded, _ := inDialect("", d)
	encoded = encoded[:0]
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
