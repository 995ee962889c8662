package table

import (
	"maps"
	"slices"
)

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
func (q *Query) addExceptions() {
	q.all, q.without = slices.Clone(q.Conditions), make([]Set, len(q.Conditions))
	asked := map[Role]map[string]bool{}
	for _, r := range q.rules {
		asked[r.Role] = map[string]bool{}
		for _, condition := range q.Conditions {
			for _, name := range condition[r.Role].Only {
				asked[r.Role][name] = true
			}
		}
	}
	for i, condition := range q.Conditions {
		for role, r := range q.rules {
			for k, name := range condition[r.Role].Except {
				if len(q.all) == MaxConditions {
					return
				}
				if asked[r.Role][name] || slices.Contains(condition[r.Role].Except[:k], name) {
					continue
				}
				q.without[i] = q.without[i].With(len(q.all))
				q.all = append(q.all, condition.excepting(r.Role, name))
				q.exceptions = append(q.exceptions, exception{of: i, role: role, name: name})
			}
		}
	}
}

// excepting is the condition of what has a name, and is let in but for what is left out. Of a
// role of which the condition is for some names alone, it is let in but for the name.
func (c Condition) excepting(role Role, name string) Condition {
	one := Condition{}
	for other, names := range c {
		one[other] = Names{Only: names.Only}
	}
	if one[role] = (Names{Only: []string{name}}); c[role].Only != nil {
		one = maps.Clone(c)
		one[role] = Names{c[role].Only, slices.DeleteFunc(slices.Clone(c[role].Except), func(other string) bool { return other == name })}
	}
	return one
}

// leaveOut takes the conditions by which exceptions are looked for from those that a row
// meets, and returns the exceptions that leave it out.
func (q *Query) leaveOut(meets Set) (left, excepted Set) {
	left = meets
	for _, without := range q.without {
		left = left.AndNot(without)
	}
	excepted = meets.AndNot(left)
	for i, met := 0, left; !met.Empty(); {
		i, met = met.Next()
		excepted = excepted.AndNot(q.without[i])
	}
	return left, excepted
}

// IdleExceptions has the names that conditions leave out and some row has, but none that the
// condition is otherwise for. Operations says which operations some conditions are of.
func (q *Query) IdleExceptions(s *Scanned, operations func(Set) []string) (idle []UnknownName) {
	for i, e := range q.exceptions {
		if s.Seen[e.role][e.id] && s.Excepted.And(Set{}.With(len(q.Conditions)+i)).Empty() {
			idle = append(idle, UnknownName{Column: q.rules[e.role].Named(), Name: e.name, Excluded: true, Nearest: []string{}, OperationIDs: operations(Set{}.With(e.of))})
		}
	}
	return idle
}
