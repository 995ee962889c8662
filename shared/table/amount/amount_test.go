package amount_test

import (
	"testing"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
)

func parse(t *testing.T, text string) amount.Amount {
	t.Helper()
	block, at := cell.Block(text)
	a, ok := amount.Parse(block, at, '.')
	if !ok {
		t.Fatalf("%q is no amount", text)
	}
	return a
}

// Amounts are written as they were read, but for zeros in front.
func TestAppend(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "0.05": "0.05", "12345678": "12345678", "1234.567": "1234.567", "123456789.01": "123456789.01", "007": "7",
		"99999.99": "99999.99", "100000.00": "100000.00", "0.123456": "0.123456", "0.1234567": "0.1234567", "0.00000005": "0.00000005",
		"999999999999999999.999999999": "999999999999999999.999999999", "000000000000000000.000000001": "0.000000001",
	} {
		if got := string(parse(t, text).Append(nil, '.')); got != want {
			t.Errorf("%s is written as %s, want %s", text, got, want)
		}
	}
}

// TestRounded reads what programs write of numbers in binary as the decimals that they
// are.
func TestRounded(t *testing.T) {
	for text, want := range map[string]string{
		"926.6400000000001": "926.64", "57.939999999999998": "57.94", "0.30000000000000004": "0.3", "2.9999999999999996": "3", "487.08000000000004": "487.08",
		"161.51097011403027": "161.510970114", "1.2345678905": "1.234567891", "999999999.9999999999": "1000000000", "1234567890.1000000000001": "", "1.00000000000x": "", "1.000000000000000000001": "",
	} {
		block, at := cell.Block(text)
		got := ""
		if a, ok := amount.Parse(block, at, '.'); ok {
			got = string(a.Append(nil, '.'))
		}
		if got != want {
			t.Errorf("%s is read as %q, want %q", text, got, want)
		}
	}
}

// Only what fits a word is read as one.
func TestShort(t *testing.T) {
	for text, want := range map[string]bool{"": false, "1": true, "12345678": true, "1234.567": true, "123456789": false, ".5": false, "5.": false, "1.2.3": false, "1a": false} {
		block, at := cell.Block(text)
		if _, ok := amount.Short(block, at, '.'); ok != want {
			t.Errorf("%q is read: %t", text, ok)
		}
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		equal bool
	}{
		{"33", "33.00", true}, {"33.00", "33.00", true}, {"33.00", "33.01", false}, {"3.3", "33", false},
		{"0.000000000", "123456789012345678.123456789", false}, {"123456789012345678.123456789", "0.000000000", false},
		{"123456789012345678.123456789", "123456789012345678.123456789", true}, {"123456789012345678.100000000", "123456789012345678.1", true},
	} {
		if got := parse(t, c.a).Equal(parse(t, c.b)); got != c.equal {
			t.Errorf("%s and %s are equal: %t", c.a, c.b, got)
		}
	}
}
