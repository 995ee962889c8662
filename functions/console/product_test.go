package console

import (
	"slices"
	"testing"
)

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
