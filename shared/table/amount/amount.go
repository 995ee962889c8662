// Package amount has exact prices: decimals of at most 18 digits before the point and 9 after
// it, to which more are rounded. It reads them from a cell and writes them to one.
//
// It knows no currency and no form of a price but the decimal mark that it is given. What a
// cell has around its number is package profile's to say.
package amount

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/table/cell"
)

// An Amount is an exact price: Units / 10^Scale. Nearly every price fits into
// a word; one that does not has its units in Wide.
type Amount struct {
	Units int64 // not negative
	Scale int
	Wide  *big.Int // nil where Units holds them
}

const (
	// MaxFastDigits: every number of 18 digits fits into an int64.
	MaxFastDigits     = 18
	maxIntegerDigits  = 18
	maxFractionDigits = 9
	maxWrittenDigits  = 20 // of which those count, rounded
)

// Powers are the powers of ten that fit into an int64.
var Powers = func() (p [MaxFastDigits + 1]int64) {
	p[0] = 1
	for i := range MaxFastDigits {
		p[i+1] = p[i] * 10
	}
	return p
}()

// BigPower returns 10^n.
func BigPower(n int) *big.Int {
	if n < len(Powers) {
		return big.NewInt(Powers[n])
	}
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// Parse reads [0-9]{1,18}(\.[0-9]{1,9})? from a cell of a block, where the
// decimal point may be another mark. A mark that is NUL means none.
func Parse(block []byte, c cell.Span, point byte) (Amount, bool) {
	if c.Size() > cell.WordBytes {
		return Long(c.Of(block), point)
	}
	return Short(block, c, point)
}

// Short reads a price of at most eight bytes, all at once: each step works
// on eight digits. Masks on shifts tell the compiler that they are below 64.
func Short(block []byte, c cell.Span, point byte) (Amount, bool) {
	size := c.Size()
	if size-1 >= cell.WordBytes {
		return Amount{}, false
	}
	blank := (64 - 8*size) & 63
	digits := (cell.Word(block, c.From) ^ '0'*cell.EveryByte) << blank // leading zeros fill it up
	scale := 0
	points := digits ^ uint64(point^'0')*cell.EveryByte // a byte of zeros for each
	if points = (points - cell.EveryByte) &^ points & cell.HighBits; points != 0 {
		at := uint32(bits.TrailingZeros64(points)) &^ 7 // the first one's
		if at-blank-1 >= 56-blank-1 {
			return Amount{}, false // it is the first byte or the last
		}
		scale = int(7 - at/8)
		before := uint64(1)<<(at&63) - 1
		digits = digits&before<<8 | digits&^(before<<8|0xff)
	}
	if (digits+(0x80-10)*cell.EveryByte|digits)&cell.HighBits != 0 {
		return Amount{}, false // not all are digits
	}
	const pairs = 0xff<<32 | 0xff
	digits = digits*10 + digits>>8 // in every other byte, a number of two digits
	digits = (digits&pairs)*(1_000_000<<32|100) + (digits>>16&pairs)*(10_000<<32|1)
	return Amount{Units: int64(digits >> 32), Scale: scale}, true
}

// Long reads a price of any length.
func Long(text []byte, point byte) (Amount, bool) {
	mark := len(text)
	var units int64
	for i, c := range text {
		switch digit := c - '0'; {
		case digit <= 9:
			units = units*10 + int64(digit)
		case c == point && mark == len(text):
			mark = i
		default:
			return Amount{}, false
		}
	}
	scale := max(len(text)-mark-1, 0)
	marked := mark < len(text)
	if mark == 0 || mark > maxIntegerDigits || marked && scale == 0 {
		return Amount{}, false
	}
	if scale > maxFractionDigits {
		return rounded(text, mark)
	}
	if mark+scale <= MaxFastDigits {
		return Amount{Units: units, Scale: scale}, true
	}
	wide, _ := new(big.Int).SetString(strings.Replace(string(text), string(rune(point)), "", 1), 10)
	return Amount{Scale: scale, Wide: wide}, true
}

// rounded reads a number of digits with more of them behind the point than count, as
// programs write one that they have in binary: 926.6400000000001 is 926.64.
func rounded(text []byte, mark int) (a Amount, ok bool) {
	end := mark + 1 + maxFractionDigits
	if a, ok = Long(text[:end], text[mark]); !ok || a.Wide != nil || len(text) > mark+1+maxWrittenDigits {
		return Amount{}, false
	}
	if text[end] >= '5' {
		a.Units++
	}
	for a.Scale > 0 && a.Units%10 == 0 {
		a.Units, a.Scale = a.Units/10, a.Scale-1
	}
	return a, true
}

// Big returns the amount's units.
func (a Amount) Big() *big.Int {
	if a.Wide != nil {
		return a.Wide
	}
	return big.NewInt(a.Units)
}

// Decimals returns how many digits behind the point the amount has, without zeros at
// its end.
func (a Amount) Decimals() int {
	scale, units := a.Scale, a.Big()
	if a.Wide == nil {
		for rest := a.Units; scale > 0 && rest%10 == 0; scale-- {
			rest /= 10
		}
		return scale
	}
	for ten, rest := big.NewInt(10), new(big.Int); scale > 0; scale-- {
		shorter, last := new(big.Int).QuoRem(units, ten, rest)
		if last.Sign() != 0 {
			break
		}
		units = shorter
	}
	return scale
}

// Whole returns the amount without its decimals, where those are zeros.
func (a Amount) Whole() Amount {
	if a.Scale == 0 || a.Decimals() > 0 {
		return a
	}
	if a.Wide == nil {
		return Amount{Units: a.Units / Powers[a.Scale]}
	}
	return Amount{Wide: new(big.Int).Quo(a.Wide, BigPower(a.Scale))}
}

// IsZero reports whether it is nothing.
func (a Amount) IsZero() bool { return a.Units == 0 && (a.Wide == nil || a.Wide.Sign() == 0) }

// Equal reports whether two amounts are the same number, as 33 and 33.00 are.
func (a Amount) Equal(b Amount) bool {
	if a.Wide == nil && b.Wide == nil && a.Scale == b.Scale {
		return a.Units == b.Units
	}
	return a.Cmp(b) == 0
}

// Cmp compares two amounts as numbers.
func (a Amount) Cmp(b Amount) int {
	if a.Wide == nil && b.Wide == nil && a.Scale == b.Scale {
		return cmp.Compare(a.Units, b.Units)
	}
	if a.Wide == nil && b.Wide == nil {
		aHigh, aLow := bits.Mul64(uint64(a.Units), uint64(Powers[b.Scale]))
		bHigh, bLow := bits.Mul64(uint64(b.Units), uint64(Powers[a.Scale]))
		return cmp.Or(cmp.Compare(aHigh, bHigh), cmp.Compare(aLow, bLow))
	}
	left := new(big.Int).Mul(a.Big(), BigPower(b.Scale))
	return left.Cmp(new(big.Int).Mul(b.Big(), BigPower(a.Scale)))
}

// Append writes the amount with exactly its scale of fraction digits behind
// the decimal point, or the mark that stands for it.
func (a Amount) Append(text []byte, point byte) []byte {
	if a.Wide != nil {
		text = fmt.Appendf(text, "%0*d", a.Scale+1, a.Wide)
	} else {
		for digits := a.Scale; digits > 0 && a.Units < Powers[digits]; digits-- {
			text = append(text, '0')
		}
		text = strconv.AppendInt(text, a.Units, 10)
	}
	if a.Scale == 0 {
		return text
	}
	text = append(text, 0)
	mark := len(text) - 1 - a.Scale
	for i := len(text) - 1; i > mark; i-- {
		text[i] = text[i-1]
	}
	text[mark] = point
	return text
}
