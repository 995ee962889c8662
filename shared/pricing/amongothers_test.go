package pricing_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestNamesAmongOthers: a name that stands among others in a cell which is not taken for
// several is asked about; under a plural title each of them counts, also where the setting
// names the column.
func TestNamesAmongOthers(t *testing.T) {
	shoes := plan.Filter{Categories: []string{"Shoes"}}
	exact := table.Settings{NearNames: table.NearNamesExact}
	for name, test := range map[string]struct {
		title, with string // what the second row has
		settings    table.Settings
		filter      plan.Filter
		want        string // the second row's price; "": it is asked about
	}{
		"a semicolon":                     {"category", "Shoes; Sale", table.Settings{}, shoes, ""},
		"a comma":                         {"category", "Sale, Shoes", table.Settings{}, shoes, ""},
		"a pipe":                          {"category", "Shoes|Sale", table.Settings{}, shoes, ""},
		"a path":                          {"category", "Men > Shoes", table.Settings{}, shoes, ""},
		"a slash":                         {"category", "Men/Shoes", table.Settings{}, shoes, ""},
		"another spelling":                {"category", "Men/shoes", table.Settings{}, shoes, ""},
		"left out":                        {"category", "Shoes; Sale", table.Settings{}, plan.Filter{ExcludeCategories: []string{"Shoes"}}, ""},
		"where they are different things": {"category", "Shoes; Sale", exact, shoes, "10.00"},
		"named whole too":                 {"category", "Shoes; Sale", table.Settings{}, plan.Filter{Categories: []string{"Shoes", "Shoes; Sale"}}, "11.00"},
		"another name":                    {"category", "Running Shoes, Men", table.Settings{}, shoes, "10.00"},
		"a plural":                        {"categories", "Sale; Shoes", table.Settings{}, shoes, "11.00"},
		"a plural, said":                  {"categories", "Sale; Shoes", table.Settings{Columns: setting.Columns{Category: "categories"}}, shoes, "11.00"},
		"a path in a list":                {"categories", "Sale; Men > Shoes", table.Settings{}, shoes, ""},
		"brands":                          {"brand", "Nike/Jordan", table.Settings{}, plan.Filter{Brands: []string{"Nike"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			op := plan.Operation{OperationID: "up", Filter: test.filter, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
			p, first := &plan.Plan{Operations: []plan.Operation{op}}, "Shoes"
			if test.title == "brand" {
				first = "Nike"
			}
			in := "sku,price," + test.title + "\nA,10.00," + first + "\nB,10.00,\"" + test.with + "\"\n"
			got, err := runEngine(t, compiled(t, p, test.settings), in)
			switch {
			case test.want == "":
				const asked = "that look the same or have it among others"
				if err == nil || !strings.Contains(table.On(err, setting.Flags).Error(), asked) || !strings.Contains(err.Error(), fmt.Sprintf("%q in 1 row", test.with)) {
					t.Errorf("%v, %q", err, got.out)
				}
			case err != nil || !strings.Contains(got.out, "\nB,"+test.want+","):
				t.Errorf("%v, %q", err, got.out)
			}
			compare(t, p, test.settings, []byte(in), 1, 7, 1<<16)
		})
	}
}

// TestNamesAmongOthersFurtherOn: a name among others is asked about, too, behind the rows
// that tell the forms of the table's cells.
func TestNamesAmongOthersFurtherOn(t *testing.T) {
	up := plan.Operation{OperationID: "up", Filter: plan.Filter{Categories: []string{"Shoes"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	p := &plan.Plan{Operations: []plan.Operation{up}}
	for with, asked := range map[string]bool{"Shoes; Sale": true, "Sale, shoes": true, "Men / Shoes": true, "Running Shoes; Men": false, "Sale": false} {
		text := "sku,price,category\nA,10.00,Shoes\nA,10.00,Hats; Men\n" + strings.Repeat("B,10.00,Hats\n", 25_000) + "C,10.00,\"" + with + "\"\nD,10.00,Hats\nE,10.00,Sale|SHOES\n"
		if !asked {
			text = strings.Replace(text, "E,10.00,Sale|SHOES\n", "", 1)
		}
		compare(t, p, table.Settings{}, []byte(text), 1<<10, 1<<18)
		_, err := runEngine(t, compiled(t, p, table.Settings{}), text)
		if got := err != nil && strings.Contains(err.Error(), "among others") && strings.Contains(err.Error(), fmt.Sprintf("%q in 1 row", with)); got != asked {
			t.Errorf("%s: %v", with, err)
		}
		exact := table.Settings{NearNames: table.NearNamesExact}
		if _, err := runEngine(t, compiled(t, p, exact), text); err != nil {
			t.Errorf("%s: %v", with, err)
		}
	}
}

// TestBlankCells: a cell of blanks looks like an empty one. A plan that names the empty value
// alone is asked about it; one that names both means the one that there is.
func TestBlankCells(t *testing.T) {
	for name, test := range map[string]struct {
		first, second string // what the rows have
		values        []string
		asks          bool
	}{
		"written as a blank":      {" ", "new", []string{""}, true},
		"both are named":          {" ", "new", []string{"", " "}, false},
		"written as it is":        {"", "new", []string{""}, false},
		"no row is without":       {"old", "new", []string{""}, false},
		"written in both ways":    {"", " ", []string{""}, true},
		"in both, both are named": {"", " ", []string{"", " "}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := &plan.Plan{Operations: []plan.Operation{{
				OperationID: "op",
				Filter:      plan.Filter{Where: []plan.Where{{Column: "status", Kind: plan.WhereIs, Values: test.values}}},
				Action:      plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal("12")},
			}}}
			in := "sku,status,price\nA1," + test.first + ",10\nA2," + test.second + ",10\n"
			_, err := runEngine(t, compiled(t, p, table.Settings{}), in)
			if _, asks := errors.AsType[*names.UnknownNamesError](err); asks != test.asks || !asks && err != nil {
				t.Errorf("answered: %v", err)
			}
			compare(t, p, table.Settings{}, []byte(in), 7, 1<<16)
		})
	}
}
