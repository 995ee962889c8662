package row

import (
	"slices"

	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// Query says which rows of a table matter, and what is read of them. All other
// rows are checked for faults and passed over.
type Query struct {
	recognize.Needs
	// Conditions are what rows may have to meet, at most MaxConditions.
	Conditions []names.Condition
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

	search *names.Search // for the names of the conditions
}

// NewQuery prepares the search for the names of a query's conditions. It serves
// any number of tables at a time.
func NewQuery(q Query) *Query {
	rules := slices.Clone(recognize.NameRoles) // and those of the columns that are looked at by their titles
	for _, w := range q.Wheres {
		rules = append(rules, w.Rule())
	}
	q.search = names.NewSearch(rules, q.Conditions, q.Alike)
	for i, r := range rules {
		named := q.search.Lookups[i].Texts
		if r.Title != "" || len(named) == 0 {
			continue
		}
		q.Reads = append(q.Reads, r.Role)
		if r.Role == recognize.RoleSKU { // of those there may be many
			continue
		}
		if q.Names == nil {
			q.Names = map[recognize.Role][]string{}
		}
		q.Names[r.Role] = append(q.Names[r.Role], named...)
	}
	return &q
}

// inOrder reports whether one visitor visits all rows, in their order.
func (q *Query) inOrder() bool { return q.Unchecked && !q.AnyOrder }

// Inherited returns the conditions that look at what a row may have from its product.
func (q *Query) Inherited() (set names.Set) {
	for i, condition := range q.Conditions {
		if slices.ContainsFunc(q.search.Rules, func(r recognize.Rule) bool {
			return r.Inherits && len(condition[r.Role].Only)+len(condition[r.Role].Except) > 0
		}) {
			set = set.With(i)
		}
	}
	return set
}

// guessed reports whether the table was read as Windows-1252 because nobody said what
// encoding it has.
func (t *Table) guessed() bool { return t.Dialect.Legacy() && !t.Dialect.EncodingSaid }

// Unknown has the names of a query that no row of the table has, after a scan,
// each with the nearest that there are: those that are refused, and those that are let
// go. Operations says which operations some conditions are of.
func (t *Table) Unknown(
	q *Query, s *Scanned, let setting.Unmatched, operations func(names.Set) []string,
) (refused, allowed *names.UnknownNamesError) {
	refused, allowed = q.search.Unknown(s.Seen, s.Spelled, let, operations)
	refused.GuessedEncoding = t.guessed() &&
		slices.ContainsFunc(refused.Names, func(n names.UnknownName) bool { return !names.IsASCII(n.Name) })
	refused.Holding = t.addNearest(q, refused.Names)
	t.addNearest(q, allowed.Names)
	return refused, allowed
}

// AddAlike adds the names of a query that the table has beside others that look
// the same, where an operation that has one of them has not all. It returns one of each
// such group that an operation has whole.
func (q *Query) AddAlike(
	e *names.UnknownNamesError, s *Scanned, operations func(names.Set) []string,
) (whole []names.UnknownName) {
	return q.search.AddAlike(e, s.Seen, s.Spelled, operations)
}

// IdleExceptions has the names that conditions leave out and some row has, but none that the
// condition is otherwise for. Operations says which operations some conditions are of.
func (q *Query) IdleExceptions(s *Scanned, operations func(names.Set) []string) (idle []names.UnknownName) {
	return q.search.IdleExceptions(s.Seen, s.Excepted, operations)
}
