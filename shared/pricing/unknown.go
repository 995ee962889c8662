package pricing

import (
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// maxUnknownNames is how many names that no row has, or that look like others,
// are listed: with the nearest to each they must fit the record of an execution
// beside its plan.
const maxUnknownNames = 20

// namesAtFault gathers names of a plan that the table does not have, or has in
// several ways.
type namesAtFault struct{ table.UnknownNamesError }

func (n *namesAtFault) add(name table.UnknownName) {
	if len(n.Names) == maxUnknownNames {
		n.More++
		return
	}
	n.Names = append(n.Names, name)
}

// checkNames refuses a plan that names what no worker has seen, or one of several
// names that look the same; what the settings allow of it is a warning.
func (r *run) checkNames() ([]Warning, error) {
	unknown, seen := &namesAtFault{}, r.seen()
	for i, column := range plan.NameColumns() {
		r.unseen(unknown, table.Role(column), r.lookups[i], seen[i])
	}
	r.findNear(unknown.Names)
	var warnings []Warning
	if r.settings.Unmatched == table.UnmatchedAllow {
		for _, name := range unknown.Names {
			warnings = append(warnings, Warning{Code: table.CodeUnknownNames, OperationIDs: name.OperationIDs, Arguments: []string{name.String()}})
		}
		unknown = &namesAtFault{}
	}
	spelled := r.spelled()
	for i, column := range plan.NameColumns() {
		r.alike(unknown, table.Role(column), r.lookups[i], seen[i], spelled[i])
	}
	if len(unknown.Names) > 0 {
		return nil, &unknown.UnknownNamesError
	}
	return warnings, nil
}

// findNear finds the names that the table has instead.
func (r *run) findNear(names []table.UnknownName) {
	if len(names) == 0 {
		return
	}
	wanted := map[table.Role][]string{}
	for _, name := range names {
		wanted[name.Column] = append(wanted[name.Column], name.Name)
	}
	near := r.table.Near(wanted)
	for i := range names {
		name := &names[i]
		name.Nearest = near[name.Column].Of(name.Name)
	}
}

// unseen adds the names of a column that no worker has seen.
func (r *run) unseen(unknown *namesAtFault, column table.Role, l *lookup, seen []bool) {
	for id, name := range l.named {
		for i, ops := range []opSet{name.only, name.except} {
			if !seen[id] && !ops.empty() {
				unknown.add(table.UnknownName{Column: column, Name: name.text, Excluded: i == 1, OperationIDs: r.ids(ops)})
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
