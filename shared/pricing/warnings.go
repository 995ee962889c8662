package pricing

import (
	"fmt"
	"strings"

	"github.com/planwright/planwright/shared/table"
)

// Warning is something that a person should know of a run that went well.
type Warning struct {
	Code         string   `json:"code"` // stable: programs may act on it
	OperationIDs []string `json:"operation_ids,omitempty"`
	Rows         int64    `json:"rows,omitempty"`       // how many it concerns
	FirstRows    []int64  `json:"first_rows,omitempty"` // the first 20 of them
	Arguments    []string `json:"arguments,omitempty"`  // what else the sentence names
	// UnknownName is the name that WarnNamesAlike is about, or a figure of names.
	UnknownName *table.UnknownName `json:"unknown_name,omitempty"`
	Message     string             `json:"message"`
}

// The codes of warnings: their sentences say what each means.
const (
	WarnNoPrice = "no_price"
	WarnNoCost  = "no_cost"
	// rows that moved the other way or, with an argument, are left alone for that
	WarnAgainst        = "against_direction"
	WarnFree           = "price_becomes_zero"
	WarnPastSale       = "moves_past_sale" // or stays beside a sale: the argument says which
	WarnSaleUnreadable = "sale_unreadable" // it has dates, too, that are not looked at
	WarnNamesAlike     = "names_alike"     // an operation has all of the table's names that look the same
	WarnOddRows        = "odd_rows"        // rows with something odd about them, which the argument says
	WarnUntracked      = "untracked"
	WarnOtherPrices    = "other_prices_stay"
)

// The arguments of WarnPastSale.
const (
	SaleStays        = "sale stays"
	SaleEnds         = "sale ends"
	NoMoreReduced    = "no more reduced"
	SaleBegins       = "sale begins"
	Reduced          = "reduced"
	SaleLeftAlone    = "sale left alone"
	ReducedLeftAlone = "compare-at price left alone"
)

// Other arguments.
const (
	leftAlone    = "left alone" // of WarnAgainst
	oddEmpty     = "empty line" // of WarnOddRows, as of the next ones
	oddText      = "quote within a value"
	oddCells     = "number of cells"
	oddShort     = "short row"
	oddUnnamed   = "no name"
	oddLastLine  = "no line end" // many programs write none, and a file that was cut off has none either
	oddStockCell = "stock"
)

// reportedAs is how a remark is told: by a warning, or by a figure of rows that were left alone
// or are noted.
type reportedAs int

const (
	byWarning reportedAs = iota
	asLeftAlone
	asNoted
)

// remarkCodes are the codes of the remarks, and the arguments where their sentences differ.
var remarkCodes = [remarkKinds]struct {
	code, argument string
	told           reportedAs
}{
	saleUnknown:    {code: WarnSaleUnreadable},
	saleStays:      {code: WarnPastSale, argument: SaleStays},
	belowSale:      {code: WarnPastSale, argument: SaleEnds},
	aboveCompareAt: {code: WarnPastSale, argument: NoMoreReduced},
	aboveSale:      {code: WarnPastSale, argument: SaleBegins},
	belowCompareAt: {code: WarnPastSale, argument: Reduced},
	noLowerSale:    {code: WarnPastSale, argument: SaleLeftAlone},
	pastSale:       {code: WarnPastSale, argument: ReducedLeftAlone},
	withoutCost:    {code: WarnNoCost},
	beyondLimits:   {code: LeftOutsideLimits, told: asLeftAlone},
	belowNone:      {code: NotedBelowNone, told: asNoted},
	untracked:      {code: WarnUntracked},
	otherPrices:    {code: WarnOtherPrices},
	withoutPrice:   {code: WarnNoPrice},
	against:        {code: WarnAgainst},
	turnedBack:     {code: WarnAgainst, argument: leftAlone},
	fractions:      {code: NotedFractions, told: asNoted},
	nameless:       {code: WarnOddRows, argument: oddUnnamed},
	free:           {code: WarnFree},
	backorder:      {code: NotedBackorder, told: asNoted},
	otherStock:     {code: NotedOtherStock, told: asNoted},
	oddName:        {code: WarnOddRows, argument: "name"},
	oddPrice:       {code: WarnOddRows, argument: "price"},
	oddCost:        {code: WarnOddRows, argument: "cost"},
	oddSale:        {code: WarnOddRows, argument: "price of a sale"},
	oddStock:       {code: WarnOddRows, argument: oddStockCell},
}

// rowSentences are what is said of one row, and of several: by the operations {by}, and
// with the {arguments}. Where an argument tells which sentence it is, it stands behind the code.
var rowSentences = map[string][2]string{
	LeftUnknownProduct: {"leaves blank what its product has, and that product is not in this table, or not where the platform has it: as far as {by} names what is blank there, it is left alone",
		"leave blank what their products have, and those are not in this table, or not where the platform has them: as far as {by} names what is blank there, they are left alone"},
	LeftBlankCategory: {"leaves the category blank, so that the plan's categories neither take it in nor leave it out",
		"leave the category blank, so that the plan's categories neither take them in nor leave them out"},
	WarnOddRows + " " + oddShort: {"ends before a column that the plan looks at, which is taken as blank: if it has another separator, mend it",
		"end before a column that the plan looks at, which is taken as blank: if they have another separator, mend them"},
	WarnSaleUnreadable: {"may be on sale: the dates of its sale are not looked at, or the sale's price cannot be read, so what customers pay is not known, and the effect tells of its price alone",
		"may be on sale: the dates of their sales are not looked at, or the sales' prices cannot be read, so what customers pay is not known, and the effect tells of their price alone"},
	WarnPastSale + " " + SaleStays: {"is on sale: its price changes, and its sale price, which customers pay, stays as it is",
		"are on sale: their price changes, and their sale price, which customers pay, stays as it is"},
	WarnPastSale + " " + SaleEnds: {"is on sale, and its new price is not above its sale price: the sale ends",
		"are on sale, and their new price is not above their sale price: the sale ends"},
	WarnPastSale + " " + NoMoreReduced: {"is on sale, and its new price is not below its compare-at price: it is no more shown as reduced",
		"are on sale, and their new price is not below their compare-at price: they are no more shown as reduced"},
	WarnPastSale + " " + SaleBegins: {"was not on sale, and its new price is above the sale price beside it: a sale begins that the plan does not ask for, and customers pay the sale price",
		"were not on sale, and their new price is above the sale price beside it: a sale begins that the plan does not ask for, and customers pay the sale price"},
	WarnPastSale + " " + Reduced: {"was not on sale, and its new price is below its compare-at price: it is now shown as reduced, though the plan asks for no sale",
		"were not on sale, and their new price is below their compare-at price: they are now shown as reduced, though the plan asks for no sale"},
	WarnPastSale + " " + SaleLeftAlone: {"would not be on sale for less than its regular price, or for nothing, and is left alone by {by}",
		"would not be on sale for less than their regular price, or for nothing, and are left alone by {by}"},
	WarnUntracked: {"has no quantity, or one that the shop does not track, and is left alone by {by}: to change it too, have the shop track its stock and export the table again",
		"have no quantity, or one that the shop does not track, and are left alone by {by}: to change them too, have the shop track their stock and export the table again"},
	WarnPastSale + " " + ReducedLeftAlone: {"would have a compare-at price that is not above its price, and is left alone by {by}",
		"would have a compare-at price that is not above their price, and are left alone by {by}"},
	WarnOtherPrices: {"has prices in other columns too, which stay as they are ({arguments})",
		"have prices in other columns too, which stay as they are ({arguments})"},
	WarnNoPrice: {"has no price, and is left alone by {by}", "have no price, and are left alone by {by}"},
	WarnNoCost: {
		"has no cost, or one of 0, and is left alone by {by}",
		"have no cost, or one of 0, and are left alone by {by}",
	},
	WarnAgainst: {"has what customers pay moved the other way than {by} is to move it, by a limit, rounding, an ending, its cost or its sale",
		"have what customers pay moved the other way than {by} is to move it, by a limit, rounding, an ending, their cost or their sale"},
	NotedFractions: {"gets a price with decimals in a currency that has none: have {by} round to whole numbers, with round_to 0",
		"get a price with decimals in a currency that has none: have {by} round to whole numbers, with round_to 0"},
	WarnOddRows + " " + oddUnnamed: {"has neither a SKU nor a name of a product, and changes: it may be a sum and no product",
		"have neither a SKU nor a name of a product, and change: they may be sums and no products"},
	WarnFree: {
		"gets a price of 0 by {by}, for which it would be given away",
		"get a price of 0 by {by}, for which they would be given away",
	},
	NotedBackorder: {"is to be out of stock by {by}, and can be ordered all the same, as the table says of it: to stop its sale, change that, too",
		"are to be out of stock by {by}, and can be ordered all the same, as the table says of them: to stop their sale, change that, too"},
	NotedOtherStock: {"has a quantity that says otherwise than {by}, and that stays as it is: change it, too, where your shop goes by it",
		"have a quantity that says otherwise than {by}, and that stays as it is: change it, too, where your shop goes by it"},
	LeftOutsideLimits: {"has no new price within the limits of {by}, and is left alone",
		"have no new price within the limits of {by}, and are left alone"},
	NotedBelowNone: {"would have a quantity below 0 by {by}, and has 0",
		"would have a quantity below 0 by {by}, and have 0"},
	WarnAgainst + " " + leftAlone: {"would have what customers pay moved the other way than {by} is to move it, and is left alone",
		"would have what customers pay moved the other way than {by} is to move it, and are left alone"},
	WarnOddRows + " " + oddEmpty: {
		"is an empty line, and stays as it is", "are empty lines, and stay as they are",
	},
	WarnOddRows + " " + oddCells: {"has another number of cells than the header, and stays as it is",
		"have another number of cells than the header, and stay as they are"},
	WarnOddRows + " " + oddText: {"has a quote inside a value that does not begin with one, in a column that the plan does not look at, and is read as it stands",
		"have a quote inside a value that does not begin with one, in a column that the plan does not look at, and are read as they stand"},
	WarnOddRows + " " + oddStockCell: {"has a stock that cannot be read, or is not tracked by the shop, and is left alone by {by}",
		"have a stock that cannot be read, or is not tracked by the shop, and are left alone by {by}"},
	WarnOddRows: {
		"has a {arguments} that cannot be read, and is left alone by {by}",
		"have a {arguments} that cannot be read, and are left alone by {by}",
	},
}

// Sentence says the warning to people. Made reports whether the rest of the
// warning alone makes the sentence, and not what was stored of it.
func (w Warning) Sentence() (text string, made bool) {
	arguments := strings.Join(w.Arguments, ", ")
	by := strings.Join(w.OperationIDs, ", ")
	rows := table.ListRows(w.FirstRows)
	said, ofRows := rowSentences[w.Code+" "+arguments]
	if !ofRows {
		said, ofRows = rowSentences[w.Code]
	}
	fill := strings.NewReplacer("{by}", by, "{arguments}", arguments)
	switch {
	case w.Code == WarnOddRows && arguments == oddLastLine:
		return fmt.Sprintf("Row %s is the last and has no line end: if the file was cut off while it was copied, that row may not be whole and others may be missing.", rows), true
	case ofRows && w.Rows == 1:
		return fmt.Sprintf("1 row %s: row %s.", fill.Replace(said[0]), rows), true
	case ofRows:
		return fmt.Sprintf("%d rows %s; the first are rows %s.", w.Rows, fill.Replace(said[1]), rows), true
	case w.Code == UnmatchedException && w.UnknownName != nil:
		return fmt.Sprintf("Leaving out the %s takes no row out of %s: no row that it is otherwise for has that.", w.UnknownName.Subject(), by), true
	case w.Code == WarnNamesAlike && w.UnknownName != nil:
		return fmt.Sprintf("This table writes the %s in several ways that look the same, and %s means them all: %s.", w.UnknownName.Subject(), by, w.UnknownName.Spellings()), true
	case w.Code == UnmatchedName && w.UnknownName != nil:
		return "No row has the " + w.UnknownName.String() + ".", true
	case w.Code == LeftStale:
		return staleMessage("", w.Rows, w.FirstRows) + " They are left as they are.", true
	case w.Code == UnmatchedOperation:
		return "Operation " + by + " matched no row.", true
	}
	return w.Message, false
}

// tellRows tells of rows: by warnings, or by figures.
func (r *run) tellRows(s *Summary) {
	tell := func(told reportedAs, code string, rows table.RowList, by table.Set, arguments ...string) {
		figure := Figure{Code: code, OperationIDs: r.ids(by), Rows: rows.Rows, FirstRows: rows.First}
		switch {
		case rows.Rows == 0:
		case told == asLeftAlone:
			s.Figures.LeftAlone = append(s.Figures.LeftAlone, figure)
		case told == asNoted:
			s.Figures.Noted = append(s.Figures.Noted, figure)
		default:
			s.Warnings = append(s.Warnings, Warning{
				Code:         code,
				OperationIDs: figure.OperationIDs,
				Rows:         rows.Rows,
				FirstRows:    rows.First,
				Arguments:    arguments,
			})
		}
	}
	for i, noted := range r.effect.Remarks {
		var arguments []string
		of := remarkCodes[i]
		switch {
		case remark(i) == datedSale: // the run is refused for it
			continue
		case remark(i) == otherPrices:
			arguments = r.table.OtherPrices()
		case of.argument != "":
			arguments = []string{of.argument}
		}
		tell(of.told, of.code, noted.RowList, noted.By, arguments...)
	}
	tell(asLeftAlone, LeftUnknownProduct, r.scanned.Orphans, r.query.Inherited())
	tell(asLeftAlone, LeftBlankCategory, r.scanned.Blank, table.Set{})
	tell(byWarning, WarnOddRows, r.scanned.Short, table.Set{}, oddShort)
	tell(byWarning, WarnOddRows, r.scanned.EmptyWithin(r.table), table.Set{}, oddEmpty)
	tell(byWarning, WarnOddRows, r.scanned.Strays, table.Set{}, oddText)
	tell(byWarning, WarnOddRows, r.scanned.Ragged, table.Set{}, oddCells)
	if r.scanned.InLine {
		tell(byWarning, WarnOddRows, table.RowList{
			Rows:  1,
			First: []int64{r.scanned.LastRow(r.table)},
		}, table.Set{}, oddLastLine)
	}
}
