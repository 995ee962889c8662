package pricing

import "github.com/planwright/planwright/shared/table"

// EachOther calls yield with the roles of the cells in which two states of a row differ.
func (s State) EachOther(other State, yield func(table.Role)) {
	differ := func(role table.Role, a, b *string) {
		if (a == nil) != (b == nil) || a != nil && *a != *b {
			yield(role)
		}
	}
	differ(table.Price.Role(), s.Price, other.Price)
	differ(table.SalePrice.Role(), s.SalePrice, other.SalePrice)
	differ(table.CompareAt.Role(), s.CompareAt, other.CompareAt)
	differ(table.RoleInStock, s.Stock, other.Stock)
	differ(table.Quantity.Role(), s.Quantity, other.Quantity)
	for x := range table.Quantity { // the texts of a sale
		text := cellStates[firstText+int(x)].text
		differ(x.Role(), *text(&s), *text(&other))
	}
}
