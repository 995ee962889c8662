package reference

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// product is what a row may take from the one that it belongs to.
type product struct {
	names map[plan.Column][]string // the cells of what rows are handed
	// What rows are handed that are told by no role.
	wheres map[plan.Column]string
	stock  string
}

// family finds the product of each row of a table that is all in memory.
type family struct {
	rule     *profile.Inheritance
	above    int
	called   int // the column that a product's own row fills
	below    kind
	parent   int
	same     int // all rows of a product have the same there
	keys     []int
	children int
	sku      int

	own   []product       // of each row
	named map[string]int  // rows by the names under which others name them
	sold  map[string]bool // whether a variant is in stock, by the names of products
	over  int             // the last product's row; none: there was none
	name  string
}

// views reports whether rows for a store view have their product's SKU.
func (f *family) views() bool { return len(f.rule.Children) > 0 && f.sku != none }

// inherits reports whether rows of a table may take something from others.
func (t *run) inherits() bool {
	rule := t.columns.profile.Inheritance
	handed := func(role nameRole) bool { return role.handed && t.needs.names[role.column] }
	handedWhere := func(w where) bool { return !w.own }
	return rule != nil && (slices.ContainsFunc(t.wheres, handedWhere) ||
		slices.ContainsFunc(nameRoles, handed) ||
		t.needs.stock && (!t.columns.stockAs.Quantity || t.columns.stockAs.OfVariants))
}

func (t *run) newFamily(h header, rows []record) *family {
	if !t.inherits() {
		return nil
	}
	rule := t.columns.profile.Inheritance
	at := func(titles profile.Titles) int { column, _ := h.find(titles); return column }
	f := &family{
		rule:     rule,
		above:    at(rule.Above),
		called:   at(t.columns.profile.ProductName),
		below:    h.kind(rule.Below),
		parent:   at(rule.Parent),
		same:     at(rule.Same),
		children: none,
		sku:      t.columns.sku(),
		named:    map[string]int{},
		sold:     map[string]bool{},
		over:     none,
	}
	if len(rule.Children) > 0 && f.sku != none {
		f.children = at(rule.Children)
	}
	if f.parent != none {
		f.same = none
	}
	if slices.Max([]int{f.same, f.above, f.below.column, f.parent, f.children}) == none && !f.views() {
		return nil
	}
	for _, key := range rule.Keys {
		f.keys = append(f.keys, at(key.Titles))
	}
	if len(f.keys) > 0 && slices.Max(f.keys) == none {
		f.keys[0] = f.sku
	}
	for i, r := range rows {
		f.own = append(f.own, t.handsOn(r))
		if r.empty {
			continue
		}
		names := f.names(r)
		if sku := trimmed(r, f.sku); f.views() && sku != "" && f.own[i].named() {
			names = append(names, sku) // a row for a store view has the same
		}
		if group := trimmed(r, f.same); group != "" && f.own[i].named() {
			names = append(names, group)
		}
		for _, name := range names {
			if _, held := f.named[name]; !held {
				f.named[name] = i
			}
		}
	}
	if t.findOwn(h, f, rows); !t.inherits() {
		return nil
	}
	if t.needs.stock && t.columns.stockAs.OfVariants {
		t.findSold(f, rows)
	}
	return f
}

// isVariant reports whether a row belongs to another's product. Rows are asked for in their
// order.
func (f *family) isVariant(i int, r record) bool {
	switch {
	case f.above != none || f.below.column != none:
		p, _ := f.of(i, r)
		return p != nil
	case f.parent != none:
		return trimmed(r, f.parent) != ""
	case f.same != none:
		return trimmed(r, f.same) != "" && !f.own[i].named()
	default:
		return !f.own[i].named()
	}
}

// loneVariant returns the first row of a plain table that has no category, as the rows
// above it have, and their product's name, or none, and some option; 0: there is none.
func (t *run) loneVariant(h header, rows []record) int64 {
	if t.columns.profile.Name != profile.Plain || !t.needs.names[plan.ColumnCategory] {
		return 0
	}
	name, _ := h.find(t.columns.profile.ProductName)
	if best := t.columns.seek.best("name"); name == none && len(best) == 1 {
		name = best[0]
	}
	over, has := "", false
	for i, r := range rows {
		category, option := "", false
		for _, column := range t.columns.names[plan.ColumnCategory] {
			category += r.text(column.at)
		}
		for at, title := range t.columns.seek.titles {
			option = option || r.text(at) != "" && saysOption(title)
		}
		if r.empty {
			continue
		}
		if category == "" && has && option && name != none && (r.text(name) == "" || r.text(name) == over) {
			return t.number(i)
		}
		over, has = r.text(name), category != ""
	}
	return 0
}

// saysOption reports whether a title says in what variants differ, and no role.
func saysOption(title string) bool {
	if role, _, _ := means(title); role != "" {
		return false
	}
	return slices.ContainsFunc(titleWords(title), func(word string) bool {
		for _, language := range recognize.Languages() {
			if slices.ContainsFunc(language.Options,
				func(option string) bool { return oneWord(option) == word }) {
				return true
			}
		}
		return false
	})
}

// findSold finds which products have a variant in stock.
func (t *run) findSold(f *family, rows []record) {
	over := ""
	for _, r := range rows {
		name := trimmed(r, max(f.above, f.parent))
		switch {
		case r.empty || t.skip.has(r):
			continue
		case f.above != none && name != "" && name != over:
			over = name
			continue
		case f.above != none:
			name = over
		}
		if in, ok := t.anywhere(r); ok && name != "" {
			f.sold[name] = f.sold[name] || in
		}
	}
}

// variants returns whether a variant is in stock of a product, by its own row.
func (f *family) variants(r record) (in, known bool) {
	names := []string{f.name}
	if f.above == none {
		names = f.names(r)
	}
	for _, name := range names {
		if in, known = f.sold[name]; known {
			break
		}
	}
	return in, known
}

// named reports whether a product has any name to hand on.
func (p product) named() bool {
	for _, cells := range p.names {
		if strings.Join(cells, "") != "" {
			return true
		}
	}
	return false
}

// handsOn returns what a row has for its variants.
func (t *run) handsOn(r record) (p product) {
	p.names, p.wheres = map[plan.Column][]string{}, map[plan.Column]string{}
	for _, w := range t.wheres {
		p.wheres[w.column] = r.text(w.at)
	}
	for _, role := range nameRoles {
		for _, column := range t.columns.names[role.column] {
			if role.handed {
				p.names[role.column] = append(p.names[role.column], r.text(column.at))
			}
		}
	}
	if t.columns.stock != none && !t.columns.stockAs.Quantity {
		p.stock = r.text(t.columns.stock)
	}
	return p
}

// names returns under which names others name a row as their product.
func (f *family) names(r record) (names []string) {
	if f.parent != none && trimmed(r, f.parent) == "" {
		for i, column := range f.keys {
			if value := trimmed(r, column); column != none && value != "" {
				names = append(names, f.rule.Keys[i].Prefix+value)
			}
		}
	}
	if f.children != none {
		for _, entry := range strings.Split(trimmed(r, f.children), "|") {
			for _, attribute := range strings.Split(entry, ",") {
				if sku, is := strings.CutPrefix(strings.TrimSpace(attribute), "sku="); is && sku != "" {
					names = append(names, sku)
				}
			}
		}
	}
	return names
}

func trimmed(r record, column int) string {
	return textFormula.ReplaceAllString(strings.TrimSpace(r.text(column)), "$1")
}

// of returns the product that a row belongs to: nil where it is one itself, or
// where it is not known. Rows are asked for in their order.
func (f *family) of(i int, r record) (p *product, known bool) {
	switch {
	case f.above != none:
		name := trimmed(r, f.above)
		own, untold := f.own[i].named(), f.called == none && len(f.own[i].names) > 0
		untold = untold && f.over != none && !f.own[f.over].named()
		if name != "" && (f.over == none || name != f.name || own && untold) {
			if f.called != none && trimmed(r, f.called) == "" && !own {
				f.over, f.name = none, name
				return nil, false
			}
			f.over, f.name = i, name
			return nil, own || f.called != none || len(f.own[i].names) == 0
		}
		if untold {
			return &f.own[f.over], false
		}
	case f.below.column != none:
		if f.below.has(r) {
			f.over = i
			return nil, true
		}
	case f.parent != none:
		name := trimmed(r, f.parent)
		if name == "" {
			return nil, true
		}
		return f.row(name)
	case f.same != none:
		if group := trimmed(r, f.same); group != "" && !f.own[i].named() {
			p, _ = f.row(group)
		}
		return p, true
	default:
		p, _ = f.row(trimmed(r, f.sku))
		return p, true
	}
	if f.over == none {
		return nil, false
	}
	return &f.own[f.over], true
}

func (f *family) row(name string) (*product, bool) {
	i, known := f.named[name]
	if !known {
		return nil, false
	}
	return &f.own[i], true
}
