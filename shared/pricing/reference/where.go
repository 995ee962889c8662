package reference

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// where is a condition on a column by its title. Its names are told by a column of its own:
// the title, and how cells are compared.
type where struct {
	column plan.Column
	title  string
	kind   plan.WhereKind
	at     int
	own    bool // a blank cell is the row's own, and not its product's
}

// whereColumn is what tells the names of a condition: the nth of its kind on its column.
func whereColumn(wheres []plan.Where, i int) plan.Column {
	w, nth := wheres[i], 0
	for _, other := range wheres[:i] {
		if other.Column == w.Column && other.Kind == w.Kind {
			nth++
		}
	}
	kind := w.Kind
	if kind == plan.WhereIsNot {
		kind = plan.WhereIs // the cell is the same
	}
	return plan.Column(fmt.Sprintf("%s\n%s\n%d", w.Column, kind, nth))
}

// wheresOf are those of a plan, each once.
func wheresOf(p *plan.Plan) (all []where) {
	for _, op := range p.Operations {
		for i, w := range op.Filter.Where {
			column := whereColumn(op.Filter.Where, i)
			if !slices.ContainsFunc(all, func(other where) bool { return other.column == column }) {
				all = append(all, where{column: column, title: w.Column, kind: w.Kind})
			}
		}
	}
	return all
}

// asks returns the names that a filter asks for and leaves out, of a column of names or one of
// a condition.
func asks(f plan.Filter, column plan.Column) (only, except []string) {
	for i, w := range f.Where {
		switch {
		case whereColumn(f.Where, i) != column:
		case w.Kind == plan.WhereIsNot:
			except = w.Values
		default:
			only = w.Values
		}
	}
	if only == nil && except == nil {
		return f.Names(column)
	}
	return only, except
}

// nameColumns are the columns by which rows are told apart: those of names, and those of
// conditions.
func (t *run) nameColumns() (all []plan.Column) {
	all = plan.NameColumns()
	for _, w := range t.wheres {
		all = append(all, w.column)
	}
	return all
}

// titleOf is how a column is called.
func titleOf(column plan.Column) string {
	title, _, _ := strings.Cut(string(column), "\n")
	return title
}

// ofParts reports whether a column's cells are not compared as a whole.
func ofParts(column plan.Column) bool {
	return column == plan.ColumnName || strings.Contains(string(column), "\ncontains\n") ||
		strings.Contains(string(column), "\nstarts_with\n")
}

// findWheres finds the columns of conditions, each of which must be there once.
func (t *run) findWheres(h header) error {
	for i := range t.wheres {
		found := h.all(t.wheres[i].title)
		if len(found) != 1 {
			return &Fault{1, "no such column, or several"}
		}
		t.wheres[i].at = found[0]
	}
	handed := func(role nameRole) bool { return role.handed && t.needs.names[role.column] }
	if len(t.wheres) > 0 && !slices.ContainsFunc(nameRoles, handed) {
		t.columns.names[plan.ColumnCategory] = t.columns.categories(h, t.settings)
	}
	return nil
}

// findOwn finds the conditions on columns of which each row has its own cell: its SKU, its
// money, its quantities, and what some variant fills that does not say what a product is.
func (t *run) findOwn(h header, f *family, rows []record) {
	own := []int{t.columns.sku(), t.columns.price, t.columns.cost}
	for _, sale := range t.columns.sales {
		own = append(own, sale.at)
	}
	own = append(own, h.any(t.columns.profile.OwnOfRows())...)
	ofProducts := h.any(t.columns.profile.OfProducts())
	for i, r := range rows {
		if r.empty || !f.isVariant(i, r) {
			continue
		}
		for _, w := range t.wheres {
			if r.text(w.at) != "" && !slices.Contains(ofProducts, w.at) {
				own = append(own, w.at)
			}
		}
	}
	f.over, f.name = none, ""
	for i := range t.wheres {
		t.wheres[i].own = slices.Contains(own, t.wheres[i].at)
	}
}

// holds returns the values of the plan that a cell has of a condition's kind.
func (t *run) holds(w where, text string) (names []string) {
	if w.kind == plan.WhereIs || w.kind == plan.WhereIsNot {
		return []string{text}
	}
	for _, op := range t.plan.Operations {
		only, _ := asks(op.Filter, w.column)
		for _, value := range only {
			words := wordsIn(value)
			small := func(s string) string { return strings.ToLower(norm.NFC.String(s)) }
			switch {
			case w.kind == plan.WhereContains && len(words) > 0 && standIn(wordsIn(text), words),
				w.kind == plan.WhereStartsWith && strings.HasPrefix(small(text), small(value)):
				names = append(names, value)
			}
		}
	}
	return names
}

// categories are the columns of categories that there are.
func (c *columns) categories(h header, s table.Settings) (found []nameColumn) {
	role := nameRoles[slices.IndexFunc(nameRoles, func(r nameRole) bool {
		return r.column == plan.ColumnCategory
	})]
	fault := c.fault
	for _, column := range c.findNames(h, role, s, false) {
		if column.at != none {
			found = append(found, column)
		}
	}
	c.fault = fault
	return found
}
