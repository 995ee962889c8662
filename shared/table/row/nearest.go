package row

import (
	"maps"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// addNearest adds, to names of a plan that no row has, what may have been meant by them:
// the nearest of their role in the table's first rows, and the same in other roles. It
// returns a question about the column of no role in which one of them stands, if there is.
func (t *Table) addNearest(q *Query, missed []names.UnknownName) (holding string) {
	if len(missed) == 0 {
		return ""
	}
	byRole, same := map[recognize.Role][]string{}, map[string][]*names.UnknownName{}
	for i, n := range missed {
		byRole[n.Column] = append(byRole[n.Column], n.Name)
		looks := fold.Names.Fold(n.Name)
		same[looks] = append(same[looks], &missed[i])
	}
	near := make(map[recognize.Role]*fold.Nearest, len(byRole))
	for role, of := range byRole {
		kind := fold.Names
		if role == recognize.RoleSKU {
			kind = fold.SKUs
		}
		near[role] = fold.NewNearest(kind, of)
	}
	needs := recognize.Needs{IfThere: true}
	for _, r := range recognize.NameRoles {
		needs.Reads = append(needs.Reads, r.Role)
	}
	text := t.blocks.Remembered()
	text = text[min(len(t.Head), len(text)):]
	titled := profile.NewTitled(t.Header)
	unknown := t.unknown(titled, text)
	columns := recognize.NewLayout(titled, t.profile, t.settings.LayoutSettings(), needs, unknown).Columns
	maps.Copy(columns, t.columns)
	for r := range t.each(text) {
		for _, role := range q.search.Rules {
			for _, c := range columns[role.Role] {
				if c.Index == profile.Missing {
					continue
				}
				text := r.Says(r.block, c.Index)
				if role.Role == recognize.RoleSKU {
					text = cell.Code(text)
				}
				c.Names(t.Dialect.Text(text), func(name string) {
					if near[role.Named()] != nil {
						near[role.Named()].Add(name)
					}
					for _, unknown := range same[fold.Names.Fold(name)] {
						noteElsewhere(unknown, role.Named(), name)
					}
				})
			}
		}
	}
	for i, n := range missed {
		missed[i].Nearest = near[n.Column].Of(n.Name)
	}
	for _, n := range missed {
		ofRole := slices.ContainsFunc(recognize.NameRoles, func(r recognize.Rule) bool {
			return r.Role == n.Column
		})
		if !ofRole || len(n.Nearest) > 0 || len(n.Elsewhere) > 0 {
			continue
		}
		if question, say, _ := unknown.Holding(string(n.Column), []string{n.Name}); question != "" {
			return faults.Capitalised(strings.TrimPrefix(question, "; ")) + ", say so, with {columns=" + say +
				"}."
		}
	}
	return ""
}

// noteElsewhere notes a name of a role, where it is another than the plan says.
func noteElsewhere(n *names.UnknownName, role recognize.Role, name string) {
	known := func(other names.NameElsewhere) bool { return other.Column == role }
	if role != n.Column && !slices.ContainsFunc(n.Elsewhere, known) {
		n.Elsewhere = append(n.Elsewhere, names.NameElsewhere{Column: role, Name: name})
	}
}
