package pricing

import (
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// maxUnknownNames is how many names that no row has are listed: with the
// nearest to each they must fit the record of an execution beside its plan.
const maxUnknownNames = 20

// unknownNames returns the error of a plan that names what no worker has seen;
// nil: there is no such name.
func (r *run) unknownNames() *table.UnknownNamesError {
	unknown := &table.UnknownNamesError{}
	unknown.More = -maxUnknownNames
	seen := r.seen()
	for i, column := range plan.NameColumns() {
		r.unseen(unknown, table.Role(column), r.lookups[i], seen[i])
	}
	if unknown.More = max(unknown.More, 0); len(unknown.Names) == 0 {
		return nil
	}
	wanted := map[table.Role][]string{}
	for _, name := range unknown.Names {
		wanted[name.Column] = append(wanted[name.Column], name.Name)
	}
	near := r.table.Near(wanted)
	for i := range unknown.Names {
		name := &unknown.Names[i]
		name.Nearest = near[name.Column].Of(name.Name)
	}
	return unknown
}

// unseen adds the names of a column that no worker has seen.
func (r *run) unseen(unknown *table.UnknownNamesError, column table.Role, l *lookup, seen []bool) {
	for id, name := range l.named {
		for i, ops := range []opSet{name.only, name.except} {
			if seen[id] || ops.empty() {
				continue
			}
			if unknown.More++; len(unknown.Names) < maxUnknownNames {
				unknown.Names = append(unknown.Names, table.UnknownName{Column: column, Name: name.text, Excluded: i == 1, OperationIDs: r.ids(ops)})
			}
		}
	}
}

func (r *run) ids(of opSet) (ids []string) {
	for i := 0; !of.empty(); {
		i, of = of.next()
		ids = append(ids, r.operations[i].id)
	}
	return ids
}
