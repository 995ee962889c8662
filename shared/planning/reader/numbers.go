package reader

import (
	"math/big"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// wordValues are the numbers that have a word of their own.
var wordValues = map[string]int64{
	"zero":      0,
	"one":       1,
	"two":       2,
	"three":     3,
	"four":      4,
	"five":      5,
	"six":       6,
	"seven":     7,
	"eight":     8,
	"nine":      9,
	"ten":       10,
	"eleven":    11,
	"twelve":    12,
	"thirteen":  13,
	"fourteen":  14,
	"fifteen":   15,
	"sixteen":   16,
	"seventeen": 17,
	"eighteen":  18,
	"nineteen":  19,
	"twenty":    20,
	"thirty":    30,
	"forty":     40,
	"fifty":     50,
	"sixty":     60,
	"seventy":   70,
	"eighty":    80,
	"ninety":    90,
}

// numbers adds an edge for each number that begins at a token.
func (t *text) numbers() {
	for i := range t.tokens {
		if value, end := t.commaValue(i); end > i {
			t.addNumber("NUMBER", bare, i, end, value)
			if !t.lex.listed["PCT"][t.norm(end)] {
				t.addNumber("PRICENUM", money, i, end, value)
			}
		}
		if value, ok := digitValue(t.tokens[i]); ok {
			if !strings.Contains(t.tokens[i].text, "/") && !t.thousands(i) {
				t.addNumber("NUMBER", bare, i, i+1, value)
				if _, cents, _ := strings.Cut(t.tokens[i].text, "."); len(cents) == 2 {
					t.addNumber("PRICENUM", money, i, i+1, value) // 9.90 is no percentage, where none is said
				}
				if half, end := t.spokenFraction(i, i+1, new(big.Rat).Set(value)); end > i+1 &&
					t.tokens[i+1].norm == "and" {
					t.addNumber("NUMBER", bare, i, end, half) // 12 and a half
				}
			}
			if i+1 < len(t.tokens) && t.tokens[i+1].kind == number { // 2 1/2
				if part, ok := digitValue(t.tokens[i+1]); ok && strings.Contains(t.tokens[i+1].text, "/") {
					t.addNumber("NUMBER", bare, i, i+2, new(big.Rat).Add(value, part))
				}
			}
			continue
		}
		if t.tokens[i].kind != word ||
			i > 0 && t.tokens[i-1].kind == word && spoken(t.tokens[i-1].norm) && t.tokens[i-1].norm != "and" {
			continue
		}
		if value, end := t.spokenNumber(i); end > i {
			t.addNumber("NUMBER", bare, i, end, value)
			if cents, last := t.spokenNumber(end); last > end && value.Cmp(big.NewRat(9, 1)) > 0 &&
				cents.Cmp(big.NewRat(95, 1)) >= 0 &&
				cents.Cmp(big.NewRat(100, 1)) < 0 {
				// nineteen ninety-nine
				t.addNumber("MONEY", money, i, last, cents.Quo(cents, big.NewRat(100, 1)).Add(cents, value))
			}
		}
	}
}

// commaValue reads a number whose decimals stand after a comma: beside a currency as
// those write it who use such commas, -0,30 €, and without a whole, as in endings of ,90.
func (t *text) commaValue(i int) (*big.Rat, int) {
	whole, comma := t.tokens[i].text, i+1
	if whole == "," && i > 0 && t.tokens[i-1].end < t.tokens[i].start {
		whole, comma = "0", i
	} else if !t.commaMoney(i) {
		return nil, i
	}
	if comma+1 >= len(t.tokens) || t.tokens[comma].end != t.tokens[comma+1].start ||
		t.tokens[comma+1].kind != number ||
		len(t.tokens[comma+1].text) > 2 {
		return nil, i
	}
	value, ok := new(big.Rat).SetString(whole + "." + t.tokens[comma+1].text)
	if !ok {
		return nil, i
	}
	return value, comma + 2
}

// commaMoney reports whether a number goes on after a comma, and is money or percent for
// sure, as all are where the shop's prices are written so.
func (t *text) commaMoney(i int) bool {
	return t.decimalComma(i) &&
		(t.guesses || t.known.given.DecimalComma ||
			t.lex.listed["PCT"][t.norm(i+3)] && t.tokens[i+2].end < t.tokens[i+3].start ||
			i > 0 && t.tokens[i-1].text == "€" || t.lex.listed["CUR"][t.norm(i+3)] ||
			t.lex.listed["CURWORD"][t.norm(i+3)])
}

// thousands reports whether a mark may part a number's thousands or its decimals: 1.299
// without a dollar, and 1,299 too where the shop's prices have decimals after a comma, or
// are less than a tenth of it. Of such a shop it asks of a percentage, too.
func (t *text) thousands(i int) bool {
	if value, is := digitValue(t.tokens[i]); is && strings.Contains(t.tokens[i].text, ",") &&
		!strings.Contains(t.tokens[i].text, ".") {
		greatest, ok := new(big.Rat).SetString(t.known.given.Prices[1])
		if ok && (t.is(i+1, "PCT") || value.Cmp(greatest.Mul(greatest, big.NewRat(10, 1))) > 0) {
			return true // 1,500% is 1.5% rather than 16 times the price
		}
	}
	whole, part, marked := strings.Cut(t.tokens[i].text, ".")
	if !marked && t.known.given.DecimalComma {
		whole, part, marked = strings.Cut(t.tokens[i].text, ",")
	}
	dollars := !t.known.given.DecimalComma && i > 0 && strings.Contains("$£", t.norm(i-1))
	return marked && len(part) == 3 && len(whole) < 4 && strings.Trim(whole, "0") != "" && !dollars &&
		(t.known.given.DecimalComma || !t.lex.listed["PCT"][t.norm(i+1)]) &&
		!strings.Contains(strings.ToLower(t.source(0, i)), "multipl")
}

func spoken(word string) bool {
	_, is := wordValues[word]
	return is || word == "hundred" || word == "thousand"
}

func (t *text) addNumber(symbol string, u unit, from, end int, value *big.Rat) {
	number, err := plan.ParseDecimal(value.FloatString(plan.MaxFractionDigits))
	if err != nil {
		return
	}
	m := &meaning{symbol: symbol, clause: clause{amount: amount{u, number}}}
	t.edges[from] = append(t.edges[from], edge{t.lex.grammar.numbers[symbol], end, m})
}

// digitValue reads digits, with separators, a point or a fraction bar.
func digitValue(token token) (*big.Rat, bool) {
	if token.kind != number {
		return nil, false
	}
	return new(big.Rat).SetString(strings.ReplaceAll(token.text, ",", ""))
}

// norm is a token as the lexicon has it; empty past the end.
func (t *text) norm(i int) string {
	if i < 0 || i >= len(t.tokens) {
		return ""
	}
	return t.tokens[i].norm
}

// spokenNumber reads "twenty-five", "one hundred and ten", "two point five", "two
// and a half". It returns the position after it, or from where there is none.
func (t *text) spokenNumber(from int) (*big.Rat, int) {
	whole, current, at, end := int64(0), int64(0), from, from
	if t.norm(at) == "a" && (t.norm(at+1) == "hundred" || t.norm(at+1) == "thousand") {
		current, at = 1, at+1
	}
	for ; ; at++ {
		value, is := wordValues[t.norm(at)]
		switch {
		case is && (current%100 == 0 || current%10 == 0 && current%100 >= 20 && value < 10):
			current += value
		case t.norm(at) == "hundred" && current > 0 && current < 100:
			current *= 100
		case t.norm(at) == "thousand" && current > 0 && whole == 0:
			whole, current = current*1000, 0
		case t.norm(at) == "and" && end > from && spoken(t.norm(at-1)) && current%100 == 0 &&
			wordValues[t.norm(at+1)] > 0:
			continue
		default:
			return t.spokenFraction(from, end, big.NewRat(whole+current, 1))
		}
		end = at + 1
	}
}

func (t *text) spokenFraction(from, end int, value *big.Rat) (*big.Rat, int) {
	for i, quarters := range []string{"and a quarter", "and a half", "and three quarters"} {
		if end > from && t.norm(end)+" "+t.norm(end+1)+" "+t.norm(end+2) == quarters {
			return value.Add(value, big.NewRat(int64(i+1), 4)), end + 3
		}
	}
	if end > from && t.norm(end) == "point" {
		digit, is := wordValues[t.norm(end+1)]
		for scale := int64(10); is && digit < 10 && scale < 1e10; digit, is = wordValues[t.norm(end+1)] {
			value.Add(value, big.NewRat(digit, scale))
			end, scale = end+1, scale*10
		}
		end++
	}
	return value, end
}
