// Package pricing carries a plan out over a product table: a table in, a table
// out, and a line for every row it changed. How a table's bytes are rows and
// cells is package table's to say. It is pure: the same plan, settings and
// bytes give the same bytes on every machine.
package pricing

import "github.com/planwright/planwright/shared/table"

// Build names the behaviour of the engine. It changes with any change that
// can make the same plan, settings and input give other bytes or other figures.
const Build = "33"

// Change is one changed row.
type Change struct {
	Row int64 `json:"row" firestore:"row"` // record number; the header is row 1
	// SKU is what the row's SKU cell says. Where that is blank, it is what the
	// platform has instead: handle and options, say, joined by " / ".
	SKU          string   `json:"sku" firestore:"sku"`
	OperationIDs []string `json:"operation_ids" firestore:"operation_ids"` // those that changed it, in order
	Before       State    `json:"before" firestore:"before"`
	After        State    `json:"after" firestore:"after"`
}

// State is what the plan's actions can change in a row. What the plan neither
// looks at nor changes is not read, and null.
type State struct {
	Price   *string `json:"price" firestore:"price"` // as written in the file
	InStock *bool   `json:"in_stock" firestore:"in_stock"`
	// Stock is what the stock's cell says, where the plan changed in_stock: an
	// undo writes it back.
	Stock *string `json:"stock,omitempty" firestore:"stock,omitempty"`
	// Quantity is what stands beside the stock's word, where that changed with it.
	Quantity *string `json:"quantity,omitempty" firestore:"quantity,omitempty"`
	// SalePrice and CompareAt are the prices by which a row is on sale, as written in
	// the file ("" is a blank cell), of a plan that is about sales or a row that is on
	// sale. What is beside them is told where the plan changed it: the word that says
	// whether the row is on sale, and the sale's dates.
	SalePrice *string `json:"sale_price,omitempty" firestore:"sale_price,omitempty"`
	CompareAt *string `json:"compare_at,omitempty" firestore:"compare_at,omitempty"`
	OnSale    *string `json:"on_sale,omitempty" firestore:"on_sale,omitempty"`
	SaleFrom  *string `json:"sale_from,omitempty" firestore:"sale_from,omitempty"`
	SaleUntil *string `json:"sale_until,omitempty" firestore:"sale_until,omitempty"`
	// Quoted says, of what a row holds afterwards, that its price got quotes
	// around it, because it holds what separates the columns; the next two say so of
	// the prices of a sale.
	Quoted          bool `json:"quoted,omitempty" firestore:"quoted,omitempty"`
	SalePriceQuoted bool `json:"sale_price_quoted,omitempty" firestore:"sale_price_quoted,omitempty"`
	CompareAtQuoted bool `json:"compare_at_quoted,omitempty" firestore:"compare_at_quoted,omitempty"`
}

// OperationCount is what one operation did.
type OperationCount struct {
	OperationID string `json:"operation_id"`
	RowsMatched int64  `json:"rows_matched"`
	RowsChanged int64  `json:"rows_changed"`
}

// Counts say what a run did.
type Counts struct {
	RowsTotal   int64            `json:"rows_total"` // data rows, without the header
	RowsChanged int64            `json:"rows_changed"`
	Operations  []OperationCount `json:"operations"` // as in the plan
	// RowsStale are the rows that an undo left as they are, and Stale the first
	// of them: at most 1,000, within 200 KiB.
	RowsStale int64      `json:"rows_stale,omitempty"`
	Stale     []StaleRow `json:"stale,omitempty"`
	// Figures are what was left alone, and what matched nothing.
	Figures Figures `json:"figures,omitzero"`
	// Table is what the table was found to be.
	Table table.Recognized `json:"table,omitzero"`
}

// Summary is what a run did, what it warns of, and the effect on prices and stock.
type Summary struct {
	Counts
	Warnings []Warning
	Effect   Effect
}
