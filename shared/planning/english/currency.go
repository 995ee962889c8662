package english

import (
	"math/bits"
	"strings"
)

// Currency is the currencies that are named beside an amount: none, one, or
// several, which are no one amount.
type Currency uint8

// The currencies, each a bit.
const (
	Dollar Currency = 1 << iota
	Euro
	Pound
	Rupee
)

var currencySigns = [...]string{"$", "€", "£", "₹"}

// String returns the signs of the currencies.
func (c Currency) String() string {
	var signs strings.Builder
	for i, sign := range currencySigns {
		if c&(1<<i) != 0 {
			signs.WriteString(sign)
		}
	}
	return signs.String()
}

// Several reports whether there is more than one.
func (c Currency) Several() bool { return bits.OnesCount8(uint8(c)) > 1 }

// units gives each word or sign that follows a number its unit. The currencies
// are those whose hundredth part has the names below.
var units = map[string]Value{
	"%": {Unit: Percent}, "percent": {Unit: Percent}, "pct": {Unit: Percent}, "pc": {Unit: Percent}, "percentage": {Unit: Percent},
	"$": {Unit: Money, Currency: Dollar}, "dollar": {Unit: Money, Currency: Dollar}, "dollars": {Unit: Money, Currency: Dollar}, "buck": {Unit: Money, Currency: Dollar},
	"bucks": {Unit: Money, Currency: Dollar}, "usd": {Unit: Money, Currency: Dollar}, "cad": {Unit: Money, Currency: Dollar}, "aud": {Unit: Money, Currency: Dollar},
	"€": {Unit: Money, Currency: Euro}, "eur": {Unit: Money, Currency: Euro}, "euro": {Unit: Money, Currency: Euro}, "euros": {Unit: Money, Currency: Euro},
	"£": {Unit: Money, Currency: Pound}, "gbp": {Unit: Money, Currency: Pound}, "pound": {Unit: Money, Currency: Pound}, "pounds": {Unit: Money, Currency: Pound}, "quid": {Unit: Money, Currency: Pound},
	"₹": {Unit: Money, Currency: Rupee}, "inr": {Unit: Money, Currency: Rupee}, "rs": {Unit: Money, Currency: Rupee}, "rupee": {Unit: Money, Currency: Rupee}, "rupees": {Unit: Money, Currency: Rupee}, "paise": {Unit: Money, Currency: Rupee, Cents: true},
	"¢": {Unit: Money, Cents: true}, "cent": {Unit: Money, Cents: true}, "cents": {Unit: Money, Cents: true}, "c": {Unit: Money, Cents: true},
	"penny": {Unit: Money, Cents: true}, "pennies": {Unit: Money, Cents: true}, "p": {Unit: Money, Currency: Pound, Cents: true}, "pence": {Unit: Money, Currency: Pound, Cents: true},
}

// prefixes are what may stand before the digits of an amount of money.
var prefixes = set("$ € £ ₹ usd eur gbp cad aud inr rs rupees")
