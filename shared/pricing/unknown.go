package pricing

import (
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
	r.unseen(unknown, table.RoleCategory, r.categories, func(n *names) []bool { return n.seenCategories })
	r.unseen(unknown, table.RoleSKU, r.skus, func(n *names) []bool { return n.seenSKUs })
	if unknown.More = max(unknown.More, 0); len(unknown.Names) == 0 {
		return nil
	}
	wanted := map[table.Role][]string{}
	for _, name := range unknown.Names {
		wanted[name.Column] = append(wanted[name.Column], name.Name)
	}
	categories, skus := r.table.Near(wanted[table.RoleCategory], wanted[table.RoleSKU])
	near := map[table.Role]*table.Nearest{table.RoleCategory: categories, table.RoleSKU: skus}
	for i := range unknown.Names {
		name := &unknown.Names[i]
		name.Nearest = near[name.Column].Of(name.Name)
	}
	return unknown
}

// unseen adds the names of a column that no worker has seen.
func (r *run) unseen(unknown *table.UnknownNamesError, column table.Role, l *lookup, seen func(*names) []bool) {
	for id, name := range l.named {
		found := false
		for _, w := range r.workers {
			found = found || seen(w.names)[id]
		}
		for i, ops := range []opSet{name.only, name.except} {
			if found || ops.empty() {
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
