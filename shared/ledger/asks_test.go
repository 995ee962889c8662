package ledger_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestWhatAsksForAnApproval lists all that the engine may tell of a run: with APPROVAL=over
// a person has to approve of it, be it a warning or a figure.
func TestWhatAsksForAnApproval(t *testing.T) {
	decimal := func(s string) *plan.Decimal { return new(plan.MustDecimal(s)) }
	up := func(f plan.Filter, o plan.Options) plan.Operation {
		return plan.Operation{OperationID: "up", Filter: f, Options: o, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("5")}}
	}
	act := func(kind plan.ActionType, value string) plan.Operation {
		return plan.Operation{OperationID: "act", Action: plan.Action{Type: kind, Value: plan.MustDecimal(value)}}
	}
	off := act(plan.PercentDecrease, "50")
	soldOut := plan.Operation{OperationID: "out", Action: plan.Action{Type: plan.SetStock}}
	asSale := off
	asSale.Options.AsSale = true
	keeps := up(plan.Filter{}, plan.Options{MaxPrice: decimal("5"), KeepDirection: true})
	ofCaps := plan.Filter{Categories: []string{"Caps"}}
	leave := table.Settings{OddRows: table.OddRowsLeave}
	const shopify = "Handle,Option1 Name,Type,Variant SKU,Variant Price\n"
	const woo = "ID,Type,SKU,Is featured?,Regular price,Sale price,In stock?,Stock,Backorders allowed?\n"
	for name, test := range map[string]struct {
		text string
		s    table.Settings
		ops  []plan.Operation
		want string // code, and its argument where that says which
	}{
		"a product that is not known":      {shopify + "a,Size,Caps,A,10\nb,Size,Hats,B,10\na,,,A2,10\n", table.Settings{}, []plan.Operation{up(ofCaps, plan.Options{})}, "unknown_product"},
		"a blank category":                 {"sku,category,price\nA,Caps,10\nB,,10\n", table.Settings{}, []plan.Operation{up(ofCaps, plan.Options{})}, "blank_category"},
		"a short row":                      {"ID,Type,SKU,Is featured?,Regular price\n1,simple,A,0,10\n2;simple\n", table.Settings{}, []plan.Operation{up(plan.Filter{}, plan.Options{})}, "odd_rows short row"},
		"an empty line":                    {"sku,price\nA,10\n\nB,10\n", table.Settings{}, []plan.Operation{up(plan.Filter{}, plan.Options{})}, "odd_rows empty line"},
		"a stray quote":                    {"sku,note,price\nA,a pipe of 12\" and more,10\nB,\"x\",10\n", table.Settings{}, []plan.Operation{up(plan.Filter{}, plan.Options{})}, "odd_rows quote within a value"},
		"no last line end":                 {"sku,price\nA,10", table.Settings{}, []plan.Operation{up(plan.Filter{}, plan.Options{})}, "odd_rows no line end"},
		"no name":                          {"sku,name,price\nA,Mug,10\n,,10\n", table.Settings{}, []plan.Operation{up(plan.Filter{}, plan.Options{})}, "odd_rows no name"},
		"a price that cannot be read":      {"sku,price\nA,10\nB,P.O.A.\n", leave, []plan.Operation{up(plan.Filter{}, plan.Options{})}, "odd_rows price"},
		"a sale that cannot be read":       {woo + "1,simple,A,0,10,soon,1,5,0\n2,simple,B,0,10,,1,5,0\n3,simple,C,0,10,12.00,1,5,0\n", table.Settings{}, []plan.Operation{up(plan.Filter{}, plan.Options{})}, "sale_unreadable"},
		"a sale that stays":                {woo + "1,simple,A,0,10,9,1,5,0\n", table.Settings{}, []plan.Operation{up(plan.Filter{}, plan.Options{})}, "moves_past_sale sale stays"},
		"a sale that would be none":        {woo + "1,simple,A,0,0.01,,1,5,0\n", table.Settings{}, []plan.Operation{asSale}, "moves_past_sale sale left alone"},
		"a quantity that is not known":     {"sku,price,quantity\nA,10,\nB,10,3\n", table.Settings{}, []plan.Operation{act(plan.SetQuantity, "9")}, "untracked"},
		"a quantity below none":            {"sku,price,quantity\nA,10,2\n", table.Settings{}, []plan.Operation{act(plan.QuantityDecrease, "9")}, "quantity_below_zero"},
		"prices that stay":                 {"sku,price,price_eur\nA,10,9\n", table.Settings{}, []plan.Operation{up(plan.Filter{}, plan.Options{})}, "other_prices_stay"},
		"no price":                         {"sku,price\nA,10\nB,\n", table.Settings{BlankPrice: "keep"}, []plan.Operation{up(plan.Filter{}, plan.Options{})}, "no_price"},
		"no cost":                          {"sku,price,cost\nA,10,\nB,10,4\n", table.Settings{}, []plan.Operation{up(plan.Filter{}, plan.Options{NotBelowCost: true})}, "no_cost"},
		"a price beyond the limits":        {"sku,price\nA,10\nB,100\n", table.Settings{}, []plan.Operation{up(plan.Filter{}, plan.Options{MaxPrice: decimal("50"), OutsideLimits: plan.LeaveAlone})}, "outside_limits"},
		"a price that moves the wrong way": {"sku,price\nA,100\n", table.Settings{}, []plan.Operation{up(plan.Filter{}, plan.Options{MaxPrice: decimal("5")})}, "against_direction"},
		"a price that would":               {"sku,price\nA,100\nB,1\n", table.Settings{}, []plan.Operation{keeps}, "against_direction left alone"},
		"a price of 0":                     {"sku,price\nA,0.01\n", table.Settings{}, []plan.Operation{act(plan.PercentDecrease, "99")}, "price_becomes_zero"},
		"a fraction of a yen":              {"sku,Price (JPY)\nA,1501\n", table.Settings{}, []plan.Operation{up(plan.Filter{}, plan.Options{})}, "price_gets_fraction"},
		"a backorder":                      {woo + "1,simple,A,0,10,,1,5,1\n", table.Settings{}, []plan.Operation{soldOut}, "still_sold"},
		"another quantity":                 {"sku,price,in_stock,quantity\nA,10,true,7\n", table.Settings{}, []plan.Operation{soldOut}, "quantity_stays"},
		"an exception without rows":        {"sku,category,price\nA,Caps,10\nB,Hats,10\n", table.Settings{}, []plan.Operation{up(plan.Filter{Categories: []string{"Caps"}, ExcludeCategories: []string{"Hats"}}, plan.Options{})}, "exception_without_rows"},
		"a name that no row has":           {"sku,category,price\nA,Caps,10\n", table.Settings{Unmatched: setting.UnmatchedAllow}, []plan.Operation{up(plan.Filter{Categories: []string{"Caps", "Hats"}}, plan.Options{})}, "unknown_names"},
		"an operation without rows":        {"sku,category,price\nA,Caps,10\n", table.Settings{}, []plan.Operation{up(plan.Filter{PriceGTE: decimal("50")}, plan.Options{})}, "matched_no_row"},
		"names that look the same":         {"sku,category,price\nA,Caps,10\nB,caps,10\n", table.Settings{}, []plan.Operation{up(plan.Filter{Categories: []string{"Caps", "caps"}}, plan.Options{})}, "names_alike"},
	} {
		e, err := pricing.Compile(&plan.Plan{Operations: test.ops}, test.s)
		if err != nil {
			t.Fatal(err)
		}
		asks(t, name, e, test.text, test.want)
	}

	forth := new(bytes.Buffer)
	e, err := pricing.Compile(&plan.Plan{Operations: []plan.Operation{off}}, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), strings.NewReader("sku,price\nA,10\nB,20\n"), io.Discard, forth); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(forth.Bytes())
	undo := &plan.Plan{Undo: &plan.Undo{ExecutionID: "plan_v1", ChangesSHA256: hex.EncodeToString(sum[:])}}
	if e, err = pricing.CompileUndo(undo, table.Settings{}, forth); err != nil {
		t.Fatal(err)
	}
	asks(t, "a row that was changed again", e, "sku,price\nA,5.00\nB,7\n", "stale_rows")
}

// asks runs an engine, of which one thing is told that asks for an approval.
func asks(t *testing.T, name string, e *pricing.Engine, text, want string) {
	t.Helper()
	did, err := e.Run(t.Context(), strings.NewReader(text), io.Discard)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var told []string
	for _, warning := range did.AllWarnings() {
		code := warning.Code
		if slices.Contains([]string{pricing.WarnOddRows, pricing.WarnPastSale, pricing.WarnAgainst}, code) && len(warning.Arguments) > 0 {
			code += " " + warning.Arguments[0]
		}
		told = append(told, code)
	}
	if !slices.Equal(told, []string{want}) {
		t.Errorf("%s: told are %q, want %q", name, told, want)
	}
	seal := ledger.Seal{Policy: ledger.Policy{Approval: ledger.ApproveOver}}
	seal.Did(did)
	if reasons := (ledger.Execution{}).Reasons(seal, plans.Stored{Plan: &plan.Plan{}}); !slices.Equal(reasons, []string{"There are warnings."}) {
		t.Errorf("%s asks for nothing: %q", name, reasons)
	}
}
