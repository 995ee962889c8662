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
//   - A Dialect is one value, found by Detect in the first 64 KiB.
//   - A Profile is one file in profiles/, read at start. A new platform is a new
//     file; no code names a platform.
//   - Recognize matches a header with the profiles and the settings. Its result
//     is stated in every summary.
package table

import "github.com/planwright/planwright/shared/table/cell"

// HeadBytes is how much of a table is looked at before its first row is read:
// dialect, profile and the forms of prices and stock are found in it.
const HeadBytes = 64 << 10

// Limits of a table.
const (
	MaxRecordBytes = 4 << 20
	MaxNameBytes   = cell.MaxNameBytes
)
