package console

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/plannerapi"
)

// Prices that never followed one another are not joined by a line.
func TestTheLineIsBroken(t *testing.T) {
	for _, tc := range []struct {
		prices []string // before and after each change, the oldest first
		lines  int
	}{
		{[]string{"19.15", "20.00", "20.00", "21.00", "21.0", "22.00"}, 1},
		{[]string{"19.15", "32.56", "19.15", "20.49", "20.49", "21.00", "19.15", "20.87"}, 3},
	} {
		var newestFirst []plannerapi.SKUChange
		for i := 0; i < len(tc.prices); i += 2 {
			change := plannerapi.SKUChange{}
			change.Before.Price, change.After.Price, change.ExecutedAt = &tc.prices[i], &tc.prices[i+1], time.Unix(int64(i)*3600, 0)
			newestFirst = slices.Insert(newestFirst, 0, change)
		}
		drawn := lineOf(newestFirst)
		if got := strings.Count(drawn.Path, "M"); got != tc.lines || drawn.Broken != (tc.lines > 1) {
			t.Errorf("%q: %d lines, %s", tc.prices, got, drawn.Path)
		}
	}
}

// Prices are drawn in whatever form the table writes them, and not where they can be
// read in two ways.
func TestAmounts(t *testing.T) {
	for _, tc := range []struct {
		texts []string
		want  []float64
	}{
		{[]string{"29.99", "32.99"}, []float64{29.99, 32.99}}, {[]string{"1.299,00 €", "999,50 €"}, []float64{1299, 999.5}},
		{[]string{"$1,299.00", "$12.00"}, []float64{1299, 12}}, {[]string{"12", "13"}, []float64{12, 13}},
		{[]string{"kr 1 299,50", "kr 12,00"}, []float64{1299.5, 12}}, {[]string{"1,299", "13"}, nil}, {[]string{"", "3"}, nil}, {[]string{"on request", "3"}, nil},
	} {
		if got, ok := amounts(tc.texts); ok != (tc.want != nil) || !slices.Equal(got, tc.want) {
			t.Errorf("%q: %v, %v, want %v", tc.texts, got, ok, tc.want)
		}
	}
}
