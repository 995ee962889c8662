package row

import (
	"slices"

	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/screen"
)

// newScreen returns the screen of the query, or none where every row needs a
// closer look: where there is a condition that names neither a category nor a
// SKU, or escapes may begin characters.
func (s *scanner) newScreen() *screen.Screen {
	t, everywhere := s.table, names.EverySet
	var whole []screen.Name
	var parts []screen.Part
	s.screened = !t.family.Stands() // or else each row may be the product of those below
	for _, c := range s.names.columns {
		everywhere = everywhere.And(c.Others)
		if s.screened = s.screened && c.screened; !c.screened {
			continue
		}
		if c.IsOfParts() {
			parts = append(parts, s.partsOf(c)...)
			continue
		}
		for _, cell := range c.cells {
			name := screen.Name{Column: cell.Index}
			if len(c.IDs) > 0 {
				name.Held = c.Bloom
			}
			if c.amongOthers && slices.Contains(t.separated, cell.Index) {
				parts = append(parts, screen.Part{Column: cell.Index, Marks: names.Marks(t.Dialect)})
			}
			whole = append(whole, name)
		}
	}
	if !everywhere.AndNot(s.bounded).Empty() || t.Dialect.Escapes {
		return nil
	}
	var numbers []screen.Number
	for _, m := range s.reads {
		form := t.money[m].form
		number := screen.Number{Column: t.money[m].index, Point: form.FastPoint()}
		if prefix, suffix := form.Dress(); max(len(prefix), len(suffix)) <= screen.MaxDress {
			number.Prefix, number.Suffix = prefix, suffix
		}
		numbers = append(numbers, number)
	}
	var words []int
	switch {
	case len(s.stocks) == 0:
	case !t.stocks.Usual():
		return nil
	case t.stocks.Quantity():
		for _, place := range s.stocks {
			numbers = append(numbers, screen.Number{Column: place})
		}
	default:
		words = s.stocks
		if t.statesStock() && len(t.otherStock) == 0 {
			s.idle = s.query.Idle
		}
	}
	screened := screen.New(len(t.Header), s.LineEnd(), whole, numbers, words)
	screened.Closer(parts, s.ranges(everywhere))
	return screened
}

// partsOf are what the screen looks for in columns that are not compared as a whole.
func (s *scanner) partsOf(c nameColumn) (parts []screen.Part) {
	for _, cell := range c.cells {
		if len(c.IDs) == 0 {
			break
		}
		part := screen.Part{Column: cell.Index, Opening: s.table.Dialect.LiteralQuotes}
		for text := range c.IDs {
			if c.Begins != nil {
				part.Beginnings = append(part.Beginnings, text)
			} else if longest := names.LongestWord(text); longest != "" {
				part.Words = append(part.Words, longest)
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// ranges are the bounds of conditions on quantities, of those that are for every name.
func (s *scanner) ranges(conditions names.Set) []screen.Range {
	if conditions.Empty() {
		return nil
	}
	within := screen.Range{Column: s.table.quantity}
	for i := 0; !conditions.Empty(); {
		i, conditions = conditions.Next()
		within.Within = append(within.Within, s.query.Pieces[i].bounds())
	}
	return []screen.Range{within}
}

// statesStock reports whether what is in stock is what each row says itself, in
// one column.
func (t *Table) statesStock() bool {
	return len(t.columns[recognize.RoleInStock]) == 1 && t.untracked == nil && t.family == nil
}
