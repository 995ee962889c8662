package profile

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
)

// MoneyForm reads and writes the cells of a price column. A price is digits with a
// decimal mark (a point or a comma) or without, with thousands grouped in
// threes or not, and with a currency before or after, set off by a blank or
// not. Decimal mark and grouping are the column's; a currency is the cell's.
type MoneyForm struct {
	dialect dialect.Dialect
	point   byte // the decimal mark
	// decided: a cell such as 1,299 can be read in one way only, because other
	// cells, the setting or the platform say what its mark is.
	decided bool
	// said: a person says how prices are written, and some are, so that a cell with the
	// other mark and one reading alone is read by that.
	said bool
	// documented: the platform documents a decimal point, so that 1.299 is
	// clear, and 1,299 is not.
	documented bool
	group      []byte // what groups thousands in the first rows; nil: nothing seen
	// usual is how the first price that has more than digits is dressed, and
	// prefix and suffix are what stands around its digits.
	usual          *dress
	prefix, suffix string
	currency       string // of the first rows; "": none
	fractions      bool   // some price of the first rows has one
	// own is what most cells have around their digits, where a person says that they are
	// prices. Where nobody does, it is asked, and asks is the question whether they are.
	own, asked *around
	asks       string
	// unmarked: nothing shows which decimal mark the table writes.
	unmarked bool
	// short: the prices of the first rows have at most two decimals, so that the mark of
	// 1.299 may be one of thousands.
	short bool
	// decimals is how many the prices of the first rows have, without zeros at their end.
	decimals int
}

// Figure is what a cell of money says, and how it says it.
type Figure struct {
	amount.Amount
	Plain     bool // the cell is digits and at most one decimal mark
	SameMoney bool // it is in the currency of the column's first rows, or in none
	// Ambiguous: its mark may be one of thousands: it has three decimals, and the column's
	// others have at most two.
	Ambiguous bool

	dress *dress // nil: the cell is plain
}

// dress is what a price cell has beside digits and a decimal mark.
type dress struct {
	currency string // as written; "": none
	// Of the cell's bytes, how many stand before the number and behind it.
	before, behind int
	group          []byte // what groups its thousands; nil: nothing
	point          byte   // its decimal mark where the column has the other; else NUL
}

// Currency is the price's own, as written; "": it has none.
func (p *Figure) Currency() string {
	if p.dress == nil {
		return ""
	}
	return p.dress.currency
}

// FastPoint is the decimal mark by which a cell of digits and at most one mark
// may be read as it stands. Where only a closer look can tell, it is NUL, which
// stands in no cell.
func (p *MoneyForm) FastPoint() byte {
	if p.decided || p.documented && p.point == '.' {
		return p.point
	}
	return 0
}

// Dress is what stands before and behind the digits of most cells.
func (p *MoneyForm) Dress() (prefix, suffix string) { return p.prefix, p.suffix }

// Read reads a price.
func (p *MoneyForm) Read(block []byte, at cell.Span) (Figure, faults.Kind) {
	if plain, ok := amount.Parse(block, at, p.FastPoint()); ok {
		return Figure{
			Amount:    plain,
			Plain:     true,
			SameMoney: true,
			Ambiguous: p.isAmbiguous(plain),
		}, faults.Fine
	}
	if at.Empty() {
		return Figure{}, faults.EmptyPrice
	}
	text := at.Of(block)
	if p.usual != nil && len(text) > len(p.prefix)+len(p.suffix) && bytes.HasPrefix(text, []byte(p.prefix)) &&
		bytes.HasSuffix(text, []byte(p.suffix)) {
		digits := cell.Span{From: at.From + uint32(len(p.prefix)), To: at.To - uint32(len(p.suffix))}
		if plain, ok := amount.Parse(block, digits, p.FastPoint()); ok {
			return p.figure(plain, p.usual), faults.Fine
		}
	}
	read, worn, fault := p.parse(text)
	if fault != faults.Fine {
		return Figure{}, fault
	}
	return p.figure(read, worn), faults.Fine
}

// figure is what is known of an amount whose cell has more than its digits.
func (p *MoneyForm) figure(a amount.Amount, worn *dress) Figure {
	same := worn.currency == "" || strings.EqualFold(worn.currency, p.currency)
	return Figure{Amount: a, SameMoney: same, Ambiguous: p.isAmbiguous(a), dress: worn}
}

func (p *MoneyForm) isAmbiguous(a amount.Amount) bool { return p.short && a.Scale == 3 && mayGroup(a) }

// mayGroup reports whether what stands before three decimals may stand before a mark of
// thousands: 1.299, and neither 0.299 nor 1299.500.
func mayGroup(a amount.Amount) bool {
	return a.Wide == nil && a.Units >= amount.Powers[3] && a.Units < amount.Powers[6]
}

// parse reads a price that is more than digits and a decimal mark.
func (p *MoneyForm) parse(text []byte) (price amount.Amount, worn *dress, fault faults.Kind) {
	number, worn, ok := p.undress(text)
	switch {
	case !ok && isNegative(text):
		return price, nil, faults.NegativePrice
	case !ok:
		return price, nil, faults.BadPrice
	}
	other := ',' + '.' - p.point
	read, fits := readNumber(number, rune(p.point))
	byOther, otherFits := readNumber(number, rune(other))
	switch {
	case fits && otherFits && !p.clear(number):
		return price, nil, faults.UnclearPrice
	case !fits && otherFits && p.said && isPlain([]byte(number)): // 4.90 in a column of 1.234,56
		read, worn.point = byOther, other
	case !fits && otherFits:
		return price, nil, faults.OtherPriceForm
	case !fits:
		return price, nil, faults.BadPrice
	}
	if price, ok = amount.Long(read.digits, '.'); !ok {
		return price, nil, faults.BadPrice
	}
	if read.group == 0 {
		return price, worn, faults.Fine
	}
	group, _ := p.dialect.Bytes(string(read.group))
	if p.group != nil && !bytes.Equal(group, p.group) {
		return price, nil, faults.OtherPriceForm
	}
	worn.group = group
	return price, worn, faults.Fine
}

// clear reports whether a number that could be read with its mark as either is
// to be read with the column's decimal mark.
func (p *MoneyForm) clear(number string) bool {
	return p.decided || !strings.ContainsAny(number, ".,") || p.documented && !strings.Contains(number, ",")
}

// isNegative reports whether a text that is no price is a number below 0: -5,
// $ -5 or, as accountants write it, ($5).
func isNegative(text []byte) bool {
	text = bytes.TrimSpace(text)
	digit, sign := bytes.IndexAny(text, "0123456789"), bytes.IndexByte(text, '-')
	return sign >= 0 && sign < digit || digit > 0 && text[0] == '(' && text[len(text)-1] == ')'
}

// undress parts a price from its currency. Blanks may stand around it all, as
// Excel's forms of numbers have them.
func (p *MoneyForm) undress(text []byte) (number string, worn *dress, ok bool) {
	a, ok := p.around(text)
	if !ok {
		return "", nil, false
	}
	first, last := bytes.IndexAny(text, "0123456789"), bytes.LastIndexAny(text, "0123456789")
	worn = &dress{before: first, behind: len(text) - last - 1}
	switch {
	case a.before == "" && a.behind == "":
	case a.behind == "" && isCurrency(a.before):
		worn.currency = a.before
	case a.before == "" && isCurrency(a.behind):
		worn.currency = a.behind
	case p.own != nil && a == *p.own:
		worn.currency = a.shown()
	default:
		return "", nil, false
	}
	return p.dialect.Text(text[first : last+1]), worn, true
}

// IsMoney reports whether a text is a number, with a currency or without.
func IsMoney(d dialect.Dialect, text []byte) bool {
	number, _, ok := (&MoneyForm{dialect: d}).undress(text)
	if !ok {
		return false
	}
	_, point := readNumber(number, '.')
	_, comma := readNumber(number, ',')
	return point || comma
}

// isAround reports whether a character may stand around a price: a blank, or a tab.
func isAround(r rune) bool { return r == '\t' || IsBlank(r) }

// IsBlank reports whether a character is a blank as they stand in prices:
// ordinary, no-break, narrow no-break, thin or figure space.
func IsBlank(r rune) bool { return strings.ContainsRune(" \u00a0\u202f\u2009\u2007", r) }

// localSigns are currencies as shops write them that are neither a sign of
// Unicode's nor a code of ISO 4217, in lower case.
var localSigns = map[string]bool{
	"kr": true, "kr.": true, "zł": true, "kč": true, "ft": true, "lei": true, "лв": true, "лв.": true,
	"руб": true, "руб.": true, "р.": true, "грн": true, "грн.": true,
	"fcfa": true, "cfa": true, "f cfa": true, "rs": true, "rs.": true, "r": true, "rm": true, "rp": true,
	"rp.": true, "fr": true, "fr.": true, "sfr.": true, "s/": true, "s/.": true, "bs": true, "bs.": true,
	"din": true, "din.": true, "дин": true, "дин.": true, "km": true, "tl": true, "dh": true, "dhs": true,
	"dhs.": true, "ksh": true, "tk": true, "元": true, "円": true, "원": true,
}

// isCurrency reports whether a text is a currency: a sign, such as $, alone or
// behind letters (US$); a code of ISO 4217; or one of localSigns.
func isCurrency(text string) bool {
	last, size := utf8.DecodeLastRuneInString(text)
	if unicode.Is(unicode.Sc, last) {
		letters := text[:len(text)-size]
		return len(letters) <= 3 && strings.IndexFunc(letters, func(r rune) bool {
			return r > unicode.MaxASCII || !unicode.IsLetter(r)
		}) < 0
	}
	if localSigns[strings.ToLower(text)] {
		return true
	}
	_, err := currency.ParseISO(text)
	return err == nil
}

// wholeCurrencies are those of which nobody pays a fraction, in capitals.
var wholeCurrencies = map[string]bool{
	"JPY": true, "¥": true, "円": true, "KRW": true, "₩": true, "원": true, "VND": true, "₫": true, "CLP": true,
	"ISK": true, "PYG": true, "₲": true, "UGX": true,
	"XAF": true, "XOF": true, "FCFA": true, "XPF": true, "RWF": true, "KMF": true, "GNF": true, "DJF": true,
	"BIF": true, "VUV": true,
}

// IsWhole reports whether nobody pays fractions of a currency.
func IsWhole(currency string) bool { return wholeCurrencies[strings.ToUpper(currency)] }

// IsWhole reports whether nobody pays fractions of the column's prices: no price of the
// first rows has one, and their currency, the code beside them or the column's title says
// it. Yuan have fractions, and the sign of yen.
func (p *MoneyForm) IsWhole(title, code string) bool {
	named := strings.FieldsFunc(strings.ToUpper(title+" "+code), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.Is(unicode.Sc, r)
	})
	named = append(named, strings.ToUpper(p.currency))
	return !p.fractions && !slices.Contains(named, "CNY") && !slices.Contains(named, "RMB") &&
		slices.ContainsFunc(named, func(word string) bool { return IsWhole(word) })
}

// IsCode reports whether a text is the code of a currency.
func IsCode(text string) bool {
	return len(text) == 3 && !strings.ContainsFunc(text, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r)
	}) && (isCurrency(text) || strings.EqualFold(text, "RMB"))
}

// number is a number as its digits with a decimal point, and what groups its
// thousands; 0: nothing.
type number struct {
	digits []byte
	group  rune
}

// readNumber reads a number that begins and ends with a digit and has that
// decimal mark, if any.
func readNumber(text string, point rune) (number, bool) {
	whole, fraction, marked := text, "", false
	if at := strings.LastIndex(text, string(point)); at >= 0 {
		whole, fraction, marked = text[:at], text[at+1:], true // it is a point or a comma
	}
	n := number{digits: make([]byte, 0, len(text))}
	inGroup, groups := 0, 0
	for _, r := range whole {
		switch {
		case r >= '0' && r <= '9':
			n.digits = append(n.digits, byte(r))
			inGroup++
		case r == point || !isGroupMark(r) || n.group != 0 && r != n.group:
			return number{}, false
		case inGroup == 0 || inGroup > 3 || groups > 0 && inGroup != 3:
			return number{}, false
		default:
			n.group = r
			inGroup, groups = 0, groups+1
		}
	}
	if groups > 0 && (inGroup != 3 || n.digits[0] == '0') || len(n.digits) == 0 {
		return number{}, false
	}
	if !marked {
		return n, true
	}
	n.digits = append(n.digits, '.')
	for _, r := range fraction {
		if r < '0' || r > '9' {
			return number{}, false
		}
		n.digits = append(n.digits, byte(r))
	}
	return n, fraction != ""
}

func isGroupMark(r rune) bool { return r == ',' || r == '.' || r == '\'' || r == '’' || IsBlank(r) }

// Write appends what stands in the cell whose text and price are given once
// another amount takes its place: in the cell's own form, or the column's usual
// one where it is blank. It cannot where nothing shows which decimal mark that takes.
func (p *MoneyForm) Write(to, text []byte, price Figure, amount amount.Amount) ([]byte, faults.Kind) {
	if p.unmarked && amount.Scale > 0 {
		return to, faults.UnknownMark
	}
	if len(text) == 0 && p.usual != nil {
		text, price.dress = []byte(p.prefix+p.suffix), p.usual
	}
	if price.dress == nil && p.group == nil {
		return amount.Append(to, p.point), faults.Fine
	}
	worn := dress{}
	if price.dress != nil {
		worn = *price.dress
	}
	to = append(to, text[:worn.before]...)
	start := len(to)
	if worn.point != 0 {
		return append(amount.Append(to, worn.point), text[len(text)-worn.behind:]...), faults.Fine
	}
	to = amount.Append(to, p.point)
	if group := p.grouping(price.Amount, worn.group); group != nil {
		to = grouped(to, start, p.point, group)
	}
	return append(to, text[len(text)-worn.behind:]...), faults.Fine
}

// grouping returns what is to group the thousands of a cell: what does, or what
// does in the column where the cell's number was too small to show it.
func (p *MoneyForm) grouping(price amount.Amount, group []byte) []byte {
	if group != nil || p.group == nil {
		return group
	}
	if price.Wide == nil && price.Units/amount.Powers[price.Scale] < 1000 {
		return p.group
	}
	return nil
}

// grouped puts marks between the thousands of the number that text has from
// start on.
func grouped(text []byte, start int, point byte, mark []byte) []byte {
	digits := len(text) - start
	if i := bytes.IndexByte(text[start:], point); i >= 0 {
		digits = i
	}
	if digits <= 3 {
		return text
	}
	plain := string(text[start:])
	text = text[:start]
	for i := range digits {
		if i > 0 && (digits-i)%3 == 0 {
			text = append(text, mark...)
		}
		text = append(text, plain[i])
	}
	return append(text, plain[digits:]...)
}

// HasPoint reports whether the column's decimal mark is a point.
func (p *MoneyForm) HasPoint() bool { return p.point == '.' }

// Decimals is how many decimals the prices of the first rows have, without zeros at their end.
func (p *MoneyForm) Decimals() int { return p.decimals }

// Asks is the question about a cell that has what most have around their digits; "": it
// has something else.
func (p *MoneyForm) Asks(text []byte) string {
	if a, ok := p.around(text); ok && p.asked != nil && a == *p.asked {
		return p.asks
	}
	return ""
}

// Unmarked reports whether nothing shows which decimal mark the table writes: no price
// has one, and none was said.
func (p *MoneyForm) Unmarked() bool { return p.unmarked }

// Mark has a column write that decimal mark.
func (p *MoneyForm) Mark(point byte) { p.point, p.unmarked = point, false }

// Form is the setting by which the column is read with its decimal mark.
func (p *MoneyForm) Form() PriceForm { return PriceForm("1234" + string(rune(p.point)) + "56") }

// OneCurrency reports whether two columns may be in one currency: it is written
// alike in both, or one has none.
func OneCurrency(a, b *MoneyForm) bool {
	return a.currency == "" || b.currency == "" || strings.EqualFold(a.currency, b.currency)
}

// String says the form to people: "1 234,56", with the currency where it stands.
func (p *MoneyForm) String() string {
	group, point := p.dialect.Text(p.group), string(rune(p.point))
	return strings.TrimSpace("1" + group + "234" + point + "56 " + p.currency)
}

// Currency is that of the column's first rows, as written there; "": none.
func (p *MoneyForm) Currency() string { return p.currency }
