package tablestore

import (
	"strings"
	"unicode"

	"golang.org/x/text/currency"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// Names are the names of a table that was looked through for an instruction, as
// planners are given them.
func Names(found *overview.Overview) planning.Names {
	rows := map[plan.Column]map[string]int64{}
	list := func(role recognize.Role) (names []string) {
		counted := map[string]int64{}
		for _, spelling := range found.Names[role] {
			names, counted[spelling.Name] = append(names, spelling.Name), spelling.Rows
		}
		rows[plan.Column(role)] = counted
		return names
	}
	columns, titles, money := []string{}, []string{}, found.Currency
	for _, column := range found.All {
		columns, titles = append(columns, string(column.Role)), append(titles, column.Title)
		if column.Role == recognize.RolePrice && money == "" {
			money = currencyIn(column.Title)
		}
	}
	both := map[[2]planning.Name]int64{}
	for names, n := range found.Both {
		both[[2]planning.Name{
			{Column: plan.Column(names[0].Role), Name: names[0].Name},
			{Column: plan.Column(names[1].Role), Name: names[1].Name},
		}] = n
	}
	var values []planning.ColumnValue
	for _, found := range found.Values {
		values = append(values, planning.ColumnValue{Title: found.Title, Value: found.Value})
	}
	return planning.Names{
		Values:       values,
		Categories:   list(recognize.RoleCategory),
		Brands:       list(recognize.RoleBrand),
		Tags:         list(recognize.RoleTags),
		SKUs:         list(recognize.RoleSKU),
		Products:     list(recognize.RoleName),
		Whole:        len(found.Cut) == 0,
		DecimalComma: found.DecimalComma,
		Columns:      columns,
		Titles:       titles,
		Rows:         rows,
		Both:         both,
		Currency:     money,
		Prices:       [2]string{found.Least, found.Greatest},
		WholePrices:  found.WholePrices,
	}
}

// currencyIn is the currency that a column's title names, as in "Price (EUR)"; "" is none.
func currencyIn(title string) string {
	for _, letter := range title {
		if unicode.Is(unicode.Sc, letter) {
			return string(letter)
		}
	}
	for word := range strings.FieldsFuncSeq(title, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if code, err := currency.ParseISO(word); err == nil {
			return code.String()
		}
	}
	return ""
}

// maxShown is how many names of a role are shown.
const maxShown = 2_000

// describe says what was found in a table.
func describe(found *overview.Overview) plannerapi.StoredTable {
	shown := plannerapi.StoredTable{
		Read: plannerapi.TableRead{
			Profile:  found.Profile,
			Dialect:  found.Dialect,
			Columns:  []plannerapi.TableColumn{},
			Readings: found.Readings,
		},
		Rows:    found.Rows,
		InStock: found.InStock, OnSale: found.OnSale,
		Warnings: []plannerapi.TableWarning{},
	}
	for i, column := range found.All {
		finding := found.Findings[i]
		if column.Role != "" {
			finding.WhyNot = ""
		}
		shown.Read.Columns = append(shown.Read.Columns, plannerapi.TableColumn{
			Column:  column,
			Samples: strictjson.NotNil(finding.Samples),
			WhyNot:  finding.WhyNot,
		})
	}
	list := func(role recognize.Role) ([]names.Spelling, int) {
		names := strictjson.NotNil(found.Names[role])
		return names[:min(len(names), maxShown)], len(names)
	}
	names := &shown.Names
	names.Categories, names.Total.Categories = list(recognize.RoleCategory)
	names.Brands, names.Total.Brands = list(recognize.RoleBrand)
	names.Tags, names.Total.Tags = list(recognize.RoleTags)
	if found.Least != "" {
		shown.Price = &plannerapi.PriceRange{
			Least:    found.Least,
			Greatest: found.Greatest,
			Currency: found.Currency,
		}
	}
	for _, remark := range found.Remarks {
		shown.Warnings = append(shown.Warnings, plannerapi.TableWarning{
			Code:      remark.Code,
			Rows:      remark.Rows,
			FirstRows: remark.FirstRows,
			Arguments: remark.Arguments,
			Message:   setting.Surface(setting.QueryParameter).Write(remark.Message),
		})
	}
	return shown
}
