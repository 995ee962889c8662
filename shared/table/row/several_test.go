package row

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestStockOfSeveralPlaces: a plan that asks what is in stock looks at all of
// them; one that changes it must be told which.
func TestStockOfSeveralPlaces(t *testing.T) {
	const header = "Token,Item Name,Variation Name,SKU,Price,Current Quantity A,Current Quantity B\n"
	open := func(s setting.Settings, sets bool) (*Table, error) {
		return Open(strings.NewReader(header), s, recognize.Needs{Reads: []recognize.Role{recognize.RolePrice, recognize.RoleInStock}, SetsStock: sets}, 1<<16)
	}
	asks, err := open(setting.Settings{}, false)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]recognize.Located{{Index: 5}, {Index: 6}}, asks.columns[recognize.RoleInStock]); diff != "" {
		t.Error(diff)
	}
	want := "the plan changes it, and it could be Current Quantity A or Current Quantity B: say which, with the setting columns=in_stock=Current Quantity A"
	if _, err := open(setting.Settings{}, true); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %q", err, want)
	}
	said, err := open(setting.Settings{Columns: setting.Columns{InStock: "Current Quantity B"}}, true)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]recognize.Located{{Index: 6}}, said.columns[recognize.RoleInStock]); diff != "" {
		t.Error(diff)
	}
}

// TestStatesStock: a row says itself what is in stock where its cell in one
// column is all that tells it.
func TestStatesStock(t *testing.T) {
	for header, want := range map[string]bool{
		"sku,category,price,in_stock\n":                                                    true,
		"SKU,Regular price,Type,Parent,In stock?,Stock,Categories\n":                       false, // of a product, its variants say it
		"handle,sku,product_category,retail_price,track_inventory,inventory_A\n":           false, // what is not tracked always is
		"Token,Item Name,Variation Name,SKU,Price,Current Quantity A,Current Quantity B\n": false,
		"Token,Item Name,Variation Name,SKU,Price,Current Quantity A\n":                    true,
	} {
		read, err := Open(strings.NewReader(header), setting.Settings{}, recognize.Needs{Reads: []recognize.Role{recognize.RolePrice, recognize.RoleInStock}}, 1<<16)
		if err != nil {
			t.Errorf("%s: %v", header, err)
		} else if got := read.statesStock(); got != want {
			t.Errorf("%s: %v, profile %s", header, got, read.Recognized.Profile)
		}
	}
}

// TestTwiceAndNotNeeded: a column that a plan does not look at may be there more
// than once.
func TestTwiceAndNotNeeded(t *testing.T) {
	for header, needs := range map[string]recognize.Needs{"sku,price,in_stock,in_stock\n": {Reads: []recognize.Role{recognize.RolePrice}}, "sku,price,price,in_stock\n": {Reads: []recognize.Role{recognize.RoleInStock}}} {
		if _, err := Open(strings.NewReader(header), setting.Settings{}, needs, 1<<16); err != nil {
			t.Errorf("%q: %v", header, err)
		}
	}
}

// TestColumnNotToBeFound: a refusal says which columns it could be, or that
// the platform's exports have none.
func TestColumnNotToBeFound(t *testing.T) {
	for header, want := range map[string]string{
		"sku,categories,family,groups,enabled,price-EUR,price-USD":                 "could be price-EUR or price-USD: say which",
		"SKU,Price,Regular Price,Sale Price":                                       "Price may be what customers pay, sales taken off, for Regular Price stands beside it: say which is the price, with the setting columns=price=Regular Price or the setting columns=price=Price",
		"TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,SKU": "exports of Etsy have no such column",
		"sku,categories,family,groups,enabled,price-":                              "no title that is known for it",
		"Token,Item Name,Variation Name,SKU,Price,Categories":                      "no title that is known for it",
	} {
		_, err := Open(strings.NewReader(header+"\n"), setting.Settings{}, recognize.Needs{Reads: []recognize.Role{recognize.RoleCategory, recognize.RolePrice, recognize.RoleInStock}}, 1<<16)
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) {
			t.Errorf("%s: %v; want %q", header, err, want)
		}
	}
}
