// Package table knows how a shop's export becomes rows and cells, and how a
// changed cell is written back. It knows dialects (delimiter, line ends,
// encoding), profiles (which column of a platform's export is the SKU, a
// category, the price, the stock, and in what form each is written) and
// settings (what the person who uploads a table says about it). It does not
// know what a plan is: that is package pricing, which knows no delimiter.
//
// It is pure: it reads and writes nothing but the readers and writers that it
// is given, streams, keeps a bounded part of a table in memory, and leaves
// every byte that is not changed as it came in.
//
// What is data and what is code:
//
//   - A dialect is one value, found in the first 64 KiB.
//   - A profile is one file in profile/profiles/, read at start. A new platform is a new
//     file; no code names a platform.
//   - Open matches a header with the profiles and the settings. Its result
//     is stated in every summary.
package table

import (
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
)

// HeadBytes is how much of a table tells its dialect and the forms of its cells.
const HeadBytes = dialect.HeadBytes

// MaxNameBytes is the longest name, of a SKU or a category.
const MaxNameBytes = cell.MaxNameBytes

// What is told of a table's faults.
type (
	Fault = faults.Fault
	Kind  = faults.Kind
)

// Fine is no fault; kinds of others' rules begin at Kinds.
const (
	Fine  = faults.Fine
	Kinds = faults.Kinds
	// UnknownQuantity: a row is to be in stock, and nobody said with how many.
	UnknownQuantity = faults.UnknownQuantity
	// ThreeDecimals: an amount's mark may be one of thousands.
	ThreeDecimals = faults.ThreeDecimals
)

// Shown returns at most 100 bytes of a cell, quoted where it is not plain text.
func Shown(value string) string { return faults.Shown(value) }
