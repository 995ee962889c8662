package profile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
)

// FamilyAheadBytes is how far ahead of a row its product may stand.
const FamilyAheadBytes = 32 << 20

// Product is what a row takes from the product that it belongs to, where its
// own cells are blank.
type Product struct {
	Names [][]byte // the cells' contents, as in Handed
	Stock []byte
}

// Handed is what rows hand on to others of their table, and the table.
type Handed struct {
	SKU     int    // its column; -1: none
	Names   []int  // the columns of names
	Naming  []int  // those, or others, of which a row that fills one has names of its own
	Stock   *Stock // nil: it is not read
	Skip    *Kinds // rows that are neither products nor variants
	Records *dialect.Records
	Ended   func() bool // all rows have been shown ahead
	Exact   func() bool // blocks are cut exactly
}

// place is the product that the row before belongs to, in tables in which
// variants stand below it.
type place struct {
	product *Product // nil: none
	name    string
	stated  bool // by its own row, what variants take from it
}

// Family knows which product each row belongs to. Rows are shown to it in their
// order, each once.
type Family struct {
	of   Handed
	rule *Inheritance

	above      int    // the column that names the product above; -1: none
	called     int    // the column of the product's name, which its own row has; -1: none
	below      *Kinds // rows of products, whose variants stand below; nil: not so
	now, saved place
	begun      place // where it was as the block began
	parent     int   // the column that names the product's row; -1: none
	same       int   // the column that is the same in all rows of a product; -1: none
	keys       []key
	childless  *Kinds // rows that are no product of others
	children   int    // the column that names the product's variants; -1: none
	views      bool   // a row without names belongs to the first of its own SKU that has some

	broken       bool          // they are out of order: what stands behind is not known
	products     products      // of the rows so far
	variantStock *variantStock // of the rows read ahead; nil: a product's own row tells its stock
	scratch      []byte
}

type key struct {
	column int
	prefix string
}

// NewFamily returns the family of a header's table; nil: no row takes anything from
// another. What is handed on are names, or a state of stock, but for a quantity,
// which is each row's own.
func (p *Profile) NewFamily(header *Titled, of Handed) *Family {
	rule := p.Inheritance
	if rule == nil ||
		len(of.Names) == 0 && (of.Stock == nil || of.Stock.Quantity() && !of.Stock.ofVariants()) {
		return nil
	}
	column := func(titles Titles) int { index, _ := header.Find(titles); return index }
	f := &Family{
		rule:     rule,
		above:    column(rule.Above),
		called:   column(p.ProductName),
		parent:   column(rule.Parent),
		same:     column(rule.Same),
		children: Missing,
	}
	for _, k := range rule.Keys {
		if index := column(k.Titles); index != Missing {
			f.keys = append(f.keys, key{index, k.Prefix})
		}
	}
	if len(f.keys) == 0 && of.SKU != Missing {
		f.keys = []key{{column: of.SKU}}
	}
	if len(rule.Children) > 0 && of.SKU != Missing {
		f.children, f.views = column(rule.Children), true
	}
	f.below, f.childless = header.Kinds(rule.Below), header.Kinds(rule.Childless)
	if f.parent != Missing {
		f.same = Missing
	}
	if !f.Stands() && f.parent == Missing && f.same == Missing && !f.views {
		return nil
	}
	return f.Of(of)
}

// Naming are the columns of which a row that fills one has names of its own.
func (f *Family) Naming() []int { return f.of.Naming }

// Of returns a family whose rows have not been read as that of a table, or of a
// range of it.
func (f *Family) Of(of Handed) *Family {
	another := *f
	another.of = of
	if another.variantStock = nil; of.Stock.ofVariants() {
		another.variantStock = &variantStock{now: map[string]bool{}}
	}
	return &another
}

// Stands reports whether products are told by standing above the rows that belong to
// them, so that it must see all rows.
func (f *Family) Stands() bool { return f != nil && (f.above != Missing || f.below != nil) }

// Ahead reports whether blocks must be shown to it ahead of their rows.
func (f *Family) Ahead() bool {
	return !f.Stands() || f.variantStock != nil
}

// ScanAhead keeps the products of a block that is read ahead. It reports whether no quote in it
// begins no field: one that is not cut exactly may not end where a record does, and is
// cut and looked at again.
func (f *Family) ScanAhead(block []byte, limit int) (inOrder bool) {
	r := f.of.Records
	if r.Block = block; f.broken {
		return true
	}
	r.Reset(limit)
	indexed := r.Index() && r.InLines()
	if !indexed && !f.of.Exact() && f.strays(limit) {
		return false
	}
	defer f.products.insertFresh()
	if indexed {
		for i := range r.Count() {
			record, _ := r.Row(uint32(i))
			f.keep(block, record)
		}
		return true
	}
	for pos := 0; pos < limit && !f.broken; {
		record, end, next, fault := r.Split(pos)
		if f.broken = fault != faults.Fine; !f.broken && end > pos {
			f.keep(block, record)
		}
		pos = next
	}
	return true
}

// strays reports whether a field of the block has a quote and does not begin with one.
func (f *Family) strays(limit int) bool {
	for pos := 0; pos < limit; {
		_, _, next, fault := f.of.Records.Split(pos)
		if len(f.of.Records.Strays()) > 0 {
			return true
		}
		if fault != faults.Fine {
			break
		}
		pos = next
	}
	return false
}

// Column is where a table says which product a row belongs to.
func (f *Family) Column() int {
	if f.below != nil {
		return f.below.column
	}
	return max(f.above, f.parent, f.same, f.children) // of which one is there
}

// Begin begins a block, and Again goes back there.
func (f *Family) Begin() {
	if f != nil {
		f.begun = f.now
	}
}

func (f *Family) Again() {
	if f != nil {
		f.now = f.begun
	}
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
func (f *Family) Product(block []byte, r dialect.Record) (product *Product, known bool) {
	switch {
	case f.above != Missing:
		name := f.text(block, r, f.above)
		begins := len(name) > 0 &&
			(f.now.product == nil || string(name) != f.now.name || !f.now.stated && f.named(block, r))
		if begins && f.called != Missing && len(f.text(block, r, f.called)) == 0 && !f.named(block, r) {
			f.now = place{name: string(name)} // a variant apart from its product
			return nil, false
		}
		product, known = f.productAbove(block, r, begins, name)
		// without a column of products' names, a row that has nothing to hand on may be a variant
		// apart
		if begins {
			f.now.stated = f.called != Missing || len(f.of.Naming) == 0 || f.named(block, r)
		}
		return product, known && f.now.stated
	case f.below != nil:
		return f.productAbove(block, r, f.below.Has(block, r), nil)
	case f.parent != Missing:
		name := f.text(block, r, f.parent)
		if len(name) == 0 {
			return nil, true
		}
		product = f.products.find(name)
		return product, product != nil
	case f.same != Missing:
		name := f.text(block, r, f.same)
		if len(name) == 0 || f.named(block, r) {
			return nil, true
		}
		product = f.products.find(name)
		return product, product != nil || !f.products.full && f.of.Ended()
	default:
		product = f.products.find(f.text(block, r, f.of.SKU))
		return product, product != nil || !f.products.full && f.of.Ended()
	}
}

// IsVariant reports whether a row belongs to the product of another row. Of a table in which
// products stand above their variants it must be asked of each row, in order.
func (f *Family) IsVariant(block []byte, r dialect.Record) bool {
	switch {
	case f.Stands():
		product, _ := f.Product(block, r)
		return product != nil
	case f.parent != Missing:
		return len(f.text(block, r, f.parent)) > 0
	case f.same != Missing:
		return len(f.text(block, r, f.same)) > 0 && !f.named(block, r)
	default:
		return !f.named(block, r)
	}
}

// productAbove follows the products of tables in which variants stand below them.
func (f *Family) productAbove(
	block []byte, r dialect.Record, begins bool, name []byte,
) (product *Product, known bool) {
	if !begins {
		return f.now.product, f.now.product != nil
	}
	if f.products.kept > familyBytes {
		f.products = products{}
	}
	number := f.products.number(&f.of, block, r)
	f.now = place{product: f.products.all[number], name: string(name)}
	return nil, true
}

// keep keeps what rows may take from this one.
func (f *Family) keep(block []byte, r dialect.Record) {
	if f.variantStock != nil {
		f.variantStock.read(f, block, r)
	}
	switch {
	case f.above != Missing || f.below != nil: // products stand where they are met
	case f.same != Missing:
		if name := f.text(block, r, f.same); len(name) > 0 && f.named(block, r) {
			f.products.add(name, f.products.number(&f.of, block, r))
		}
	case f.views:
		if f.of.Skip.Has(block, r) {
			break
		}
		if f.children != Missing {
			if list := f.text(block, r, f.children); len(list) > 0 {
				f.variants(string(list), f.products.number(&f.of, block, r))
			}
		}
		if sku := f.text(block, r, f.of.SKU); len(sku) > 0 && f.named(block, r) {
			f.products.add(sku, f.products.number(&f.of, block, r))
		}
	case len(f.text(block, r, f.parent)) > 0 || f.childless.Has(block, r) || f.of.Skip.Has(block, r):
	default:
		number := f.products.number(&f.of, block, r)
		for _, k := range f.keys {
			if value := f.text(block, r, k.column); len(value) > 0 {
				f.scratch = append(append(f.scratch[:0], k.prefix...), value...)
				f.products.add(f.scratch, number)
			}
		}
	}
}

// named reports whether a row has a name of its own that others may take.
func (f *Family) named(block []byte, r dialect.Record) bool {
	return slices.ContainsFunc(f.of.Naming, func(column int) bool {
		return !r.Content(block, column).Empty()
	})
}

// variants keeps a product by the SKUs that its row lists.
func (f *Family) variants(list string, number uint32) {
	for entry := range strings.SplitSeq(list, "|") {
		for attribute := range strings.SplitSeq(entry, ",") {
			if sku, found := strings.CutPrefix(strings.TrimSpace(attribute), "sku="); found && sku != "" {
				f.products.add([]byte(sku), number)
			}
		}
	}
}

// text is what a field that names a product says, without the blanks around it.
func (f *Family) text(block []byte, r dialect.Record, column int) []byte {
	if r.Field(column).Empty() {
		return nil
	}
	text := trimmed(r.Says(block, column))
	noBreak := f.of.Records.NoBreak()
	for noBreak != 0 && len(text) > 0 && (text[0] == noBreak || text[len(text)-1] == noBreak) {
		text = trimmed(bytes.TrimSuffix(bytes.TrimPrefix(text, []byte{noBreak}), []byte{noBreak}))
	}
	return cell.Code(text)
}
