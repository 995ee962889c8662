package table

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/profile"
)

func TestSettingsByName(t *testing.T) {
	five := int64(5)
	got, err := Settings{BlankPrice: profile.BlankPriceKeep, Unmatched: UnmatchedAllow}.With(map[string]string{
		"columns": "sku=Variant SKU", "profile": "shopify", "delimiter": ";", "line_end": "crlf", "encoding": "utf-16le",
		"price_form": "1.234,56", "in_stock_quantity": "5", "unmatched": "error", "near_names": "exact", "execution-id": "plan_x_v1",
	})
	want := Settings{
		Columns: Columns{SKU: "Variant SKU"}, Profile: "shopify", Dialect: dialect.Dialect{Delimiter: dialect.Semicolon, LineEnd: dialect.CRLF, Encoding: dialect.UTF16LE},
		PriceForm: "1.234,56", BlankPrice: profile.BlankPriceKeep, InStockQuantity: &five, Unmatched: unmatchedError, NearNames: NearNamesExact,
	}
	if diff := gocmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestSettingsThatNoTableCanBeReadWith(t *testing.T) {
	for _, given := range SettingNames {
		_, err := Settings{}.With(map[string]string{string(given.Name): "nonsense"})
		var refused *SettingError
		if !errors.As(err, &refused) || refused.Name != given.Name || errs.KindOf(err) != errs.Invalid || !strings.Contains(errs.Message(err), "nonsense") {
			t.Errorf("%s: %v", given.Name, err)
		}
	}
	if _, err := (Settings{}).With(map[string]string{"in_stock_quantity": "0"}); errs.KindOf(err) != errs.Invalid {
		t.Errorf("a quantity of 0: %v", err)
	}
}

// variables are those of a test, and what was wrong with them.
type variables struct {
	values   map[string]string
	problems []string
}

func (v *variables) String(name, fallback string) string { return cmp.Or(v.values[name], fallback) }

func (v *variables) Problem(format string, args ...any) {
	v.problems = append(v.problems, fmt.Sprintf(format, args...))
}

func TestReadSettings(t *testing.T) {
	v := &variables{values: map[string]string{"CSV_COLUMNS": "sku=id", "CSV_PROFILE": "magento", "PRICE_FORM": "nonsense", "IN_STOCK_QUANTITY": "many"}}
	got := ReadSettings(v)
	if diff := gocmp.Diff(Settings{Columns: Columns{SKU: "id"}, Profile: "magento"}, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	if len(v.problems) != 2 || !strings.HasPrefix(v.problems[0], "PRICE_FORM: ") || !strings.HasPrefix(v.problems[1], "IN_STOCK_QUANTITY: ") {
		t.Errorf("problems = %q", v.problems)
	}
}

func TestSurfaces(t *testing.T) {
	const message = "map it with {columns=sku=Variant SKU}, or {blank_price}; {nonsense} {columns"
	for want, surface := range map[string]Surface{
		`map it with --columns 'sku=Variant SKU', or --blank-price; {nonsense} {columns`:                                                                                                   Flags,
		"map it with the object metadata columns=sku=Variant SKU (or the executor's CSV_COLUMNS), or the object metadata blank_price (or the executor's BLANK_PRICE); {nonsense} {columns": Metadata,
		"map it with the query parameter columns=sku=Variant SKU, or the query parameter blank_price; {nonsense} {columns":                                                                 QueryParameter,
		"map it with the server's variable CSV_COLUMNS=sku=Variant SKU, or the server's variable BLANK_PRICE; {nonsense} {columns":                                                         Server,
		"map it with the setting columns=sku=Variant SKU, or the setting blank_price; {nonsense} {columns":                                                                                 plainly,
	} {
		if got := surface.Write(message); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestUnknownNamesAreReported(t *testing.T) {
	refused := &UnknownNamesError{More: 3, Names: []UnknownName{
		{Column: RoleCategory, Name: "Fitness", Excluded: true, Confirm: "reprice Fitness too", OperationIDs: []string{"op_01"}, Nearest: []string{"fitness", "Fitness Equipment"}},
		{Column: RoleCategory, Name: "Größe", OperationIDs: []string{"op_02"}, Nearest: []string{"Gro\u0308ße"}},
		{Column: RoleSKU, Name: "A1O1", OperationIDs: []string{"op_01", "op_02"}},
	}}
	const want = `The plan names what no row of this table has, and nothing was changed.
  category "Fitness", left out by op_01: this table has "fitness", "Fitness Equipment"
  category "Größe", asked for by op_02: this table has "` + "Gro\u0308ße" + `", in another Unicode form of the same letters
  SKU "A1O1", asked for by op_01, op_02: nothing like it was found
  and 3 more
A name must be written exactly as in the table. Make a new plan with the table's names; or, where this table is only a part of the catalogue, let it pass with --unmatched 'reprice Fitness too,allow', in these very words: what the plan leaves out would be repriced if the table has it under another name.`
	if got := refused.On(Flags).Error(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if errs.KindOf(refused) != errs.Invalid || !strings.Contains(errs.Message(refused), "the setting unmatched=reprice Fitness too,allow") {
		t.Errorf("%s, %s", errs.KindOf(refused), errs.Message(refused))
	}
}
