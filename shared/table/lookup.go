package table

import (
	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/screen"
)

// A lookup tells which conditions a name of one role meets. It holds every name
// that a query names of that role and one answer for all the others, so that a
// row costs one search whatever the number of names and conditions.
type lookup struct {
	others Set              // those that are for every name
	unsaid Set              // those that name none: the others look at names
	ids    map[string]int32 // of the names, as the table writes them
	texts  []string         // the names so, by id
	named  []namedBy
	kind   fold.Kind
	folded map[string]*string // the names as names are that look the same; nil: that matters nothing
	words  *phrases           // nil: names are compared whole, or by their beginnings
	begins *beginnings        // nil: names are compared whole, or by their words
	// free: cells may hold anything, of any length. Longest is that of the names, in bytes.
	free    bool
	longest int
	blanks  bool          // rows without a name are noted: others are named
	bloom   *screen.Bloom // nearly all of the other names are known by it
}

// namedBy is a name and the conditions that name it.
type namedBy struct {
	text string
	mention
	meets Set     // what a row meets that has this name alone
	looks *string // what names have that look the same; nil: that matters nothing
}

// mention are the conditions that are only for some names, a row's among them,
// and those that leave one of its names out.
type mention struct{ only, except Set }

func (m mention) or(other mention) mention {
	return mention{m.only.Or(other.only), m.except.Or(other.except)}
}

func newLookup(r roleRule, q *Query) *lookup {
	l := &lookup{ids: map[string]int32{}, kind: r.Fold()}
	if r.Phrases {
		l.words = &phrases{ids: l.ids}
	}
	if r.Beginnings {
		l.begins = &beginnings{ids: l.ids}
	}
	l.free = r.Title != ""
	for i, condition := range q.all {
		names := condition[r.Role]
		if names.Only == nil {
			l.others = l.others.With(i)
			if len(names.Except) == 0 {
				l.unsaid = l.unsaid.With(i)
			}
		}
		for _, name := range names.Only {
			n := l.name(name)
			n.only = n.only.With(i)
		}
		for _, name := range names.Except {
			n := l.name(name)
			if n.except.Empty() {
				n.text = name // of words in two spellings those are told that leave something out
			}
			n.except = n.except.With(i)
		}
	}
	for i := range l.named {
		l.named[i].meets = l.meets(l.named[i].mention)
		l.texts = append(l.texts, l.named[i].text)
		l.longest = max(l.longest, len(l.named[i].text))
	}
	if q.Alike && !l.isOfParts() {
		l.addFolds()
	}
	_, blank := l.ids[""]
	l.blanks = r.Expected && len(l.ids) > 0 && !blank
	l.fillBloom()
	return l
}

// key is a name as ids have it.
func (l *lookup) key(name string) string {
	switch {
	case l.words != nil:
		return l.words.add(name)
	case l.begins != nil:
		return l.begins.add(name)
	}
	return name
}

// isOfParts reports whether cells are not compared as a whole.
func (l *lookup) isOfParts() bool { return l.words != nil || l.begins != nil }

func (l *lookup) name(text string) *namedBy {
	key := l.key(text)
	id, held := l.ids[key]
	if !held {
		id = int32(len(l.named))
		l.ids[key] = id
		l.named = append(l.named, namedBy{text: text})
	}
	return &l.named[id]
}

func (l *lookup) fillBloom() {
	var spellings []string
	for looks := range l.folded {
		spellings = append(spellings, looks)
		l.kind.Spellings(looks, func(spelling string) { spellings = append(spellings, spelling) })
	}
	bloom := screen.NewBloom(roomFor(len(l.ids) + len(spellings)))
	for name := range l.ids {
		bloom.Add(name)
	}
	for _, name := range spellings {
		bloom.Add(name)
	}
	if l.blanks {
		bloom.Add("") // for rows without a name to be looked at
	}
	l.bloom = &bloom
}

// roomFor is for how many names a bloom has room. As long as it stays in the nearest cache,
// more room lets fewer other names through.
func roomFor(names int) int {
	const near = 4096
	return max(names, min(4*names, near))
}

// in returns the lookup for tables of a dialect, which may write names in other
// bytes. A name that it cannot write is found in none. Where a character may have several
// codes, names are compared by their text.
func (l *lookup) in(d dialect.Dialect) *lookup {
	if !d.Legacy() || d.SeveralBytes() || l.isOfParts() {
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

// meets returns the conditions that a row meets, given what mentions its names.
func (l *lookup) meets(m mention) Set { return l.others.Or(m.only).AndNot(m.except) }

// find returns the id of the name in a cell of a block; unnamed: the query
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

// unnamed is the id of every name that the query does not name.
const unnamed = -1
