package pricing

import (
	"math"
	"math/bits"

	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/screen"
)

// opSet is a set of a plan's operations, by position: at most 100.
type opSet struct{ low, high uint64 }

var everyOperation = opSet{math.MaxUint64, math.MaxUint64}

func (s opSet) with(i int) opSet {
	if i < 64 {
		s.low |= 1 << i
	} else {
		s.high |= 1 << (i - 64)
	}
	return s
}

func (s opSet) or(t opSet) opSet { return opSet{s.low | t.low, s.high | t.high} }

func (s opSet) andNot(t opSet) opSet { return opSet{s.low &^ t.low, s.high &^ t.high} }

func (s opSet) and(t opSet) opSet { return opSet{s.low & t.low, s.high & t.high} }

func (s opSet) empty() bool { return s.low|s.high == 0 }

// next returns the set's first operation and the set without it. The set must not be empty.
func (s opSet) next() (int, opSet) {
	if s.low != 0 {
		return bits.TrailingZeros64(s.low), opSet{s.low & (s.low - 1), s.high}
	}
	return 64 + bits.TrailingZeros64(s.high), opSet{0, s.high & (s.high - 1)}
}

// A lookup tells which operations' filters let a category, or a SKU, pass. It
// holds every name that the plan names and one answer for all the others, so
// that a row costs one search whatever the number of names and operations.
type lookup struct {
	others opSet            // those that are for every name
	ids    map[string]int32 // of the names, as the table writes them
	texts  []string         // the names so, by id
	named  []named
	folded map[string]*string // the names as names are that look the same; nil: that matters nothing
	bloom  *screen.Bloom      // nearly all of the other names are known by it
}

// named is a name that the plan names.
type named struct {
	text string
	hit
	lets opSet // the operations that let a row pass that has this name alone
}

// hit is what a name does: operations that are only for some names are for it,
// others leave it out.
type hit struct{ only, except opSet }

func (h hit) or(other hit) hit { return hit{h.only.or(other.only), h.except.or(other.except)} }

// newLookup compiles, of each operation, the names that it is only for (nil:
// all) and those that it leaves out.
func newLookup(only, except [][]string) *lookup {
	l := &lookup{ids: map[string]int32{}}
	for i := range only {
		if only[i] == nil {
			l.others = l.others.with(i)
		}
		for _, name := range only[i] {
			n := l.name(name)
			n.only = n.only.with(i)
		}
		for _, name := range except[i] {
			n := l.name(name)
			n.except = n.except.with(i)
		}
	}
	for i := range l.named {
		l.named[i].lets = l.lets(l.named[i].hit)
		l.texts = append(l.texts, l.named[i].text)
	}
	l.fillBloom()
	return l
}

func (l *lookup) name(text string) *named {
	id, held := l.ids[text]
	if !held {
		id = int32(len(l.named))
		l.ids[text] = id
		l.named = append(l.named, named{text: text})
	}
	return &l.named[id]
}

func (l *lookup) fillBloom() {
	bloom := screen.NewBloom(len(l.ids))
	for name := range l.ids {
		bloom.Add(name)
	}
	for name := range l.folded {
		bloom.Add(name)
	}
	l.bloom = &bloom
}

// in returns the lookup for tables of a dialect, which may write names in other
// bytes. A name that it cannot write is found in none.
func (l *lookup) in(d table.Dialect) *lookup {
	if d.Encoding != table.Windows1252 {
		return l
	}
	other := *l
	other.ids, other.texts = make(map[string]int32, len(l.ids)), make([]string, len(l.texts))
	for name, id := range l.ids {
		if encoded, ok := d.Bytes(name); ok {
			other.ids[string(encoded)], other.texts[id] = id, string(encoded)
		}
	}
	other.fillBloom()
	return &other
}

// lets returns the operations that let a row pass whose names do all that.
func (l *lookup) lets(h hit) opSet { return l.others.or(h.only).andNot(h.except) }

// find returns the id of the name in a cell of a block; unnamed: the plan
// does not name it, though perhaps in another case. Of the rows that are looked at
// closely, most have the name that was found last.
func (l *lookup) find(block []byte, at cell.Span, last int32) (id int32, nearly bool) {
	if last >= 0 && string(at.Of(block)) == l.texts[last] {
		return last, false
	}
	if len(l.ids) > 0 && l.bloom.MayHold(block, at) {
		if id, held := l.ids[string(at.Of(block))]; held {
			return id, false
		}
		return unnamed, true
	}
	return unnamed, false
}

// unnamed is the id of every name that the plan does not name.
const unnamed = -1
