package row

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// matcher finds, row after row, which conditions of a query its names meet, and
// which of the names that the query names there are.
type matcher struct {
	table   *Table
	rows    *dialect.Records
	columns []nameColumn // as the query's rules are
	asked   []int        // those of the columns that the table has
	rest    names.Set    // what rows meet by the others, which they have not

	sku     cell.Span        // of the row last looked at
	product *profile.Product // that it belongs to; nil: none, or not known
	unknown bool             // which product that is, is not known
	orphan  bool             // and it lacks what that has
	blank   bool             // it has no category, where the query names some
	words   names.Words      // of the name last looked at
	small   []byte           // its beginning in small letters
	part    known            // what mentions it
	noted   []*names.Counted // of the query, or like its names, that the row last looked at has
	// leaves: names that cannot be read are no fault. Odd are the conditions of which it
	// is not known for that whether the row meets them.
	leaves bool
	odd    names.Set
	byText bool     // a character of the table may have several codes
	read   []*known // of the role last looked at
	// What was seen and counted in the block, until it is written.
	fresh   []*bool
	counted []*names.Counted
}

// known is what mentions the names of a cell of lists or paths, which is in order.
type known struct {
	names.Mention
	names []*names.Counted // that it has
	seen  []*bool          // of the query's names
	among *names.Counted   // the whole cell, which has one of those among others alone; nil: it has not
}

// nameColumn is a role of names, in a table.
type nameColumn struct {
	*names.Lookup
	cells       []recognize.Located // where in a row its names stand
	memos       []names.Memo[known] // of each
	screened    bool                // the screen tells which rows have none of the names
	alone       bool                // and each row has one at most, in one cell
	amongOthers bool                // a cell with a name of the query among others is asked about
	// where its columns begin among those that are inherited; -1: they are not
	inherits int
	slot     int    // for doubled quotes: see dialect.Records.Name
	seen     []bool // by id
	spelled  names.Spellings
	last     int32 // the id of the row last looked at
}

func newMatcher(q *Query, t *Table, rows *dialect.Records) *matcher {
	n := &matcher{
		table:  t,
		rows:   rows,
		rest:   names.EverySet,
		leaves: t.leavesOdd(),
		byText: t.Dialect.SeveralBytes(),
	}
	for i, r := range q.search.Rules {
		c := nameColumn{
			Lookup: q.search.Lookups[i].In(t.Dialect),
			cells:  t.columns[r.Role],
			last:   names.Unnamed,
		}
		c.seen, c.spelled = make([]bool, len(c.Named)), names.NewSpellings(c.Lookup)
		if c.inherits = profile.Missing; r.Inherits && t.family != nil && len(c.cells) > 0 {
			c.inherits = slices.IndexFunc(t.handed, func(other recognize.Located) bool {
				return other.Index == c.cells[0].Index
			})
		}
		if len(c.cells) > 0 {
			n.asked = append(n.asked, i)
		} else {
			n.rest = n.rest.And(c.Others)
		}
		c.screened = c.inherits == profile.Missing &&
			!slices.ContainsFunc(c.cells, func(cell recognize.Located) bool { return !cell.Plain() })
		c.alone = c.screened && !c.IsOfParts() && len(c.cells) == 1 && !n.byText
		c.amongOthers = t.asksAmongOthers(r) && len(c.IDs) > 0
		c.memos = make([]names.Memo[known], len(c.cells))
		if r.Role != recognize.RoleSKU { // what is found of the SKU is needed longer
			c.slot = 1
		}
		n.columns = append(n.columns, c)
	}
	return n
}

// seenAll reports whether all names of the query were seen here.
func (n *matcher) seenAll() bool {
	return !slices.ContainsFunc(n.columns, func(c nameColumn) bool { return slices.Contains(c.seen, false) })
}

// meets returns the conditions that a row's names meet. Of one that was
// screened only the columns are looked at that were not.
func (n *matcher) meets(at dialect.Record, screened bool) (names.Set, Problem) {
	meets := n.rest
	n.noted, n.blank, n.odd = n.noted[:0], false, names.Set{}
	might, unread := meets, false
	for _, i := range n.asked {
		c := &n.columns[i]
		if screened && c.screened {
			meets = meets.And(c.Others)
			continue
		}
		var here names.Set
		var found Problem
		if c.alone {
			here, found = n.meetsAlone(c, at)
		} else {
			here, found = n.meetsIn(c, at)
		}
		switch {
		case found.Kind == faults.Fine:
			might = might.And(here)
		case n.leaves && found.Kind.Odd():
			here, unread = c.Unsaid, true
		default:
			return names.Set{}, found
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
func (n *matcher) fault(c *nameColumn, column int, kind faults.Kind) Problem {
	if n.rows.Stray && n.rows.IsStray(column) {
		kind = faults.StrayQuote
	}
	if len(c.Named) == 0 && kind != faults.NameTooLong {
		return Problem{}
	}
	return Problem{Kind: kind, column: column}
}

// meetsIn returns the conditions that a row's names of one role meet.
func (n *matcher) meetsIn(c *nameColumn, at dialect.Record) (names.Set, Problem) {
	if c.IsOfParts() {
		return n.meetsParts(c, at)
	}
	if column := c.cells[0].Index; column == n.table.sku {
		n.sku, _ = n.rows.Name(at, column, c.slot) // for the records, also where the cell is a list
		n.sku = cell.CodeSpan(n.rows.Block, n.sku)
	}
	var all names.Mention
	n.read = n.read[:0]
	for i, cell := range c.cells {
		content, takes := n.content(c, i, at)
		if len(content) == 0 {
			continue
		}
		found, kind := n.mentions(c, i, content, takes)
		if fault := n.fault(c, cell.Index, kind); fault.Kind != faults.Fine && !takes {
			return names.Set{}, fault
		}
		n.read = append(n.read, found)
		n.noteAmong(c, cell.Index, at, found)
	}
	named := len(n.read) > 0
	for _, found := range n.read {
		n.seeAll(found)
		n.note(found.names)
		all = all.Or(found.Mention)
	}
	if !named && n.unknown && c.inherits != profile.Missing {
		n.blank = n.blank || c.Blanks
		return c.Unsaid, Problem{}
	}
	if id, held := c.IDs[""]; held && !named {
		return n.meetsName(c, id), Problem{}
	}
	n.blank = n.blank || c.Blanks && !named
	return c.Lookup.Meets(all), Problem{}
}

// meetsAlone returns the conditions that the one name of a row meets, as most have it.
func (n *matcher) meetsAlone(c *nameColumn, at dialect.Record) (names.Set, Problem) {
	column := c.cells[0].Index
	name, fault := n.rows.Name(at, column, c.slot)
	if column == n.table.sku {
		name = cell.CodeSpan(n.rows.Block, name)
		n.sku = name
	}
	if fault == faults.NameTooLong && c.Free {
		return n.meetsLong(c, at)
	}
	found := Problem{Kind: fault, column: column}
	if fault != faults.Fine || n.rows.Stray {
		found = n.fault(c, column, fault)
	}
	if len(c.Named) == 0 || found.Kind != faults.Fine {
		return c.Others, found
	}
	var nearly bool
	if c.last, nearly = c.Find(n.rows.Block, name, c.last); c.last != names.Unnamed {
		return n.meetsName(c, c.last), found
	}
	n.blank = n.blank || c.Blanks && name.Empty()
	if text := name.Of(n.rows.Block); c.MayFoldAlike(text, nearly, n.rows.ASCII) ||
		c.amongOthers && bytes.ContainsAny(text, names.Separators) {
		content := at.Content(n.rows.Block, column).Of(n.rows.Block)
		like, _ := n.mentions(c, 0, content, false)
		n.seeAll(like)
		n.note(like.names)
		n.noteAmong(c, column, at, like)
	}
	return c.Others, found
}

// meetsLong is meetsAlone for a cell that is longer than names are, in a column that may hold
// anything: no name of usual length is like it.
func (n *matcher) meetsLong(c *nameColumn, at dialect.Record) (names.Set, Problem) {
	if c.Longest <= cell.MaxNameBytes {
		return c.Others, Problem{}
	}
	found, kind := n.mentions(c, 0, at.Content(n.rows.Block, c.cells[0].Index).Of(n.rows.Block), false)
	n.seeAll(found)
	n.note(found.names)
	return c.Lookup.Meets(found.Mention), Problem{Kind: kind, column: c.cells[0].Index}
}

// content is what one of the cells holds, or its product's where it is blank.
func (n *matcher) content(c *nameColumn, of int, at dialect.Record) (content []byte, taken bool) {
	content = at.Content(n.rows.Block, c.cells[of].Index).Of(n.rows.Block)
	if len(content) > 0 || c.inherits == profile.Missing || n.product == nil {
		return content, false
	}
	return n.product.Names[c.inherits+of], true
}

// meetsParts returns the conditions that words of a row's name meet, or how it begins.
func (n *matcher) meetsParts(c *nameColumn, at dialect.Record) (names.Set, Problem) {
	var all names.Mention
	named := false
	for i, column := range c.cells {
		content, taken := n.content(c, i, at)
		named = named || len(content) > 0
		slow := !n.rows.ASCII && !names.IsASCII(content) // to read
		if slow {
			if found := c.memos[i].Find(content); found != nil {
				n.seeAll(found)
				all = all.Or(found.Mention)
				continue
			}
		}
		text, fault := n.rows.Text(content)
		if found := n.fault(c, column.Index, fault); found.Kind != faults.Fine && !taken {
			return names.Set{}, found
		}
		if column.Index == n.table.sku {
			text = cell.Code(text)
		}
		found := &n.part
		if slow {
			found = &known{}
		}
		if n.findParts(c, text, found); slow && fault == faults.Fine {
			c.memos[i].Add(content, found)
		}
		n.seeAll(found)
		all = all.Or(found.Mention)
	}
	if !named && n.unknown && c.inherits != profile.Missing {
		return c.Unsaid, Problem{}
	}
	return c.Lookup.Meets(all), Problem{}
}

// findParts finds what mentions words of a text, or how it begins.
func (n *matcher) findParts(c *nameColumn, text []byte, all *known) {
	all.Mention, all.seen = names.Mention{}, all.seen[:0]
	found := func(id int32) {
		all.seen = append(all.seen, &c.seen[id])
		all.Mention = all.Or(c.Named[id].Mention)
	}
	switch {
	case c.Begins != nil:
		n.small = c.Begins.In(n.table.Dialect, text, n.small, found)
	case c.Words.MayBeIn(text):
		n.words.Read(n.table.Dialect, text)
		c.Words.In(&n.words, found)
	}
}

// meetsName returns the conditions that a name meets, which is seen.
func (n *matcher) meetsName(c *nameColumn, id int32) names.Set {
	n.see(c, id)
	n.noted = append(n.noted, &c.spelled.Named[id])
	return c.Named[id].Meets
}

// see notes that a row has a name of the query.
func (n *matcher) see(c *nameColumn, id int32) {
	if seen := &c.seen[id]; !*seen {
		*seen = true
		n.fresh = append(n.fresh, seen)
	}
}

// seeAll notes that a row has the names of a cell.
func (n *matcher) seeAll(cell *known) {
	for _, seen := range cell.seen {
		if !*seen {
			*seen = true
			n.fresh = append(n.fresh, seen)
		}
	}
}

// keep keeps what was seen and counted in a block that is written.
func (n *matcher) keep() {
	for _, name := range n.counted {
		name.Rows += name.InBlock
		name.InBlock = 0
	}
	n.counted, n.fresh = n.counted[:0], n.fresh[:0]
}

// drop drops what was seen and counted in a block that is read again.
func (n *matcher) drop() {
	for _, name := range n.counted {
		name.InBlock = 0
	}
	for _, seen := range n.fresh {
		*seen = false
	}
	n.counted, n.fresh = n.counted[:0], n.fresh[:0]
}

// note notes names that the row has, each once.
func (n *matcher) note(names []*names.Counted) {
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
func (n *matcher) mentions(c *nameColumn, of int, content []byte, taken bool) (*known, faults.Kind) {
	column, memo := c.cells[of], &c.memos[of]
	if known := memo.Find(content); known != nil {
		return known, faults.Fine
	}
	all := &known{}
	text, fault := n.rows.Text(content)
	if fault != faults.Fine && !taken {
		return all, fault
	}
	said := text
	if column.Index == n.table.sku {
		said = cell.Code(text)
	}
	met, whole := false, n.table.Dialect.Text(said)
	column.Names(whole, func(name string) {
		if len(name) > cell.MaxNameBytes && len(name) < len(text) ||
			column.Plain() && len(text) > cell.MaxNameBytes && !c.Free {
			fault = faults.NameTooLong
		}
		encoded, ok := []byte(name), true
		if !n.byText {
			encoded, ok = n.table.Dialect.Bytes(name)
		}
		if id, held := c.IDs[string(encoded)]; held && ok {
			met = true
			all.seen = append(all.seen, &c.seen[id])
			all.Mention = all.Or(c.Named[id].Mention)
			all.names = append(all.names, &c.spelled.Named[id])
		} else if looks := c.FoldOf(name); looks != nil {
			met = true
			if other := c.spelled.Another(name, looks); other != nil {
				all.names = append(all.names, other)
			}
		}
	})
	if c.amongOthers && !met {
		if part := names.FirstAmong(whole, c.FoldOf); part != "" {
			all.among = c.spelled.Another(whole, c.FoldOf(part))
		}
	}
	if fault == faults.Fine && (!taken || utf8.Valid(content)) {
		memo.Add(content, all)
	}
	return all, fault
}

// findProduct finds the product that a row belongs to. A row that names one
// that is not known is an orphan where it lacks what the product would have
// given it: whether a condition names that or leaves it out, it is not met. Most
// rows without a price need no category, and are no orphans.
func (n *matcher) findProduct(at dialect.Record) {
	var known bool
	n.product, known = n.table.family.Product(n.rows.Block, at)
	n.unknown = !known
	n.orphan = n.unknown && !(n.table.keepBlank && n.table.priceless(n.rows.Block, at)) &&
		slices.ContainsFunc(n.table.handed, func(c recognize.Located) bool {
			return at.Content(n.rows.Block, c.Index).Empty()
		})
}

// addTo adds the rows that were counted, by name.
func (c *nameColumn) addTo(rows map[string]int64) {
	for id, n := range c.spelled.Named {
		if c.seen[id] {
			rows[c.Named[id].Text] += n.Rows
		}
	}
	for name, other := range c.spelled.Other {
		rows[name] += other.Rows
	}
}
