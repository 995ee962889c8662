package setting

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
	for _, given := range All {
		_, err := Settings{}.With(map[string]string{string(given.Name): "nonsense"})
		var refused *Error
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
	got := Read(v)
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
