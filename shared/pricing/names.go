package pricing

import (
	"slices"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/cell"
)

// names finds, row after row, which operations let it pass by the names in it,
// and which of the names that the plan names there are.
type names struct {
	table   *table.Table
	rows    *table.Records
	columns []nameColumn // as plan.NameColumns are

	sku     cell.Span      // of the row last looked at
	product *table.Product // that it belongs to; nil: none, or not known
	noted   []*spelling    // of the plan, or like them, that the row last looked at has
}

// nameColumn is one of the plan's columns of names, in a table.
type nameColumn struct {
	*lookup
	cells    []table.Category // where in a row its names stand
	memos    []memo           // of each
	screened bool             // the screen tells which rows have none of the names
	inherits bool             // a row without a name has its product's
	slot     int              // for doubled quotes: see table.Records.Name
	seen     []bool           // by id
	spelled  spellings
	last     int32 // the id of the row last looked at
}

func newNames(e *Engine, t *table.Table, rows *table.Records) *names {
	n := &names{table: t, rows: rows}
	for i, column := range plan.NameColumns() {
		c := nameColumn{lookup: e.lookups[i].in(t.Dialect), cells: t.Named(table.Role(column)), last: unnamed}
		c.seen, c.spelled = make([]bool, len(c.named)), newSpellings(c.lookup)
		c.inherits = column == plan.ColumnCategory && t.Family != nil
		c.screened = !c.inherits && !slices.ContainsFunc(c.cells, func(cell table.Category) bool { return !cell.Plain() })
		c.memos = make([]memo, len(c.cells))
		if column != plan.ColumnSKU { // what is found of the SKU is needed longer
			c.slot = 1
		}
		n.columns = append(n.columns, c)
	}
	return n
}

// seenAll reports whether all names of the plan were seen here.
func (n *names) seenAll() bool {
	return !slices.ContainsFunc(n.columns, func(c nameColumn) bool { return slices.Contains(c.seen, false) })
}

// candidates returns the operations that let a row pass by its names. Of one
// that was screened only the columns are looked at that were not.
func (n *names) candidates(at table.Record, screened bool) (opSet, problem) {
	candidates := everyOperation
	n.noted = n.noted[:0]
	for i := len(n.columns) - 1; i >= 0; i-- { // of a row with several faults, that of its SKU is told
		c := &n.columns[i]
		if screened && c.screened {
			candidates = candidates.and(c.others)
			continue
		}
		lets, found := n.lets(c, at)
		if found.kind != table.Fine {
			return opSet{}, found
		}
		candidates = candidates.and(lets)
	}
	return candidates, problem{}
}

// lets returns the operations that let a row pass by its names in a column.
func (n *names) lets(c *nameColumn, at table.Record) (opSet, problem) {
	if len(c.cells) == 0 {
		return c.others, problem{}
	}
	alone := c.screened && len(c.cells) == 1
	if column := c.cells[0].Index; alone || column == n.table.SKU {
		name, fault := n.rows.Name(at, column, c.slot)
		if column == n.table.SKU {
			n.sku = name // for the records, also where the cell is a list
		}
		if alone {
			var nearly bool
			if c.last, nearly = c.find(n.rows.Block, name, c.last); c.last != unnamed {
				return n.letsName(c, c.last), problem{kind: fault, column: column}
			}
			if len(c.folded) > 0 && mayLookAlike(name.Of(n.rows.Block), nearly, n.rows.ASCII) {
				found, _ := n.does(c, 0, at.Content(n.rows.Block, column).Of(n.rows.Block), false)
				n.note(found.names)
			}
			return c.others, problem{kind: fault, column: column}
		}
	}
	var all hit
	named := false
	for i, cell := range c.cells {
		content := at.Content(n.rows.Block, cell.Index).Of(n.rows.Block)
		takes := len(content) == 0 && c.inherits && n.product != nil
		if takes {
			content = n.product.Categories[i]
		}
		if len(content) == 0 {
			continue
		}
		found, fault := n.does(c, i, content, takes)
		if fault != table.Fine && !takes {
			return opSet{}, problem{kind: fault, column: cell.Index}
		}
		n.note(found.names)
		all, named = all.or(found.hit), true
	}
	if id, held := c.ids[""]; held && !named {
		return n.letsName(c, id), problem{}
	}
	return c.lookup.lets(all), problem{}
}

// letsName returns the operations that a name lets pass, which is seen.
func (n *names) letsName(c *nameColumn, id int32) opSet {
	c.seen[id] = true
	n.noted = append(n.noted, &c.spelled.named[id])
	return c.named[id].lets
}

// note notes names that the row has, each once.
func (n *names) note(names []*spelling) {
	for _, one := range names {
		if !slices.Contains(n.noted, one) {
			n.noted = append(n.noted, one)
		}
	}
}

// does returns what the names in one of the cells do, of which the content is
// given. Content that is taken from the product may be of another block, so what
// this one is known to be says nothing of its encoding: it is looked at anew in
// its own row.
func (n *names) does(c *nameColumn, of int, content []byte, taken bool) (*does, table.Kind) {
	column, memo := c.cells[of], &c.memos[of]
	if known := memo.find(content); known != nil {
		return known, table.Fine
	}
	all := &does{}
	text, fault := n.rows.Text(content)
	column.Names(n.table.Dialect.Text(text), func(name string) {
		if len(name) > table.MaxNameBytes && len(name) < len(text) || column.Plain() && len(text) > table.MaxNameBytes {
			fault = table.NameTooLong
		}
		encoded, ok := n.table.Dialect.Bytes(name)
		if id, held := c.ids[string(encoded)]; held && ok {
			c.seen[id] = true
			all.hit = all.or(c.named[id].hit)
			all.names = append(all.names, &c.spelled.named[id])
		} else if looks := c.looks(name); looks != nil {
			if other := c.spelled.another(name, looks); other != nil {
				all.names = append(all.names, other)
			}
		}
	})
	if fault == table.Fine && (!taken || utf8.Valid(content)) {
		memo.add(content, all)
	}
	return all, fault
}

// findProduct finds the product that a row belongs to. A row that names one
// that is not known is an orphan where it lacks what the product would have
// given it. Most rows without a price need no category, and are none.
func (n *names) findProduct(at table.Record) (orphan bool) {
	var known bool
	if n.product, known = n.table.Family.Product(n.rows.Block, at); known || n.table.KeepBlank && n.table.Priceless(n.rows.Block, at) {
		return false
	}
	return slices.ContainsFunc(n.table.Categories, func(c table.Category) bool { return at.Content(n.rows.Block, c.Index).Empty() })
}
