package tablestore

import (
	"testing"

	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
)

func TestTheTitleOfAPriceHasItsCurrency(t *testing.T) {
	for title, want := range map[string]string{"Price (EUR)": "EUR", "price_usd": "USD", "Preis in €": "€", "Price£": "£", "Variant Price": "", "Regular price": "", "sale price eur": "EUR"} {
		found := &overview.Overview{All: []row.Column{{Title: "GBP"}, {Title: title, Role: recognize.RolePrice}}}
		if got := Names(found).Currency; got != want {
			t.Errorf("%s is %q, want %q", title, got, want)
		}
	}
}
