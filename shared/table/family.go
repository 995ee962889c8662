package table

import (
	"io"
	"strings"
)

// Limits of what is kept of a table's products for the rows that belong to
// them.
const (
	// familyAheadBytes is how far ahead of a row its product may stand.
	familyAheadBytes = 32 << 20
	// familyBytes is how much text is kept of products.
	familyBytes = 64 << 20
)

// Product is what a row takes from the product that it belongs to, where its
// own cells are blank.
type Product struct {
	Categories [][]byte // by the position in Table.Categories
	Stock      []byte
}

// Family knows which product each row belongs to. Rows are shown to it in their
// order, each once.
type Family struct {
	table *Table

	above    int    // the column that names the product above; -1: none
	below    *kinds // rows of products, whose variants stand below; nil: not so
	name     string
	product  *Product // of the row before
	parent   int      // the column that names the product's row; -1: none
	keys     []key
	children int // the column that names the product's variants; -1: none

	products map[string]*Product
	kept     int  // bytes
	partial  bool // not all products of the table are known
}

type key struct {
	column int
	prefix string
}

// findFamily prepares for rows that take from others what a plan looks at.
func (t *Table) findFamily(needs Needs) error {
	rule := t.profile.Inheritance
	inherits := needs.Category || needs.Stock && !t.Stocks.Quantity()
	if rule == nil || !inherits {
		return nil
	}
	header := titled(t.Header)
	column := func(titles Titles) int { index, _ := header.find(titles); return index }
	f := &Family{table: t, above: column(rule.Above), parent: column(rule.Parent), children: missing, products: map[string]*Product{}}
	for _, k := range rule.Keys {
		if index := column(k.Titles); index != missing {
			f.keys = append(f.keys, key{index, k.Prefix})
		}
	}
	if rule.Children != nil && t.SKU != missing {
		f.children = column(rule.Children.Titles)
	}
	f.below = t.kindsOf(rule.Below)
	stands := f.above != missing || f.below != nil // its product is above a row
	if !stands && f.parent == missing && f.children == missing {
		return nil
	}
	if t.Family = f; stands {
		return nil
	}
	rows, err := t.Blocks.lookAhead(familyAheadBytes)
	if err != nil {
		return err
	}
	f.partial = t.Blocks.err != io.EOF
	t.each(rows, func(block []byte, _ int64, r Record) { f.keep(block, r) })
	return nil
}

// column is where a table says which product a row belongs to.
func (f *Family) column() int {
	if f.below != nil {
		return f.below.column
	}
	return max(f.above, f.parent, f.children) // of which one is there
}

// Product returns the product that a row belongs to, nil where it is one
// itself. It is not known where the row names one that has not been seen.
func (f *Family) Product(block []byte, r Record) (product *Product, known bool) {
	switch {
	case f.above != missing:
		return f.rowAbove(block, r)
	case f.below != nil:
		if f.below.has(block, r) {
			f.product = f.own(block, r)
			return nil, true
		}
		return f.product, f.product != nil
	case f.parent != missing:
		f.keepLate(block, r)
		name := f.text(block, r, f.parent)
		if name == "" {
			return nil, true
		}
		product = f.products[name]
		return product, product != nil
	default:
		f.keepLate(block, r)
		product = f.products[f.text(block, r, f.table.SKU)]
		return product, product != nil || !f.partial
	}
}

// rowAbove follows the products of tables in which variants stand below them.
func (f *Family) rowAbove(block []byte, r Record) (product *Product, known bool) {
	name := f.text(block, r, f.above)
	if name != "" && (name != f.name || f.product == nil) {
		f.name, f.product = name, f.own(block, r)
		return nil, true
	}
	return f.product, f.product != nil
}

// keepLate keeps a product that stands too far on to have been seen ahead.
func (f *Family) keepLate(block []byte, r Record) {
	if f.partial {
		f.keep(block, r)
	}
}

// keep keeps what rows may take from this one.
func (f *Family) keep(block []byte, r Record) {
	if f.parent != missing && f.text(block, r, f.parent) != "" {
		return // a variant
	}
	var names []string
	for _, k := range f.keys {
		if value := f.text(block, r, k.column); value != "" {
			names = append(names, k.prefix+value)
		}
	}
	if f.children != missing {
		names = f.variants(f.text(block, r, f.children))
	}
	if len(names) == 0 {
		return
	}
	product := f.own(block, r)
	for _, name := range names {
		if _, held := f.products[name]; held {
			continue
		}
		if f.kept += len(name); f.kept > familyBytes {
			f.partial = true
			return
		}
		f.products[name] = product
	}
}

// variants returns the SKUs that a product's row lists.
func (f *Family) variants(list string) (skus []string) {
	rule := f.table.profile.Inheritance.Children
	for entry := range strings.SplitSeq(list, rule.Separator) {
		for attribute := range strings.SplitSeq(entry, ",") {
			if sku, found := strings.CutPrefix(strings.TrimSpace(attribute), rule.Prefix); found && sku != "" {
				skus = append(skus, sku)
			}
		}
	}
	return skus
}

// own returns what a row hands on.
func (f *Family) own(block []byte, r Record) *Product {
	p := &Product{}
	hand := func(column int) []byte {
		text := r.says(block, column)
		f.kept += len(text)
		return text
	}
	for _, c := range f.table.Categories {
		p.Categories = append(p.Categories, hand(c.Index))
	}
	if f.table.Stocks != nil && !f.table.Stocks.Quantity() {
		p.Stock = hand(f.table.Stock)
	}
	return p
}

func (f *Family) text(block []byte, r Record, column int) string {
	return strings.TrimSpace(string(r.says(block, column)))
}
