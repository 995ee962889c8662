package reference

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/profile"
)

// none is the position of a column that a header does not have.
const none = -1

// header is the titles of a table, as they are compared.
type header []string

func newHeader(cells []cell) (h header) {
	for _, c := range cells {
		h = append(h, plainTitle(c.text))
	}
	return h
}

// plainTitle drops what does not tell titles apart. It is asked of the same titles for
// each column of a table, of which there may be thousands.
func plainTitle(title string) string {
	if plain, known := plainTitles.Load(title); known {
		return plain.(string)
	}
	plain := plainly(plan.ColumnName, title)
	if plainCount.Add(1) > 10_000 {
		plainTitles.Clear()
		plainCount.Store(0)
	}
	plainTitles.Store(title, plain)
	return plain
}

var (
	plainTitles sync.Map
	plainCount  atomic.Int64
)

// foldCase gives texts that differ in case alone the same form.
func foldCase(text string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, text)
}

func (h header) all(title string) (columns []int) {
	plain := plainTitle(title)
	for i, other := range h {
		if other == plain {
			columns = append(columns, i)
		}
	}
	return columns
}

// any returns the columns that have one of the titles.
func (h header) any(titles []profile.Titles) (columns []int) {
	for _, title := range slices.Concat(titles...) {
		columns = append(append(columns, h.all(title)...), h.begun(title)...)
	}
	return columns
}

// find returns the column that has the first of the titles that are there, and
// whether there are more.
func (h header) find(titles profile.Titles) (column int, more bool) {
	for _, title := range titles {
		columns := h.all(title)
		if len(columns) == 0 {
			if columns = h.begun(title); len(columns) > 1 {
				return none, true
			}
		}
		if len(columns) > 0 {
			return columns[0], len(columns) > 1
		}
	}
	return none, false
}

// begun returns the columns that begin as a title with a star does.
func (h header) begun(title string) (columns []int) {
	stem, begins := strings.CutSuffix(title, "*")
	if !begins {
		return nil
	}
	stem = strings.TrimSuffix(plainTitle(stem+"|"), "|")
	for i, other := range h {
		if rest, has := strings.CutPrefix(other, stem); has && rest != "" {
			columns = append(columns, i)
		}
	}
	return columns
}

func (h header) has(titles profile.Titles) bool {
	column, more := h.find(titles)
	return column != none || more
}

func (h header) profile(said string) profile.Profile {
	all := profile.Profiles()
	if said == "" {
		said = profile.Plain
		longest := 0
		for _, p := range all {
			fits := !slices.ContainsFunc(p.Signature, func(titles profile.Titles) bool {
				return !h.has(titles)
			})
			if fits && (p.Name == profile.Plain || len(p.Signature) > longest) {
				said, longest = p.Name, len(p.Signature)
				if p.Name == profile.Plain {
					break
				}
			}
		}
	}
	return all[slices.IndexFunc(all, func(p profile.Profile) bool { return p.Name == said })]
}

// needs are what a plan looks at or changes.
type needs struct {
	names                          map[plan.Column]bool
	price, stock, setsStock, money bool
	cost                           bool
	sales                          bool // what is on sale
	compares                       bool // a price from before a sale is set
	pieces                         bool // quantities
}

func needsOf(p *plan.Plan) (n needs) {
	n.names = map[plan.Column]bool{}
	for _, op := range p.Operations {
		f, a := op.Filter, op.Action.Type
		bounded := f.PriceGTE != nil || f.PriceLTE != nil
		for _, role := range nameRoles {
			only, except := f.Names(role.column)
			n.names[role.column] = n.names[role.column] || only != nil || len(except) > 0
		}
		n.sales = n.sales || f.OnSale != nil || a == plan.EndSale || a == plan.SetCompareAt ||
			op.Options.AsSale && a != plan.SetStock && !recounts(op)
		n.compares = n.compares || a == plan.SetCompareAt
		n.pieces = n.pieces || counts(op)
		if recounts(op) {
			n.price = n.price || bounded || n.sales
			n.stock, n.money = n.stock || f.InStock != nil, n.money || bounded || n.sales
			continue
		}
		n.price = n.price || bounded || a != plan.SetStock || n.sales
		n.cost = n.cost || a == plan.CostPlusPercent ||
			a != plan.SetStock && a != plan.EndSale && a != plan.SetCompareAt && op.Options.NotBelowCost
		n.stock = n.stock || f.InStock != nil || a == plan.SetStock
		n.setsStock = n.setsStock || a == plan.SetStock
		fixed := a == plan.FixedIncrease || a == plan.FixedDecrease || a == plan.SetPrice
		clamped := op.Options.MinPrice != nil || op.Options.MaxPrice != nil
		n.money = n.money || bounded || a != plan.EndSale && a != plan.SetStock && (fixed || clamped) ||
			n.cost || n.sales
	}
	return n
}

// columns are where in a record stands what a plan may look at.
type columns struct {
	profile  profile.Profile
	names    map[plan.Column][]nameColumn
	identity []int
	price    int
	cost     int
	stock    int // of several places, the first
	quantity int // beside words of stock
	places   []int
	stockAs  profile.StockColumn
	// stockSought: it was found by its title's words.
	stockSought bool
	fault       string
	seek        *sought
	sales       []saleColumn
	others      []int // more prices
	naming      []int // of which one says which product a row is
	currency    int   // what the rows' prices are in
}

// findColumns finds the columns by the settings and else by the profile.
func (h header) findColumns(s table.Settings, n needs, seek *sought) columns {
	c := columns{
		profile:  seek.tells,
		names:    map[plan.Column][]nameColumn{},
		price:    none,
		cost:     none,
		stock:    none,
		quantity: none,
		seek:     seek,
	}
	c.currency, _ = h.find(profile.Currency)
	p := c.profile
	for _, setting := range []string{
		s.Columns.SKU, s.Columns.Category, s.Columns.Brand, s.Columns.Tags, s.Columns.Name, s.Columns.Price,
		s.Columns.Cost, s.Columns.SalePrice, s.Columns.CompareAt, s.Columns.InStock, s.Columns.Quantity,
	} {
		for _, said := range h.all(setting) {
			if setting != "" {
				seek.titles[said] = ""
			}
		}
	}
	for _, titles := range p.Identity {
		if column, _ := h.find(titles); column != none {
			c.identity = append(c.identity, column)
		}
	}
	for _, role := range nameRoles {
		needed := n.names[role.column]
		switch {
		case role.column == plan.ColumnSKU:
			there := h.has(p.SKU) || s.Columns.SKU != "" || strings.Join(h, "") == "" ||
				strings.Contains(strings.Join(h, ""), "\ufeff")
			c.names[role.column] = c.findNames(h, role, s, needed || there && len(c.identity) == 0)
		case needed:
			c.names[role.column] = c.findNames(h, role, s, true)
		}
	}
	c.price = c.findPrice(h, s.Columns.Price, n.price)
	if n.cost {
		c.cost = c.column(h, s.Columns.Cost, p.Cost, true)
	}
	c.findStock(h, s.Columns.InStock, n)
	if len(c.identity) == 0 && len(c.names[plan.ColumnSKU]) == 0 {
		c.nameRows(h, s)
	}
	c.findSales(h, s, n)
	c.findNaming(h, s.Columns.Name)
	used := append([]int{c.price, c.cost, c.quantity}, c.places...)
	for _, sale := range c.sales {
		used = append(used, sale.at)
	}
	for _, found := range c.names {
		for _, column := range found {
			used = append(used, column.at)
		}
	}
	for i, column := range used {
		if column != none && slices.Contains(used[:i], column) {
			c.fault = "a column is two things"
		}
	}
	for _, column := range c.identity {
		if slices.ContainsFunc(c.sales, func(s saleColumn) bool { return s.at == column }) {
			c.fault = "what names a row is changed"
		}
		if column == c.price || column == c.cost || column == c.quantity ||
			slices.Contains(c.places, column) {
			c.fault = "what names a row is changed"
		}
	}
	return c
}

// findNaming finds the columns that name a row.
func (c *columns) findNaming(h header, said string) {
	name, _ := h.find(c.profile.ProductName)
	if best := c.seek.best("name"); name == none && len(best) == 1 {
		name = best[0]
	}
	c.naming = append([]int{c.sku(), name}, c.identity...)
	if said != "" {
		c.naming = append(c.naming, h.all(said)...)
	}
	if i := c.profile.Inheritance; i != nil {
		for _, titles := range []profile.Titles{i.Above, i.Parent, i.Same} {
			column, _ := h.find(titles)
			c.naming = append(c.naming, column)
		}
	}
	c.naming = slices.DeleteFunc(c.naming, func(column int) bool { return column == none })
}

// sku is the column of SKUs.
func (c *columns) sku() int {
	if found := c.names[plan.ColumnSKU]; len(found) > 0 {
		return found[0].at
	}
	return none
}

// column finds the column of a role; what is needed is there, and once.
func (c *columns) column(h header, said string, titles profile.Titles, needed bool) int {
	column, more := h.find(titles)
	if said != "" {
		needed = true
		column, more = none, false
		if found := h.all(said); len(found) > 0 {
			column, more = found[0], len(found) > 1
		}
	}
	if needed && (column == none || more) {
		c.fault = "a column is missing or there twice"
	}
	return column
}

// findPrice finds the column of prices. Beside one that a plain title tells, others
// may say the same.
func (c *columns) findPrice(h header, said string, needed bool) int {
	if said != "" || h.has(c.profile.Price) {
		at := c.column(h, said, c.profile.Price, needed)
		if said == "" && needed && at != none && c.profile.Name == profile.Plain &&
			h[at] != plainTitle("price") {
			_, mine, _ := means(c.seek.titles[at])
			for rank, others := range c.seek.fits("price") {
				if min(rank, 1) <= min(mine, 1) &&
					slices.ContainsFunc(others, func(other int) bool { return other != at }) {
					c.fault = "several prices"
				}
			}
		}
		return at
	}
	return c.sole("price", needed)
}

// sole is the one column whose title says a role most plainly.
func (c *columns) sole(role string, needed bool) int {
	best := c.seek.best(role)
	if role == "price" && len(best) == 1 {
		if _, rank, _ := means(c.seek.titles[best[0]]); rank == 2 {
			best = append(best, c.seek.offered()...)
		}
	}
	if len(best) == 1 && !c.seek.twice(best[0]) {
		return best[0]
	}
	if needed {
		c.fault = "no column of " + role + ", or several, or one whose title stands twice"
	}
	return none
}

// nameRows has rows named by their product.
func (c *columns) nameRows(h header, s table.Settings) {
	role := nameRoles[slices.IndexFunc(nameRoles, func(r nameRole) bool {
		return r.column == plan.ColumnName
	})]
	found, fault := c.names[plan.ColumnName], c.fault
	if len(found) == 0 {
		found = c.findNames(h, role, s, false)
	}
	c.fault = fault
	for _, column := range found {
		if column.at != none {
			c.identity = append(c.identity, column.at)
		}
	}
}

// otherStock reports whether a plain title's column has no stock, and another has.
func (c *columns) otherStock(h header, titles profile.Titles) bool {
	at, _ := h.find(titles)
	return at != none && c.profile.Name == profile.Plain && h[at] != plainTitle("in_stock") &&
		!c.seek.cellsFit("in_stock", at) && len(c.seek.best("in_stock")) > 0
}

func (c *columns) findStock(h header, said string, n needs) {
	if said != "" {
		c.stock = c.column(h, said, nil, true)
	}
	for _, known := range c.profile.Stock {
		quantity, _ := h.find(known.Titles)
		switch {
		case known.Quantity && c.stockAs.Titles != nil && !c.stockAs.Quantity && quantity != none:
			c.quantity = quantity
		case said != "" && c.stock != none && h[c.stock:c.stock+1].has(known.Titles):
			c.stockAs = known
		case said == "" && c.stock == none && h.has(known.Titles) && !c.otherStock(h, known.Titles):
			if column, more := h.find(known.Titles); column == none && more && !n.setsStock {
				c.places = h.begun(known.Titles[len(known.Titles)-1])
				c.stock, c.stockAs = c.places[0], known
				continue
			}
			c.stock = c.column(h, "", known.Titles, n.stock)
			c.stockAs = known
		}
	}
	if titled := func(known profile.StockColumn) bool { return h.has(known.Titles) }; said == "" &&
		c.stock == none && len(c.places) == 0 &&
		(!slices.ContainsFunc(c.profile.Stock, titled) || c.profile.Name == profile.Plain) {
		if c.stock = c.sole("in_stock", n.stock); c.stock != none {
			_, _, counts := means(c.seek.titles[c.stock])
			c.stockAs, c.stockSought = profile.StockColumn{Counts: counts}, true
		}
	}
	if c.profile.Name == profile.Plain && c.stock != none && c.stockAs.Titles != nil {
		_, _, c.stockAs.Counts = means(h[c.stock])
	}
	if c.stock == none && n.stock {
		c.fault = "no stock"
	}
	if len(c.places) == 0 {
		c.places = []int{c.stock}
	}
}
