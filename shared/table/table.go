// Package table is the one door to a shop's export for package pricing: tables, queries, rows
// with the cells that a plan needs, and edits of them. Pricing knows what they mean and no byte
// of a table; the rooms below know bytes and nothing of plans.
//
// The rooms are pure: they read and write nothing but the readers and writers that they are
// given, stream, keep a bounded part of a table in memory, and leave every byte that is not
// changed as it came in. What pricing does not need is no name of this package: other packages
// import the room that has it.
package table

import (
	"io"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
)

// A table, and what a plan asks of it.
type (
	Settings   = setting.Settings
	Table      = row.Table
	Recognized = row.Recognized
	Workload   = row.Workload
	Range      = row.Range
	Query      = row.Query
	Needs      = recognize.Needs
	Where      = recognize.Where
	Pieces     = row.Pieces
	Condition  = names.Condition
	Names      = names.Filter
	Set        = names.Set
)

// What a scan shows, and what becomes of it.
type (
	Visitor      = row.Visitor
	Row          = row.Row
	Prices       = row.Prices
	Sale         = row.Sale
	Count        = row.Count
	QuantityCell = row.QuantityCell
	Edit         = row.Edit
	MoneyEdit    = row.MoneyEdit
	Scanned      = row.Scanned
	RowList      = row.RowList
)

// What is wrong with a table or with a plan over it.
type (
	Kind        = faults.Kind
	Fault       = faults.Fault
	Problem     = row.Problem
	InputError  = row.InputError
	UnknownName = names.UnknownName
)

// Cells of a row: by their roles, and by their numbers among those of money or of texts.
type (
	Role  = recognize.Role
	Money = recognize.Money
	Text  = recognize.Text
)

const (
	RolePrice    = recognize.RolePrice
	RoleCost     = recognize.RoleCost
	RoleInStock  = recognize.RoleInStock
	RoleQuantity = recognize.RoleQuantity

	Price     = recognize.Price
	Cost      = recognize.Cost
	SalePrice = recognize.SalePrice
	CompareAt = recognize.CompareAt
	Moneys    = recognize.Moneys

	OnSale    = recognize.OnSale
	SaleFrom  = recognize.SaleFrom
	SaleUntil = recognize.SaleUntil
	Quantity  = recognize.Quantity
	Texts     = recognize.Texts
)

// Kinds of faults that a plan may find; its own begin at Kinds.
const (
	Fine            = faults.Fine
	ThreeDecimals   = faults.ThreeDecimals
	UnknownQuantity = faults.UnknownQuantity
	Kinds           = faults.Kinds
)

const (
	MaxConditions = names.MaxConditions
	MaxFirstRows  = row.MaxFirstRows
	MaxNameBytes  = cell.MaxNameBytes
	// CodeUnknownNames is the code of a plan that names what no row has.
	CodeUnknownNames = names.CodeUnknownNames

	NearNamesExact  = setting.NearNamesExact
	OddRowsLeave    = setting.OddRowsLeave
	SaleDatesIgnore = setting.SaleDatesIgnore
)

// EverySet has every condition that a query may have.
var EverySet = names.EverySet

// Open reads a table's header: see row.Open.
func Open(in io.Reader, s Settings, needs Needs, size int) (*Table, error) {
	return row.Open(in, s, needs, size)
}

// NewQuery prepares the search for the names of a query's conditions.
func NewQuery(q Query) *Query { return row.NewQuery(q) }

// UsualWorkload is what is fastest.
func UsualWorkload() Workload { return row.UsualWorkload() }

// WhereRole returns the role of one of several columns that a plan looks at by their titles.
func WhereRole(i int) Role { return recognize.WhereRole(i) }

// CountOf is a whole number of pieces; false where it is too large.
func CountOf(digits string) (Count, bool) { return row.CountOf(digits) }

// SameQuantity reports whether two texts of a quantity differ by a fraction of zeros alone.
func SameQuantity(a, b string) bool { return row.SameQuantity(a, b) }

// ListRows says the numbers of rows to people.
func ListRows(numbers []int64) string { return row.ListRows(numbers) }

// On returns an error in the terms of a surface, where it refuses a table or a setting.
func On(err error, s setting.Surface) error { return row.On(err, s) }
