package recognize

import (
	"fmt"
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
	// Prices by which a row is on Sale: see SaleBeside and SaleWas.
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

// Rule is what a role is like.
type Rule struct {
	Role
	Kind     RoleKind
	Inherits bool // a row that leaves it blank has its product's
	Optional bool // a blank cell of money has none, and is no fault
	Several  bool // a table may have several columns of it, each in a form of its own
	Expected bool // rows without one are counted, where a query names some
	Phrases  bool // a query names words that it has
	// Of a column that a plan looks at by its title: that, and whether a query names what
	// its cells begin with.
	Title      string
	Beginnings bool
	// rows are on sale by it: it is found with the price
	Sale    profile.SaleForm
	List    string                                      // what may separate several, where no profile says it
	Columns func(*profile.Profile) []profile.NameColumn // by the titles that a profile knows
}

// RoleKind is what the cells of a role's columns hold.
type RoleKind int

const (
	OfNames RoleKind = iota // a name, or several
	OfMoney
	OfStock
	OfCounts // how many pieces there are
)

// Roles are those that a plan may look at or change. One more is an entry here,
// the titles of its columns in the profiles, and its use: whatever goes by roles
// goes by this table. Of a row with several faults, that of the first is told.
var Roles = []Rule{
	{Role: RoleSKU, Columns: one(func(p *profile.Profile) profile.Titles { return p.SKU })},
	{
		Role:     RoleCategory,
		Inherits: true,
		Several:  true,
		Expected: true,
		Columns:  func(p *profile.Profile) []profile.NameColumn { return p.Categories },
	},
	{
		Role:     RoleBrand,
		Inherits: true,
		Several:  true,
		Columns:  func(p *profile.Profile) []profile.NameColumn { return p.Brands },
	},
	{
		Role:     RoleTags,
		Inherits: true,
		List:     ",;|",
		Columns:  func(p *profile.Profile) []profile.NameColumn { return p.Tags },
	},
	{
		Role:     RoleName,
		Inherits: true,
		Phrases:  true,
		Columns:  one(func(p *profile.Profile) profile.Titles { return p.ProductName }),
	},
	{
		Role:    RolePrice,
		Kind:    OfMoney,
		Columns: one(func(p *profile.Profile) profile.Titles { return p.Price }),
	},
	{
		Role:     RoleCost,
		Kind:     OfMoney,
		Optional: true,
		Columns:  one(func(p *profile.Profile) profile.Titles { return p.Cost }),
	},
	{
		Role:     RoleSalePrice,
		Kind:     OfMoney,
		Optional: true,
		Sale:     profile.SaleBeside,
		Columns:  saleColumns(profile.SaleBeside),
	},
	{
		Role:     RoleCompareAt,
		Kind:     OfMoney,
		Optional: true,
		Sale:     profile.SaleWas,
		Columns:  saleColumns(profile.SaleWas),
	},
	{Role: RoleInStock, Kind: OfStock, Inherits: true, Columns: (*profile.Profile).StockColumns},
	{Role: RoleQuantity, Kind: OfCounts, Columns: func(*profile.Profile) []profile.NameColumn { return nil }},
}

// one is a role's one column, by its titles.
func one(titles func(*profile.Profile) profile.Titles) func(*profile.Profile) []profile.NameColumn {
	return func(p *profile.Profile) []profile.NameColumn { return []profile.NameColumn{{Titles: titles(p)}} }
}

// NameRoles are the roles of names, in their order.
var NameRoles = slices.DeleteFunc(slices.Clone(Roles), func(r Rule) bool { return r.Kind != OfNames })

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

// MoneyRoles are the roles of money, by their number.
var MoneyRoles = [Moneys]Role{
	Price:     RolePrice,
	Cost:      RoleCost,
	SalePrice: RoleSalePrice,
	CompareAt: RoleCompareAt,
}

// Role returns the role that has the number.
func (m Money) Role() Role { return MoneyRoles[m] }

// Mapped reports whether a mapping can say which column has a role.
func Mapped(role Role) bool {
	return slices.ContainsFunc(Roles, func(r Rule) bool { return r.Role == role })
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

// Fold is how its names are compared with those that look the same.
func (r Rule) Fold() fold.Kind {
	if r.Role == RoleSKU {
		return fold.SKUs
	}
	return fold.Names
}

// RuleOf returns what a role is like.
func RuleOf(role Role) Rule {
	return Roles[slices.IndexFunc(Roles, func(r Rule) bool { return r.Role == role })]
}

// Where is a column that a plan looks at by its title, whatever its role is, with how its
// cells are compared. A query's conditions name what they must be by its Role.
type Where struct {
	Role  Role // one of its own: see WhereRole
	Title string
	Path  string // where in the plan it stands
	// Cells are compared without case, by whole words in a row or by what they begin with;
	// neither: as a whole.
	Words, Beginnings bool
}

// WhereRole returns the role of one of several columns.
func WhereRole(i int) Role { return Role(fmt.Sprintf("where %d", i)) }

// Rule is what the column's role is like.
func (w Where) Rule() Rule {
	return Rule{Role: w.Role, Title: w.Title, Inherits: true, Phrases: w.Words, Beginnings: w.Beginnings}
}

// Named is what a role's column is called where its names are told of.
func (r Rule) Named() Role {
	if r.Title != "" {
		return Role(r.Title)
	}
	return r.Role
}

// Text is a cell beside a sale's price, or beside the word for what is in stock, which
// is written as a text, by which rows and edits have it.
type Text int

// The texts.
const (
	OnSale   Text = iota // whether it is on
	SaleFrom             // its dates; where one cell has both it is this
	SaleUntil
	Quantity // beside the stock's word; the others are a sale's
	Texts    // how many there are
)

// TextRoles are the roles of texts, by their number.
var TextRoles = [Texts]Role{
	OnSale:    RoleOnSale,
	SaleFrom:  RoleSaleFrom,
	SaleUntil: RoleSaleUntil,
	Quantity:  RoleQuantity,
}

// Role returns the role that has the number.
func (x Text) Role() Role { return TextRoles[x] }
