package overview

import (
	"github.com/planwright/planwright/shared/table/row"
)

// Remark is something that a person should know of a table.
type Remark struct {
	Code      string
	Rows      int64
	FirstRows []int64  // at most MaxFirstRows
	Arguments []string // what it is about, and what else the message names
	Message   string
}

// The codes of remarks: a plan has warnings of the same codes for the same rows. Questions
// are answered by a setting.
const (
	RemarkOddRows        = "odd_rows"
	RemarkSaleUnreadable = "sale_unreadable"
	RemarkNamesAlike     = "names_alike"
	RemarkQuestion       = "question"
)

// What a remark is about: its first argument.
const (
	OddPrice    = "price" // of RemarkOddRows
	OddStock    = "stock"
	OddCells    = "number of cells"
	OddCurrency = "currency"
	OddLastLine = "no line end"

	SalePriceOdd = "price" // of RemarkSaleUnreadable
	SaleDated    = "dates"

	AboutColumn   = "column" // of RemarkQuestion: which one has a role
	AboutNames    = "many names"
	AboutPrices   = "price form"
	AboutEncoding = row.QuestionEncoding
	AboutHeader   = row.QuestionHeader
)

// Is reports whether the remark is the one of a code about something.
func (r *Remark) Is(code, about string) bool { return r.Code == code && r.Arguments[0] == about }

func (f *Overview) remark(of row.RowList, message, code string, arguments ...string) {
	f.Remarks = append(f.Remarks, Remark{
		Code:      code,
		Rows:      of.Rows,
		FirstRows: of.First,
		Arguments: arguments,
		Message:   message,
	})
}
