package plan_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
)

func TestParseDecimal(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "0.0": "0", "10": "10", "10.0": "10", "3.50": "3.5", "0.1": "0.1", "007.10": "7.1", "100": "100",
		strings.Repeat("9", 18) + "." + strings.Repeat("9", 9): strings.Repeat("9", 18) + "." + strings.Repeat("9", 9),
		"1.1234567890000": "1.123456789",
	} {
		d, err := plan.ParseDecimal(text)
		if err != nil || d.String() != want {
			t.Errorf("%q is %v (%v), want %s", text, d, err, want)
		}
	}
	for text, want := range map[string]string{
		"-1": "must not be negative", "-0": "must not be negative", "1e2": "must be written without an exponent", "1E2": "must be written without an exponent",
		"": "must be a decimal number such as 10, 3.5 or 0.1", ".5": "must be a decimal number such as 10, 3.5 or 0.1", "5.": "must be a decimal number such as 10, 3.5 or 0.1",
		"+5": "must be a decimal number such as 10, 3.5 or 0.1", "1,5": "must be a decimal number such as 10, 3.5 or 0.1", "NaN": "must be a decimal number such as 10, 3.5 or 0.1", "--1": "must be a decimal number such as 10, 3.5 or 0.1", "٣": "must be a decimal number such as 10, 3.5 or 0.1",
		"1" + strings.Repeat("0", 18): "has more than 18 digits before the point", "0.1234567891": "has more than 9 digits after the point",
	} {
		if d, err := plan.ParseDecimal(text); err == nil || err.Error() != want {
			t.Errorf("%q is %v with error %v, want %q", text, d, err, want)
		}
	}
}

func TestMustDecimalPanics(t *testing.T) {
	defer func() {
		if got, want := recover(), `plan: decimal "-1" must not be negative`; got != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}()
	plan.MustDecimal("-1")
}

func TestDecimalOrderAndScale(t *testing.T) {
	ordered := []string{"0", "0.000000001", "0.09", "0.1", "0.11", "0.2", "1", "1.5", "9.99", "10", "10.01", "99", "100", "999999999999999999.999999999"}
	for i, a := range ordered {
		for j, b := range ordered {
			x, y := plan.MustDecimal(a), plan.MustDecimal(b)
			rx, _ := new(big.Rat).SetString(a)
			ry, _ := new(big.Rat).SetString(b)
			if got, want := x.Cmp(y), rx.Cmp(ry); got != want || (i == j) != (x == y) {
				t.Errorf("%s compared with %s: %d, want %d; equal: %t", a, b, got, want, x == y)
			}
		}
		d := plan.MustDecimal(a)
		back := new(big.Rat).SetFrac(d.Scaled(12), big.NewInt(1_000_000_000_000))
		if want, _ := new(big.Rat).SetString(a); back.Cmp(want) != 0 {
			t.Errorf("%s scaled by 12 digits is %v", a, d.Scaled(12))
		}
		for _, scale := range []int{d.Scale(), 9, 12, 30} {
			if same, err := plan.FromScaled(d.Scaled(scale), scale); err != nil || same != d {
				t.Errorf("%s scaled by %d digits comes back as %s: %v", a, scale, same, err)
			}
		}
		if _, fraction, _ := strings.Cut(a, "."); d.Scale() != len(fraction) || d.IsZero() != (a == "0") {
			t.Errorf("%s has scale %d, zero %t", a, d.Scale(), d.IsZero())
		}
	}
	if _, err := plan.FromScaled(big.NewInt(-1), 2); !errors.Is(err, plan.ErrNegative) {
		t.Errorf("FromScaled(-1, 2): %v", err)
	}
}
