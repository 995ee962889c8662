package setting_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/table/setting"
)

func TestGivenSettingsAreReadAgain(t *testing.T) {
	said := map[string]string{
		"columns": `price=Preis,"name=Artikel, ""lang"""`, "profile": "plain", "delimiter": "semicolon", "line_end": "CRLF", "encoding": "windows-1250", "header": "first",
		"price_form": "1.234,56", "blank_price": "keep", "blank_stock": "in", "stock_words": `in=da,"out=weg, leider"`, "odd_rows": "leave", "in_stock_quantity": "5",
		"unmatched": "allow", "near_names": "exact", "sale_dates": "clear",
	}
	for _, known := range setting.All {
		if said[string(known.Name)] == "" {
			t.Errorf("the setting %s is not tried", known.Name)
		}
	}
	for _, given := range []map[string]string{said, {}, {"columns": "sku=SKU"}} {
		settings, err := setting.Settings{}.With(given)
		if err != nil {
			t.Fatal(err)
		}
		again, err := setting.Settings{}.With(settings.Given())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(settings, again); diff != "" || len(settings.Given()) != len(given) {
			t.Errorf("%v is given as %v: %s", given, settings.Given(), diff)
		}
	}
}
