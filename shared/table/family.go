package table

import (
	"io"
	"slices"
	"strings"
)

// familyAheadBytes is how far ahead of a row its product may stand.
const familyAheadBytes = 32 << 20

// Product is what a row takes from the product that it belongs to, where its
// own cells are blank.
type Product struct {
	Names [][]byte // the cells' contents, by the position in Table.inherited
	Stock []byte
}

// place is the product that the row before belongs to, in tables in which
// variants stand below it.
type place struct {
	product *Product // nil: none
	name    string
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

	ahead        *Records      // of the blocks that are read ahead
	broken       bool          // they are out of order: what stands behind is not known
	products     products      // of the rows so far
	variantStock *variantStock // of the rows read ahead; nil: a product's own row tells its stock
	scratch      []byte
}

type key struct {
	column int
	prefix string
}

// findFamily prepares for rows that take from others what a plan looks at.
func (t *Table) findFamily(needs Needs) {
	rule := t.profile.Inheritance
	if rule == nil || !t.inherits(needs) {
		return
	}
	header := titled(t.Header)
	column := func(titles Titles) int { index, _ := header.find(titles); return index }
	f := &Family{table: t, above: column(rule.Above), parent: column(rule.Parent), children: missing}
	for _, k := range rule.Keys {
		if index := column(k.Titles); index != missing {
			f.keys = append(f.keys, key{index, k.Prefix})
		}
	}
	if rule.Children != nil && t.sku != missing {
		f.children = column(rule.Children.Titles)
	}
	f.below, f.childless = t.kindsOf(rule.Below), t.kindsOf(rule.Childless)
	stands := f.above != missing || f.below != nil // its product is above a row
	if stands || f.parent != missing || f.children != missing {
		f.of(t)
	}
}

// inherits reports whether rows may take from others what a plan looks at: names,
// or a state of stock, but for a quantity, which is each row's own.
func (t *Table) inherits(needs Needs) bool {
	for _, r := range roles {
		if r.inherits && r.kind == ofNames && needs.Has(r.Role) {
			t.inherited = append(t.inherited, t.columns[r.Role]...)
		}
	}
	return len(t.inherited) > 0 || t.stocks != nil && (!t.stocks.Quantity() || t.stocks.column.OfVariants)
}

// of makes a family whose rows have not been read that of a table.
func (f *Family) of(t *Table) {
	t.Family, f.table = f, t
	if f.variantStock = nil; t.stocks != nil && t.stocks.column.OfVariants {
		f.variantStock = &variantStock{now: map[string]bool{}}
	}
	if f.above == missing && f.below == nil || f.variantStock != nil {
		f.ahead = t.NewRecords()
		t.Blocks.aheadOf(familyAheadBytes, f.look)
	}
}

// look keeps the products of a block that is read ahead.
func (f *Family) look(block []byte, limit int) {
	r := f.ahead
	if r.Block = block; f.broken {
		return
	}
	defer f.products.settle()
	if r.Reset(limit); r.Index() && r.InLines() {
		for i := range r.Count() {
			record, _ := r.Row(uint32(i))
			f.keep(block, record)
		}
		return
	}
	for pos := 0; pos < limit && !f.broken; {
		record, end, next, fault := r.Split(pos)
		if f.broken = fault != Fine || end == pos; !f.broken {
			f.keep(block, record)
		}
		pos = next
	}
}

// column is where a table says which product a row belongs to.
func (f *Family) column() int {
	if f.below != nil {
		return f.below.column
	}
	return max(f.above, f.parent, f.children) // of which one is there
}

// Mark notes where it is, and Return goes back there. A table without a family
// is nowhere.
func (f *Family) Mark() {
	if f != nil {
		f.saved = f.now
	}
}

func (f *Family) Return() {
	if f != nil {
		f.now = f.saved
	}
}

// Product returns the product that a row belongs to, nil where it is one
// itself. It is not known where the row names one that has not been seen.
func (f *Family) Product(block []byte, r Record) (product *Product, known bool) {
	switch {
	case f.above != missing:
		name := f.text(block, r, f.above)
		return f.standing(block, r, len(name) > 0 && (f.now.product == nil || string(name) != f.now.name), name)
	case f.below != nil:
		return f.standing(block, r, f.below.has(block, r), nil)
	case f.parent != missing:
		name := f.text(block, r, f.parent)
		if len(name) == 0 {
			return nil, true
		}
		product = f.products.find(name)
		return product, product != nil
	default:
		product = f.products.find(f.text(block, r, f.table.sku))
		return product, product != nil || !f.products.full && f.table.Blocks.Err() == io.EOF
	}
}

// standing follows the products of tables in which variants stand below them.
func (f *Family) standing(block []byte, r Record, begins bool, name []byte) (product *Product, known bool) {
	if !begins {
		return f.now.product, f.now.product != nil
	}
	if f.products.kept > familyBytes {
		f.products = products{}
	}
	number := f.products.number(f.table, block, r)
	f.now = place{f.products.all[number], string(name)}
	return nil, true
}

// keep keeps what rows may take from this one.
func (f *Family) keep(block []byte, r Record) {
	if f.variantStock != nil {
		f.variantStock.read(f, block, r)
	}
	switch {
	case f.above != missing || f.below != nil: // products stand where they are met
	case f.children != missing:
		if f.table.Skips(block, r) {
			break
		}
		if list := f.text(block, r, f.children); len(list) > 0 {
			f.variants(string(list), f.products.number(f.table, block, r))
		}
		if sku := f.text(block, r, f.table.sku); len(sku) > 0 && f.named(block, r) {
			f.products.add(sku, f.products.number(f.table, block, r))
		}
	case len(f.text(block, r, f.parent)) > 0 || f.childless.has(block, r) || f.table.Skips(block, r):
	default:
		number := f.products.number(f.table, block, r)
		for _, k := range f.keys {
			if value := f.text(block, r, k.column); len(value) > 0 {
				f.scratch = append(append(f.scratch[:0], k.prefix...), value...)
				f.products.add(f.scratch, number)
			}
		}
	}
}

// named reports whether a row has a name of its own that others may take.
func (f *Family) named(block []byte, r Record) bool {
	return slices.ContainsFunc(f.table.inherited, func(c Named) bool { return !r.Content(block, c.Index).Empty() })
}

// variants keeps a product by the SKUs that its row lists.
func (f *Family) variants(list string, number uint32) {
	rule := f.table.profile.Inheritance.Children
	for entry := range strings.SplitSeq(list, rule.Separator) {
		for attribute := range strings.SplitSeq(entry, ",") {
			if sku, found := strings.CutPrefix(strings.TrimSpace(attribute), rule.Prefix); found && sku != "" {
				f.products.add([]byte(sku), number)
			}
		}
	}
}

// text is what a field says, without the blanks around it.
func (f *Family) text(block []byte, r Record, column int) []byte {
	if r.Field(column).Empty() {
		return nil
	}
	return trimmed(r.says(block, column))
}
