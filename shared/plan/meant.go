package plan

import "slices"

// Meant returns a filter in which a name is meant as another, of the same column or
// of another one (or a value of any column, by its title), and false where the
// filter would then have another meaning: rows that must have one of several names
// cannot have one of them in another column. What is left out stays left out.
func (f Filter) Meant(column Column, name string, as Column, written string) (Filter, bool) {
	changed := f
	changed.Where = slices.Clone(f.Where)
	for i := range changed.Where {
		w := &changed.Where[i]
		if w.Column != string(column) || !w.Kind.isWhole() || !slices.Contains(w.Values, name) {
			continue
		}
		if as != column {
			return f, false
		}
		w.Values = with(
			slices.DeleteFunc(slices.Clone(w.Values), func(value string) bool { return value == name }),
			written,
		)
	}
	for i := range filterFields {
		from := &filterFields[i]
		if from.column != column || from.names == nil || !slices.Contains(*from.names(&f), name) {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(*from.names(&f)),
			func(listed string) bool { return listed == name })
		to := fieldOf(as, from.excludes)
		if to == nil {
			return f, false
		}
		if as == column {
			rest = with(rest, written)
		} else {
			if !from.excludes && (len(rest) > 0 || len(*to.names(&f)) > 0) {
				return f, false
			}
			*to.names(&changed) = with(*to.names(&f), written)
		}
		if len(rest) == 0 {
			rest = nil
		}
		*from.names(&changed) = rest
	}
	return changed, true
}

// with returns sorted names with one more.
func with(names []string, name string) []string {
	names = append(slices.Clone(names), name)
	slices.Sort(names)
	return slices.Compact(names)
}

// fieldOf is the field of a column's names that are asked for, or left out; nil:
// there is none.
func fieldOf(column Column, excludes bool) *filterField {
	for i := range filterFields {
		if field := &filterFields[i]; field.column == column && field.names != nil &&
			field.excludes == excludes {
			return field
		}
	}
	return nil
}
