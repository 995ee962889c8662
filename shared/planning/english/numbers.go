package english

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// Value is a number with its unit, as an instruction gives it. Money is in
// whole currency units: 50 cents is 0.5.
type Value struct {
	Number   plan.Decimal
	Currency Currency
	Sign     int8 // -1 or +1 where one is written, else 0
	Unit     Unit
	Fraction bool // a half, a third: of something
	Cents    bool // written in cents
}

// inThousands reports whether text is a number of thousands, written 5k.
func inThousands(text string) bool {
	digits := len(text) - 1
	return digits >= 1 && digits <= 6 && text[0] != '0' && (text[digits] == 'k' || text[digits] == 'K') && onlyDigits(text[:digits])
}

var smallNumbers = map[string]int64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var denominators = map[string]int64{
	"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5, "fifths": 5,
	"sixth": 6, "eighth": 8, "tenth": 10, "tenths": 10,
}

// numerals reads numbers from tokens, one position after the other.
type numerals struct {
	tokens []Token
	pos    int
}

func (n *numerals) norm() string {
	if n.pos >= len(n.tokens) || n.tokens[n.pos].Kind == Quoted {
		return ""
	}
	return n.tokens[n.pos].Norm
}

// accept steps over a token with the given text.
func (n *numerals) accept(norm string) bool {
	if n.norm() != norm {
		return false
	}
	n.pos++
	return true
}

// hyphen steps over a hyphen without spaces: twenty-five, 5-dollar.
func (n *numerals) hyphen() {
	if n.norm() == "-" && !n.tokens[n.pos].Spaced && n.pos+1 < len(n.tokens) && !n.tokens[n.pos+1].Spaced && n.tokens[n.pos+1].Kind == Word {
		n.pos++
	}
}

// readAmount reads the amount that starts at token i and returns its end, or i
// where there is none.
func readAmount(tokens []Token, i int) (Value, int) {
	n := &numerals{tokens: tokens, pos: i}
	var v Value
	v.Sign = n.sign()
	prefix, prefixed := n.prefix()
	if !prefixed {
		if fraction, ok := n.fraction(); ok {
			return fraction, n.pos
		}
	}
	if v.Sign == 0 {
		v.Sign = n.signAfter(prefixed)
	}
	if note, ok := n.note(); ok && !prefixed {
		return note, n.pos
	}
	number, ok := n.number()
	if !ok {
		return Value{}, i
	}
	v.Number = number
	if prefixed {
		v.Unit, v.Currency = Money, prefix
	}
	return n.unit(v), n.pos
}

// sign reads a + or - that touches what follows it and not what precedes it.
func (n *numerals) sign() int8 {
	mark := n.norm()
	if mark != "+" && mark != "-" && mark != "−" || n.pos+1 >= len(n.tokens) || n.tokens[n.pos+1].Spaced {
		return 0
	}
	if n.pos > 0 && !n.tokens[n.pos].Spaced && !n.tokens[n.pos].LineStart && n.tokens[n.pos-1].Kind != Mark {
		return 0 // 10-20 is a range
	}
	if next := n.tokens[n.pos+1]; next.Kind != Number && !prefixes[next.Norm] {
		return 0
	}
	n.pos++
	if mark == "+" {
		return 1
	}
	return -1
}

func (n *numerals) signAfter(prefixed bool) int8 {
	if !prefixed {
		return 0
	}
	return n.sign()
}

// prefix reads $, US$, USD and Rs. before digits.
func (n *numerals) prefix() (Currency, bool) {
	start := n.pos
	if n.norm() == "us" && !n.paid() {
		n.pos++
	}
	if mark := n.norm(); n.pos+1 < len(n.tokens) && n.tokens[n.pos].Kind != Number && prefixes[mark] {
		n.pos++
		if mark == "usd" || mark == "cad" || mark == "aud" {
			n.accept("$")
		}
		if mark == "rs" {
			n.accept(".")
		}
		if n.pos < len(n.tokens) && startsNumber(n.tokens[n.pos]) {
			return units[mark].Currency, true
		}
	}
	n.pos = start
	return 0, false
}

func startsNumber(t Token) bool {
	return t.Kind == Number || inThousands(t.Text) || t.Norm == "-" || t.Norm == "+"
}

// fraction reads a third, two thirds, 1/3, half.
func (n *numerals) fraction() (Value, bool) {
	start := n.pos
	numerator := int64(1)
	switch {
	case n.accept("a"), n.accept("an"), n.accept("one"):
	case n.accept("two"):
		numerator = 2
	case n.accept("three"):
		numerator = 3
	case n.slashed():
		return n.ratio(start)
	case n.norm() != "half":
		return Value{}, false
	}
	n.hyphen()
	denominator, ok := denominators[n.norm()]
	if !ok || n.followedBy("dollar", "percent", "a") || n.halfOfOne() {
		n.pos = start
		return Value{}, false
	}
	n.pos++
	return portion(numerator, denominator), true
}

// halfOfOne reports whether "half" is of a unit: half of one percent.
func (n *numerals) halfOfOne() bool {
	ahead := numerals{tokens: n.tokens, pos: n.pos}
	return ahead.halfUnit()
}

func (n *numerals) followedBy(words ...string) bool {
	for _, word := range words {
		if n.pos+1 < len(n.tokens) && n.tokens[n.pos+1].Norm == word {
			return true
		}
	}
	return false
}

func (n *numerals) slashed() bool {
	return n.pos+2 < len(n.tokens) && n.tokens[n.pos].Kind == Number && n.tokens[n.pos+1].Norm == "/" && !n.tokens[n.pos+1].Spaced &&
		n.tokens[n.pos+2].Kind == Number && !n.tokens[n.pos+2].Spaced
}

func (n *numerals) ratio(start int) (Value, bool) {
	top, _ := strconv.ParseInt(n.tokens[start].Value.String(), 10, 64) // 0 where it is no whole number
	bottom, _ := strconv.ParseInt(n.tokens[start+2].Value.String(), 10, 64)
	switch bottom {
	case 2, 3, 4, 5, 6, 8, 10:
		if 0 < top && top < bottom {
			n.pos = start + 3
			return portion(top, bottom), true
		}
	}
	n.pos = start
	return Value{}, false
}

// portion is a part of the whole as a percentage, to the nine digits a plan
// has: a third is 33.333333333. On a price of up to six digits and two
// decimals no result differs from the exact third's.
func portion(numerator, denominator int64) Value {
	percent := new(big.Rat).SetFrac64(numerator*100, denominator)
	return Value{Number: plan.MustDecimal(percent.FloatString(plan.MaxFractionDigits)), Unit: Percent, Fraction: true}
}

// notes and coins are what amounts are called by. Dimes alone are what prices are
// rounded to, and nickel is a metal.
var (
	notes = map[string]string{"fiver": "5", "tenner": "10"}
	coins = map[string]string{"nickel": "0.05", "dime": "0.1"}
)

// note reads "a fiver", "fiver" and "a dime".
func (n *numerals) note() (Value, bool) {
	start := n.pos
	one := n.accept("a") || n.accept("one")
	worth, ok := notes[n.norm()]
	if !ok && one {
		worth, ok = coins[n.norm()]
	}
	if !ok {
		n.pos = start
		return Value{}, false
	}
	n.pos++
	return Value{Number: plan.MustDecimal(worth), Unit: Money}, true
}

// Apart is by how much percent a price changes that becomes so many percent of
// what it was, and whether it rises: 80% of a price is a fall by 20%.
func (v Value) Apart() (change plan.Decimal, rises bool) {
	units := v.Number.Scaled(plan.MaxFractionDigits)
	units.Sub(units, plan.MustDecimal("100").Scaled(plan.MaxFractionDigits))
	rises = units.Sign() > 0
	change, err := plan.FromScaled(units.Abs(units), plan.MaxFractionDigits)
	if err != nil { // the number itself is within a plan's digits
		return v.Number, rises
	}
	return change, rises
}

// number reads digits or number words.
func (n *numerals) number() (plan.Decimal, bool) {
	if n.pos < len(n.tokens) && n.tokens[n.pos].Kind == Number {
		n.pos++
		return n.andHalf(n.tokens[n.pos-1].Value), true
	}
	if thousands, ok := n.thousands(); ok {
		return thousands, true
	}
	if n.halfUnit() {
		return plan.MustDecimal("0.5"), true
	}
	start := n.pos
	if n.accept("a") || n.accept("an") { // a dollar, a percent, a hundred
		if u, ok := units[n.norm()]; ok && (u.Unit == Money && len(n.norm()) > 2 || n.norm() == "percent") && !n.isMark() {
			return plan.MustDecimal("1"), true
		}
		if n.norm() != "hundred" && n.norm() != "thousand" {
			n.pos = start
			return plan.Decimal{}, false
		}
	}
	total, ok := n.words()
	if !ok {
		n.pos = start
		return plan.Decimal{}, false
	}
	text := big.NewInt(total).String() + n.half()
	value, err := plan.ParseDecimal(text)
	return value, err == nil
}

// andHalf reads the half of "5 and a half percent", 5 1/2% and 5½%.
func (n *numerals) andHalf(d plan.Decimal) plan.Decimal {
	start := n.pos
	half := n.accept("½") || n.slashed() && n.slashHalf() || n.accept("and") && n.accept("a") && n.accept("half")
	if half && d.Scale() == 0 {
		if unit, ok := units[n.norm()]; ok && !unit.Cents || n.norm() == "per" {
			return plan.MustDecimal(d.String() + ".5")
		}
	}
	n.pos = start
	return d
}

// slashHalf steps over 1/2.
func (n *numerals) slashHalf() bool {
	half, ok := n.ratio(n.pos)
	return ok && half.Number.String() == "50"
}

// thousands reads 5k.
func (n *numerals) thousands() (plan.Decimal, bool) {
	if n.pos >= len(n.tokens) || n.tokens[n.pos].Kind != Code || !inThousands(n.tokens[n.pos].Text) {
		return plan.Decimal{}, false
	}
	value, err := plan.ParseDecimal(n.tokens[n.pos].Text[:len(n.tokens[n.pos].Text)-1] + "000")
	if err != nil {
		return plan.Decimal{}, false
	}
	n.pos++
	return value, true
}

// halfUnit reads "half a" and "half of one" before a percent or a dollar, which
// are half of that unit and not half of the price.
func (n *numerals) halfUnit() bool {
	start := n.pos
	_ = n.accept("a") || n.accept("one")
	if n.accept("half") {
		n.accept("of")
		_ = n.accept("a") || n.accept("one")
		if n.norm() == "percent" || n.norm() == "dollar" {
			return true
		}
	}
	n.pos = start
	return false
}

func (n *numerals) isMark() bool { return n.tokens[n.pos].Kind == Mark }

// words reads forty-two, one hundred and fifty, two thousand.
func (n *numerals) words() (total int64, ok bool) {
	group, read := n.tens()
	for {
		switch {
		case n.norm() == "hundred" && group < 100:
			n.pos++
			group, read = max(group, 1)*100, true
		case n.norm() == "thousand" && total == 0 && group < 1000:
			n.pos++
			total, group, read = max(group, 1)*1000, 0, true
		default:
			return total + group, read
		}
		group += n.rest()
	}
}

// rest reads the tens after a hundred or a thousand, with an optional "and".
func (n *numerals) rest() int64 {
	start := n.pos
	n.accept("and")
	if tens, ok := n.tens(); ok {
		return tens
	}
	n.pos = start
	return 0
}

func (n *numerals) tens() (int64, bool) {
	value, ok := smallNumbers[n.norm()]
	if !ok {
		return 0, false
	}
	n.pos++
	if value < 20 || value%10 != 0 {
		return value, true
	}
	start := n.pos
	n.hyphen()
	if ones, ok := smallNumbers[n.norm()]; ok && ones > 0 && ones < 10 {
		n.pos++
		return value + ones, true
	}
	n.pos = start
	return value, true
}

// half reads "and a half" after number words.
func (n *numerals) half() string {
	start := n.pos
	if n.accept("and") && n.accept("a") && n.accept("half") {
		return ".5"
	}
	n.pos = start
	if n.accept("point") {
		if digit, ok := smallNumbers[n.norm()]; ok && digit < 10 {
			n.pos++
			return "." + big.NewInt(digit).String()
		}
		n.pos = start
	}
	return ""
}

// unit reads the unit after a number, and cents after dollars.
func (n *numerals) unit(v Value) Value {
	n.hyphen()
	name := n.norm()
	if name == "per" && n.followedBy("cent") {
		n.pos += 2
		v.Unit = Percent
		return n.unitAndHalf(v)
	}
	if name == "us" && n.followedBy("dollars", "dollar", "$") {
		n.pos++
		name = n.norm()
	}
	u, ok := units[name]
	if !ok || prefixes[name] && n.followedByDigit() || v.Unit == Money && (u.Unit != Money || u.Cents) {
		return v
	}
	n.pos++
	v.Unit = u.Unit
	v.Currency |= u.Currency
	if u.Cents {
		v.Cents = true
		v.Number = shifted(v.Number)
		return v
	}
	if half := n.unitAndHalf(v); half.Number != v.Number {
		return half
	}
	return n.cents(v)
}

// unitAndHalf adds the half of "a percent and a half" and "two pounds and a
// half", where it is no "half off" of its own.
func (n *numerals) unitAndHalf(v Value) Value {
	start := n.pos
	spelt := n.tokens[n.pos-1].Kind == Word
	if spelt && !v.Cents && v.Number.Scale() == 0 && n.accept("and") && n.accept("a") && n.accept("half") && n.norm() != "off" && n.norm() != "price" {
		v.Number = plan.MustDecimal(v.Number.String() + ".5")
		return v
	}
	n.pos = start
	return v
}

func (n *numerals) followedByDigit() bool {
	return n.pos+1 < len(n.tokens) && n.tokens[n.pos+1].Kind == Number && !n.tokens[n.pos+1].Spaced
}

// cents adds "and 50 cents" to an amount of whole dollars, and the ninety-nine
// of "four pounds ninety-nine", in words and of two digits.
func (n *numerals) cents(v Value) Value {
	start := n.pos
	if v.Unit != Money || v.Number.Scale() > 0 {
		return v
	}
	bare := !n.accept("and") && n.pos < len(n.tokens) && n.tokens[n.pos].Kind == Word
	if number, ok := n.number(); ok && number.Scale() == 0 && number.Cmp(plan.MustDecimal("100")) < 0 {
		u, united := units[n.norm()]
		bare = bare && !united && n.norm() != "per" && len(number.String()) == 2
		if u.Cents || bare {
			if u.Cents {
				n.pos++
			}
			v.Number = plan.MustDecimal(v.Number.String() + "." + strings.Repeat("0", 2-len(number.String())) + number.String())
			return v
		}
	}
	n.pos = start
	return v
}

// shifted divides by a hundred; a number too fine for a plan stays zero.
func shifted(d plan.Decimal) plan.Decimal {
	cents := new(big.Rat).SetFrac(d.Scaled(plan.MaxFractionDigits), new(big.Int).Exp(big.NewInt(10), big.NewInt(plan.MaxFractionDigits+2), nil))
	value, err := plan.ParseDecimal(cents.FloatString(plan.MaxFractionDigits))
	if err != nil {
		return plan.Decimal{}
	}
	return value
}
