package profile

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"

	"github.com/planwright/planwright/shared/table/dialect"
)

// around is what stands before and behind the number of a price, without blanks.
type around struct{ before, behind string }

// shown is what a person sees of it.
func (a around) shown() string { return strings.TrimSpace(a.before + " " + a.behind) }

// around returns what stands around the digits of a cell.
func (p *MoneyForm) around(text []byte) (a around, ok bool) {
	first := bytes.IndexAny(text, "0123456789")
	if first < 0 {
		return a, false
	}
	last := bytes.LastIndexAny(text, "0123456789")
	a.before = strings.TrimFunc(p.dialect.Text(text[:first]), isAround)
	a.behind = strings.TrimFunc(p.dialect.Text(text[last+1:]), isAround)
	return a, true
}

// ownDress returns what half of a column's cells have around their digits, or more, if
// that is no currency that is known: 85.000đ, 12.50 EUR incl. VAT. What may belong to the
// number is none: a sign, a percentage, a bracket, 49,-.
func (p *MoneyForm) ownDress(cells []Sampled) *around {
	counts, priced := map[around]int{}, 0
	for _, c := range cells {
		if a, ok := p.around(c.Content); ok {
			counts[a]++
			priced++
		}
	}
	for a, n := range counts {
		known := a.before == "" && (a.behind == "" || isCurrency(a.behind)) ||
			a.behind == "" && isCurrency(a.before)
		ofNumber := strings.ContainsAny(a.before+a.behind, "+-\u2212%()") ||
			strings.HasPrefix(a.behind, ".") || strings.HasPrefix(a.behind, ",") ||
			strings.HasSuffix(a.before, ".") || strings.HasSuffix(a.before, ",")
		if n > 1 && 2*n > priced && !known && !ofNumber &&
			strings.ContainsFunc(a.before+a.behind, unicode.IsLetter) {
			return &a
		}
	}
	return nil
}

// askDress returns the question about what stands around the digits of most cells: the
// setting price_form says that they are prices, and how they are written.
func askDress(d dialect.Dialect, own *around, cells []Sampled) string {
	p, e := &MoneyForm{dialect: d, own: own}, evidence{}
	for _, c := range cells {
		e.add(p, c)
	}
	asks := "has \"" + own.shown() +
		"\" beside the number, as most do, which is no currency that is known: if such cells are prices, "
	if e.unclear != "" && e.point == 0 && e.group == 0 {
		return asks + "the number " + unclearFault(e).Message
	}
	var choices []string
	for _, form := range PriceForms {
		point, group := form.marks()
		if (e.point == 0 || rune(point) == e.point) &&
			(group == e.group || group == ' ' && IsBlank(e.group)) {
			choices = append(choices, "{price_form="+string(form)+"}")
		}
	}
	return asks + "say how they write 1234.56, with " + cmp.Or(strings.Join(choices, " or "), "{price_form}")
}
