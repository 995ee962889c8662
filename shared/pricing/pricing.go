// Package pricing carries a plan out over a product table: a table in, a table
// out, and a line for every row it changed. How a table's bytes are rows and
// cells is package table's to say. It is pure: the same plan, settings and
// bytes give the same bytes on every machine.
package pricing

import (
	"fmt"
	"strings"

	"github.com/planwright/planwright/shared/table"
)

// Build names the behaviour of the engine. It changes with any change that
// can make the same plan, settings and input give other bytes or other figures.
const Build = "15"

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
	// RowsAgainst are the rows that it alone changed and whose price went the
	// other way than it was to move it, such as one that a cap lowers under an increase.
	RowsAgainst int64 `json:"-"`
}

// Summary is what a run did, in numbers.
type Summary struct {
	RowsTotal   int64 // data rows, without the header
	RowsChanged int64
	Operations  []OperationCount // as in the plan
	Table       table.Recognized // what the table was found to be
	Warnings    []Warning
	Effect      Effect
	// RowsStale are the rows that an undo left as they are, and Stale the first
	// of them: at most 1,000, within 200 KiB.
	RowsStale int64
	Stale     []StaleRow
	// Distinct says of an undo with TellApart that before no two rows had one SKU
	// of those that were changed.
	Distinct bool `json:",omitempty"`
}

// Warning is something that a person should know of a run that went well.
type Warning struct {
	Code         string   `json:"code"` // stable: programs may act on it
	OperationIDs []string `json:"operation_ids,omitempty"`
	Rows         int64    `json:"rows,omitempty"`       // how many it concerns
	FirstRows    []int64  `json:"first_rows,omitempty"` // the first 20 of them
	Arguments    []string `json:"arguments,omitempty"`  // what else the sentence names
	// UnknownName is what a warning of table.CodeUnknownNames is about. Builds before 13
	// had a phrase of it among the arguments.
	UnknownName *table.UnknownName `json:"unknown_name,omitempty"`
	Message     string             `json:"message"`
}

// Sentence says the warning to people. Made reports whether the rest of the
// warning alone makes the sentence, and not what was stored of it.
func (w Warning) Sentence() (text string, made bool) {
	argument, by := strings.Join(w.Arguments, ", "), strings.Join(w.OperationIDs, ", ")
	switch w.Code {
	case WarnUnknownProduct:
		if by != "" { // builds before 14 left no row alone for it
			return w.rowsSentence("leaves blank what its product has, and that product is not in this table, or not where the platform has it: as far as "+by+" names what is blank there, it is left alone",
				"leave blank what their products have, and those are not in this table, or not where the platform has them: as far as "+by+" names what is blank there, they are left alone"), true
		}
		return w.rowsSentence("leaves blank what its product has, and that product is not in this table, or not where the platform has it, so that what the plan names neither takes it in nor leaves it out",
			"leave blank what their products have, and those are not in this table, or not where the platform has them, so that what the plan names neither takes them in nor leaves them out"), true
	case WarnBlankCategory:
		return w.rowsSentence("leaves the category blank, so that the plan's categories neither take it in nor leave it out",
			"leave the category blank, so that the plan's categories neither take them in nor leave them out"), true
	case WarnShortRow:
		return w.rowsSentence("ends before a column that the plan looks at, which is taken as blank: if it has another separator, mend it",
			"end before a column that the plan looks at, which is taken as blank: if they have another separator, mend them"), true
	case WarnSaleUnknown:
		return w.rowsSentence("may be on sale: the dates of its sale are not looked at, or the sale's price cannot be read, so what customers pay is not known, and the effect tells of its price alone",
			"may be on sale: the dates of their sales are not looked at, or the sales' prices cannot be read, so what customers pay is not known, and the effect tells of their price alone"), true
	case WarnSaleStays:
		return w.rowsSentence("is on sale: its price changes, and its sale price, which customers pay, stays as it is",
			"are on sale: their price changes, and their sale price, which customers pay, stays as it is"), true
	case WarnBelowSale:
		return w.rowsSentence("is on sale, and its new price is not above its sale price: the sale ends",
			"are on sale, and their new price is not above their sale price: the sale ends"), true
	case WarnAboveCompareAt:
		return w.rowsSentence("is on sale, and its new price is not below its compare-at price: it is no more shown as reduced",
			"are on sale, and their new price is not below their compare-at price: they are no more shown as reduced"), true
	case WarnNoLowerSale:
		return w.rowsSentence("would not be on sale for less than its regular price, or for nothing, and is left alone by "+by, "would not be on sale for less than their regular price, or for nothing, and are left alone by "+by), true
	case WarnOtherPrices:
		return w.rowsSentence("has prices in other columns too, which stay as they are ("+argument+")", "have prices in other columns too, which stay as they are ("+argument+")"), true
	case WarnNoPrice:
		return w.rowsSentence("has no price, and is left alone by "+by, "have no price, and are left alone by "+by), true
	case WarnNoCost:
		return w.rowsSentence("has no cost, or one of 0, and is left alone by "+by, "have no cost, or one of 0, and are left alone by "+by), true
	case WarnCostAboveMax:
		return w.rowsSentence("has a cost above the max_price of "+by+", which leaves it alone", "have a cost above the max_price of "+by+", which leaves them alone"), true
	case WarnNoLastLineEnd:
		return fmt.Sprintf("Row %s is the last and has no line end: if the file was cut off while it was copied, that row may not be whole and others may be missing.", list(w.FirstRows)), true
	case WarnEncoding:
		if len(w.Arguments) != 5 {
			return w.Message, false
		}
		return fmt.Sprintf("The table reads as well in %s as in %s, and was read in the first: in row %s, column %s, that is %s, and %s in the other. What the plan does not change keeps its bytes; where it is the other, say so with the setting encoding=%s.",
			w.Arguments[0], w.Arguments[1], list(w.FirstRows), w.Arguments[2], w.Arguments[3], w.Arguments[4], w.Arguments[1]), true
	case WarnStale:
		return staleMessage(argument, w.Rows, w.FirstRows) + " They are left as they are.", true
	case WarnAmbiguous:
		return ambiguousMessage(w.Rows, w.FirstRows), true
	case table.CodeUnknownNames:
		if w.UnknownName != nil {
			argument = w.UnknownName.String()
		}
		return "No row has the " + argument + ".", true
	}
	return w.Message, false
}

// WarnUnknownProduct is the code of a warning of rows that leave blank
// what they would have from a product which is not to be found in the table: an
// operation that looks at that, be it to leave it out, leaves them alone. Where the settings allow names that no row
// has, each of them is a warning of table.CodeUnknownNames.
const WarnUnknownProduct = "unknown_product"
