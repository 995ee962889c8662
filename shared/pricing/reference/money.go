package reference

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/currency"

	"github.com/planwright/planwright/shared/table/profile"
)

// blanks are those that may stand in a price.
const blanks = " \u00a0\u202f\u2009\u2007"

// A reading is one way to read a price: by a decimal mark.
type reading struct {
	digits string // with a decimal point
	group  string // what groups its thousands; "": nothing
	point  string // its decimal mark, where the column has the other
}

// readings are the two ways to read a number.
type readings struct{ point, comma *reading }

// parts are what a price cell is made of.
type parts struct{ before, number, behind, currency string }

var (
	number     = regexp.MustCompile(`^([^0-9]*)([0-9].*[0-9]|[0-9])([^0-9]*)$`)
	pointForms = regexp.MustCompile(`^(?:([0-9]+)|([1-9][0-9]{0,2}(?:([,'’` + blanks + `])[0-9]{3})(?:[,'’` +
		blanks + `][0-9]{3})*))(?:\.([0-9]+))?$`)
	oneMark    = regexp.MustCompile(`[.,]`)
	commaForms = regexp.MustCompile(`^(?:([0-9]+)|([1-9][0-9]{0,2}(?:([.'’` + blanks + `])[0-9]{3})(?:[.'’` +
		blanks + `][0-9]{3})*))(?:,([0-9]+))?$`)
)

// dress parts a price from its currency, which stands before or behind it.
func dress(cell string) (p parts, ok bool) {
	m := number.FindStringSubmatch(cell)
	if m == nil {
		return p, false
	}
	p = parts{before: m[1], number: m[2], behind: m[3]}
	before, behind := strings.Trim(p.before, blanks+"\t"), strings.Trim(p.behind, blanks+"\t")
	if before != "" && behind != "" {
		return p, false
	}
	if p.currency = before + behind; p.currency == "" {
		return p, true
	}
	return p, isCurrency(p.currency)
}

var ascii = regexp.MustCompile(`^[A-Za-z]{0,3}$`)

// isCurrency: a sign with at most three letters before it, a code of ISO 4217,
// or one of the words that shops write.
func isCurrency(text string) bool {
	letters := strings.TrimRightFunc(text, func(r rune) bool { return unicode.Is(unicode.Sc, r) })
	if signs := strings.TrimPrefix(text, letters); len([]rune(signs)) == 1 {
		return ascii.MatchString(letters)
	}
	for word := range strings.FieldsSeq("kr kr. zł kč ft lei лв лв. руб руб. р. грн грн. fcfa cfa rs rs. r rm rp rp. fr fr. sfr. s/ s/. bs bs. din din. дин km tl dh dhs dhs. ksh tk 元 円 원 дин.") {
		if strings.EqualFold(word, text) {
			return true
		}
	}
	_, err := currency.ParseISO(text)
	return err == nil || strings.EqualFold(text, "f cfa")
}

func read(text string) readings {
	return readings{readBy(pointForms, text), readBy(commaForms, text)}
}

func readBy(form *regexp.Regexp, text string) *reading {
	m := form.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	r := &reading{digits: m[1], group: m[3]}
	if m[2] != "" {
		if len(strings.Split(m[2], m[3])) != len(regexp.MustCompile(`[0-9]+`).FindAllString(m[2], -1)) {
			return nil // grouped by more than one mark
		}
		r.digits = strings.ReplaceAll(m[2], m[3], "")
	}
	if m[4] != "" {
		r.digits += "." + m[4]
	}
	return r
}

// column is the form of a price column.
type column struct {
	point      string // the decimal mark
	group      string // "": none was seen
	own        string // what most cells have around their digits, where that was said
	said       bool   // somebody says how prices are written, and some are
	decided    bool   // a number such as 1,299 can be read in one way only
	documented bool
	currency   string
	whole      bool // nobody pays fractions of its prices
	unmarked   bool // nothing shows which decimal mark is written
	short      bool // its prices have at most two decimals
	decimals   int  // that its prices have
}

const wholeCurrencies = " JPY ¥ 円 KRW ₩ 원 VND ₫ CLP ISK PYG ₲ UGX XAF XOF FCFA XPF RWF KMF GNF DJF BIF VUV "

// findForm finds the form in the first cells. It is a fault where they leave
// two readings: the index of that cell.
func findForm(cells []string, said profile.PriceForm, documented bool) (c column, unclear int) {
	c, unclear = column{point: ".", documented: documented}, -1
	doubtful := ""
	seen := ""
	if said != "" {
		c.own = ownDress(cells)
	}
	for i, cell := range cells {
		p, ok := c.dress(cell)
		if !ok {
			continue
		}
		if c.currency == "" {
			c.currency = p.currency
		}
		both := read(p.number)
		form := both.point
		switch marked := strings.ContainsAny(p.number, ".,"); {
		case both.point == nil && both.comma == nil:
			continue
		case both.point != nil && both.comma != nil && marked:
			if doubtful == "" {
				doubtful, unclear = p.number, i
			}
			continue
		case both.point == nil:
			form = both.comma
			if seen == "" && strings.Contains(p.number, ",") {
				seen = ","
			}
		case both.comma == nil && seen == "" && strings.Contains(p.number, "."):
			seen = "."
		}
		if c.group == "" {
			c.group = form.group
		}
	}
	c.whole = seen == ""
	blank := func(s string) bool { return s != "" && strings.Contains(blanks, s) }
	switch {
	case said != "":
		c.decided, c.point = true, string(said[len(said)-3])
		c.said = slices.ContainsFunc(cells, c.shows)
		group := ""
		if said[1] != '2' {
			group = string(said[1])
		}
		if !blank(c.group) || !blank(group) {
			c.group = group
		}
		c.measure(cells)
		return c, -1
	case seen != "":
		c.point, c.decided = seen, true
	case c.group == ",":
		c.decided = true
	case c.group == ".":
		c.point, c.decided = ",", true
	case doubtful != "" && !(documented && !strings.Contains(doubtful, ",")):
		return c, unclear
	case blank(c.group):
		c.point = ","
	default:
		c.unmarked = !documented
	}
	c.short = c.decided && !documented && c.group != "," && c.group != "."
	c.measure(cells)
	return c, -1
}

// shows reports whether a cell can be read with the column's decimal mark alone.
func (c column) shows(cell string) bool {
	p, ok := c.dress(cell)
	both := read(p.number)
	mine, other := both.point, both.comma
	if c.point == "," {
		mine, other = other, mine
	}
	return ok && mine != nil && other == nil && strings.Contains(p.number, c.point)
}

// dress parts a price from its currency, or from what most cells have.
func (c column) dress(cell string) (p parts, ok bool) {
	if p, ok = dress(cell); !ok && c.own != "" && aroundOf(cell) == c.own {
		p.currency, ok = strings.TrimSpace(strings.ReplaceAll(c.own, "0", " ")), true
	}
	return p, ok
}

// aroundOf is what a cell has around its digits, which are a zero; "": it has none.
func aroundOf(cell string) string {
	m := number.FindStringSubmatch(cell)
	if m == nil {
		return ""
	}
	return strings.Trim(m[1], blanks+"\t") + "0" + strings.Trim(m[3], blanks+"\t")
}

// ownDress is what more than half of the cells have around their digits, if that is no
// currency, and does not belong to the number.
func ownDress(cells []string) string {
	counts, all := map[string]int{}, 0
	for _, cell := range cells {
		if around := aroundOf(cell); around != "" {
			counts[around]++
			all++
		}
	}
	for around, n := range counts {
		if _, ok := dress(around); !ok && n > 1 && 2*n > all && !ofNumber.MatchString(around) &&
			strings.ContainsFunc(around, unicode.IsLetter) {
			return around
		}
	}
	return ""
}

// ofNumber is what belongs to a number: a sign, a percentage, a bracket, a mark at its end.
var ofNumber = regexp.MustCompile(`[-+\x{2212}%()]|0[.,]|[.,]0`)

// measure counts how many decimals the cells have.
func (c *column) measure(cells []string) {
	three, less, doubtful := 0, 0, 0
	for _, cell := range cells {
		digits, _, _, fault := c.amount(cell)
		if fault != "" {
			continue
		}
		if n := decimals(digits); thousands(digits) {
			doubtful = max(doubtful, n)
		} else if n <= 6 {
			c.decimals = max(c.decimals, n)
		}
		_, fraction, _ := strings.Cut(digits, ".")
		switch {
		case thousands(digits):
			three++
		case len(fraction) == 1 || len(fraction) == 2:
			less++
		}
	}
	if c.short = c.short && three <= less && less > 0; !c.short {
		c.decimals = max(c.decimals, doubtful)
	}
}

// decimals is how many there are, without zeros at the end.
func decimals(digits string) int {
	_, fraction, _ := strings.Cut(digits, ".")
	return len(strings.TrimRight(fraction, "0"))
}

// thousands reports whether the mark of a number may be one of thousands.
func thousands(digits string) bool {
	whole, fraction, _ := strings.Cut(digits, ".")
	whole = strings.TrimLeft(whole, "0")
	return len(fraction) == 3 && len(whole) >= 1 && len(whole) <= 3
}

// shown is the decimal mark of a table's other numbers, or what separates its columns
// tells. "": nothing does.
func (t *run) shown(whole []record) (mark string) {
	for column := range t.written {
		cells := map[string]bool{}
		numbers := true
		for _, r := range whole {
			text := r.text(column)
			if text == "" || column == t.columns.price {
				continue
			}
			p, ok := dress(text)
			both := read(p.number)
			switch {
			case !ok || both.point == nil && both.comma == nil:
				numbers = false
			case both.comma == nil && strings.Contains(p.number, "."):
				cells["."] = true
			case both.point == nil && strings.Contains(p.number, ","):
				cells[","] = true
			}
		}
		if !numbers || len(cells) != 1 {
			continue
		}
		for its := range cells {
			if mark != "" && mark != its {
				return ""
			}
			mark = its
		}
	}
	switch by := t.dialect.Delimiter.Byte(); {
	case mark != "":
	case by == ';':
		mark = ","
	case by == ',' && t.prices.currency == "":
		mark = "."
	}
	return mark
}

// The faults of numbers that may be prices all the same.
const (
	anotherForm   = "a price in another form"
	twoReadings   = "two readings"
	threeDecimals = "three decimals"
)

// amount reads a price by the column's form, as digits with a decimal point.
func (c column) amount(cell string) (digits string, r reading, p parts, fault string) {
	p, ok := c.dress(cell)
	if !ok {
		return "", r, p, "not a price"
	}
	both := read(p.number)
	mine, other := both.point, both.comma
	if c.point == "," {
		mine, other = both.comma, both.point
	}
	clear := c.decided || !strings.ContainsAny(p.number, ".,") ||
		c.documented && !strings.Contains(p.number, ",")
	switch {
	case mine == nil && other == nil:
		return "", r, p, "not a price"
	case mine == nil && c.said && len(strings.Trim(p.number, "0123456789")) <= 1 && other.group == "":
		mine = &reading{digits: other.digits, point: oneMark.FindString(p.number)}
	case mine == nil:
		return "", r, p, anotherForm
	case other != nil && !clear:
		return "", r, p, twoReadings
	}
	whole, fraction, _ := strings.Cut(mine.digits, ".")
	switch {
	case len(fraction) > 9 && len(fraction) <= 20 && len(whole) <= 9:
		meant := *mine
		meant.digits = strings.TrimSuffix(strings.TrimRight(rat(mine.digits).FloatString(9), "0"), ".")
		return meant.digits, meant, p, ""
	case len(whole) > 18 || len(fraction) > 9:
		return "", r, p, "too many digits"
	case mine.group != "" && c.group != "" && mine.group != c.group:
		return "", r, p, anotherForm
	}
	return mine.digits, *mine, p, ""
}

// write writes an amount in the form of the cell that it takes the place of.
func (c column) write(digits string, was reading, p parts) string {
	whole, fraction, marked := strings.Cut(digits, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0" // and no more zeros than that, as another cell may have them
	}
	group := was.group
	if old, _, _ := strings.Cut(was.digits, "."); group == "" && len(strings.TrimLeft(old, "0")) <= 3 {
		group = c.group // the cell's number was too small to show it
	}
	if group != "" && was.point == "" {
		for at := len(whole) - 3; at > 0; at -= 3 {
			whole = whole[:at] + group + whole[at:]
		}
	}
	if marked {
		whole += cmp.Or(was.point, c.point) + fraction
	}
	return p.before + whole + p.behind
}
