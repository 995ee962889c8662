package table

import (
	"slices"
	"unicode/utf8"
)

// Query says which rows of a table matter, and what is read of them. All other
// rows are checked for faults and passed over.
type Query struct {
	Needs
	// Conditions are what rows may have to meet, at most MaxConditions.
	Conditions []Condition
	// Pieces are, by condition, the quantities of the rows that it is for; nil: any, as those
	// of the conditions behind the last.
	Pieces []*Pieces
	// Idle is the state of stock in which a row matters to no condition; nil: there
	// is none.
	Idle *bool
	// OneMoney: a price in another currency than the column's is a fault.
	OneMoney bool
	// Alike: names are counted that look the same as one of the conditions'.
	Alike bool
	// Unchecked: every row matters, none of its cells is read or at fault, and they
	// are visited one by one, by one visitor.
	Unchecked bool
	// Ragged: rows with another number of cells than the header are counted, and no fault.
	Ragged bool
	// AnyOrder: an unchecked query has several visitors, who do not know how many
	// rows stand before their block until it is done.
	AnyOrder bool

	rules      []roleRule  // nameRoles, and those of the columns that are looked at by their titles
	lookups    []*lookup   // as the rules are
	all        []Condition // the conditions, and those by which exceptions are looked for
	exceptions []exception // of the latter
	without    []Set       // those of each condition
}

// Condition is what the names of a row must be, by the role of their column. A
// role that it does not have may be anything.
type Condition map[Role]Names

// Names are those that a condition is only for, nil for all, and those that it
// leaves out.
type Names struct{ Only, Except []string }

// NewQuery prepares the search for the names of a query's conditions. It serves
// any number of tables at a time.
func NewQuery(q Query) *Query {
	q.rules = slices.Clone(nameRoles)
	for _, w := range q.Wheres {
		q.rules = append(q.rules, w.Rule())
	}
	q.addExceptions()
	for _, r := range q.rules {
		l := newLookup(r, &q)
		q.lookups = append(q.lookups, l)
		if r.Title != "" {
			continue
		}
		if len(l.named) > 0 {
			q.Reads = append(q.Reads, r.Role)
		}
		if len(l.named) > 0 && r.Role != RoleSKU { // of those there may be many
			if q.Names == nil {
				q.Names = map[Role][]string{}
			}
			for _, name := range l.named {
				q.Names[r.Role] = append(q.Names[r.Role], name.text)
			}
		}
	}
	for i := range q.exceptions {
		e := &q.exceptions[i]
		e.id = q.lookups[e.role].ids[q.lookups[e.role].key(e.name)]
	}
	return &q
}

// inOrder reports whether one visitor visits all rows, in their order.
func (q *Query) inOrder() bool { return q.Unchecked && !q.AnyOrder }

// Inherited returns the conditions that look at what a row may have from its product.
func (q *Query) Inherited() (set Set) {
	for i, condition := range q.Conditions {
		if slices.ContainsFunc(q.rules, func(r roleRule) bool {
			return r.Inherits && len(condition[r.Role].Only)+len(condition[r.Role].Except) > 0
		}) {
			set = set.With(i)
		}
	}
	return set
}

// own are the query's conditions, without those by which exceptions are looked for.
func (q *Query) own() (set Set) {
	for i := range q.Conditions {
		set = set.With(i)
	}
	return set
}

// Unknown has the names of a query that no row of the table has, after a scan,
// each with the nearest that there are: those that are refused, and those that are let
// go. Operations says which operations some conditions are of.
func (t *Table) Unknown(q *Query, s *Scanned, let Unmatched, operations func(Set) []string) (refused, allowed *UnknownNamesError) {
	refused, allowed = &UnknownNamesError{}, &UnknownNamesError{}
	confirmed, own := let.list(), q.own()
	for i, l := range slices.Backward(q.lookups) { // SKUs last: there may be many
		groups := l.groups(s.Seen[i], s.Spelled[i])
		for id, name := range l.named {
			if s.Seen[i][id] || name.text == "" { // nobody writes a blank otherwise
				continue
			}
			alike := groups[l.foldOf(name.text)]
			for except, by := range []Set{name.only, name.except} {
				if l.isOfParts() && except == 0 {
					continue // words that no name has select no row, of which the result tells
				}
				for _, found := range unseen(by.And(own), alike, operations) {
					found.Column, found.Name, found.Excluded = q.rules[i].Named(), name.text, except == 1
					if found.Excluded {
						found.Confirm = Reprice(name.text)
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
	refused.GuessedEncoding = t.guessed() && slices.ContainsFunc(refused.Names, func(n UnknownName) bool { return !isASCII(n.Name) })
	refused.Holding = t.addNearest(q, refused.Names)
	t.addNearest(q, allowed.Names)
	return refused, allowed
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
	return len(n.Alike) == 0 && slices.Contains(confirmed, string(UnmatchedAllow))
}

// guessed reports whether the table was read as Windows-1252 because nobody said what
// encoding it has.
func (t *Table) guessed() bool { return t.Dialect.Legacy() && !t.Dialect.EncodingSaid }

func isASCII[Text string | []byte](text Text) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
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
