package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
)

// evidence is what the cells of a column's first rows show of its prices' form.
type evidence struct {
	point    rune   // the decimal mark; 0: none was shown
	group    rune   // what groups thousands; 0: nothing does
	currency string // the first one
	unclear  string // the first number such as 1,299
	row      int64  // where that is
	value    string
}

// NewMoneyForm finds the form of a column in its first cells. Where they show two
// readings and nothing decides, the fault says so.
func NewMoneyForm(
	d dialect.Dialect, said PriceForm, documented bool, cells []Sampled,
) (*MoneyForm, *faults.Fault) {
	p := &MoneyForm{dialect: d, point: '.', documented: documented}
	if own := p.ownDress(cells); own != nil && said != "" {
		p.own = own
	} else if own != nil {
		p.asked, p.asks = own, askDress(d, own, cells)
	}
	var e evidence
	for _, c := range cells {
		e.add(p, c)
	}
	p.currency, p.fractions = e.currency, e.point != 0
	if said != "" {
		p.decided = true
		var group rune
		p.point, group = said.marks()
		p.said = slices.ContainsFunc(cells, func(c Sampled) bool { return p.shows(c, rune(p.point)) })
		if IsBlank(group) && IsBlank(e.group) || group == '\'' && e.group == '’' {
			group = e.group // the blank, or the apostrophe, that this table has
		}
		p.setGroup(group)
		p.measure(cells)
		return p, nil
	}
	p.setGroup(e.group)
	switch {
	case e.point != 0:
		p.point, p.decided = byte(e.point), true
	case e.group == ',' || e.group == '.':
		p.point, p.decided = byte(','+'.'-e.group), true
	case e.unclear != "" && !(documented && !strings.Contains(e.unclear, ",")):
		return nil, unclearFault(e)
	case IsBlank(e.group):
		p.point = ','
	default:
		p.unmarked = !documented
	}
	p.short = p.decided && !documented && (e.group != ',' && e.group != '.')
	p.measure(cells)
	return p, nil
}

// maxDecimals is how many a price may have that tells how many the column has.
const maxDecimals = 6

// measure finds how many decimals the cells have, and whether those that have three are
// too few to be as the column is. Such cells do not count: they are asked about.
func (p *MoneyForm) measure(cells []Sampled) {
	three, shorter, doubtful := 0, 0, 0
	for _, c := range cells {
		a, ok := amount.Long(c.Content, p.point)
		if !ok {
			read, _, fault := p.parse(c.Content)
			if fault != faults.Fine {
				continue
			}
			a = read
		}
		n := a.Decimals()
		switch {
		case a.Scale == 3 && mayGroup(a):
			three, doubtful = three+1, max(doubtful, n)
		case n <= maxDecimals:
			p.decimals = max(p.decimals, n)
		}
		switch {
		case a.Scale == 1 || a.Scale == 2:
			shorter++
		}
	}
	if p.short = p.short && three <= shorter && shorter > 0; !p.short {
		p.decimals = max(p.decimals, doubtful)
	}
}

// shows reports whether a cell can be read with a decimal mark alone, and has it.
func (p *MoneyForm) shows(c Sampled, mark rune) bool {
	text, _, ok := p.undress(c.Content)
	_, fits := readNumber(text, mark)
	_, otherFits := readNumber(text, ','+'.'-mark)
	return ok && fits && !otherFits && strings.ContainsRune(text, mark)
}

// ShownMark returns the decimal mark that the cells of a column show; 0: they show none,
// both, or are no numbers.
func ShownMark(d dialect.Dialect, cells []Sampled) (mark byte) {
	p := &MoneyForm{dialect: d}
	for _, c := range cells {
		text, _, ok := p.undress(c.Content)
		_, pointFits := readNumber(text, '.')
		_, commaFits := readNumber(text, ',')
		shown := byte(0)
		switch {
		case !ok || !pointFits && !commaFits:
			return 0
		case pointFits && !commaFits && strings.Contains(text, "."):
			shown = '.'
		case commaFits && !pointFits && strings.Contains(text, ","):
			shown = ','
		}
		if shown != 0 && mark != 0 && shown != mark {
			return 0
		}
		mark = max(mark, shown)
	}
	return mark
}

// WriteLike has a column whose first rows show no decimal mark write the one of
// another, if that is read.
func (p *MoneyForm) WriteLike(other *MoneyForm) {
	if p != nil && other != nil && !p.decided {
		p.point, p.unmarked = other.point, other.unmarked
	}
}

func (p *MoneyForm) setGroup(mark rune) {
	if mark == 0 {
		return
	}
	p.group, _ = p.dialect.Bytes(string(mark))
}

// marks returns the decimal mark and what groups thousands; 0: nothing.
func (f PriceForm) marks() (point byte, group rune) {
	point = f[len(f)-3]
	if rest := strings.TrimPrefix(string(f), "1"); rest[0] != '2' {
		group = rune(rest[0])
	}
	return point, group
}

// add adds what one cell shows. A cell that is no price shows nothing, and once
// the decimal mark is known nor does one of digits and a mark.
func (e *evidence) add(p *MoneyForm, c Sampled) {
	if e.point != 0 && isPlain(c.Content) {
		return
	}
	text, worn, ok := p.undress(c.Content)
	if !ok {
		return
	}
	if e.currency == "" && worn.currency != "" {
		e.currency = worn.currency
		p.usual = worn
		p.prefix = string(c.Content[:worn.before])
		p.suffix = string(c.Content[len(c.Content)-worn.behind:])
	}
	withPoint, pointFits := readNumber(text, '.')
	withComma, commaFits := readNumber(text, ',')
	shows := func(n number, point rune) {
		if e.point == 0 && strings.ContainsRune(text, point) {
			e.point = point
		}
		if e.group == 0 {
			e.group = n.group
		}
	}
	switch {
	case pointFits && commaFits && !strings.ContainsAny(text, ".,"):
		shows(withPoint, 0)
	case pointFits && commaFits && e.unclear == "":
		e.unclear, e.row, e.value = text, c.Row, p.dialect.Text(c.Content)
	case pointFits && !commaFits:
		shows(withPoint, '.')
	case commaFits && !pointFits:
		shows(withComma, ',')
	}
}

// isPlain reports whether a cell is digits with at most one point or comma.
func isPlain(text []byte) bool {
	marks := 0
	for _, b := range text {
		switch {
		case b == '.' || b == ',':
			marks++
		case b < '0' || b > '9':
			return false
		}
	}
	return marks <= 1
}

// unclearFault says both readings of a number such as 1,299.
func unclearFault(e evidence) *faults.Fault {
	mark := e.unclear[strings.IndexAny(e.unclear, ".,")]
	thousands := strings.ReplaceAll(e.unclear, string(mark), "")
	decimal := strings.ReplaceAll(e.unclear, string(mark), ".")
	forms := [2]PriceForm{"1,234.56", "1234,56"}
	if mark == '.' {
		forms = [2]PriceForm{"1.234,56", "1234.56"}
	}
	return &faults.Fault{Row: e.row, Value: faults.Shown(e.value), Message: fmt.Sprintf(
		"could be %s or %s, and no row shows which: say how this table writes 1234.56 with {price_form}, %s if it is %s, %s if it is %s",
		thousands, decimal, forms[0], thousands, forms[1], decimal)}
}

// PriceForm is how a column writes the number 1234.56, such as "1.234,56". It
// names the decimal mark, which is what stands before 56, and what groups
// thousands, which is what stands between 1 and 2, if anything does.
type PriceForm string

// PriceForms are those that a setting may name.
var PriceForms = []PriceForm{
	"1234.56", "1234,56", "1,234.56", "1.234,56", "1 234,56", "1 234.56", "1'234.56", "1'234,56",
}

// Sampled is a cell of the first rows.
type Sampled struct {
	Row     int64
	Content []byte
}
