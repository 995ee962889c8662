package pricing

import "github.com/planwright/planwright/shared/table"

// The kinds of faults that a plan's result can have.
const (
	negativePrice = table.Kinds + iota
	priceTooLarge
	unknownQuantity
	unwritableStock
	untrackedStock
	unquotablePrice
)

// problem is what a row function found: the kind, which column it is in (or
// noColumn), and for results the operation.
type problem struct {
	kind      table.Kind
	column    int
	operation int
}

const noColumn = -1
