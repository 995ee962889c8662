package console

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/planwright/planwright/shared/plan"
)

// condition is a line of a rule that says which products it is for, or not for.
type condition struct {
	Name   string // of its field; price for the pair of price fields
	Label  string
	Kind   string // picker, lines, range or choice
	Except bool
	fields []string
}

var conditions = []condition{
	{"categories", "Category", "picker", false, []string{"categories"}},
	{"brands", "Brand", "picker", false, []string{"brands"}},
	{"tags", "Tag", "picker", false, []string{"tags"}},
	{"name_contains", "Name", "lines", false, []string{"name_contains"}},
	{"skus", "SKU", "lines", false, []string{"skus"}},
	{"price", "Price", "range", false, []string{"price_gte", "price_lte"}},
	{"quantity", "Pieces in stock", "range", false, []string{"quantity_gte", "quantity_lte"}},
	{"in_stock", "Stock", "choice", false, []string{"in_stock"}},
	{"on_sale", "Sale", "choice", false, []string{"on_sale"}},
	{"exclude_categories", "Category", "picker", true, []string{"exclude_categories"}},
	{"exclude_brands", "Brand", "picker", true, []string{"exclude_brands"}},
	{"exclude_tags", "Tag", "picker", true, []string{"exclude_tags"}},
	{"exclude_name_contains", "Name", "lines", true, []string{"exclude_name_contains"}},
	{"exclude_skus", "SKU", "lines", true, []string{"exclude_skus"}},
}

// maxWheres is how many conditions on other columns a rule has at most.
const maxWheres = 20

// whereName is the name of a condition on another column; its fields are w0.column,
// w0.kind and w0.values.
var whereName = regexp.MustCompile(`^w(\d|1\d)(\.(column|kind|values))?$`)

// whereOf is the condition on another column of a number.
func whereOf(n int) condition {
	name := fmt.Sprintf("w%d", n)
	return condition{
		name, "Another column", "where", false, []string{name + ".column", name + ".values", name + ".kind"},
	}
}

// conditionOf returns the condition that a field of a filter belongs to.
func conditionOf(field string) condition {
	if at := whereName.FindStringSubmatch(field); at != nil {
		n, _ := strconv.Atoi(at[1])
		return whereOf(n)
	}
	at := slices.IndexFunc(conditions,
		func(c condition) bool { return c.Name == field || slices.Contains(c.fields, field) })
	if at < 0 {
		return condition{Name: field, Label: field}
	}
	return conditions[at]
}

// filled reports whether a condition says something.
func (r rule) filled(c condition) bool {
	if c.Kind == "where" {
		return r.Text(c.Name+".column") != "" &&
			(r.Lines(c.Name+".values") != "" || r.Text(c.Name+".blank") != "")
	}
	return slices.ContainsFunc(c.fields, func(field string) bool { return len(r.Names(field)) > 0 })
}

// Shown are the conditions that the rule has, of the products or of the exceptions.
func (r rule) Shown(except bool) (shown []shownCondition) {
	for _, c := range conditions {
		if c.Except == except && (r.filled(c) || slices.Contains(r.Values[r.Field("show")], c.Name)) {
			shown = append(shown, shownCondition{c, r})
		}
	}
	for _, c := range r.wheres() {
		if c.Except == except {
			shown = append(shown, shownCondition{c, r})
		}
	}
	return shown
}

// wheres are the rule's conditions on other columns, the unfinished ones too.
func (r rule) wheres() (all []condition) {
	for n := range maxWheres {
		c := whereOf(n)
		c.Except = r.Text(c.Name+".kind") == string(plan.WhereIsNot)
		if r.Text(c.Name+".column")+r.Lines(c.Name+".values") != "" ||
			slices.Contains(r.Values[r.Field("show")], c.Name) {
			all = append(all, c)
		}
	}
	return all
}

// nextWhere is the name of one more of them.
func (r rule) nextWhere() string {
	taken := r.wheres()
	for n := range maxWheres {
		if !slices.ContainsFunc(taken, func(c condition) bool { return c.Name == whereOf(n).Name }) {
			return whereOf(n).Name
		}
	}
	return ""
}

// missing are the conditions that can be added.
func (r rule) missing(except bool) (missing []condition) {
	for _, c := range conditions {
		if c.Except == except && !r.filled(c) && !slices.Contains(r.Values[r.Field("show")], c.Name) {
			missing = append(missing, c)
		}
	}
	if r.nextWhere() != "" {
		missing = append(missing, condition{Name: "where", Label: "Another column"})
	}
	return missing
}

// shownCondition is a condition of a rule, as it is shown.
type shownCondition struct {
	condition
	Rule rule
}
