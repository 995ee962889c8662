package table

import (
	"strings"
	"testing"
)

// TestColumnNotToBeFound: a refusal says which columns it could be, or that
// the platform's exports have none.
func TestColumnNotToBeFound(t *testing.T) {
	for header, want := range map[string]string{
		"sku,categories,family,groups,enabled,price-EUR,price-USD":                 "could be price-EUR or price-USD: say which",
		"TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,SKU": "exports of Etsy have no such column",
		"sku,categories,family,groups,enabled,price-":                              "no title that is known for it",
		"Token,Item Name,Variation Name,SKU,Price,Categories":                      "no title that is known for it",
	} {
		_, err := Open(strings.NewReader(header+"\n"), Settings{}, Needs{Category: true, Price: true, Stock: true}, 1<<16)
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) {
			t.Errorf("%s: %v; want %q", header, err, want)
		}
	}
}
