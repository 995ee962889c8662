package table

import (
	"slices"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/profile"
)

// Role is what a column is to a plan.
type Role string

// The roles.
const (
	RoleSKU      Role = "sku"
	RoleCategory Role = "category"
	RoleBrand    Role = "brand"
	RoleTags     Role = "tags"
	RoleName     Role = "name" // the product's
	RolePrice    Role = "price"
	RoleCost     Role = "cost" // what the shop pays
	RoleInStock  Role = "in_stock"
	// Those that no plan names.
	RoleIdentity Role = "identity" // names a row whose SKU is blank
	RoleProduct  Role = "product"  // names the product that a variant's row belongs to
	// Prices by which a row is on sale: see SaleBeside and SaleWas.
	RoleSalePrice Role = "sale_price"
	RoleCompareAt Role = "compare_at"
	// What is beside them: whether a row is on sale, and from when until when.
	RoleOnSale    Role = "on_sale"
	RoleSaleFrom  Role = "sale_from"
	RoleSaleUntil Role = "sale_until"
	// Beside a stock of words: how many there are, by which the platform goes where it
	// is filled in.
	RoleQuantity Role = "quantity"
)

// roleRule is what a role is like.
type roleRule struct {
	Role
	kind     roleKind
	inherits bool // a row that leaves it blank has its product's
	optional bool // a blank cell of money has none, and is no fault
	several  bool // a table may have several columns of it, each in a form of its own
	expected bool // rows without one are counted, where a query names some
	phrases  bool // a query names words that it has
	// Of a column that a plan looks at by its title: that, and whether a query names what
	// its cells begin with.
	title      string
	beginnings bool
	sale       profile.SaleForm                            // rows are on sale by it: it is found with the price
	list       string                                      // what may separate several, where no profile says it
	setting    func(*Columns) *string                      // by which a column of any title has the role
	columns    func(*profile.Profile) []profile.NameColumn // by the titles that a profile knows
}

// roleKind is what the cells of a role's columns hold.
type roleKind int

const (
	ofNames roleKind = iota // a name, or several
	ofMoney
	ofStock
	ofCounts // how many pieces there are
)

// roles are those that a plan may look at or change. One more is an entry here,
// the titles of its columns in the profiles, and its use: whatever goes by roles
// goes by this table. Of a row with several faults, that of the first is told.
var roles = []roleRule{
	{Role: RoleSKU, setting: func(c *Columns) *string { return &c.SKU }, columns: func(p *profile.Profile) []profile.NameColumn {
		return []profile.NameColumn{{Titles: p.SKU}}
	}},
	{Role: RoleCategory, inherits: true, several: true, expected: true, setting: func(c *Columns) *string { return &c.Category }, columns: func(p *profile.Profile) []profile.NameColumn { return p.Categories }},
	{Role: RoleBrand, inherits: true, several: true, setting: func(c *Columns) *string { return &c.Brand }, columns: func(p *profile.Profile) []profile.NameColumn { return p.Brands }},
	{Role: RoleTags, inherits: true, list: ",;|", setting: func(c *Columns) *string { return &c.Tags }, columns: func(p *profile.Profile) []profile.NameColumn { return p.Tags }},
	{Role: RoleName, inherits: true, phrases: true, setting: func(c *Columns) *string { return &c.Name }, columns: func(p *profile.Profile) []profile.NameColumn { return []profile.NameColumn{{Titles: p.ProductName}} }},
	{Role: RolePrice, kind: ofMoney, setting: func(c *Columns) *string { return &c.Price }, columns: func(p *profile.Profile) []profile.NameColumn { return []profile.NameColumn{{Titles: p.Price}} }},
	{Role: RoleCost, kind: ofMoney, optional: true, setting: func(c *Columns) *string { return &c.Cost }, columns: func(p *profile.Profile) []profile.NameColumn { return []profile.NameColumn{{Titles: p.Cost}} }},
	{Role: RoleSalePrice, kind: ofMoney, optional: true, sale: profile.SaleBeside, setting: func(c *Columns) *string { return &c.SalePrice }, columns: saleColumns(profile.SaleBeside)},
	{Role: RoleCompareAt, kind: ofMoney, optional: true, sale: profile.SaleWas, setting: func(c *Columns) *string { return &c.CompareAt }, columns: saleColumns(profile.SaleWas)},
	{Role: RoleInStock, kind: ofStock, inherits: true, setting: func(c *Columns) *string { return &c.InStock }, columns: (*profile.Profile).StockColumns},
	{Role: RoleQuantity, kind: ofCounts, setting: func(c *Columns) *string { return &c.Quantity }, columns: func(*profile.Profile) []profile.NameColumn { return nil }},
}

// nameRoles are the roles of names, in their order.
var nameRoles = slices.DeleteFunc(slices.Clone(roles), func(r roleRule) bool { return r.kind != ofNames })

// Money is a role of money, by which rows and edits have it.
type Money int

// The roles of money.
const (
	Price Money = iota
	Cost        // a row may have none, as of the next ones
	SalePrice
	CompareAt
	Moneys // how many there are
)

// moneyRoles are the roles of money, by their number.
var moneyRoles = [Moneys]Role{Price: RolePrice, Cost: RoleCost, SalePrice: RoleSalePrice, CompareAt: RoleCompareAt}

// Role returns the role that has the number.
func (m Money) Role() Role { return moneyRoles[m] }

// Mapped reports whether a mapping can say which column has a role.
func Mapped(role Role) bool {
	return slices.ContainsFunc(roles, func(r roleRule) bool { return r.Role == role })
}

// Needs are what a plan looks at or changes. A SKU is always read where there is one, for the
// records.
type Needs struct {
	Reads     []Role
	SetsStock bool // it changes the stock too
	// Names are those that a plan asks for or leaves out. Where no column is known to have
	// them, it is asked about one that does.
	Names map[Role][]string
	// QuantityPath is where in the plan quantities are looked at or changed, for who is told
	// that the table has none.
	QuantityPath string
	Wheres       []Where // columns that are looked at by their titles
	// Findings: it is told of each column what it is, of those too that are not read.
	Findings bool
	Sales    bool // it looks at sales, or changes them
	// CompareAt: it sets the price from before a sale.
	CompareAt bool
	// AsText: cells are compared as they are written. Where it is not clear how
	// prices are to be read, there is no form of them.
	AsText bool
	// IfThere: a column that the header lacks is no fault, and of several of one
	// title the first is read.
	IfThere bool
}

// Has reports whether a role is among those that are read.
func (n Needs) Has(role Role) bool { return slices.Contains(n.Reads, role) }

// fold is how its names are compared with those that look the same.
func (r roleRule) fold() fold.Kind {
	if r.Role == RoleSKU {
		return fold.SKUs
	}
	return fold.Names
}

func ruleOf(role Role) roleRule {
	return roles[slices.IndexFunc(roles, func(r roleRule) bool { return r.Role == role })]
}
