package profile

import "testing"

// TestColumnsThatBeginAlike: which of several columns is meant, a setting says.
func TestColumnsThatBeginAlike(t *testing.T) {
	for _, test := range []struct {
		header []string
		want   int
	}{{[]string{"price-EUR", "sku"}, 0}, {[]string{"sku", "price-EUR"}, 1}, {[]string{"price-EUR", "price-USD"}, Missing}, {[]string{"sku", "price-EUR", "price-USD"}, Missing}} {
		if got, _ := NewTitled(test.header).Find(Titles{"price-*"}); got != test.want {
			t.Errorf("%q: %d, want %d", test.header, got, test.want)
		}
	}
}

func TestTrimmed(t *testing.T) {
	for text, want := range map[string]string{"": "", " ": "", "a": "a", " a b\t": "a b", "\u00a0a\u00a0": "a", "é": "é"} {
		if got := string(trimmed([]byte(text))); got != want {
			t.Errorf("%q is trimmed to %q, want %q", text, got, want)
		}
	}
}
