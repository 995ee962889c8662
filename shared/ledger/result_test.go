package ledger_test

import (
	"testing"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/pricing"
)

func TestLineOfAResult(t *testing.T) {
	for _, test := range []struct {
		changed, total int64
		effect         pricing.Effect
		want           string
	}{
		{0, 7, pricing.Effect{}, "0 of 7 rows change"},
		{1, 1, pricing.Effect{}, "1 of 1 row changes"},
		{2, 7, pricing.Effect{RowsRaised: 2}, "2 of 7 rows change: 2 prices rise"},
		{4, 7, pricing.Effect{RowsRaised: 1, RowsLowered: 1, RowsRegular: 1, RowsIntoStock: 1},
			"4 of 7 rows change: 1 price rises, 1 price falls, 1 regular price changes during a sale, 1 comes into stock"},
		{5, 7, pricing.Effect{RowsLowered: 2, RowsOutOfStock: 3}, "5 of 7 rows change: 2 prices fall, 3 go out of stock"},
	} {
		result := ledger.Result{Summary: pricing.Counts{RowsTotal: test.total, RowsChanged: test.changed}, Effect: test.effect}
		if got := result.Line(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
