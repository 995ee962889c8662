package reader

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// apart reports whether no product's name of the table is let in by two filters.
func (c *index) apart(a, b plan.Filter) bool {
	lets := func(f plan.Filter) func(t *title) bool {
		in, out := rowsOf(f.NameContains), rowsOf(f.ExcludeNameContains)
		return func(t *title) bool {
			return t.role == phrase && (f.NameContains == nil || t.has(in)) && !t.has(out)
		}
	}
	named := a.NameContains != nil || b.NameContains != nil // the titles with other words are not known
	if !c.closed[phrase] || len(c.given.Products) >= maxProducts || !named {
		return false
	}
	letsA, letsB := lets(a), lets(b)
	for i := range c.titles {
		if letsA(&c.titles[i]) && letsB(&c.titles[i]) {
			return false
		}
	}
	return true
}

// called are the words of a name as titles have them, and of how many rows, and how many of
// those have not the name. They must be of one of the names within, if there are any.
func (c *index) called(named, within set) (phrases []string, rows, lacking int64) {
	return c.calledAs(named.first(), named, within)
}

// calledAs is the same of a name as it was typed.
func (c *index) calledAs(typed string, named, within set) (phrases []string, rows, lacking int64) {
	said := strings.Fields(asTitle(typed))
	for i := range c.titles {
		of := &c.titles[i]
		with := func(names [roles][]string) (n int64) {
			for r := range phrase {
				for _, name := range names[r] {
					n += c.given.Both[[2]planning.Name{
						{Column: plan.ColumnName, Name: of.name},
						{Column: columns[r], Name: name},
					}]
				}
			}
			return n
		}
		if at := of.find(said, strings.EqualFold); at >= 0 && of.role == phrase &&
			(!within.named() || with(within.of) > 0) {
			n := c.given.Rows[plan.ColumnName][of.name]
			phrases = append(phrases, of.phrase(at, len(said)))
			rows += n
			lacking += max(0, n-with(named.of))
		}
	}
	return planning.SortedOnce(phrases), rows, lacking
}

// common is how many rows have both names; known: that was counted.
func (c *index) common(r role, name string, q role, other string) (n int64, known bool) {
	if q == phrase {
		r, name, q, other = q, other, r, name
	}
	one, two := planning.Name{Column: columns[r], Name: name}, planning.Name{Column: columns[q], Name: other}
	if r != phrase {
		n, known = c.given.Both[[2]planning.Name{one, two}]
		return n, known
	}
	if _, known = c.given.Both[[2]planning.Name{two, two}]; !known || len(c.given.Products) >= maxProducts {
		return 0, false
	}
	said := rowsOf([]string{name})
	for i := range c.titles {
		if of := &c.titles[i]; of.has(said) {
			one.Name = of.name
			n += c.given.Both[[2]planning.Name{one, two}]
			known = known && c.given.Rows[plan.ColumnName][of.name] == 1 // or else some of them may have it
		}
	}
	return n, known
}

// shared is how many rows two sets share at most, by their names; known: that was counted.
func (c *index) shared(a, b set) (least int64, known bool) {
	without := func(s set) set { s.of[category], s.out[category] = nil, nil; return s }
	if _, meet := without(a).intersect(without(b)); !meet {
		return 0, false // by more than names
	}
	for r := range sku {
		for q := range sku {
			rows, counted := int64(0), a.of[r] != nil && b.of[q] != nil
			for _, one := range a.of[r] {
				for _, two := range b.of[q] {
					n, has := c.common(r, one, q, two)
					if counted = counted && has; !slices.Contains(a.out[q], two) &&
						!slices.Contains(b.out[r], one) {
						rows += n
					}
				}
			}
			if counted && (!known || rows < least) {
				least, known = rows, true
			}
		}
	}
	return least, known
}

// exceptionsByTitle are operations for what is called so instead of a category or a brand that they leave out
// or a later one is for, and of which they have no row: helmets except kids, or helmets up 5%, kids
// 3%, where none is of the category Kids and one is for kids. It is nil where there are none.
func (c *index) exceptionsByTitle(ops []plan.Operation) (byName []plan.Operation) {
	for i, op := range ops {
		scope := set{}
		for r := range phrase {
			scope.of[r], _ = op.Filter.Names(columns[r])
		}
		for r := range tag {
			_, out := op.Filter.Names(columns[r])
			within := make([]set, len(out))
			for _, other := range ops[i+1:] {
				if names, _ := other.Filter.Names(columns[r]); len(names) == 1 && scope.named() &&
					!slices.Contains(out, names[0]) {
					out, within = append(slices.Clip(out), names[0]), append(within, scope)
				}
			}
			for n, name := range out {
				left := setOf(r, name)
				phrases, _, lacking := c.called(left[0], within[n])
				if rows, known := c.shared(scope, left[0]); !known || rows > 0 || lacking == 0 {
					continue
				}
				if byName == nil {
					byName = slices.Clone(ops)
				}
				byName[i].Filter = calledOut(byName[i].Filter, name, phrases)
				for k, other := range ops {
					if names, _ := other.Filter.Names(columns[r]); slices.Equal(names, []string{name}) {
						f := &byName[k].Filter
						f.Categories = scope.of[category]
						f.Brands = scope.of[brand]
						f.Tags = scope.of[tag]
						f.NameContains = phrases
					}
				}
			}
		}
	}
	return byName
}

// calledOut is a filter that leaves out what is called so instead of a category or brand.
func calledOut(f plan.Filter, name string, phrases []string) plan.Filter {
	for _, out := range []*[]string{&f.ExcludeCategories, &f.ExcludeBrands} {
		*out = append(
			[]string(nil),
			slices.DeleteFunc(
				slices.Clone(*out),
				func(other string) bool { return other == name },
			)...) // nil: none is left
	}
	f.ExcludeNameContains = planning.SortedOnce(slices.Concat(f.ExcludeNameContains, phrases))
	return f
}

// others says which titles have that of another product in them, or a name that their products
// do not have.
func (c *index) others(s set) string {
	for r, kind := range []string{category: "category", brand: "brand"} {
		if phrases, _, lacking := c.called(s, set{}); s.of[r] != nil && lacking > 0 {
			return quote(s.first()) + " is the " + kind + "; other products have " + some(phrases) +
				" in their names."
		}
	}
	if all := c.within(s.first()); s.of[phrase] != nil && s.out[phrase] == nil && len(all) > 0 {
		return quote(s.first()) + " is also in the name of " + some(all) + "."
	}
	return ""
}
