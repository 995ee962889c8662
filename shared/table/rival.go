package table

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
)

// Rival is another encoding by which a table reads as well as by the one that was taken,
// with the first cell that says something else by it.
type Rival struct {
	Taken, Encoding dialect.Encoding
	Row             int64
	Column          string
	Says, Else      string // the cell, by the one and by the other
}

// Rival returns nil where there is none.
func (t *Table) Rival() *Rival { return t.rival }

// addLetters adds those of a name that encodings may have in different bytes.
func (n *Needs) addLetters(name string) {
	for _, r := range name {
		if r >= utf8.RuneSelf {
			if n.Letters == nil {
				n.Letters = map[rune]bool{}
			}
			n.Letters[r] = true
		}
	}
}

// otherwise is the table's dialect by the rival encoding, or as it is.
func (t *Table) otherwise() dialect.Dialect {
	other := t.Dialect
	other.Encoding = cmp.Or(t.Dialect.Rival, t.Dialect.Encoding)
	return other
}

// weigh looks for what a rival encoding says otherwise: it is asked which it is where that
// is a title or a letter of the plan's names. Elsewhere the bytes stay as they are.
func (t *Table) weigh(rows []byte, needs Needs) *Fault {
	is, other := t.Dialect, t.otherwise()
	if is.Rival == "" {
		return nil
	}
	ask := func(row int64, column, says, orElse, also string) *Fault {
		return &Fault{Row: row, Column: column, Message: fmt.Sprintf("the table reads as well in %s as in %s, where this is %s or %s%s: say which, with {encoding=%s}",
			is.Encoding, other.Encoding, says, orElse, also, is.Encoding)}
	}
	for i, title := range t.Header {
		if t.orElse[i] != title {
			return ask(1, faults.Excerpt(title), Shown(title), Shown(t.orElse[i]), "")
		}
	}
	for r := range t.each(rows) {
		if t.rival != nil {
			break
		}
		for i := range t.Header {
			raw := r.content(i)
			if says, orElse := is.Text(raw), other.Text(raw); t.rival == nil && says != orElse {
				t.rival = &Rival{is.Encoding, other.Encoding, r.row, t.columnTitle(i), Shown(says), Shown(orElse)}
			}
		}
	}
	for _, letter := range slices.Sorted(maps.Keys(needs.Letters)) {
		raw, written := is.Bytes(string(letter))
		otherwise, has := other.Bytes(string(letter))
		if found := t.rival; found != nil && (written != has || !bytes.Equal(raw, otherwise)) {
			return ask(found.Row, found.Column, found.Says, found.Else, fmt.Sprintf(", and the plan has names with %c", letter))
		}
	}
	return nil
}
