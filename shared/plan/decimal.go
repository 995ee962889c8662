package plan

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Decimal is an exact non-negative decimal of at most MaxIntegerDigits digits
// before the point and MaxFractionDigits after it. It is kept as its canonical
// text, without leading or trailing zeros, so that equal decimals are equal
// values. The zero value is 0.
type Decimal struct {
	text string // "" is zero
}

// ErrNegative is the reason ParseDecimal gives for a number below zero.
var ErrNegative = errors.New("must not be negative")

// ParseDecimal reads digits with an optional fraction: no exponent, no
// separators. "-0" and "-0.0" are negative too.
func ParseDecimal(s string) (Decimal, error) {
	if strings.ContainsAny(s, "eE") {
		return Decimal{}, errors.New("must be written without an exponent")
	}
	unsigned, negative := strings.CutPrefix(s, "-")
	whole, fraction, pointed := strings.Cut(unsigned, ".")
	if !digits(whole) || pointed && !digits(fraction) {
		return Decimal{}, errors.New("must be a decimal number such as 10, 3.5 or 0.1")
	}
	if negative {
		return Decimal{}, ErrNegative
	}
	whole = strings.TrimLeft(whole, "0")
	fraction = strings.TrimRight(fraction, "0")
	if len(whole) > MaxIntegerDigits {
		return Decimal{}, fmt.Errorf("has more than %d digits before the point", MaxIntegerDigits)
	}
	if len(fraction) > MaxFractionDigits {
		return Decimal{}, fmt.Errorf("has more than %d digits after the point", MaxFractionDigits)
	}
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return Decimal{text: strings.TrimPrefix(whole, "0")}, nil
	}
	return Decimal{text: whole + "." + fraction}, nil
}

// MustDecimal is ParseDecimal for constants; it panics on an error.
func MustDecimal(s string) Decimal {
	d, err := ParseDecimal(s)
	if err != nil {
		panic(fmt.Sprintf("plan: decimal %q %v", s, err))
	}
	return d
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// String returns the canonical text: "10", "3.5", "0.1".
func (d Decimal) String() string {
	if d.text == "" {
		return "0"
	}
	return d.text
}

// MarshalJSON returns the canonical text.
func (d Decimal) MarshalJSON() ([]byte, error) { return []byte(d.String()), nil }

// Scale returns the number of fraction digits.
func (d Decimal) Scale() int {
	_, fraction, _ := strings.Cut(d.text, ".")
	return len(fraction)
}

// IsZero reports whether d is 0.
func (d Decimal) IsZero() bool { return d.text == "" }

// Cmp returns -1, 0 or +1 as d is below, equal to or above other.
func (d Decimal) Cmp(other Decimal) int {
	if c := cmp.Compare(d.wholeDigits(), other.wholeDigits()); c != 0 {
		return c // canonical: the longer whole part is the larger number
	}
	return strings.Compare(d.String(), other.String())
}

func (d Decimal) wholeDigits() int {
	whole, _, _ := strings.Cut(d.String(), ".")
	return len(whole)
}

// Scaled returns d times 10^scale. The scale must be at least d.Scale().
func (d Decimal) Scaled(scale int) *big.Int {
	whole, fraction, _ := strings.Cut(d.String(), ".")
	scaled, _ := new(big.Int).SetString(whole+fraction, 10) // they are digits
	return scaled.Mul(scaled, powerOfTen(scale-len(fraction)))
}

// unitDigits are enough for any decimal changed by any percentage to be exact.
// Of what is changed again, finer digits are cut off: no price has them.
const unitDigits = 2*MaxFractionDigits + 2

var powersOfTen = func() (powers [unitDigits + 1]*big.Int) {
	ten := big.NewInt(10)
	for i := range powers {
		powers[i] = new(big.Int).Exp(ten, big.NewInt(int64(i)), nil)
	}
	return powers
}()

// powerOfTen returns a number that must not be changed.
func powerOfTen(n int) *big.Int {
	if n < len(powersOfTen) {
		return powersOfTen[n]
	}
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// FromScaled returns n times 10^-scale, the reverse of Scaled.
func FromScaled(n *big.Int, scale int) (Decimal, error) {
	if n.Sign() < 0 {
		return Decimal{}, ErrNegative
	}
	text := fmt.Sprintf("%0*d", scale+1, n)
	point := len(text) - scale
	return ParseDecimal(strings.TrimSuffix(text[:point]+"."+text[point:], "."))
}
