// Package pricing carries a plan out over a product table: CSV in, CSV out,
// and a line for every row it changed. It is pure: the same plan, settings and
// bytes give the same bytes on every machine.
package pricing

import "github.com/planwright/planwright/shared/table"

// Build names the behaviour of the engine. It changes with any change that
// can make the same plan, settings and input give other bytes.
const Build = "1"

// Settings shape how a table is read: table.Settings.
type (
	Settings   = table.Settings
	Columns    = table.Columns
	BlankPrice = table.BlankPrice
)

const (
	BlankPriceError = table.BlankPriceError
	BlankPriceKeep  = table.BlankPriceKeep
)

// Change is one changed row.
type Change struct {
	Row          int64    `json:"row"` // record number; the header is row 1
	SKU          string   `json:"sku"`
	OperationIDs []string `json:"operation_ids"` // those that changed it, in order
	Before       State    `json:"before"`
	After        State    `json:"after"`
}

// State is what the plan's actions can change in a row.
type State struct {
	Price   string `json:"price"` // as written in the file
	InStock bool   `json:"in_stock"`
}

// OperationCount is what one operation did.
type OperationCount struct {
	OperationID string `json:"operation_id"`
	RowsMatched int64  `json:"rows_matched"`
	RowsChanged int64  `json:"rows_changed"`
}

// Summary is what a run did, in numbers.
type Summary struct {
	RowsTotal   int64 // data rows, without the header
	RowsChanged int64
	Operations  []OperationCount // as in the plan
}

// Fault is one thing wrong with a table.
type Fault struct {
	Row     int64  `json:"row"`
	Column  string `json:"column,omitempty"`
	Value   string `json:"value,omitempty"` // at most 100 bytes of it, quoted where it is not plain text
	Message string `json:"message"`
}
