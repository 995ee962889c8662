package console

import (
	"maps"
	"slices"

	"github.com/planwright/planwright/shared/pricing"
)

// shown is a result where its rules cannot be changed: for who decides about it, and later.
func (f result) shown(past bool) result {
	f.fixed, f.past = true, past
	return f
}

// tile is one of the numbers of a result.
type tile struct {
	Number, Label string
	Way           string // up, down or ""
}

// Tiles are the numbers of the result.
func (f result) Tiles() []tile {
	of, effect := f.Preview.Summary, f.Preview.Effect
	verb := "change"
	if f.past {
		verb = "changed"
	}
	all := []tile{{count(of.RowsChanged), "of " + count(of.RowsTotal) + " " + verb, ""}}
	if f.uncounted {
		return all
	}
	dearer := ""
	if f.Preview.Paid.Dearer > 0 {
		dearer = "up"
	}
	all = append(all, tile{count(f.Preview.Paid.Cheaper) + " ↓", "cheaper", "down"},
		tile{count(f.Preview.Paid.Dearer) + " ↑", "dearer", dearer})
	if money := f.money(); money != "" {
		all = append(all, tile{money, "in prices, once each", ""})
	}
	if effect.RowsIntoStock > 0 {
		all = append(all, tile{count(effect.RowsIntoStock), "into stock", ""})
	}
	if effect.RowsOutOfStock > 0 {
		all = append(all, tile{count(effect.RowsOutOfStock), "out of stock", ""})
	}
	return all
}

// fixedBlocks are the blocks of the result without anything to press. Ids are those of the
// plan's rules.
func (f result) fixedBlocks(ids []string) (all []block) {
	if f.Preview == nil {
		return nil
	}
	if len(f.rules) == 0 || len(f.Preview.Rules) != len(f.rules) { // the figures of the rules are not known
		for _, warning := range f.Preview.AllWarnings() {
			text, _ := warningOf(warning, ids)
			all = append(all, block{
				Text: text,
				Red:  warning.Code == pricing.WarnFree || warning.Code == pricing.WarnAgainst,
			})
		}
		return all
	}
	f.state = editor{maps.Clone(f.state.Values)}
	f.state.Set("original", "1") // it is said elsewhere that the file was changed before
	all = slices.Clone(f.Blocks())
	for i := range all {
		all[i].Buttons = nil
	}
	return all
}

// Rows are the products in the order in which they were asked for.
func (f result) Rows() (all []seenRow) {
	if of := f.shownPreview(); of != nil {
		for _, change := range of.Changes {
			all = append(all, seenRow{change, f})
		}
	}
	return all
}

// History is the address of what was done to the product; "" where nothing was done yet.
func (s seenRow) History() string {
	if !s.result.past || s.SKU == "" {
		return ""
	}
	return "/products" + queryOf(map[string][]string{"sku": {s.SKU}})
}

// Label tells the product apart: by its SKU, or by its own cell where it has none.
func (s seenRow) Label() string {
	if s.SKU == "" && s.Own != nil {
		return s.Own.Value
	}
	return s.SKU
}
