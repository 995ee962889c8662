package pricing

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestAlikeNames: where the plan names one of them, and not all, it is
// asked which are meant, whatever unmatched allows; they are different things
// where near_names says so.
func TestAlikeNames(t *testing.T) {
	const rows = header +
		"A1,Fitness,10,true\nA2,Fitness,10,true\nA3,fitness ,10,true\nA4,FITNESS,10,false\n" +
		"A5,Caf\u00e9,10,true\nA6,Cafe\u0301,10,true\nA7,home\u00a0gym,10,true\nA8,home gym,10,true\n" +
		"A9,yo\u200bga,10,true\nA9 ,yoga,10,true\na10,other,10,true\nB1,Stra\u00dfe,10,true\nB2,STRASSE,10,true\n" +
		"C1,\"say \"\"hi\"\"\",10,true\nC2,\"Say \"\"hi\"\"\",10,true\nC3,a name that is rather long,10,true\nC4, a name that is rather long,10,true\n"
	many := strings.Repeat("D1,another,10,true\n", 20_000)
	for _, test := range []struct {
		name   string
		filter plan.Filter
		want   string // the names, and how many rows have each
	}{
		{"case, blanks", plan.Filter{Categories: []string{"Fitness"}}, `Fitness: [{Fitness 2} {FITNESS 1} {fitness  1}]`},
		{"left out", plan.Filter{ExcludeCategories: []string{"fitness "}}, `fitness , left out: [{Fitness 2} {FITNESS 1} {fitness  1}]`},
		{"those in stock", plan.Filter{Categories: []string{"Fitness"}, InStock: ptr(true)}, `Fitness: [{Fitness 2} {fitness  1}]`},
		{"all of them", plan.Filter{Categories: []string{"Fitness", "fitness ", "FITNESS"}}, ""},
		{"all that may matter", plan.Filter{Categories: []string{"Fitness", "fitness "}, InStock: ptr(true)}, ""},
		{"some of them", plan.Filter{Categories: []string{"Fitness", "FITNESS"}}, `Fitness: [{Fitness 2} {FITNESS 1} {fitness  1}]; FITNESS: [{Fitness 2} {FITNESS 1} {fitness  1}]`},
		{"Unicode forms", plan.Filter{Categories: []string{"Caf\u00e9"}}, "Caf\u00e9: [{Cafe\u0301 1} {Caf\u00e9 1}]"},
		{"a no-break space", plan.Filter{Categories: []string{"home gym"}}, "home gym: [{home gym 1} {home\u00a0gym 1}]"},
		{"a no-break space in the plan", plan.Filter{Categories: []string{"home\u00a0gym"}}, "home\u00a0gym: [{home gym 1} {home\u00a0gym 1}]"},
		{"what does not show", plan.Filter{Categories: []string{"yoga"}}, "yoga: [{yoga 1} {yo\u200bga 1}]"},
		{"a sharp s", plan.Filter{Categories: []string{"STRASSE"}}, "STRASSE: [{STRASSE 1} {Stra\u00dfe 1}]"},
		{"quotes", plan.Filter{Categories: []string{`say "hi"`}}, `say "hi": [{Say "hi" 1} {say "hi" 1}]`},
		{"long", plan.Filter{Categories: []string{"a name that is rather long"}}, "a name that is rather long: [{ a name that is rather long 1} {a name that is rather long 1}]"},
		{"a SKU", plan.Filter{ExcludeSKUs: []string{"A9"}}, "A9, left out: [{A9 1} {A9  1}]"},
		{"none else", plan.Filter{Categories: []string{"other"}, ExcludeSKUs: []string{"a10"}}, ""},
	} {
		for _, text := range []string{rows, rows + many, header + many + rows[len(header):]} {
			t.Run(fmt.Sprint(test.name, " ", len(text)), func(t *testing.T) {
				op := plan.Operation{OperationID: "up", Filter: test.filter, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
				got := ""
				_, err := compile(t, table.Settings{}, op).Run(t.Context(), strings.NewReader(text), &bytes.Buffer{})
				if unknown, is := errors.AsType[*names.UnknownNamesError](err); is {
					for _, name := range unknown.Names {
						got += "; " + name.Name
						if name.Excluded {
							got += ", left out"
						}
						got += fmt.Sprint(": ", name.Alike)
					}
				} else if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, strings.TrimPrefix(got, "; ")); diff != "" {
					t.Error(diff)
				}
				if _, err := compile(t, table.Settings{NearNames: table.NearNamesExact}, op).Run(t.Context(), strings.NewReader(text), &bytes.Buffer{}); err != nil {
					t.Errorf("exact: %v", err)
				}
			})
		}
	}
}

// TestAlikeNamesInLists are counted once for a row, and not where it
// has the plan's own.
func TestAlikeNamesInLists(t *testing.T) {
	const rows = "ID,Type,SKU,Name,Is featured?,Categories,Regular price,In stock?\n" +
		"1,simple,A1,a,0,\"Hats, Caps > hats\",10,1\n2,simple,A2,b,0,\"Bags, hats, Caps > hats\",10,1\n3,simple,A3,c,0,Shoes,10,1\n"
	op := plan.Operation{OperationID: "up", Filter: plan.Filter{Categories: []string{"Hats"}, SKUs: []string{"A1"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	_, err := compile(t, table.Settings{}, op).Run(t.Context(), strings.NewReader(rows), &bytes.Buffer{})
	unknown, is := errors.AsType[*names.UnknownNamesError](err)
	if !is || fmt.Sprint(unknown.Names[0].Alike) != "[{Hats 1} {hats 1}]" {
		t.Errorf("%v", err)
	}
	const want = `This table has several names that look the same where the plan has one, and nothing was changed.
  category "Hats", asked for by up: this table has "Hats" in 1 row, "hats" in 1 row
Of names that look the same, only the one that is written exactly as in the plan is meant by it. Write them alike in the table, or make a new plan that has all that are meant; or, where they are different things, let it pass with the setting near_names=exact.`
	if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
		t.Error(diff)
	}
}

// TestSameToTheEye: the plan has one of the names, and then all that look the same.
func TestSameToTheEye(t *testing.T) {
	for _, test := range []struct {
		column string
		names  []string
	}{
		{"category", []string{"Men's", "Men\u2019s"}},
		{"category", []string{"Men's", "Men&#39;s"}},
		{"category", []string{"T-Shirts", "T\u2011Shirts"}},
		{"category", []string{"Kids & Toys", "Kids &amp; Toys", "Kids and Toys", "Kids&Toys"}},
		{"category", []string{"Big Home Gym", "Big  Home Gym", "Big Home  Gym", "Big  Home  Gym", "Big   Home   Gym", "Big\u00a0Home Gym"}},
		{"category", []string{"Cable", "\u0421able", "C\u0430ble", "c\u03b1ble"}},
		{"brand", []string{"Johnson & Johnson's \"Best\"", "Johnson &amp; Johnson&#039;s &quot;Best&quot;", "johnson and johnson\u2019s \u201cbest\u201d"}},
		{"tags", []string{"in-season", "in\u2013season", "IN-SEASON"}},
		{"sku", []string{"007", "7", "07", "000000000007"}},
		{"sku", []string{"A-1", "A\u20111", "a-1", "\u0410-1"}},
		{"sku", []string{"0042-RED", "42-RED"}},
	} {
		columns := table.Settings{Columns: setting.Columns{Brand: "brand", Tags: "tags"}}
		for _, size := range []int{0, 20_000} { // of more than one block, and of one
			for at, name := range test.names {
				t.Run(fmt.Sprintf("%s %+q %d", test.column, name, size), func(t *testing.T) {
					text := tableWith(test.column, test.names, size)
					op := plan.Operation{OperationID: "up", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
					setNames(&op.Filter, test.column, name)
					_, err := compile(t, columns, op).Run(t.Context(), strings.NewReader(text), &bytes.Buffer{})
					unknown, is := errors.AsType[*names.UnknownNamesError](err)
					if !is || len(unknown.Names) != 1 || len(unknown.Names[0].Alike) != len(test.names) {
						t.Fatalf("%d: %v", at, err)
					}
					for _, other := range unknown.Names[0].Alike {
						if other.Rows != 2 {
							t.Errorf("%d rows have %q", other.Rows, other.Name)
						}
					}
					setNames(&op.Filter, test.column, test.names...)
					summary, err := compile(t, columns, op).Run(t.Context(), strings.NewReader(text), &bytes.Buffer{})
					if err != nil {
						t.Fatal(err)
					}
					found := slices.IndexFunc(summary.Warnings, func(w Warning) bool { return w.Code == WarnNamesAlike })
					if rows := int64(2 * len(test.names)); found < 0 || summary.Warnings[found].Rows != rows || summary.RowsChanged != rows {
						t.Errorf("%d rows changed, with the warnings %+v", summary.RowsChanged, summary.Warnings)
					}
				})
			}
		}
	}
}

// tableWith has two rows with each name, behind and before others.
func tableWith(column string, names []string, others int) string {
	var text strings.Builder
	row := func(name string) {
		cells := map[string]string{"sku": "S1", "category": "other", "brand": "none", "tags": "few"}
		cells[column] = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		if !strings.ContainsAny(name, `",`) {
			cells[column] = name
		}
		fmt.Fprintf(&text, "%s,%s,%s,%s,10,true\n", cells["sku"], cells["category"], cells["brand"], cells["tags"])
	}
	text.WriteString("sku,category,brand,tags,price,in_stock\n")
	for range 2 {
		for i := range others {
			row(fmt.Sprint("another ", i%300))
		}
		for _, name := range names {
			row(name)
		}
	}
	return text.String()
}

// setNames has a filter ask for names of a column.
func setNames(f *plan.Filter, column string, names ...string) {
	*map[string]*[]string{"sku": &f.SKUs, "category": &f.Categories, "brand": &f.Brands, "tags": &f.Tags}[column] = names
}

// TestOnlyAlikes: where the table has nothing but names that look the same as the plan's,
// it is one question with their rows, also where names that no row has may pass. It says
// which letters are others.
func TestOnlyAlikes(t *testing.T) {
	const rows = header + "A1,\u0421able,10,true\nA2,\u0421able,10,true\nA3,C\u0430bl\u0435,10,true\nA4,other,10,true\n"
	op := plan.Operation{OperationID: "up", Filter: plan.Filter{Categories: []string{"Cable"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	for _, allowed := range []setting.Unmatched{"", setting.UnmatchedAllow} {
		e, err := Compile(&plan.Plan{Operations: []plan.Operation{op}}, table.Settings{Unmatched: allowed})
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Run(t.Context(), strings.NewReader(rows), &bytes.Buffer{})
		const want = `The plan names what no row of this table has, and nothing was changed.
  category "Cable", asked for by up: this table has "` + "\u0421able" + `" (Cyrillic ` + "\u0421" + `) in 2 rows, "` + "C\u0430bl\u0435" + `" (Cyrillic ` + "\u0430" + `, Cyrillic ` + "\u0435" + `) in 1 row
Of names that look the same, only the one that is written exactly as in the plan is meant by it. Write them alike in the table, or make a new plan that has all that are meant; or, where they are different things, let it pass with the setting near_names=exact and the setting unmatched=allow.`
		if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
			t.Error(diff)
		}
	}
	e, err := Compile(&plan.Plan{Operations: []plan.Operation{op}}, table.Settings{Unmatched: setting.UnmatchedAllow, NearNames: table.NearNamesExact})
	if err != nil {
		t.Fatal(err)
	}
	if summary, err := e.Run(t.Context(), strings.NewReader(rows), &bytes.Buffer{}); err != nil || summary.RowsChanged != 0 {
		t.Errorf("what the question says to say: %d rows changed, %v", summary.RowsChanged, err)
	}
}
