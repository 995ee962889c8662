package names

import (
	"cmp"
	"slices"

	"github.com/planwright/planwright/shared/table/setting"
)

// Unknown has the names that no row has of those that were seen, and of which rows were
// counted: those that are refused, and those that are let go. Operations says which
// operations some conditions are of.
func (s *Search) Unknown(
	seen [][]bool, spelled []map[string]int64, let setting.Unmatched, operations func(Set) []string,
) (refused, allowed *UnknownNamesError) {
	refused, allowed = &UnknownNamesError{}, &UnknownNamesError{}
	confirmed := let.List()
	for i, l := range slices.Backward(s.Lookups) { // SKUs last: there may be many
		groups := l.groups(seen[i], spelled[i])
		for id, name := range l.Named {
			if seen[i][id] {
				continue
			}
			alike := groups[l.FoldOf(name.Text)]
			for except, by := range []Set{name.only, name.except} {
				if l.IsOfParts() && except == 0 {
					continue // words that no name has select no row, of which the result tells
				}
				for _, found := range unseen(by.And(s.Own), alike, operations) {
					if name.Text == "" && len(found.Alike) == 0 {
						continue // that every row has something there is no mistake
					}
					found.Column, found.Name, found.Excluded = s.Rules[i].Named(), name.Text, except == 1
					if found.Excluded {
						found.Confirm = setting.Reprice(name.Text)
					}
					if found.mayPass(confirmed) {
						allowed.add(found)
					} else {
						refused.add(found)
					}
				}
			}
		}
	}
	return refused, allowed
}

// AddAlike adds the names that the table has beside others that look
// the same, where an operation that has one of them has not all. It returns one of each
// such group that an operation has whole.
func (s *Search) AddAlike(
	e *UnknownNamesError, seen [][]bool, spelled []map[string]int64, operations func(Set) []string,
) (whole []UnknownName) {
	for i, l := range slices.Backward(s.Lookups) {
		groups, told := l.groups(seen[i], spelled[i]), map[*string]bool{}
		for id, n := range l.Named {
			if !seen[i][id] {
				continue
			}
			looks := l.FoldOf(n.Text)
			group := groups[looks]
			if len(group) < 2 {
				continue
			}
			for except, by := range []Set{n.only, n.except} {
				if by = by.AndNot(inAll(group)).And(s.Own); !by.Empty() {
					e.add(UnknownName{
						Column:       s.Rules[i].Named(),
						Name:         n.Text,
						Excluded:     except == 1,
						OperationIDs: operations(by),
						Nearest:      []string{},
						Alike:        mostFrequent(group),
					})
				}
			}
			if by := inAll(group).And(s.Own); !by.Empty() && !told[looks] {
				told[looks] = true
				whole = append(whole, UnknownName{
					Column:       s.Rules[i].Named(),
					Name:         n.Text,
					Excluded:     n.only.And(by).Empty(),
					OperationIDs: operations(by),
					Nearest:      []string{},
					Alike:        mostFrequent(group),
				})
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
func (l *Lookup) groups(seen []bool, rows map[string]int64) map[*string][]spelled {
	groups := map[*string][]spelled{}
	for name, rows := range rows {
		looks, entry := l.FoldOf(name), spelled{Spelling: Spelling{Name: name, Rows: rows}}
		if looks == nil { // it has one among others
			if part := FirstAmong(name, l.FoldOf); part != "" {
				looks = l.FoldOf(part)
			}
		}
		id, named := l.IDs[name]
		if named {
			entry.by = l.Named[id].only.Or(l.Named[id].except)
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
	slices.SortFunc(group, func(a, b spelled) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Name, b.Name))
	})
	for _, entry := range group[:min(len(group), MaxAlike)] {
		list = append(list, entry.Spelling)
	}
	return list
}

// unseen is a name that no row has, of those operations that mean it by names that look the
// same, and of those that name all that look the same: these mean the ones that there are.
func unseen(by Set, alike []spelled, operations func(Set) []string) (found []UnknownName) {
	all := Set{}
	if len(alike) > 0 {
		all = inAll(alike)
	}
	if misled := by.AndNot(all); !misled.Empty() {
		found = append(found, UnknownName{OperationIDs: operations(misled), Alike: mostFrequent(alike)})
	}
	if others := by.And(all); !others.Empty() {
		found = append(found, UnknownName{OperationIDs: operations(others)})
	}
	return found
}

// mayPass reports whether the setting unmatched lets go of a name that no row has. What
// looks the same passes only where its exclusion was let go in so many words.
func (n UnknownName) mayPass(confirmed []string) bool {
	if n.Excluded {
		return slices.Contains(confirmed, n.Confirm)
	}
	return len(n.Alike) == 0 && slices.Contains(confirmed, string(setting.UnmatchedAllow))
}

// maxUnknownNames is how many names that no row has, or that look like others,
// are listed: with the nearest to each they must fit the record of an execution
// beside its plan.
const maxUnknownNames = 20

func (e *UnknownNamesError) add(name UnknownName) {
	if len(e.Names) == maxUnknownNames {
		e.More++
		return
	}
	e.Names = append(e.Names, name)
}
