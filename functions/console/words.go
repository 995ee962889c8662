package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/recognize"
)

// The planner answers with codes and arguments. This file has the words that pages use for
// them. What has no code here is shown as the planner says it.

// warningWords are the sentences of warnings by their codes and, where the same code means
// several things, its argument. {n} counts products, {rule} is the rule that it is about,
// {with} are the arguments.
var warningWords = map[string]string{
	pricing.LeftUnknownProduct:         "{n} with a parent product that is not in this file: left alone where the rule needs what the parent has.",
	pricing.LeftBlankCategory:          "{n} without a category: rules for categories leave them alone.",
	pricing.WarnOddRows + " short row": "{n} in rows that end early: the missing cells count as empty.",

	pricing.WarnOddRows + " empty line":           "{n} left alone: the row is empty.",
	pricing.WarnOddRows + " number of cells":      "{n} left alone: the row has another number of cells than the first row.",
	pricing.WarnOddRows + " quote within a value": "{n} with a stray quote in a column that is not used here: read as it stands.",
	pricing.WarnOddRows + " name":                 "{n} left alone: the name cannot be read.",
	pricing.WarnOddRows + " price":                "{n} left alone: the price cannot be read.",
	pricing.WarnOddRows + " cost":                 "{n} left alone: the cost cannot be read.",
	pricing.WarnOddRows + " price of a sale":      "{n} left alone: the sale price cannot be read.",
	pricing.WarnOddRows + " stock":                "{n} left alone: the stock cannot be read, or the shop does not track it.",

	pricing.WarnSaleUnreadable:                            "{n} possibly on sale: the dates or the price of the sale cannot be read, so what customers pay is not known.",
	pricing.WarnPastSale + " " + pricing.SaleStays:        "{n} on sale: the regular price changes, and customers go on paying the sale price.",
	pricing.WarnPastSale + " " + pricing.SaleEnds:         "{n} taken off sale: the new price is not above the sale price.",
	pricing.WarnPastSale + " " + pricing.NoMoreReduced:    "{n} no longer shown as reduced: the new price is not below the earlier price.",
	pricing.WarnPastSale + " " + pricing.SaleBegins:       "{n} put on sale though you did not ask for it: the new price is above the sale price beside it.",
	pricing.WarnPastSale + " " + pricing.Reduced:          "{n} shown as reduced from now on: the new price is below the earlier price.",
	pricing.WarnPastSale + " " + pricing.SaleLeftAlone:    "{n} left alone: the sale price would not be below the regular price.",
	pricing.WarnPastSale + " " + pricing.ReducedLeftAlone: "{n} left alone: the earlier price would not be above the price.",
	pricing.WarnUntracked:                                 "{n} left alone: the shop does not track how many there are.",
	pricing.WarnOtherPrices:                               "{n} with prices in other columns, which stay as they are: {with}.",
	pricing.WarnNoPrice:                                   "{n} left alone: no price.",
	pricing.WarnNoCost:                                    "{n} left alone: no cost.",
	pricing.LeftOutsideLimits:                             "{n} left alone: no new price is within the limits.",

	pricing.NotedBelowNone:               "{n} set to 0 pieces: there would be fewer than 0.",
	pricing.WarnAgainst:                  "{n} moved against {rule}, because of rounding, a limit, the cost or a sale.",
	pricing.WarnAgainst + " left alone":  "{n} left alone: {rule} would move the price the wrong way.",
	pricing.NotedFractions:               "{n} with decimals in a currency that has none. Round to whole numbers.",
	pricing.WarnOddRows + " no name":     "{n} with neither SKU nor name: these rows may be totals.",
	pricing.WarnFree:                     "{n} given away: the new price is 0.",
	pricing.NotedBackorder:               "{n} still to be ordered when out of stock.",
	pricing.NotedOtherStock:              "{n} with a quantity that says otherwise, and stays as it is.",
	pricing.LeftStale:                    "{n} left alone: changed since, gone, or with an SKU that other rows have.",
	pricing.UnmatchedException:           "The exception “{with}” leaves out nothing.",
	pricing.WarnNamesAlike:               "The file writes “{with}” in several ways that look the same. {Rule} is for all of them.",
	pricing.WarnOddRows + " no line end": "The last row has no line end. If the file was cut off, rows are missing.",
	pricing.UnmatchedName:                "No product has “{with}”.",

	pricing.UnmatchedOperation:           "{Rule} is for no product.",
	pricing.UnmatchedOperation + " undo": "No product still has what is to be undone.",
	lineage.WarnSameTable:                "This same file was changed before. This result does not include that change",
	lineage.WarnOutputUsed:               "The result was used for other changes. Undo them first, or undo this one on a new export",
	plan.WarnTimePast + " apply_at":      "The start time has passed. The change is made as soon as it is asked for.",
	plan.WarnTimePast + " revert_at":     "The end time has passed. The change is undone as soon as it is made.",
	plans.WarnWithoutModel:               "The model did not answer. The rules were read from your words without it: check them.",
}

// warningOf are the words for a warning of a plan with rules of these ids. Known is false
// where pages have none, and the planner's own are shown.
func warningOf(w plan.Warning, ids []string) (words string, known bool) {
	words, known = warningWords[w.Code+" "+strings.Join(w.Arguments, ", ")]
	if !known && len(w.OperationIDs) == 1 {
		words, known = warningWords[w.Code+" "+w.OperationIDs[0]]
	}
	if !known {
		words, known = warningWords[w.Code]
	}
	if !known {
		return w.Message, false
	}
	rule := ruleName(w.OperationIDs, ids)
	fill := strings.NewReplacer("{n}", ofProducts(w.Rows), "{with}", shown(strings.Join(w.Arguments, ", ")),
		"{rule}", rule, "{Rule}", strings.ToUpper(rule[:1])+rule[1:])
	return fill.Replace(words), true
}

// ruleName is what pages call rules by their ids: by the number where there are several.
func ruleName(of, ids []string) string {
	var numbers []string
	for i, id := range ids {
		if slices.Contains(of, id) {
			numbers = append(numbers, strconv.Itoa(i+1))
		}
	}
	switch {
	case len(ids) < 2 || len(numbers) == 0:
		return "the rule"
	case len(numbers) == 1:
		return "rule " + numbers[0]
	}
	return "rules " + strings.Join(numbers, ", ")
}

// deniedWords say why somebody may not do what others may here.
var deniedWords = map[plannerapi.Action]string{
	plannerapi.ActPlan:    "You can look at changes here. Making them is up to others.",
	plannerapi.ActExecute: "You can make drafts here. Others upload the file that a change is made of.",
	plannerapi.ActRemind:  "They heard of it less than an hour ago.",
	plannerapi.ActUndo:    "You can look at changes here. Undoing them is up to others.",
}

// whyNot says why the reader may not do something; "" where they may, or where nobody may.
func whyNot(of plannerapi.Permissions, act plannerapi.Action) string {
	why := of.WhyNot(act)
	if words, known := deniedWords[act]; known && why != "" {
		return words
	}
	return why
}

// failureWords say why a change ended without a result, by the code of that.
var failureWords = map[string]string{
	ledger.CodeExpired:       "Nobody approved it in time.",
	ledger.CodePlanMissing:   "No change is saved under this name.",
	ledger.CodeUndoneAlready: "It was undone before.",
	codeStale:                "Products changed since.",
}

// failureText is why a change ended without a result. It shows a person's own reason as that
// person wrote it.
func failureText(f ledger.Failure) string {
	if words, known := failureWords[f.Code]; known {
		return words
	}
	switch first, _, _ := strings.Cut(f.Message, "\n"); {
	case len(f.UnknownNames) > 0:
		var names []string
		for _, name := range f.UnknownNames {
			names = append(names, "“"+shown(name.Name)+"”")
		}
		return "No product has " + strings.Join(names, ", ") + "."
	case len(f.Details) == 1:
		return fmt.Sprintf("Row %s: %s", count(f.Details[0].Row), cellFault(f.Details[0]))
	case len(f.Details) > 1:
		return "Cells of the file cannot be read. Correct them and upload it again, or have their rows left alone."
	default:
		return first
	}
}

// roleNames are what shop people call the column of a role.
var roleNames = map[recognize.Role]string{
	recognize.RoleSKU:       "SKU",
	recognize.RoleName:      "name",
	recognize.RoleBrand:     "brand",
	recognize.RoleCategory:  "category",
	recognize.RoleTags:      "tags",
	recognize.RolePrice:     "price",
	recognize.RoleSalePrice: "sale price",
	recognize.RoleCompareAt: "price before the sale",
	recognize.RoleCost:      "cost",
	recognize.RoleInStock:   "stock",
}

// roleName is what shop people call the column of a role.
func roleName(role string) string {
	if name, known := roleNames[recognize.Role(role)]; known {
		return name
	}
	return strings.ReplaceAll(role, "_", " ")
}

// fileWords are the sentences of what is odd about a file, by the codes and what each is about.
// {n} counts rows, {first} is where the first ones are, {role} is the column, {with} what else
// is named.
var fileWords = map[string]string{
	overview.RemarkQuestion + " " + overview.AboutColumn:        "No column is known for the {role}.",
	overview.RemarkQuestion + " " + overview.AboutPrices:        "It is not clear how the prices are written: as 1,234.56 or as 1.234,56.",
	overview.RemarkOddRows + " " + overview.OddPrice:            "{n} with a price that cannot be read{first}.",
	overview.RemarkOddRows + " " + overview.OddStock:            "{n} with a stock that cannot be read{first}.",
	overview.RemarkOddRows + " " + overview.OddCells:            "{n} with another number of cells than the first row{first}.",
	overview.RemarkSaleUnreadable + " " + overview.SalePriceOdd: "{n} with a sale price that cannot be read{first}.",
	overview.RemarkSaleUnreadable + " " + overview.SaleDated:    "{n} with dates for a sale{first}.",
	overview.RemarkOddRows + " " + overview.OddCurrency:         "{n} in another currency{first}.",
	overview.RemarkQuestion + " " + overview.AboutNames:         "The column for the {role} has too many different values to list. Is it the right one?",
	overview.RemarkNamesAlike:                                   "Some values for the {role} look the same: {with}.",
	overview.RemarkOddRows + " " + overview.OddLastLine:         "The last row has no line end. If the file was cut off while it was copied, rows are missing.",
	overview.RemarkQuestion + " " + overview.AboutEncoding:      "Some letters can be read in several ways.",
	overview.RemarkQuestion + " " + overview.AboutHeader:        "The first row looks like a product. Do the columns have titles?",
}

// fileWarning are the words for what is odd about a file.
func fileWarning(w plannerapi.TableWarning) string {
	words, known := fileWords[w.Code]
	arguments := w.Arguments
	if !known && len(arguments) > 0 {
		words, known = fileWords[w.Code+" "+arguments[0]]
		arguments = arguments[1:]
	}
	if !known {
		return w.Message
	}
	role, with := "", ""
	if len(arguments) > 0 {
		role, with = arguments[0], strings.Join(arguments[1:], "; ")
	}
	first := ""
	if len(w.FirstRows) > 0 {
		first = ", the first in row " + count(w.FirstRows[0])
	}
	fill := strings.NewReplacer(
		"{n}", ofRows(w.Rows), "{first}", first, "{role}", roleName(role), "{with}", shown(with),
	)
	return fill.Replace(words)
}

// ofRows counts rows.
func ofRows(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return count(n) + " rows"
}

// cellWords are the sentences of cells at fault, by the codes of these.
var cellWords = map[string]string{
	"field_count":      "The row has another number of cells than the first row.",
	"stray_quote":      "There is a quote inside the value. Put quotes around the whole value and write the inner one twice.",
	"text_after_quote": "There is text after a closing quote. A quote inside a quoted value is written twice.",
	"unclosed_quote":   "A quote is never closed. Add it, or export the file again if it was cut off.",
	"lone_cr":          "There is a line break inside the row. Put quotes around the value.",
	"lone_lf":          "There is a line break inside the row. Put quotes around the value.",
	"nul_byte":         "The file is damaged here. Export it again as CSV (UTF-8).",
	"record_too_long":  "The row is longer than 4 MiB. Look for a quote that is never closed.",
	"bad_encoding":     "The letters cannot be read. Export the file as CSV (UTF-8), or choose how its letters are stored.",
	"unclear_encoding": "The letters can be read in several ways. Choose how they are stored.",
	"name_too_long":    "The value is too long for a name. Is this the right column?",
	"empty_price":      "The price is empty.",
	"bad_price":        "This is not a price.",
	"negative_price":   "The price is below 0.",
	"other_price_form": "The price is written in another form than the first ones.",
	"unclear_price":    "It is not clear whether the mark is a decimal point or one of thousands.",
	"three_decimals":   "It has three decimals where other prices have two. The mark may be one of thousands.",
	"other_currency":   "This is in another currency than the first prices.",
	"empty_stock":      "The stock is empty.",
	"bad_stock":        "This is neither in stock nor out of stock.",
	"bad_quantity":     "This is not a quantity.",
	"unknown_quantity": "It is out of stock, and is to be put in stock: with how many pieces?",
	"unwritable_stock": "The column does not show which word to write.",
	"untracked_stock":  "The shop does not track the stock of this row.",
	"unquotable_price": "The new price would hold the sign that separates the columns. Export the file with another separator.",
	"no_cell":          "The row ends before this column.",
	"unknown_mark":     "The new price has decimals, and no price of the file shows how to write them.",
	"result":           "The new price would be below 0, or too large. Leave the product out, or set a lowest and a highest price.",
}

// cellFault are the words for a cell at fault.
func cellFault(fault faults.Fault) string {
	if words, known := cellWords[fault.Code]; known {
		return words
	}
	return fault.Message
}
