package table

import (
	"bytes"
	"io"
	"slices"
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

// take makes it what a row hands on, and returns how many bytes that is.
func (p *Product) take(t *Table, block []byte, r Record) (size int) {
	p.Categories = slices.Grow(p.Categories[:0], len(t.Categories))[:len(t.Categories)]
	for i, c := range t.Categories {
		p.Categories[i] = append(p.Categories[i][:0], r.says(block, c.Index)...)
		size += len(p.Categories[i])
	}
	if t.Stocks != nil && !t.Stocks.Quantity() {
		p.Stock = append(p.Stock[:0], r.says(block, t.Stock)...)
	}
	return size + len(p.Stock)
}

// place is how far the rows of a table have been shown.
type place struct {
	ahead int // rows to come that were looked at ahead
	// The product that the row before belongs to, in tables in which variants
	// stand below it.
	Product
	name  []byte
	known bool
}

func (a *place) set(b *place) {
	a.ahead, a.name, a.known, a.Stock = b.ahead, append(a.name[:0], b.name...), b.known, append(a.Stock[:0], b.Stock...)
	a.Categories = slices.Grow(a.Categories[:0], len(b.Categories))[:len(b.Categories)]
	for i, text := range b.Categories {
		a.Categories[i] = append(a.Categories[i][:0], text...)
	}
}

// Family knows which product each row belongs to. Rows are shown to it in their
// order, each once.
type Family struct {
	table *Table

	above      int    // the column that names the product above; -1: none
	below      *kinds // rows of products, whose variants stand below; nil: not so
	now, saved place
	parent     int // the column that names the product's row; -1: none
	keys       []key
	childless  *kinds // rows that are no product of others
	children   int    // the column that names the product's variants; -1: none

	// products are by what names them. Those that variants ahead name are in it
	// before they are found, as nil.
	products map[string]*Product
	kept     int  // bytes
	partial  bool // not all rows of the table are known
	scratch  []byte
}

type key struct {
	column int
	prefix string
}

// findFamily prepares for rows that take from others what a plan looks at.
func (t *Table) findFamily(needs Needs) error {
	rule := t.profile.Inheritance
	inherits := needs.names(RoleCategory) || needs.Stock && !t.Stocks.Quantity()
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
	f.below, f.childless = t.kindsOf(rule.Below), t.kindsOf(rule.Childless)
	stands := f.above != missing || f.below != nil // its product is above a row
	if !stands && f.parent == missing && f.children == missing {
		return nil
	}
	if t.Family = f; stands {
		return nil
	}
	return f.lookAhead()
}

// lookAhead keeps the products that stand in the next rows: where those are all
// the table has, only the ones that a row names.
func (f *Family) lookAhead() error {
	t := f.table
	rows, err := t.Blocks.lookAhead(familyAheadBytes)
	if err != nil {
		return err
	}
	if f.partial = t.Blocks.err != io.EOF; !f.partial && f.parent != missing {
		t.each(rows, func(block []byte, _ int64, r Record) {
			if name := f.text(block, r, f.parent); len(name) > 0 {
				f.products[string(name)] = nil
			}
		})
		if len(f.products) == 0 {
			return nil
		}
	}
	t.each(rows, func(block []byte, _ int64, r Record) {
		if !t.Skips(block, r) {
			f.now.ahead++
			f.keep(block, r)
		}
	})
	return nil
}

// column is where a table says which product a row belongs to.
func (f *Family) column() int {
	if f.below != nil {
		return f.below.column
	}
	return max(f.above, f.parent, f.children) // of which one is there
}

// Mark notes where it is, and Return goes back there.
func (f *Family) Mark()   { f.saved.set(&f.now) }
func (f *Family) Return() { f.now.set(&f.saved) }

// Product returns the product that a row belongs to, nil where it is one
// itself. It is not known where the row names one that has not been seen. It is
// overwritten by the next call.
func (f *Family) Product(block []byte, r Record) (product *Product, known bool) {
	switch {
	case f.above != missing:
		name := f.text(block, r, f.above)
		return f.standing(block, r, len(name) > 0 && !(f.now.known && bytes.Equal(name, f.now.name)), name)
	case f.below != nil:
		return f.standing(block, r, f.below.has(block, r), nil)
	case f.parent != missing:
		f.keepLate(block, r)
		name := f.text(block, r, f.parent)
		if len(name) == 0 {
			return nil, true
		}
		product = f.products[string(name)]
		return product, product != nil
	default:
		f.keepLate(block, r)
		product = f.products[string(f.text(block, r, f.table.SKU))]
		return product, product != nil || !f.partial
	}
}

// standing follows the products of tables in which variants stand below them.
func (f *Family) standing(block []byte, r Record, begins bool, name []byte) (product *Product, known bool) {
	if begins {
		f.now.name, f.now.known = append(f.now.name[:0], name...), true
		f.now.take(f.table, block, r)
		return nil, true
	}
	if !f.now.known {
		return nil, false
	}
	return &f.now.Product, true
}

// keepLate keeps a product that stands too far on to have been seen ahead.
func (f *Family) keepLate(block []byte, r Record) {
	if f.now.ahead > 0 {
		f.now.ahead--
	} else if f.partial {
		f.keep(block, r)
	}
}

// keep keeps what rows may take from this one.
func (f *Family) keep(block []byte, r Record) {
	if f.childless.has(block, r) {
		return
	}
	if f.children != missing {
		if list := f.text(block, r, f.children); len(list) > 0 {
			f.keepAs(block, r, f.variants(string(list)))
		}
		return
	}
	if len(f.text(block, r, f.parent)) > 0 {
		return // a variant
	}
	var names []string
	for _, k := range f.keys {
		value := f.text(block, r, k.column)
		if len(value) == 0 {
			continue
		}
		f.scratch = append(append(f.scratch[:0], k.prefix...), value...)
		if product, named := f.products[string(f.scratch)]; product == nil && (named || f.partial) {
			names = append(names, string(f.scratch))
		}
	}
	f.keepAs(block, r, names)
}

// keepAs keeps a row's product by those names.
func (f *Family) keepAs(block []byte, r Record, names []string) {
	if len(names) == 0 || f.kept > familyBytes {
		return
	}
	product := &Product{}
	f.kept += product.take(f.table, block, r)
	for _, name := range names {
		if f.products[name] != nil {
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

// text is what a field says, without the blanks around it.
func (f *Family) text(block []byte, r Record, column int) []byte {
	return bytes.TrimSpace(r.says(block, column))
}
