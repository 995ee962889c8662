package pricing

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/table"
)

// maxSpellings is how many names of a column are counted that look like one of
// the plan's and are none: of a table with more, which ones is left open.
const maxSpellings = 4096

// spellings counts the rows that have a name of a column, and may matter to an
// operation: those of the plan, and those that look the same as one.
type spellings struct {
	named []spelling // by id
	other map[string]*spelling
}

// spelling is one of the names. Rows are counted for another name than the
// plan's where they have none of the plan's that looks the same: those are the
// rows that would be passed over.
type spelling struct {
	rows   int64
	looks  *string // what names have that look the same; nil: that matters nothing
	others bool    // the plan does not have it
}

// newSpellings counts none yet.
func newSpellings(l *lookup) spellings {
	s := spellings{named: make([]spelling, len(l.named))}
	if l.folded != nil {
		for id, n := range l.named {
			s.named[id].looks = l.folded[table.Fold(n.text)]
		}
	}
	return s
}

// another returns the count of a name that looks like the plan's; nil where there are
// too many.
func (s *spellings) another(name string, looks *string) *spelling {
	if s.other == nil {
		s.other = map[string]*spelling{}
	}
	found := s.other[name]
	if found == nil && len(s.other) < maxSpellings {
		found = &spelling{looks: looks, others: true}
		s.other[name] = found
	}
	return found
}

// add adds what others counted.
func (s *spellings) add(more spellings) {
	for id := range more.named {
		s.named[id].rows += more.named[id].rows
	}
	for name, other := range more.other {
		if known := s.another(name, other.looks); known != nil {
			known.rows += other.rows
		}
	}
}

// count counts a row that has these names.
func count(names []*spelling) {
	for _, one := range names {
		has := func(other *spelling) bool { return !other.others && other.looks == one.looks }
		if !one.others || !slices.ContainsFunc(names, has) {
			one.rows++
		}
	}
}

// fold prepares the search for names that look the same.
func (l *lookup) fold() {
	l.folded = make(map[string]*string, len(l.named))
	for _, n := range l.named {
		looks := table.Fold(n.text)
		l.folded[looks] = &looks
	}
	l.fillBloom()
}

// mayLookAlike reports whether a name may look the same as one of the plan's,
// which may have it in another case: nearly all that do not are told by their bytes.
func mayLookAlike(text []byte, nearly, ascii bool) bool {
	switch {
	case len(text) == 0:
		return false
	case nearly || text[0] <= ' ' || text[len(text)-1] <= ' ':
		return true
	default:
		return !ascii && slices.ContainsFunc(text, func(b byte) bool { return b >= utf8.RuneSelf })
	}
}

// looks returns how a name looks that the plan does not have, where one of the
// plan's looks the same.
func (l *lookup) looks(name string) *string {
	if len(l.folded) == 0 || name == "" {
		return nil
	}
	return l.folded[table.Fold(name)]
}

// alike adds the names of the plan that the table has beside others that look
// the same, where an operation that has one of them has not all.
func (r *run) alike(names *namesAtFault, column table.Role, l *lookup, seen []bool, s spellings) {
	groups := map[*string][]spelled{}
	add := func(looks *string, one spelled) { groups[looks] = append(groups[looks], one) }
	for name, other := range s.other {
		if other.rows > 0 {
			add(other.looks, spelled{table.Spelling{Name: name, Rows: other.rows}, opSet{}})
		}
	}
	for id, n := range l.named {
		if looks := s.named[id].looks; seen[id] && looks != nil {
			add(looks, spelled{table.Spelling{Name: n.text, Rows: s.named[id].rows}, n.only.or(n.except)})
		}
	}
	for id, n := range l.named {
		group := groups[s.named[id].looks]
		if !seen[id] || len(group) < 2 {
			continue
		}
		for i, ops := range []opSet{n.only, n.except} {
			if ops = ops.andNot(inAll(group)); !ops.empty() {
				names.add(table.UnknownName{Column: column, Name: n.text, Excluded: i == 1, OperationIDs: r.ids(ops), Nearest: []string{}, Alike: told(group)})
			}
		}
	}
}

// spelled is a name that the table has.
type spelled struct {
	table.Spelling
	by opSet // the operations that name it
}

// inAll returns the operations that name all of some names.
func inAll(group []spelled) opSet {
	all := everyOperation
	for _, one := range group {
		all = all.and(one.by)
	}
	return all
}

// told are the most frequent of some names.
func told(group []spelled) (list []table.Spelling) {
	slices.SortFunc(group, func(a, b spelled) int { return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Name, b.Name)) })
	for _, one := range group[:min(len(group), table.MaxAlike)] {
		list = append(list, one.Spelling)
	}
	return list
}
