package pricing

import "github.com/planwright/planwright/shared/table"

// EachOther calls yield with the roles of the cells in which two states of a row differ.
func (s State) EachOther(other State, yield func(table.Role)) {
	differ := func(role table.Role, a, b *string) {
		if (a == nil) != (b == nil) || a != nil && *a != *b {
			yield(role)
		}
	}
	differ(table.RolePrice, s.Price, other.Price)
	differ(table.RoleSalePrice, s.SalePrice, other.SalePrice)
	differ(table.RoleCompareAt, s.CompareAt, other.CompareAt)
	differ(table.RoleInStock, s.Stock, other.Stock)
	differ(table.RoleQuantity, s.Quantity, other.Quantity)
	differ(table.RoleOnSale, s.OnSale, other.OnSale)
	differ(table.RoleSaleFrom, s.SaleFrom, other.SaleFrom)
	differ(table.RoleSaleUntil, s.SaleUntil, other.SaleUntil)
}
