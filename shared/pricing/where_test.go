package pricing_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
)

func set999(where ...plan.Where) plan.Operation {
	return plan.Operation{OperationID: "op", Filter: plan.Filter{Where: where}, Action: plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal("999")}}
}

// TestWhere: which rows a condition on any column is for, by their SKUs.
func TestWhere(t *testing.T) {
	const (
		shop     = "sku,price,Status,Note,category\nA,10,draft,Linen shirt in 5 kg,x\nB,20,active,linens,x\nC,30,,LINEN-mix,y\nD,40,Draft ,\"say \"\"hi\"\"\",y\nE,50,archived,étoile,z\n"
		pots     = "Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Price,Variant Compare At Price\npot,Pot,,V,Pots,,true,Size,S,B6161,5,10.00,12.00\npot,,,,,,,,M,,,20.00,\ncup,Cup,,V,Cups,,true,Size,S,B6162,,10.00,\ncup,,,,,,,,L,B6163,8,30.00,\n"
		variants = "Handle,Title,Type,Status,Option1 Name,Variant SKU,Variant Price,Variant Grams\nmug,Mug,Cups,draft,Size,A,10,100\nmug,,,,,B,20,200\nhat,Hat,Hats,active,Size,C,30,\n"
	)
	exact := table.Settings{NearNames: table.NearNamesExact, Unmatched: setting.RepriceAll("", "active")}
	long := strings.Repeat("ü", 400)
	for name, test := range map[string]struct {
		text string
		op   plan.Operation
		want string
	}{
		"is":                                  {shop, set999(plan.Where{Column: "Status", Kind: plan.WhereIs, Values: []string{"draft"}}), "A"},
		"a title in any case":                 {shop, set999(plan.Where{Column: " status", Kind: plan.WhereIs, Values: []string{"draft", "active"}}), "A B"},
		"a blank cell":                        {shop, set999(plan.Where{Column: "Status", Kind: plan.WhereIs, Values: []string{""}}), "C"},
		"is not":                              {shop, set999(plan.Where{Column: "Status", Kind: plan.WhereIsNot, Values: []string{"draft", "active"}}), "C D E"},
		"is not blank":                        {shop, set999(plan.Where{Column: "Status", Kind: plan.WhereIsNot, Values: []string{""}}), "A B D E"},
		"quotes":                              {shop, set999(plan.Where{Column: "Note", Kind: plan.WhereIs, Values: []string{`say "hi"`}}), "D"},
		"contains":                            {shop, set999(plan.Where{Column: "Note", Kind: plan.WhereContains, Values: []string{"LINEN"}}), "A C"},
		"contains several":                    {shop, set999(plan.Where{Column: "Note", Kind: plan.WhereContains, Values: []string{"linen shirt", "hi"}}), "A D"},
		"starts with":                         {shop, set999(plan.Where{Column: "Note", Kind: plan.WhereStartsWith, Values: []string{"linen", "É"}}), "A B C E"},
		"starts with a blank":                 {shop, set999(plan.Where{Column: "Note", Kind: plan.WhereStartsWith, Values: []string{"linen "}}), "A"},
		"the price's own column":              {shop, set999(plan.Where{Column: "price", Kind: plan.WhereIs, Values: []string{"20"}}), "B"},
		"the SKU's":                           {shop, set999(plan.Where{Column: "sku", Kind: plan.WhereStartsWith, Values: []string{"c"}}), "C"},
		"both":                                {shop, set999(plan.Where{Column: "Status", Kind: plan.WhereIsNot, Values: []string{"draft"}}, plan.Where{Column: "Note", Kind: plan.WhereStartsWith, Values: []string{"linen"}}), "B C"},
		"both of one kind":                    {shop, set999(plan.Where{Column: "Note", Kind: plan.WhereContains, Values: []string{"linen"}}, plan.Where{Column: "Note", Kind: plan.WhereContains, Values: []string{"kg"}}), "A"},
		"is, and is not":                      {shop, set999(plan.Where{Column: "Status", Kind: plan.WhereIs, Values: []string{"draft", "active"}}, plan.Where{Column: "Status", Kind: plan.WhereIsNot, Values: []string{"active"}}), "A"},
		"beside a category":                   {shop, but(set999(plan.Where{Column: "Status", Kind: plan.WhereIsNot, Values: []string{"draft"}}), func(op *plan.Operation) { op.Filter.Categories = []string{"x"} }), "B"},
		"the category's own":                  {shop, but(set999(plan.Where{Column: "category", Kind: plan.WhereIs, Values: []string{"x"}}), func(op *plan.Operation) { op.Filter.ExcludeCategories = []string{"y"} }), "A B"},
		"a variant has its product's":         {variants, set999(plan.Where{Column: "Status", Kind: plan.WhereIs, Values: []string{"draft"}}), "A B"},
		"and what it says itself":             {variants, set999(plan.Where{Column: "Variant Grams", Kind: plan.WhereIs, Values: []string{"200"}}), "B"},
		"beside a category that it inherits":  {variants, but(set999(plan.Where{Column: "Variant Grams", Kind: plan.WhereIsNot, Values: []string{"100"}}), func(op *plan.Operation) { op.Filter.Categories = []string{"Cups"} }), "B"},
		"a SKU is each row's own":             {pots, set999(plan.Where{Column: "Variant SKU", Kind: plan.WhereStartsWith, Values: []string{"B616"}}), "B6161 B6162 B6163"},
		"so are prices that no variant has":   {pots, set999(plan.Where{Column: "Variant Compare At Price", Kind: plan.WhereIs, Values: []string{""}}), "pot / M B6162 B6163"},
		"and what some variant fills":         {pots, set999(plan.Where{Column: "Variant Grams", Kind: plan.WhereIs, Values: []string{""}}), "pot / M B6162"},
		"but not what says what a product is": {"Handle,Title,Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Price\npot,Pot,V,Size,S,B1,10\npot,,,,M,B2,20\nvase,Vase,V,Size,S,C1,30\nvase,,V,,M,C2,40\n", set999(plan.Where{Column: "Vendor", Kind: plan.WhereIs, Values: []string{"V"}}), "B1 B2 C1 C2"},
		"a barcode is each row's own":         {"Handle,Title,Type,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Barcode\nmug,Mug,Cups,Size,S,A,10,400\nmug,,,,M,B,20,\nhat,Hat,Hats,Size,S,C,30,\n", set999(plan.Where{Column: "Variant Barcode", Kind: plan.WhereIs, Values: []string{"400"}}), "A"},
		"and in tables of no platform's":      {"sku,parent_sku,price,EAN,colour\nP,,10,400,red\nA,P,10,,\n", set999(plan.Where{Column: "EAN", Kind: plan.WhereIs, Values: []string{"400"}}), "P"},
		"where its colour is its product's":   {"sku,parent_sku,price,EAN,colour\nP,,10,400,red\nA,P,10,,\n", set999(plan.Where{Column: "colour", Kind: plan.WhereIs, Values: []string{"red"}}), "P A"},
		"no cell is blank":                    {"sku,price,Status\nA,1,x\nB,1,y\n", set999(plan.Where{Column: "Status", Kind: plan.WhereIsNot, Values: []string{""}}), "A B"},
		"and none is wanted":                  {"sku,price,Status\nA,1,x\nB,1,y\n", set999(plan.Where{Column: "Status", Kind: plan.WhereIs, Values: []string{""}}), ""},
		"a code in a formula begins so":       {"sku,price,Status\n=\"0012\",1,x\nB,1,y\n\"=\"\"0013\"\"\",2,y\n", set999(plan.Where{Column: "sku", Kind: plan.WhereStartsWith, Values: []string{"001"}}), "0012 0013"},
		"but not what no variant fills":       {pots, set999(plan.Where{Column: "Title", Kind: plan.WhereIs, Values: []string{"Pot"}}), "B6161 pot / M"},
		"long cells":                          {"sku,price,Text\nA,1," + strings.Repeat("x", 3000) + "\nB,2,y\nC,3," + long + "\n", set999(plan.Where{Column: "Text", Kind: plan.WhereIs, Values: []string{"y", long}}), "B C"},
		"long cells that are left out":        {"sku,price,Text\nA,1," + strings.Repeat("x", 3000) + "\nB,2,y\n", set999(plan.Where{Column: "Text", Kind: plan.WhereIsNot, Values: []string{"y"}}), "A"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &plan.Plan{Operations: []plan.Operation{test.op}}
			compare(t, p, exact, []byte(test.text), 1, 7, 1<<16)
			e, err := pricing.Compile(p, exact)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			_, err = e.EachChange(t.Context(), strings.NewReader(test.text), func(s pricing.Seen) error {
				got = append(got, s.SKU)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
			givesBack(t, p, exact, test.text, 1<<16)
		})
	}
}

// TestWhereSeesTheTableAsItCameIn: no operation's change is seen.
func TestWhereSeesTheTableAsItCameIn(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{
		set999(plan.Where{Column: "price", Kind: plan.WhereIs, Values: []string{"10"}}),
		but(set999(plan.Where{Column: "price", Kind: plan.WhereIs, Values: []string{"10"}}), func(op *plan.Operation) {
			op.OperationID, op.Action.Value = "again", plan.MustDecimal("5")
		}),
	}}
	if done := compare(t, p, table.Settings{}, []byte("sku,price\nA,10\nB,20\n"), 1, 1<<16); done.Out != "sku,price\nA,5.00\nB,20\n" {
		t.Errorf("%s", done.Out)
	}
}

// TestWhereRefused: titles that the table has not once, and values that no row has, are told
// with where they stand and what may be meant.
func TestWhereRefused(t *testing.T) {
	for name, test := range map[string]struct {
		text, code, want string
		where            plan.Where
	}{
		"no such title": {"sku,price,Status\nA,1,x\n", row.CodeUnknownColumns, `operations[0].filter.where[0].column: the header has no column "Sttus"; the nearest are "Status"`,
			plan.Where{Column: "Sttus", Kind: plan.WhereIs, Values: []string{"x"}}},
		"nothing like it": {"sku,price,Status\nA,1,x\n", row.CodeUnknownColumns, `the header has no column "Colour", nor one like it`,
			plan.Where{Column: "Colour", Kind: plan.WhereContains, Values: []string{"x"}}},
		"twice": {"sku,Status,price,status\nA,1,1,x\n", row.CodeUnknownColumns, `operations[0].filter.where[0].column: the header has "Status" more than once, as columns 2 and 4: rename all but one`,
			plan.Where{Column: "Status", Kind: plan.WhereIs, Values: []string{"x"}}},
		"no such value": {"sku,price,Status\nA,1,drafts\n", table.CodeUnknownNames, `Status "draft", asked for by op: this table has "drafts"`,
			plan.Where{Column: "Status", Kind: plan.WhereIs, Values: []string{"draft"}}},
		"a value that looks the same": {"sku,price,Status\nA,1,draft\nB,2,Draft\n", table.CodeUnknownNames, `Status "draft", asked for by op: this table has "Draft" in 1 row, "draft" in 1 row`,
			plan.Where{Column: "Status", Kind: plan.WhereIs, Values: []string{"draft"}}},
	} {
		p := &plan.Plan{Operations: []plan.Operation{set999(test.where)}}
		compare(t, p, table.Settings{}, []byte(test.text), 1, 1<<16)
		e, err := pricing.Compile(p, table.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = runEngine(t, e, test.text)
		var coded interface{ Code() string }
		if !errors.Is(err, errs.Invalid) || !errors.As(err, &coded) || coded.Code() != test.code || !strings.Contains(errs.Message(err), test.want) {
			t.Errorf("%s: %v, want %s and %q", name, err, test.code, test.want)
		}
	}
}
