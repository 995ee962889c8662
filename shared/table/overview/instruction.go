package overview

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
)

// Instruction are the words of a text, in which an overview looks for SKUs and products'
// names.
type Instruction struct {
	words names.Phrases
	text  string       // all of them, each with a space behind it
	skus  *Instruction // the same as SKUs are compared; nil: of these themselves
	// values are what cells of other columns may be.
	values *valueRuns
}

// maxAsked is how many SKUs, and how many products' names, are found for a text.
const maxAsked = 1_000

// NewInstruction returns the words of a text.
func NewInstruction(text string) *Instruction {
	a := instructionWords(text)
	a.skus = instructionWords(foldSKUs(text))
	return a
}

// foldSKUs folds each word of a text as SKUs are: 007 is 7.
func foldSKUs(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		words[i] = fold.SKUs.Fold(strings.TrimLeft(word, "\"'([“‘#"))
	}
	return strings.Join(words, " ")
}

func instructionWords(text string) *Instruction {
	a := &Instruction{words: names.Phrases{IDs: map[string]int32{}}}
	var all names.Words
	all.Read(dialect.Dialect{}, []byte(text))
	a.text, a.values = " "+string(all.Text), newValueRuns(&all)
	for i := range all.Starts {
		word := string(all.First(i))
		for _, form := range []string{
			word, word + "s", strings.TrimSuffix(word, "s"), strings.TrimSuffix(word, "es"),
			strings.TrimSuffix(word, "y") + "ies", strings.TrimSuffix(word, "ies") + "y",
		} {
			a.words.IDs[a.words.Add(form)] = int32(i)
		}
	}
	return a
}

// likeness is which part of a name's words the text has; 2 where it has them all in
// a row.
func (a *Instruction) likeness(name *names.Words) float64 {
	if len(name.Starts) == 0 {
		return 0
	}
	if strings.Contains(a.text, " "+string(name.Text)) {
		return 2
	}
	found := 0
	for i := range name.Starts {
		if _, has := a.words.IDs[string(name.Run(i, 1))]; has {
			found++
		}
	}
	return float64(found) / float64(len(name.Starts))
}

// match is a name that has words of the text.
type match struct {
	role     recognize.Role
	name     string
	likeness float64
	has      uint64 // the mentioned names of its row
}

// compare looks whether the row's SKU, or its product's name, has words of the text.
func (v *viewer) compare(role int, r *row.Row) {
	if v.asked == nil {
		return
	}
	for i := range v.cells[role] {
		content := r.Name(role, i)
		if len(content) == 0 || len(content) > cell.MaxNameBytes {
			continue
		}
		text := r.Unquoted(content)
		asked, compared := v.asked, text
		if recognize.NameRoles[role].Role == recognize.RoleSKU {
			text = cell.Code(text)
			asked, compared = v.asked.skus, comparedSKU(v.table.Dialect, text)
		}
		if !asked.words.MayBeIn(compared) {
			continue
		}
		v.words.Read(v.table.Dialect, compared)
		if like := asked.likeness(&v.words); like > 0 &&
			!v.best[recognize.NameRoles[role].Role].beyond(like, text) {
			v.found = append(v.found, match{
				role:     recognize.NameRoles[role].Role,
				name:     v.table.Dialect.Text(text),
				likeness: like,
			})
		}
	}
}

// comparedSKU is a SKU as SKUs are compared, in the table's encoding. Most are compared as they
// are: words know no case.
func comparedSKU(d dialect.Dialect, sku []byte) []byte {
	if len(sku) == 0 ||
		sku[0] != '0' && !slices.ContainsFunc(sku, func(b byte) bool { return b >= utf8.RuneSelf }) {
		return sku
	}
	folded, ok := d.Bytes(fold.SKUs.Fold(d.Text(sku)))
	if !ok {
		return sku
	}
	return folded
}

// matches are the names of a role that are most like the text.
type matches struct {
	found map[string]matched
	// worst is the last of the best maxAsked, once there were so many that others went.
	worst *match
}

// matched is one of them.
type matched struct {
	rows     int64
	likeness float64
	has      uint64 // the mentioned names that all of them have
}

// add adds rows that have a name. Where there are very many names, those that are
// least like the text go.
func (m *matches) add(name string, more matched) {
	if before, known := m.found[name]; known {
		more.rows, more.has = more.rows+before.rows, more.has&before.has
	}
	m.found[name] = more
	if len(m.found) > 4*maxAsked {
		sorted := m.sorted()
		for _, other := range sorted[maxAsked:] {
			delete(m.found, other)
		}
		last := sorted[maxAsked-1]
		m.worst = &match{name: last, likeness: m.found[last].likeness}
	}
}

// beyond reports whether a name comes behind all that are kept: most names of a table
// of which all have a word of the text.
func (m *matches) beyond(likeness float64, name []byte) bool {
	return m.worst != nil &&
		(likeness < m.worst.likeness || likeness == m.worst.likeness && string(name) > m.worst.name)
}

func (m *matches) join(other *matches) {
	for _, name := range other.sorted() {
		m.add(name, other.found[name])
	}
}

func (m *matches) sorted() []string {
	return slices.SortedFunc(maps.Keys(m.found), func(a, b string) int {
		return cmp.Or(cmp.Compare(m.found[b].likeness, m.found[a].likeness), cmp.Compare(a, b))
	})
}

// list lists the names, the likeliest first.
func (m *matches) list() (list []names.Spelling) {
	sorted := m.sorted()
	for _, name := range sorted[:min(len(sorted), maxAsked)] {
		list = append(list, names.Spelling{Name: name, Rows: m.found[name].rows})
	}
	return list
}
