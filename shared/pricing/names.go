package pricing

import (
	"slices"

	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/cell"
)

// names finds, row after row, which operations let it pass by its categories
// and its SKU, and which of the names that the plan names there are.
type names struct {
	table            *table.Table
	rows             *table.Records
	categories, skus *lookup
	single           bool   // one name in each cell that is looked at
	seenCategories   []bool // by id
	seenSKUs         []bool
	category         int32 // the id of the row last looked at

	sku     cell.Span      // of the row last looked at
	product *table.Product // that it belongs to; nil: none, or not known

	// memo has what the cells of each category column do that were seen last,
	// and one for SKUs.
	memo    []map[string]hit
	orphans []int64 // rows whose product is not known, of the block
}

// The slots for doubled quotes: see table.Records.Name.
const (
	skuSlot = iota
	categorySlot
)

func newNames(e *Engine, t *table.Table, rows *table.Records) *names {
	n := &names{table: t, rows: rows, category: unnamed, categories: e.categories.in(t.Dialect), skus: e.skus.in(t.Dialect)}
	n.seenCategories = make([]bool, len(e.categories.named))
	n.seenSKUs = make([]bool, len(e.skus.named))
	n.single = n.plain() && len(t.Categories) <= 1
	n.memo = make([]map[string]hit, len(t.Categories)+1)
	for i := range n.memo {
		n.memo[i] = map[string]hit{}
	}
	return n
}

// seenAll reports whether all names of the plan were seen here.
func (n *names) seenAll() bool {
	return !slices.Contains(n.seenCategories, false) && !slices.Contains(n.seenSKUs, false)
}

// plain reports whether each cell that is looked at is one name, and the row's
// own.
func (n *names) plain() bool {
	for _, c := range n.table.Categories {
		if !c.Plain() {
			return false
		}
	}
	return n.table.Family == nil && n.table.SKUs.Plain()
}

// candidates returns the operations that let a row pass by its names.
func (n *names) candidates(at table.Record, row int64) (opSet, problem) {
	candidates := n.skus.others
	if n.table.SKU >= 0 {
		var fault table.Kind
		if candidates, fault = n.bySKU(at); fault != table.Fine {
			return opSet{}, problem{kind: fault, column: n.table.SKU}
		}
	}
	if n.table.Family != nil {
		n.findProduct(at, row)
	}
	if !n.single {
		byCategory, found := n.byCategories(at)
		return candidates.and(byCategory), found
	}
	if len(n.table.Categories) == 0 {
		return candidates.and(n.categories.others), problem{}
	}
	column := n.table.Categories[0].Index
	name, fault := n.rows.Name(at, column, categorySlot)
	if fault != table.Fine {
		return opSet{}, problem{kind: fault, column: column}
	}
	n.category = n.categories.find(n.rows.Block, name, n.category)
	return candidates.and(letsName(n.categories, n.seenCategories, n.category)), problem{}
}

// letsName returns the operations that a name lets pass, which is seen.
func letsName(l *lookup, seen []bool, id int32) opSet {
	if id < 0 {
		return l.others
	}
	seen[id] = true
	return l.named[id].lets
}

func (n *names) bySKU(at table.Record) (opSet, table.Kind) {
	if n.table.SKUs.Plain() {
		var fault table.Kind
		n.sku, fault = n.rows.Name(at, n.table.SKU, skuSlot)
		return letsName(n.skus, n.seenSKUs, n.skus.find(n.rows.Block, n.sku, unnamed)), fault
	}
	n.sku, _ = n.rows.Name(at, n.table.SKU, skuSlot) // for the records; a list may be long
	text, fault := n.rows.Text(at, n.table.SKU)
	if fault != table.Fine {
		return opSet{}, fault
	}
	h, fault := n.does(text, &n.table.SKUs, n.memo[len(n.memo)-1], n.skus, n.seenSKUs)
	return n.skus.lets(h), fault
}

// byCategories returns the operations that let a row pass by all the names in
// its category cells, or in its product's where its own are blank.
func (n *names) byCategories(at table.Record) (opSet, problem) {
	var all hit
	named := false
	for i, c := range n.table.Categories {
		text, fault := n.rows.Text(at, c.Index)
		if len(text) == 0 && n.product != nil {
			text = n.product.Categories[i]
		}
		if fault == table.Fine && len(text) > 0 {
			var h hit
			h, fault = n.does(text, c.CategoryColumn, n.memo[i], n.categories, n.seenCategories)
			all, named = all.or(h), true
		}
		if fault != table.Fine {
			return opSet{}, problem{kind: fault, column: c.Index}
		}
	}
	if id, held := n.categories.ids[""]; held && !named {
		return letsName(n.categories, n.seenCategories, id), problem{}
	}
	return n.categories.lets(all), problem{}
}

const (
	maxMemo      = 4096 // cells of a column
	maxMemoBytes = 4096 // of a cell
)

// does returns what the names in a cell do.
func (n *names) does(text []byte, column *table.CategoryColumn, memo map[string]hit, l *lookup, seen []bool) (hit, table.Kind) {
	if h, known := memo[string(text)]; known {
		return h, table.Fine
	}
	var all hit
	fault := table.Fine
	column.Names(n.table.Dialect.Text(text), func(name string) {
		if len(name) > table.MaxNameBytes && len(name) < len(text) || column.Plain() && len(text) > table.MaxNameBytes {
			fault = table.NameTooLong
		}
		encoded, ok := n.table.Dialect.Bytes(name)
		if id, held := l.ids[string(encoded)]; held && ok {
			seen[id] = true
			all = all.or(l.named[id].hit)
		}
	})
	if len(memo) == maxMemo {
		clear(memo)
	}
	if len(text) <= maxMemoBytes && fault == table.Fine {
		memo[string(text)] = all
	}
	return all, fault
}

// findProduct finds the product that a row belongs to. A row that names one
// that is not known is an orphan where it lacks what the product would have
// given it.
func (n *names) findProduct(at table.Record, row int64) {
	var known bool
	if n.product, known = n.table.Family.Product(n.rows.Block, at); known {
		return
	}
	for _, c := range n.table.Categories {
		if at.Content(n.rows.Block, c.Index).Empty() {
			n.orphans = append(n.orphans, row)
			return
		}
	}
}
