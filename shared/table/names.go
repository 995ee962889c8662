package table

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
)

// names finds, row after row, which conditions of a query its names meet, and
// which of the names that the query names there are.
type names struct {
	table   *Table
	rows    *dialect.Records
	columns []nameColumn // as the query's rules are
	asked   []int        // those of the columns that the table has
	rest    Set          // what rows meet by the others, which they have not

	sku     cell.Span        // of the row last looked at
	product *profile.Product // that it belongs to; nil: none, or not known
	unknown bool             // which product that is, is not known
	orphan  bool             // and it lacks what that has
	blank   bool             // it has no category, where the query names some
	words   words            // of the name last looked at
	small   []byte           // its beginning in small letters
	part    known            // what mentions it
	noted   []*spelling      // of the query, or like its names, that the row last looked at has
	// leaves: names that cannot be read are no fault. Odd are the conditions of which it
	// is not known for that whether the row meets them.
	leaves bool
	odd    Set
	byText bool     // a character of the table may have several codes
	read   []*known // of the role last looked at
	// What was seen and counted in the block, until it is written.
	fresh   []*bool
	counted []*spelling
}

// nameColumn is a role of names, in a table.
type nameColumn struct {
	*lookup
	cells       []located // where in a row its names stand
	memos       []memo    // of each
	screened    bool      // the screen tells which rows have none of the names
	alone       bool      // and each row has one at most, in one cell
	amongOthers bool      // a cell with a name of the query among others is asked about
	inherits    int       // where its columns begin among those that are inherited; -1: they are not
	slot        int       // for doubled quotes: see dialect.Records.Name
	seen        []bool    // by id
	spelled     spellings
	last        int32 // the id of the row last looked at
}

func newNames(q *Query, t *Table, rows *dialect.Records) *names {
	n := &names{table: t, rows: rows, rest: EverySet, leaves: t.leavesOdd(), byText: t.Dialect.SeveralBytes()}
	for i, r := range q.rules {
		c := nameColumn{lookup: q.lookups[i].in(t.Dialect), cells: t.columns[r.Role], last: unnamed}
		c.seen, c.spelled = make([]bool, len(c.named)), newSpellings(c.lookup)
		if c.inherits = missing; r.Inherits && t.family != nil && len(c.cells) > 0 {
			c.inherits = slices.IndexFunc(t.handed, func(other located) bool { return other.Index == c.cells[0].Index })
		}
		if len(c.cells) > 0 {
			n.asked = append(n.asked, i)
		} else {
			n.rest = n.rest.And(c.others)
		}
		c.screened = c.inherits == missing && !slices.ContainsFunc(c.cells, func(cell located) bool { return !cell.Plain() })
		c.alone = c.screened && !c.isOfParts() && len(c.cells) == 1 && !n.byText
		c.amongOthers = t.asksAmongOthers(r) && len(c.ids) > 0
		c.memos = make([]memo, len(c.cells))
		if r.Role != RoleSKU { // what is found of the SKU is needed longer
			c.slot = 1
		}
		n.columns = append(n.columns, c)
	}
	return n
}

// seenAll reports whether all names of the query were seen here.
func (n *names) seenAll() bool {
	return !slices.ContainsFunc(n.columns, func(c nameColumn) bool { return slices.Contains(c.seen, false) })
}

// meets returns the conditions that a row's names meet. Of one that was
// screened only the columns are looked at that were not.
func (n *names) meets(at dialect.Record, screened bool) (Set, Problem) {
	meets := n.rest
	n.noted, n.blank, n.odd = n.noted[:0], false, Set{}
	might, unread := meets, false
	for _, i := range n.asked {
		c := &n.columns[i]
		if screened && c.screened {
			meets = meets.And(c.others)
			continue
		}
		var here Set
		var found Problem
		if c.alone {
			here, found = n.meetsAlone(c, at)
		} else {
			here, found = n.meetsIn(c, at)
		}
		switch {
		case found.Kind == Fine:
			might = might.And(here)
		case n.leaves && found.Kind.Odd():
			here, unread = c.unsaid, true
		default:
			return Set{}, found
		}
		meets = meets.And(here)
	}
	if unread {
		n.odd = might.AndNot(meets)
	}
	return meets, Problem{}
}

// fault is the fault of a cell of names, where a condition looks at it. A SKU is named in
// records also where none does: it must not be too long.
func (n *names) fault(c *nameColumn, column int, kind Kind) Problem {
	if n.rows.IsStray(column) {
		kind = faults.StrayQuote
	}
	if len(c.named) == 0 && kind != faults.NameTooLong {
		return Problem{}
	}
	return Problem{Kind: kind, column: column}
}

// meetsIn returns the conditions that a row's names of one role meet.
func (n *names) meetsIn(c *nameColumn, at dialect.Record) (Set, Problem) {
	if c.isOfParts() {
		return n.meetsParts(c, at)
	}
	if column := c.cells[0].Index; column == n.table.sku {
		n.sku, _ = n.rows.Name(at, column, c.slot) // for the records, also where the cell is a list
		n.sku = cell.CodeSpan(n.rows.Block, n.sku)
	}
	var all mention
	n.read = n.read[:0]
	for i, cell := range c.cells {
		content, takes := n.content(c, i, at)
		if len(content) == 0 {
			continue
		}
		found, kind := n.mentions(c, i, content, takes)
		if fault := n.fault(c, cell.Index, kind); fault.Kind != Fine && !takes {
			return Set{}, fault
		}
		n.read = append(n.read, found)
		n.noteAmong(c, cell.Index, at, found)
	}
	named := len(n.read) > 0
	for _, found := range n.read {
		n.seeAll(found)
		n.note(found.names)
		all = all.or(found.mention)
	}
	if !named && n.unknown && c.inherits != missing {
		n.blank = n.blank || c.blanks
		return c.unsaid, Problem{}
	}
	if id, held := c.ids[""]; held && !named {
		return n.meetsName(c, id), Problem{}
	}
	n.blank = n.blank || c.blanks && !named
	return c.lookup.meets(all), Problem{}
}

// meetsAlone returns the conditions that the one name of a row meets, as most have it.
func (n *names) meetsAlone(c *nameColumn, at dialect.Record) (Set, Problem) {
	column := c.cells[0].Index
	name, fault := n.rows.Name(at, column, c.slot)
	if column == n.table.sku {
		name = cell.CodeSpan(n.rows.Block, name)
		n.sku = name
	}
	if fault == faults.NameTooLong && c.free {
		return n.meetsLong(c, at)
	}
	found := Problem{Kind: fault, column: column}
	if fault != Fine || n.rows.IsStray(column) {
		found = n.fault(c, column, fault)
	}
	if len(c.named) == 0 || found.Kind != Fine {
		return c.others, found
	}
	var nearly bool
	if c.last, nearly = c.find(n.rows.Block, name, c.last); c.last != unnamed {
		return n.meetsName(c, c.last), found
	}
	n.blank = n.blank || c.blanks && name.Empty()
	if text := name.Of(n.rows.Block); c.mayFoldAlike(text, nearly, n.rows.ASCII) || c.amongOthers && bytes.ContainsAny(text, separators) {
		content := at.Content(n.rows.Block, column).Of(n.rows.Block)
		like, _ := n.mentions(c, 0, content, false)
		n.seeAll(like)
		n.note(like.names)
		n.noteAmong(c, column, at, like)
	}
	return c.others, found
}

// meetsLong is meetsAlone for a cell that is longer than names are, in a column that may hold
// anything: no name of usual length is like it.
func (n *names) meetsLong(c *nameColumn, at dialect.Record) (Set, Problem) {
	if c.longest <= MaxNameBytes {
		return c.others, Problem{}
	}
	found, kind := n.mentions(c, 0, at.Content(n.rows.Block, c.cells[0].Index).Of(n.rows.Block), false)
	n.seeAll(found)
	n.note(found.names)
	return c.lookup.meets(found.mention), Problem{Kind: kind, column: c.cells[0].Index}
}

// content is what one of the cells holds, or its product's where it is blank.
func (n *names) content(c *nameColumn, of int, at dialect.Record) (content []byte, taken bool) {
	content = at.Content(n.rows.Block, c.cells[of].Index).Of(n.rows.Block)
	if len(content) > 0 || c.inherits == missing || n.product == nil {
		return content, false
	}
	return n.product.Names[c.inherits+of], true
}

// meetsParts returns the conditions that words of a row's name meet, or how it begins.
func (n *names) meetsParts(c *nameColumn, at dialect.Record) (Set, Problem) {
	var all mention
	named := false
	for i, column := range c.cells {
		content, taken := n.content(c, i, at)
		named = named || len(content) > 0
		slow := !n.rows.ASCII && !isASCII(content) // to read
		if slow {
			if found := c.memos[i].find(content); found != nil {
				n.seeAll(found)
				all = all.or(found.mention)
				continue
			}
		}
		text, fault := n.rows.Text(content)
		if found := n.fault(c, column.Index, fault); found.Kind != Fine && !taken {
			return Set{}, found
		}
		if column.Index == n.table.sku {
			text = cell.Code(text)
		}
		found := &n.part
		if slow {
			found = &known{}
		}
		if n.findParts(c, text, found); slow && fault == Fine {
			c.memos[i].add(content, found)
		}
		n.seeAll(found)
		all = all.or(found.mention)
	}
	if !named && n.unknown && c.inherits != missing {
		return c.unsaid, Problem{}
	}
	return c.lookup.meets(all), Problem{}
}

// findParts finds what mentions words of a text, or how it begins.
func (n *names) findParts(c *nameColumn, text []byte, all *known) {
	all.mention, all.seen = mention{}, all.seen[:0]
	found := func(id int32) {
		all.seen = append(all.seen, &c.seen[id])
		all.mention = all.or(c.named[id].mention)
	}
	switch {
	case c.begins != nil:
		n.small = c.begins.in(n.table.Dialect, text, n.small, found)
	case c.words.mayBeIn(text):
		n.words.read(n.table.Dialect, text)
		c.words.in(&n.words, found)
	}
}

// meetsName returns the conditions that a name meets, which is seen.
func (n *names) meetsName(c *nameColumn, id int32) Set {
	n.see(c, id)
	n.noted = append(n.noted, &c.spelled.named[id])
	return c.named[id].meets
}

// see notes that a row has a name of the query.
func (n *names) see(c *nameColumn, id int32) {
	if seen := &c.seen[id]; !*seen {
		*seen = true
		n.fresh = append(n.fresh, seen)
	}
}

// seeAll notes that a row has the names of a cell.
func (n *names) seeAll(cell *known) {
	for _, seen := range cell.seen {
		if !*seen {
			*seen = true
			n.fresh = append(n.fresh, seen)
		}
	}
}

// count counts a row that has the names noted: another than the query's where the row has
// none of the query's that looks the same.
func (n *names) count() {
	for _, name := range n.noted {
		has := func(other *spelling) bool { return !other.others && other.looks == name.looks }
		if name.others && slices.ContainsFunc(n.noted, has) {
			continue
		}
		if name.inBlock == 0 {
			n.counted = append(n.counted, name)
		}
		name.inBlock++
	}
}

// keep keeps what was seen and counted in a block that is written.
func (n *names) keep() {
	for _, name := range n.counted {
		name.rows += name.inBlock
		name.inBlock = 0
	}
	n.counted, n.fresh = n.counted[:0], n.fresh[:0]
}

// drop drops what was seen and counted in a block that is read again.
func (n *names) drop() {
	for _, name := range n.counted {
		name.inBlock = 0
	}
	for _, seen := range n.fresh {
		*seen = false
	}
	n.counted, n.fresh = n.counted[:0], n.fresh[:0]
}

// note notes names that the row has, each once.
func (n *names) note(names []*spelling) {
	for _, name := range names {
		if !slices.Contains(n.noted, name) {
			n.noted = append(n.noted, name)
		}
	}
}

// mentions returns what mentions the names in one of the cells, of which the
// content is given. Content that is taken from the product may be of another
// block, so what this one is known to be says nothing of its encoding: it is
// looked at anew in its own row.
func (n *names) mentions(c *nameColumn, of int, content []byte, taken bool) (*known, Kind) {
	column, memo := c.cells[of], &c.memos[of]
	if known := memo.find(content); known != nil {
		return known, Fine
	}
	all := &known{}
	text, fault := n.rows.Text(content)
	if fault != Fine && !taken {
		return all, fault
	}
	said := text
	if column.Index == n.table.sku {
		said = cell.Code(text)
	}
	met, whole := false, n.table.Dialect.Text(said)
	column.Names(whole, func(name string) {
		if len(name) > MaxNameBytes && len(name) < len(text) || column.Plain() && len(text) > MaxNameBytes && !c.free {
			fault = faults.NameTooLong
		}
		encoded, ok := []byte(name), true
		if !n.byText {
			encoded, ok = n.table.Dialect.Bytes(name)
		}
		if id, held := c.ids[string(encoded)]; held && ok {
			met = true
			all.seen = append(all.seen, &c.seen[id])
			all.mention = all.or(c.named[id].mention)
			all.names = append(all.names, &c.spelled.named[id])
		} else if looks := c.foldOf(name); looks != nil {
			met = true
			if other := c.spelled.another(name, looks); other != nil {
				all.names = append(all.names, other)
			}
		}
	})
	if c.amongOthers && !met {
		if looks := c.foldOf(firstAmong(whole, c.foldOf)); looks != nil {
			all.among = c.spelled.another(whole, looks)
		}
	}
	if fault == Fine && (!taken || utf8.Valid(content)) {
		memo.add(content, all)
	}
	return all, fault
}

// findProduct finds the product that a row belongs to. A row that names one
// that is not known is an orphan where it lacks what the product would have
// given it: whether a condition names that or leaves it out, it is not met. Most
// rows without a price need no category, and are no orphans.
func (n *names) findProduct(at dialect.Record) {
	var known bool
	n.product, known = n.table.family.Product(n.rows.Block, at)
	n.unknown = !known
	n.orphan = n.unknown && !(n.table.keepBlank && n.table.priceless(n.rows.Block, at)) &&
		slices.ContainsFunc(n.table.handed, func(c located) bool { return at.Content(n.rows.Block, c.Index).Empty() })
}
