package pricing

import "testing"

func TestStateWords(t *testing.T) {
	for want, s := range map[string]State{
		"":                                      {},
		"29.99, in stock":                       {Price: ptr("29.99"), InStock: ptr(true)},
		"out of stock":                          {InStock: ptr(false)},
		"45, sale price 36.00, out of stock":    {Price: ptr("45"), SalePrice: ptr("36.00"), InStock: ptr(false)},
		"45, no sale price, on sale No":         {Price: ptr("45"), SalePrice: ptr(""), OnSale: ptr("No")},
		"36, compare-at price 45":               {Price: ptr("36"), CompareAt: ptr("45")},
		"45, sale price 36, no from, until May": {Price: ptr("45"), SalePrice: ptr("36"), SaleFrom: ptr(""), SaleUntil: ptr("May")},
	} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	m := Move{Before: "45", After: "36.00", RegularAfter: ptr("45")}
	if m.BeforeText() != "45" || m.AfterText() != "36.00 (regular 45)" {
		t.Errorf("%s became %s", m.BeforeText(), m.AfterText())
	}
}
