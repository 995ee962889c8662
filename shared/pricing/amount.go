package pricing

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// An amount is an exact price: units / 10^scale. Nearly every price fits into
// a word; one that does not has its units in wide.
type amount struct {
	units int64 // not negative
	scale int
	wide  *big.Int // nil where units holds them
}

const maxFastDigits = 18 // every number of 18 digits fits into an int64

// powers are the powers of ten that fit into an int64.
var powers = func() (p [maxFastDigits + 1]int64) {
	p[0] = 1
	for i := range maxFastDigits {
		p[i+1] = p[i] * 10
	}
	return p
}()

func bigPower(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// parseAmount reads [0-9]{1,18}(\.[0-9]{1,9})?, the one form a price has, from
// a cell of a block.
func parseAmount(block []byte, c cell) (amount, bool) {
	if c.to-c.from > wordBytes {
		return parseLong(block[c.from:c.to])
	}
	return parseShort(block, c)
}

// parseShort reads a price of at most eight bytes, all at once: each step works
// on eight digits. Masks on shifts tell the compiler that they are below 64.
func parseShort(block []byte, c cell) (amount, bool) {
	size := c.to - c.from
	if size-1 >= wordBytes {
		return amount{}, false
	}
	blank := (64 - 8*size) & 63
	digits := (wordAt(block, c.from) ^ '0'*everyByte) << blank // leading zeros fill it up
	scale := 0
	points := digits ^ ('.'^'0')*everyByte // a byte of zeros for each
	if points = (points - everyByte) &^ points & highBits; points != 0 {
		point := uint32(bits.TrailingZeros64(points)) &^ 7 // the first one's
		if point-blank-1 >= 56-blank-1 {
			return amount{}, false // it is the first byte or the last
		}
		scale = int(7 - point/8)
		before := uint64(1)<<(point&63) - 1
		digits = digits&before<<8 | digits&^(before<<8|0xff)
	}
	if (digits+(0x80-10)*everyByte|digits)&highBits != 0 {
		return amount{}, false // not all are digits
	}
	const pairs = 0xff<<32 | 0xff
	digits = digits*10 + digits>>8 // in every other byte, a number of two digits
	digits = (digits&pairs)*(1_000_000<<32|100) + (digits>>16&pairs)*(10_000<<32|1)
	return amount{units: int64(digits >> 32), scale: scale}, true
}

// parseLong reads a price of any length.
func parseLong(text []byte) (amount, bool) {
	point := len(text)
	var units int64
	for i, c := range text {
		switch digit := c - '0'; {
		case digit <= 9:
			units = units*10 + int64(digit)
		case c == '.' && point == len(text):
			point = i
		default:
			return amount{}, false
		}
	}
	scale := max(len(text)-point-1, 0)
	pointed := point < len(text)
	if point == 0 || point > plan.MaxIntegerDigits || scale > plan.MaxFractionDigits || pointed && scale == 0 {
		return amount{}, false
	}
	if point+scale <= maxFastDigits {
		return amount{units: units, scale: scale}, true
	}
	wide, _ := new(big.Int).SetString(strings.Replace(string(text), ".", "", 1), 10)
	return amount{scale: scale, wide: wide}, true
}

func (a amount) big() *big.Int {
	if a.wide != nil {
		return a.wide
	}
	return big.NewInt(a.units)
}

// equal reports whether two amounts are the same number, as 33 and 33.00 are.
func (a amount) equal(b amount) bool {
	if a.wide == nil && b.wide == nil {
		if a.scale == b.scale {
			return a.units == b.units
		}
		aHigh, aLow := bits.Mul64(uint64(a.units), uint64(powers[b.scale]))
		bHigh, bLow := bits.Mul64(uint64(b.units), uint64(powers[a.scale]))
		return aHigh == bHigh && aLow == bLow
	}
	left := new(big.Int).Mul(a.big(), bigPower(b.scale))
	return left.Cmp(new(big.Int).Mul(b.big(), bigPower(a.scale))) == 0
}

// append writes the amount with exactly its scale of fraction digits.
func (a amount) append(text []byte) []byte {
	if a.wide != nil {
		digits := a.wide.String()
		for len(digits) <= a.scale {
			digits = "0" + digits
		}
		point := len(digits) - a.scale
		text = append(text, digits[:point]...)
		if a.scale > 0 {
			text = append(text, '.')
			text = append(text, digits[point:]...)
		}
		return text
	}
	if a.units < shortUnits && a.scale < wordBytes-1 {
		return a.appendShort(text)
	}
	var digits [maxFastDigits + 3]byte
	i := len(digits)
	units := uint64(a.units)
	for n := 0; units > 0 || n <= a.scale; n++ {
		if n == a.scale && n > 0 {
			i--
			digits[i] = '.'
		}
		i--
		digits[i] = byte('0' + units%10)
		units /= 10
	}
	return append(text, digits[i:]...)
}

// shortUnits is the first number that leaves no room for a point among the
// digits of a word.
const shortUnits = 10_000_000

// appendShort writes an amount of at most eight bytes all at once, the other
// way round than parseShort reads it.
func (a amount) appendShort(text []byte) []byte {
	digits := eightDigits(uint64(a.units))
	blank := min(bits.TrailingZeros64(digits)/8, wordBytes-1-a.scale)
	digits |= '0' * everyByte
	if a.scale > 0 {
		before := uint64(1)<<(64-8*a.scale) - 1
		digits = digits&before>>8 | '.'<<(56-8*a.scale) | digits&^before
		blank--
	}
	text = binary.LittleEndian.AppendUint64(text, digits>>(8*blank&63))
	return text[:len(text)-blank]
}

// eightDigits returns the digits of a number of at most eight, the first in the
// lowest byte. Each step works on all that it has, the halves in halves: a
// quotient is a product and a shift, which are exact for numbers so small.
func eightDigits(units uint64) uint64 {
	const pairs, bytes = 1<<32 | 1, 1<<48 | 1<<32 | 1<<16 | 1
	fours := units/10_000 | (units%10_000)<<32
	hundreds := fours * 5243 >> 19 & (0x7f * pairs)
	twos := hundreds | (fours-hundreds*100)<<16
	tens := twos * 103 >> 10 & (0xf * bytes)
	return tens | (twos-tens*10)<<8
}

// A bound is one end of a price filter, ready for prices of every scale.
type bound struct {
	exact plan.Decimal
	// units[s] is the bound times 10^s, rounded into the range it allows, or
	// math.MaxInt64 where that is more than any amount of one word.
	units [plan.MaxFractionDigits + 1]int64
}

func newBound(d plan.Decimal, roundUp bool) *bound {
	b := &bound{exact: d}
	whole := d.Scaled(plan.MaxFractionDigits)
	for s := range b.units {
		quotient, rest := new(big.Int).QuoRem(whole, bigPower(plan.MaxFractionDigits-s), new(big.Int))
		if roundUp && rest.Sign() > 0 {
			quotient.Add(quotient, big.NewInt(1))
		}
		b.units[s] = math.MaxInt64
		if quotient.IsInt64() {
			b.units[s] = quotient.Int64()
		}
	}
	return b
}

// above and below report whether a price is outside the bound.
func (b *bound) above(a amount) bool {
	if a.wide == nil {
		return a.units > b.units[a.scale]
	}
	return b.compareWide(a) > 0
}

func (b *bound) below(a amount) bool {
	if a.wide == nil {
		return a.units < b.units[a.scale]
	}
	return b.compareWide(a) < 0
}

// compareWide compares an amount, whose scale is at most 9, with the bound.
func (b *bound) compareWide(a amount) int {
	scaled := new(big.Int).Mul(a.wide, bigPower(plan.MaxFractionDigits-a.scale))
	return scaled.Cmp(b.exact.Scaled(plan.MaxFractionDigits))
}
