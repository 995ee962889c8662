package held

import (
	"testing"

	"github.com/planwright/planwright/shared/table"
)

func TestNamesHaveTheSignThatPeopleWrite(t *testing.T) {
	for code, want := range map[string]string{"NZD": "$", "MXN": "$", "usd": "$", "EUR": "EUR", "EGP": "EGP", "CNY": "CNY", "zł": "zł", "": ""} {
		if got := Names(&table.Overview{Currency: code}).Currency; got != want {
			t.Errorf("%s is %q, want %q", code, got, want)
		}
	}
	for title, want := range map[string]string{"Price (EUR)": "EUR", "price_usd": "$", "Preis in €": "€", "Price£": "£", "Variant Price": "", "Regular price": "", "sale price eur": "EUR"} {
		found := &table.Overview{All: []table.Column{{Title: "GBP"}, {Title: title, Role: table.RolePrice}}}
		if got := Names(found).Currency; got != want {
			t.Errorf("%s is %q, want %q", title, got, want)
		}
	}
}
