package table

import (
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// What a plan may look at in a table: see package recognize.
type (
	Role       = recognize.Role
	Money      = recognize.Money
	Text       = recognize.Text
	Needs      = recognize.Needs
	Where      = recognize.Where
	Comparison = recognize.Comparison

	roleRule = recognize.Rule
	located  = recognize.Located
)

// The roles.
const (
	RoleSKU       = recognize.RoleSKU
	RoleCategory  = recognize.RoleCategory
	RoleBrand     = recognize.RoleBrand
	RoleTags      = recognize.RoleTags
	RoleName      = recognize.RoleName
	RolePrice     = recognize.RolePrice
	RoleCost      = recognize.RoleCost
	RoleInStock   = recognize.RoleInStock
	RoleSalePrice = recognize.RoleSalePrice
	RoleCompareAt = recognize.RoleCompareAt
	RoleOnSale    = recognize.RoleOnSale
	RoleSaleFrom  = recognize.RoleSaleFrom
	RoleSaleUntil = recognize.RoleSaleUntil
	RoleQuantity  = recognize.RoleQuantity
)

// The roles of money, of which a row has a price.
const (
	Price     = recognize.Price
	Cost      = recognize.Cost
	SalePrice = recognize.SalePrice
	CompareAt = recognize.CompareAt
	Moneys    = recognize.Moneys
)

// The texts beside a sale's price, and beside the word for what is in stock.
const (
	OnSale    = recognize.OnSale
	SaleFrom  = recognize.SaleFrom
	SaleUntil = recognize.SaleUntil
	Quantity  = recognize.Quantity
	Texts     = recognize.Texts
)

// How cells are compared with the names of conditions.
const (
	Whole      = recognize.Whole
	Words      = recognize.Words
	Beginnings = recognize.Beginnings
)

var (
	roles      = recognize.Roles
	nameRoles  = recognize.NameRoles
	moneyRoles = recognize.MoneyRoles
	textRoles  = recognize.TextRoles
	ruleOf     = recognize.RuleOf
)

// Mapped reports whether a mapping can say which column has a role.
func Mapped(role Role) bool { return recognize.Mapped(role) }

// WhereRole returns the role of one of several columns that a plan looks at by their titles.
func WhereRole(i int) Role { return recognize.WhereRole(i) }

// missing is the position of a column that a header does not have.
const missing = profile.Missing
