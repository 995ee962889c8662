// Package names tells which conditions a name of a table meets. A Search holds all names of a
// query's conditions, so that a row costs one look-up whatever their number. It notes which
// of them a table has, and which names of the table look the same. From both it says which
// names of a plan are unknown or ambiguous.
//
// It never takes a name for another that looks the same: it reports both. It knows cells by
// their texts, not by their places.
package names

import (
	"maps"
	"slices"

	"github.com/planwright/planwright/shared/table/recognize"
)

// Condition is what the names of a row must be, by the role of their column. A
// role that it does not have may be anything.
type Condition map[recognize.Role]Filter

// Filter has the names that a condition is only for, nil for all, and those that it
// leaves out.
type Filter struct{ Only, Except []string }

// Search looks for the names of conditions. It serves any number of tables at a time.
type Search struct {
	Rules      []recognize.Rule // of roles of names
	Lookups    []*Lookup        // as the rules are
	Own        Set              // the conditions
	all        []Condition      // with those by which exceptions are looked for
	Exceptions []exception      // of the latter
	without    []Set            // those of each condition
}

// NewSearch prepares the search for the names of conditions in columns of some roles. Alike:
// names are counted that look the same as one of them.
func NewSearch(rules []recognize.Rule, conditions []Condition, alike bool) *Search {
	s := &Search{Rules: rules}
	for i := range conditions {
		s.Own = s.Own.With(i)
	}
	s.addExceptions(conditions)
	for _, r := range rules {
		s.Lookups = append(s.Lookups, newLookup(r, s.all, alike))
	}
	for i := range s.Exceptions {
		e := &s.Exceptions[i]
		e.id = s.Lookups[e.role].IDs[s.Lookups[e.role].key(e.name)]
	}
	return s
}

// exception is a name that one of the conditions leaves out. It is looked for by a condition
// of its own, behind the query's.
type exception struct {
	of   int
	role int // of the query's rules
	name string
	id   int32 // in the role's lookup
}

// addExceptions adds the conditions by which exceptions are looked for, as far as there is
// room. What another condition is for is no exception: there each row has its condition.
func (s *Search) addExceptions(conditions []Condition) {
	s.all, s.without = slices.Clone(conditions), make([]Set, len(conditions))
	asked := map[recognize.Role]map[string]bool{}
	for _, r := range s.Rules {
		asked[r.Role] = map[string]bool{}
		for _, condition := range conditions {
			for _, name := range condition[r.Role].Only {
				asked[r.Role][name] = true
			}
		}
	}
	for i, condition := range conditions {
		for role, r := range s.Rules {
			for k, name := range condition[r.Role].Except {
				if len(s.all) == MaxConditions {
					return
				}
				if asked[r.Role][name] || slices.Contains(condition[r.Role].Except[:k], name) {
					continue
				}
				s.without[i] = s.without[i].With(len(s.all))
				s.all = append(s.all, condition.excepting(r.Role, name))
				s.Exceptions = append(s.Exceptions, exception{of: i, role: role, name: name})
			}
		}
	}
}

// excepting is the condition of what has a name, and is let in but for what is left out. Of a
// role of which the condition is for some names alone, it is let in but for the name.
func (c Condition) excepting(role recognize.Role, name string) Condition {
	one := Condition{}
	for other, names := range c {
		one[other] = Filter{Only: names.Only}
	}
	if one[role] = (Filter{Only: []string{name}}); c[role].Only != nil {
		one = maps.Clone(c)
		one[role] = Filter{
			c[role].Only,
			slices.DeleteFunc(slices.Clone(c[role].Except), func(other string) bool { return other == name }),
		}
	}
	return one
}

// LeaveOut takes the conditions by which exceptions are looked for from those that a row
// meets, and returns the exceptions that leave it out.
func (s *Search) LeaveOut(meets Set) (left, excepted Set) {
	left = meets
	for _, without := range s.without {
		left = left.AndNot(without)
	}
	excepted = meets.AndNot(left)
	for i, met := 0, left; !met.Empty(); {
		i, met = met.Next()
		excepted = excepted.AndNot(s.without[i])
	}
	return left, excepted
}

// IdleExceptions has the names that conditions leave out and some row has, but none that the
// condition is otherwise for. Operations says which operations some conditions are of.
func (s *Search) IdleExceptions(
	seen [][]bool, excepted Set, operations func(Set) []string,
) (idle []UnknownName) {
	for i, e := range s.Exceptions {
		if seen[e.role][e.id] && excepted.And(Set{}.With(len(s.without)+i)).Empty() {
			idle = append(idle, UnknownName{
				Column:       s.Rules[e.role].Named(),
				Name:         e.name,
				Excluded:     true,
				Nearest:      []string{},
				OperationIDs: operations(Set{}.With(e.of)),
			})
		}
	}
	return idle
}
