package pricing

import (
	"fmt"
	"strings"

	"github.com/planwright/planwright/shared/errs"
)

// UnknownName is a category or a SKU that a plan names and no row has.
type UnknownName struct {
	Kind         string   `json:"kind"` // "category" or "sku"
	Name         string   `json:"name"`
	OperationIDs []string `json:"operation_ids"`     // those that name it, in the plan's order
	Nearest      []string `json:"nearest,omitempty"` // the nearest that the table has, the nearest first
}

// UnknownNamesError says which names of a plan no row of the table has. It is
// errs.Invalid, and its text is what errs.Message shows.
type UnknownNamesError struct{ Names []UnknownName }

// Error lists the names, with the nearest that the table has.
func (e *UnknownNamesError) Error() string {
	var text strings.Builder
	text.WriteString("Nothing was changed: the plan names what no row of this table has.")
	for _, name := range e.Names {
		fmt.Fprintf(&text, "\n  %s %q", name.Kind, name.Name)
		if len(name.Nearest) > 0 {
			fmt.Fprintf(&text, ": this table has %q", name.Nearest)
		}
	}
	text.WriteString("\nMake a plan with the names that the table has; or, where the table is only a part of the catalogue, allow it with the setting unmatched=allow.")
	return text.String()
}

// Unwrap makes the error errs.Invalid and its text errs.Message's.
func (e *UnknownNamesError) Unwrap() error { return errs.New(errs.Invalid, "%s", e.Error()) }

// Details lists the names, for an answer over HTTP.
func (e *UnknownNamesError) Details() any { return e.Names }

// unknownNames returns the names of the plan that no worker has seen.
func (r *run) unknownNames() []UnknownName {
	var unknown []UnknownName
	find := func(kind string, l *lookup, seen func(*names) []bool) {
		for id, name := range l.named {
			found := false
			for _, w := range r.workers {
				found = found || seen(w.names)[id]
			}
			if !found {
				unknown = append(unknown, UnknownName{Kind: kind, Name: name.text, OperationIDs: r.ids(name.only.or(name.except))})
			}
		}
	}
	find("category", r.categories, func(n *names) []bool { return n.seenCategories })
	find("sku", r.skus, func(n *names) []bool { return n.seenSKUs })
	return unknown
}

func (r *run) ids(of opSet) (ids []string) {
	for i := 0; !of.empty(); {
		i, of = of.next()
		ids = append(ids, r.operations[i].id)
	}
	return ids
}

// warnUnknown says what an allowed plan names and no row has.
func warnUnknown(unknown []UnknownName) Warning {
	w := Warning{Code: WarnUnknownNames}
	var texts []string
	for _, name := range unknown {
		texts = append(texts, fmt.Sprintf("%s %q", name.Kind, name.Name))
	}
	w.Message = "No row of this table has " + strings.Join(texts, ", ") + "."
	return w
}
