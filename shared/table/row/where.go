package row

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// findWheres finds the columns that a plan looks at by their titles, and what rows take of
// them from their products.
func (o *opening) findWheres() *InputError {
	refused := &InputError{code: CodeUnknownColumns}
	for _, w := range o.needs.Wheres {
		places := o.titled.Named(w.Title)
		if len(places) == 1 {
			o.columns[w.Role] = []recognize.Located{{Index: places[0], NameColumn: &profile.NameColumn{}}}
			continue
		}
		fault := faults.Fault{Row: 1, Column: faults.Shown(w.Title)}
		if len(places) == 0 {
			fault.Message = fmt.Sprintf("%s: the header has no column %q%s",
				w.Path, faults.Excerpt(w.Title), o.nearestTitles(w.Title))
		} else {
			fault.Message = fmt.Sprintf("%s: the header has %q more than once, as columns %s: rename all but one", w.Path, faults.Excerpt(w.Title), listPlaces(places))
		}
		refused.Faults = append(refused.Faults, fault)
	}
	if len(refused.Faults) > 0 && !o.needs.IfThere {
		return refused
	}
	return nil
}

// nearestTitles says which titles somebody may have meant by one that the header lacks.
func (o *opening) nearestTitles(title string) string {
	near := fold.NewNearest(fold.Names, []string{title})
	for _, other := range o.Header {
		near.Add(strings.TrimSpace(other))
	}
	if found := near.Of(title); len(found) > 0 {
		return "; the nearest are " + faults.QuotedList(found)
	}
	return ", nor one like it"
}

// listPlaces lists columns by their numbers: 3 and 7.
func listPlaces(places []int) string {
	var numbers []string
	for _, place := range places {
		numbers = append(numbers, fmt.Sprint(place+1))
	}
	last := len(numbers) - 1
	return strings.Join(numbers[:last], ", ") + " and " + numbers[last]
}

// naming are the columns of which a row that fills one has names of its own: those that rows
// take from their products, but for those that a plan looks at by their titles, which
// variants may fill. Where it looks at no others they are those of the categories.
func (o *opening) naming() []int {
	if len(o.handed) > 0 || len(o.needs.Wheres) == 0 {
		return indexes(o.handed)
	}
	needs := recognize.Needs{IfThere: true, Reads: []recognize.Role{recognize.RoleCategory}}
	unknown := o.unknown(o.titled, o.rows)
	layout := recognize.NewLayout(o.titled, o.profile, o.settings.LayoutSettings(), needs, unknown)
	found := layout.Columns[recognize.RoleCategory]
	found = slices.DeleteFunc(found, func(c recognize.Located) bool { return c.Index == profile.Missing })
	return indexes(found)
}

// handedWheres are the columns that a plan looks at by their titles and of which a blank cell
// is its product's. A column is not one of them where each row has its own: a SKU, money,
// quantities, and what variants among the first rows fill, unless it says what a product is.
func (o *opening) handedWheres(naming []int) (handed []recognize.Located) {
	t := o.Table
	own := append(o.titled.Any(o.profile.OwnOfRows()), t.sku)
	for _, money := range o.money {
		own = append(own, money.index)
	}
	for _, w := range o.needs.Wheres {
		for _, column := range t.columns[w.Role] {
			if !slices.Contains(own, column.Index) {
				handed = append(handed, column)
			}
		}
	}
	if len(handed) == 0 {
		return nil
	}
	hands := t.handsOn(naming)
	hands.Names = indexes(handed)
	family := t.profile.NewFamily(o.titled, hands)
	if family == nil {
		return handed
	}
	ofProducts := o.titled.Any(o.profile.OfProducts())
	for row := range t.each(o.rows) {
		if !family.IsVariant(row.block, row.Record) {
			continue
		}
		handed = slices.DeleteFunc(handed, func(c recognize.Located) bool {
			return len(row.content(c.Index)) > 0 && !slices.Contains(ofProducts, c.Index)
		})
	}
	return handed
}
