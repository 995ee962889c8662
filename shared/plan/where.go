package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/strictjson"
)

// Where is a condition on any column of the table, as the table came in: no operation's
// change is seen.
type Where struct {
	Column string // its title
	Kind   WhereKind
	Values []string
}

// WhereKind says how a cell is compared with the values, of which one must do. Names are
// compared whole; "" is a blank cell.
type WhereKind string

// The kinds. A cell that IsNot any of the values may be blank.
const (
	WhereIs         WhereKind = "is"
	WhereIsNot      WhereKind = "is_not"
	WhereContains   WhereKind = "contains"    // as whole words in a row, in any case
	WhereStartsWith WhereKind = "starts_with" // in any case
)

// whereKinds are the kinds in the order of the canonical form, with how a sentence puts them.
var whereKinds = [...]struct {
	kind WhereKind
	says string
}{{WhereContains, "has the words"}, {WhereIs, "is"}, {WhereIsNot, "is not"}, {WhereStartsWith, "begins with"}}

const maxWheres = 20

// isWhole reports whether cells are compared as a whole.
func (k WhereKind) isWhole() bool { return k == WhereIs || k == WhereIsNot }

// whereReader reads a condition in one of the forms that there are.
type whereReader func(item strictjson.Field) Where

func readWheres(f strictjson.Field, read whereReader) []Where {
	if !f.Given() {
		return nil
	}
	wheres := []Where{}
	if n := len(f.Value().Items()); n > maxWheres {
		f.Problem("must hold 1 to %d conditions, but holds %d: split the operation", maxWheres, n)
		return wheres
	}
	f.Array(func(_ int, item strictjson.Field) {
		wheres = append(wheres, read(item))
	})
	return wheres
}

// readWhere reads a condition of a plan.
func readWhere(item strictjson.Field) (w Where) {
	var kinds []string
	if item.Object(func(o *strictjson.Object) { kinds = w.read(o) }) && len(kinds) != 1 {
		w.Kind = ""
		item.Problem(
			"must have one of is, is_not, contains and starts_with, but has %s",
			cmp.Or(strings.Join(kinds, " and "), "none"),
		)
	}
	return w
}

// readModelWhere reads a condition of a model.
func readModelWhere(item strictjson.Field) (w Where) {
	item.Object(func(o *strictjson.Object) {
		w.Column, _ = o.Required("column").String()
		op, _ := o.Required("op").String()
		w.Kind = WhereKind(op)
		w.Values, _ = o.Required("values").Strings()
	})
	return w
}

// read returns the kinds that are given, of which there should be one.
func (w *Where) read(o *strictjson.Object) (kinds []string) {
	w.Column, _ = o.Required("column").String()
	for _, k := range whereKinds {
		values := o.Optional(string(k.kind))
		if values.Given() {
			w.Kind = k.kind
			w.Values, _ = values.Strings()
			kinds = append(kinds, string(k.kind))
		}
	}
	return kinds
}

// sortWheres brings conditions into the order of the canonical form.
func sortWheres(wheres []Where) {
	slices.SortStableFunc(wheres, func(a, b Where) int {
		return cmp.Or(cmp.Compare(a.Column, b.Column), cmp.Compare(a.Kind, b.Kind))
	})
}

// sortConditions brings those of operations into that order.
func sortConditions(operations []Operation) {
	for i := range operations {
		sortWheres(operations[i].Filter.Where)
	}
}

// whereFields are the conditions in their canonical form.
func whereFields(wheres []Where) []map[string]any {
	wheres = slices.Clone(wheres)
	sortWheres(wheres)
	fields := make([]map[string]any, len(wheres))
	for i, w := range wheres {
		fields[i] = map[string]any{"column": w.Column, string(w.Kind): w.Values}
	}
	return fields
}

func (v *validator) wheres(path *strictjson.Path, wheres []Where) {
	if n := len(wheres); wheres != nil && n == 0 || n > maxWheres {
		v.list.Add(path, "must hold 1 to %d conditions, but holds %d", maxWheres, n)
	}
	for i, w := range wheres {
		at := path.Index(i)
		v.length(at.Name("column"), w.Column, 1, maxFilterValueLength)
		values := at.Name(string(w.Kind))
		if w.Values == nil {
			w.Values = []string{} // what is left out matches everything, which no condition does
		}
		switch w.Kind {
		case WhereIs, WhereIsNot:
			v.values(values, w.Values, 0, MaxFilterValues)
		case WhereContains:
			v.phrases(values, w.Values)
		case WhereStartsWith:
			v.values(values, w.Values, 1, maxPhrases)
		default:
			v.list.Add(
				at,
				"must have one of is, is_not, contains and starts_with, but has %s",
				cmp.Or(string(w.Kind), "none"),
			)
		}
	}
}

// explainWheres say the conditions on other columns, each with a blank before it.
func explainWheres(wheres []Where) (text string) {
	for i, w := range wheres {
		link := " whose "
		if i > 0 {
			link = " and whose "
		}
		for _, k := range whereKinds {
			if k.kind == w.Kind {
				text += link + plainName(w.Column) + " " + k.says + " " +
					strings.TrimSpace(named("", "", w.Values, "or"))
			}
		}
	}
	return text
}
