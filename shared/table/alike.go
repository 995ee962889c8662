package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/fold"
)

// maxSpellings is how many names of a column a worker counts that look like one
// of the query's and are none: of a table with more, which ones is left open.
const maxSpellings = 4096

// spellings counts the rows that have a name of a role, and may matter to a
// condition: those of the query, and those that look the same as one.
type spellings struct {
	named []spelling // by id
	other map[string]*spelling
}

// spelling is one of the names. Rows are counted for another name than the
// query's where they have none of the query's that looks the same: those are the
// rows that would be passed over.
type spelling struct {
	rows    int64
	inBlock int64   // of the block that is not written yet
	looks   *string // what names have that look the same; nil: that matters nothing
	others  bool    // the query does not have it
	bit     uint64  // of a text that has the name: see textNames
}

// newSpellings counts none yet.
func newSpellings(l *lookup) spellings {
	s := spellings{named: make([]spelling, len(l.named))}
	for id, n := range l.named {
		s.named[id].looks = n.looks
	}
	return s
}

// another returns the count of a name that looks like the query's; nil where
// there are too many.
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

// addTo adds the rows that were counted, by name.
func (c *nameColumn) addTo(rows map[string]int64) {
	for id, n := range c.spelled.named {
		if c.seen[id] {
			rows[c.named[id].text] += n.rows
		}
	}
	for name, other := range c.spelled.other {
		rows[name] += other.rows
	}
}

// addFolds prepares the search for names that look the same.
func (l *lookup) addFolds() {
	l.folded = make(map[string]*string, len(l.named))
	for id := range l.named {
		looks := l.kind.Fold(l.named[id].text)
		if _, known := l.folded[looks]; !known {
			l.folded[looks] = &looks
		}
		l.named[id].looks = l.folded[looks]
	}
}

// mayFoldAlike reports whether a name may look the same as one of the query's
// that it is not. Nearly tells most that do not by their bytes: the bloom has the
// spellings of ASCII.
func (l *lookup) mayFoldAlike(text []byte, nearly, ascii bool) bool {
	switch {
	case len(l.folded) == 0 || len(text) == 0:
		return false
	case text[0] <= ' ' || text[len(text)-1] <= ' ':
		return true
	case ascii || !slices.ContainsFunc(text, func(b byte) bool { return b >= utf8.RuneSelf }):
		return nearly && l.mayFold(text)
	default:
		return true
	}
}

// mayFold reports whether a name of ASCII may fold to what one of the query's does. A
// filter that takes one name in fifty for another would cost a large plan more than
// its search does.
func (l *lookup) mayFold(text []byte) bool {
	var room [96]byte // an "&" takes the most: five bytes
	if len(text) > len(room)/2 || fold.HasReference(text) {
		return true
	}
	_, held := l.folded[string(l.kind.AppendASCII(room[:0], text))]
	return held
}

// foldOf returns the fold of a name that the query does not have, where one of the
// query's looks the same.
func (l *lookup) foldOf(name string) *string {
	if len(l.folded) == 0 || name == "" {
		return nil
	}
	return l.folded[l.kind.Fold(name)]
}

// AddAlike adds the names of a query that the table has beside others that look
// the same, where an operation that has one of them has not all. It returns one of each
// such group that an operation has whole.
func (t *Table) AddAlike(e *UnknownNamesError, q *Query, s *Scanned, operations func(Set) []string) (whole []UnknownName) {
	for i, l := range slices.Backward(q.lookups) {
		groups, told := l.groups(s.Seen[i], s.Spelled[i]), map[*string]bool{}
		for id, n := range l.named {
			if !s.Seen[i][id] {
				continue
			}
			looks := l.foldOf(n.text)
			group := groups[looks]
			if len(group) < 2 {
				continue
			}
			for except, by := range []Set{n.only, n.except} {
				if by = by.AndNot(inAll(group)).And(q.own()); !by.Empty() {
					e.add(UnknownName{Column: q.rules[i].Named(), Name: n.text, Excluded: except == 1, OperationIDs: operations(by), Nearest: []string{}, Alike: mostFrequent(group)})
				}
			}
			if by := inAll(group).And(q.own()); !by.Empty() && !told[looks] {
				told[looks] = true
				whole = append(whole, UnknownName{Column: q.rules[i].Named(), Name: n.text, Excluded: n.only.And(by).Empty(), OperationIDs: operations(by), Nearest: []string{}, Alike: mostFrequent(group)})
			}
		}
	}
	return whole
}

// spelled is a name that the table has.
type spelled struct {
	Spelling
	by Set // the conditions that name it
}

// groups are the names that the table has, by how they look.
func (l *lookup) groups(seen []bool, rows map[string]int64) map[*string][]spelled {
	groups := map[*string][]spelled{}
	for name, rows := range rows {
		looks, entry := l.foldOf(name), spelled{Spelling: Spelling{Name: name, Rows: rows}}
		if looks == nil { // it has one among others
			looks = l.foldOf(firstAmong(name, l.foldOf))
		}
		id, named := l.ids[name]
		if named {
			entry.by = l.named[id].only.Or(l.named[id].except)
		}
		if looks != nil && (named && seen[id] || !named && rows > 0) {
			groups[looks] = append(groups[looks], entry)
		}
	}
	return groups
}

// inAll returns the conditions that name all of some names.
func inAll(group []spelled) Set {
	all := EverySet
	for _, entry := range group {
		all = all.And(entry.by)
	}
	return all
}

// mostFrequent are the most frequent of some names.
func mostFrequent(group []spelled) (list []Spelling) {
	slices.SortFunc(group, func(a, b spelled) int { return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Name, b.Name)) })
	for _, entry := range group[:min(len(group), maxAlike)] {
		list = append(list, entry.Spelling)
	}
	return list
}

// tellAlike remarks on the names of a role that look the same.
func (f *Overview) tellAlike(r roleRule) {
	var looks []string // in the names' order
	groups := map[string][]Spelling{}
	for _, name := range f.Names[r.Role] {
		folded := r.Fold().Fold(name.Name)
		if groups[folded] = append(groups[folded], name); len(groups[folded]) == 2 {
			looks = append(looks, folded)
		}
	}
	var rows RowList
	var lists []string
	for i, folded := range looks {
		for _, name := range groups[folded] {
			rows.Rows += name.Rows
		}
		if i < maxAlike {
			group := groups[folded][:min(len(groups[folded]), maxAlike)]
			lists = append(lists, listSpellings(group, fold.Disguised(group[0].Name)))
		}
	}
	if len(looks) == 0 {
		return
	}
	more := ""
	if len(looks) > maxAlike {
		more = fmt.Sprintf("; and %d more", len(looks)-maxAlike)
	}
	f.remark(RemarkNamesAlike, rows, fmt.Sprintf("Names in the column of %s that look the same: %s%s. A plan that has one of them and not the others is refused, unless {near_names=exact}.", r.Role, strings.Join(lists, "; "), more), string(r.Role), strings.Join(lists, "; "))
}
