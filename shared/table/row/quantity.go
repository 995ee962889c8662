package row

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// Count is a number of pieces, in units of 10^-Scale.
type Count struct {
	Units int64
	Scale int
}

// CountOf is a whole number of pieces; false where it is too large.
func CountOf(digits string) (Count, bool) {
	units, err := strconv.ParseInt(digits, 10, 64)
	return Count{Units: units}, err == nil
}

// Same reports whether two counts are one number.
func (c Count) Same(n Count) bool { return !c.below(n) && !n.below(c) }

func (c Count) below(n Count) bool {
	a, b, _ := sameScale(c, n)
	return a < b
}

// Plus returns the sum; false where it is too large.
func (c Count) Plus(n Count) (sum Count, ok bool) {
	a, b, scale := sameScale(c, n)
	sum = Count{a + b, scale}
	return sum, a < math.MaxInt64/4 && b < math.MaxInt64/4 && a > math.MinInt64/4 && b > math.MinInt64/4
}

// Minus is Plus of the negative.
func (c Count) Minus(n Count) (rest Count, ok bool) { return c.Plus(Count{-n.Units, n.Scale}) }

// sameScale brings two counts to one scale. One that is too large for that becomes the
// largest number.
func sameScale(c, n Count) (a, b int64, scale int) {
	scale = max(c.Scale, n.Scale)
	at := func(c Count) int64 {
		for ; c.Scale < scale; c.Scale++ {
			if c.Units > math.MaxInt64/10 || c.Units < math.MinInt64/10 {
				return math.MaxInt64
			}
			c.Units *= 10
		}
		return c.Units
	}
	return at(c), at(n), scale
}

// String writes the number, without zeros at the end of a fraction.
func (c Count) String() string {
	text := strconv.FormatInt(c.Units, 10)
	if c.Scale == 0 {
		return text
	}
	sign, digits := "", strings.TrimPrefix(text, "-")
	if digits != text {
		sign = "-"
	}
	digits = strings.Repeat("0", max(0, c.Scale+1-len(digits))) + digits
	point := len(digits) - c.Scale
	fraction := strings.TrimRight(digits[point:], "0")
	if fraction == "" {
		return sign + digits[:point]
	}
	return sign + digits[:point] + "." + fraction
}

// readCount reads a number of pieces. One with three digits behind a mark may have a mark
// of thousands: it is none, as one is that is too long.
func readCount(text []byte) (c Count, ok bool) {
	if plain, is := amount.Long(text, 0); is && plain.Scale == 0 && plain.Wide == nil &&
		len(text) <= maxCountDigits {
		return Count{Units: plain.Units}, true // as most are
	}
	text = bytes.TrimPrefix(text, []byte("'")) // by which programs tell spreadsheets that no formula begins
	digits := bytes.TrimPrefix(text, []byte("-"))
	mark := bytes.IndexAny(digits, ".,")
	whole, fraction := digits, []byte(nil)
	if mark >= 0 {
		whole, fraction = digits[:mark], digits[mark+1:]
	}
	thousands := len(fraction) == 3 && len(whole) <= 3 && whole[0] != '0'
	if !allDigits(whole) || mark >= 0 && !allDigits(fraction) || thousands ||
		len(whole)+len(fraction) > maxCountDigits {
		return c, false
	}
	units, err := strconv.ParseInt(string(whole)+string(fraction), 10, 64)
	if len(digits) < len(text) {
		units = -units
	}
	return Count{units, len(fraction)}, err == nil
}

// maxCountDigits is how many digits a number of pieces has at most.
const maxCountDigits = 15

func allDigits(text []byte) bool {
	return len(text) > 0 && len(bytes.Trim(text, "0123456789")) == 0
}

// findQuantity finds the column of quantities, where a plan looks at them: the one that the
// settings name, the platform's beside its word for what is in stock, or the one that tells
// what is in stock.
func (o *opening) findQuantity() *faults.Fault {
	t, said := o.Table, o.said.Columns.Quantity
	if !o.needs.Has(recognize.RoleQuantity) {
		return nil
	}
	var found []int
	switch {
	case said != "":
		if found = o.titled.Named(said); len(found) == 0 {
			return o.noQuantity(said,
				"the header has no such column: name another for quantity with {columns}")
		}
	case len(t.columns[recognize.RoleQuantity]) > 0:
		found = indexes(t.columns[recognize.RoleQuantity])
	case len(t.columns[recognize.RoleInStock]) > 1:
		found = indexes(t.columns[recognize.RoleInStock])
	case t.stocks != nil && t.stocks.Quantity():
		found = []int{t.stock}
	default:
		found = o.layout.Candidates.Counted(nil)
	}
	switch len(found) {
	case 0:
		return o.noQuantity("", "no column of quantities is known in this table: if it has one, say which, with {columns=quantity=TITLE}")
	case 1:
	default:
		if said != "" {
			return o.noQuantity(said, "the header has this column more than once: rename all but one")
		}
		var names []string
		for _, index := range found {
			names = append(names, faults.Excerpt(o.layout.Title(index)))
		}
		return o.noQuantity("",
			"could be "+strings.Join(names, " or ")+": say which, with {columns=quantity="+names[0]+"}")
	}
	t.quantity = found[0]
	paired := len(t.columns[recognize.RoleQuantity]) > 0 &&
		t.columns[recognize.RoleQuantity][0].Index == t.quantity
	t.columns[recognize.RoleQuantity] = []recognize.Located{{
		Index:      t.quantity,
		NameColumn: &profile.NameColumn{},
	}}
	if o.titled.Is(t.quantity, o.layout.StockForm.Titles) {
		t.tracks = t.untracked
	}
	t.follows = t.stocks != nil && (paired || o.namesBoth() || t.QuantityIsStock())
	return nil
}

// namesBoth reports whether the settings name a column for what is in stock and one for
// quantities: they go together.
func (o *opening) namesBoth() bool {
	return o.said.Columns.InStock != "" && o.said.Columns.Quantity != ""
}

func (o *opening) noQuantity(title, message string) *faults.Fault {
	if title == "" {
		title = string(recognize.RoleQuantity)
	}
	if o.needs.QuantityPath != "" {
		message = o.needs.QuantityPath + ": " + message
	}
	return &faults.Fault{Row: 1, Column: faults.Excerpt(title), Message: message}
}

// QuantityIsStock reports whether the column of quantities is the one that tells what is in
// stock.
func (t *Table) QuantityIsStock() bool { return t.quantity != profile.Missing && t.quantity == t.stock }

// ReadsStock reports whether it is read what is in stock.
func (t *Table) ReadsStock() bool { return t.stocks != nil }

// Pieces bound the quantities of rows; nil: there is no bound.
type Pieces struct{ AtLeast, AtMost *Count }

// Has reports whether a quantity lies within them.
func (p *Pieces) Has(n Count) bool {
	return (p.AtLeast == nil || !n.below(*p.AtLeast)) && (p.AtMost == nil || !p.AtMost.below(n))
}

// bounds are the least whole number and the largest that lie within them.
func (p *Pieces) bounds() [2]int64 {
	bounds := [2]int64{math.MinInt64, math.MaxInt64}
	if p.AtLeast != nil {
		bounds[0] = p.AtLeast.Units
	}
	if p.AtMost != nil {
		bounds[1] = p.AtMost.Units
	}
	return bounds
}

// bounded are the conditions of a query that are for some quantities alone. Where the
// quantity of some rows is not told by their cell, there are none.
func (t *Table) bounded(q *Query) (bounded names.Set) {
	if t.quantity == profile.Missing || t.tracks != nil {
		return bounded
	}
	for i, pieces := range q.Pieces {
		if pieces != nil {
			bounded = bounded.With(i)
		}
	}
	return bounded
}
