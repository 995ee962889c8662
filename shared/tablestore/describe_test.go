package tablestore

import (
	"testing"

	"github.com/planwright/planwright/shared/table"
)

func TestTheTitleOfAPriceHasItsCurrency(t *testing.T) {
	for title, want := range map[string]string{"Price (EUR)": "EUR", "price_usd": "USD", "Preis in €": "€", "Price£": "£", "Variant Price": "", "Regular price": "", "sale price eur": "EUR"} {
		found := &table.Overview{All: []table.Column{{Title: "GBP"}, {Title: title, Role: table.RolePrice}}}
		if got := Names(found).Currency; got != want {
			t.Errorf("%s is %q, want %q", title, got, want)
		}
	}
}
