package names

import (
	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/screen"
)

// A lookup tells which conditions a name of one role meets. It holds every name
// that a query names of that role and one answer for all the others, so that a
// row costs one search whatever the number of names and conditions.
type Lookup struct {
	Others Set              // those that are for every name
	Unsaid Set              // those that name none: the others look at names
	IDs    map[string]int32 // of the names, as the table writes them
	Texts  []string         // the names so, by id
	Named  []namedBy
	kind   fold.Kind
	folded map[string]*string // the names as names are that look the same; nil: that matters nothing
	Words  *Phrases           // nil: names are compared whole, or by their beginnings
	Begins *beginnings        // nil: names are compared whole, or by their words
	// free: cells may hold anything, of any length. Longest is that of the names, in bytes.
	Free    bool
	Longest int
	Blanks  bool          // rows without a name are noted: others are named
	Bloom   *screen.Bloom // nearly all of the other names are known by it
}

// namedBy is a name and the conditions that name it.
type namedBy struct {
	Text string
	Mention
	Meets Set     // what a row meets that has this name alone
	looks *string // what names have that look the same; nil: that matters nothing
}

// Mention are the conditions that are only for some names, a row's among them,
// and those that leave one of its names out.
type Mention struct{ only, except Set }

func (m Mention) Or(other Mention) Mention {
	return Mention{m.only.Or(other.only), m.except.Or(other.except)}
}

func newLookup(r recognize.Rule, conditions []Condition, alike bool) *Lookup {
	l := &Lookup{IDs: map[string]int32{}, kind: r.Fold()}
	if r.Phrases {
		l.Words = &Phrases{IDs: l.IDs}
	}
	if r.Beginnings {
		l.Begins = &beginnings{ids: l.IDs}
	}
	l.Free = r.Title != ""
	for i, condition := range conditions {
		names := condition[r.Role]
		if names.Only == nil {
			l.Others = l.Others.With(i)
			if len(names.Except) == 0 {
				l.Unsaid = l.Unsaid.With(i)
			}
		}
		for _, name := range names.Only {
			n := l.name(name)
			n.only = n.only.With(i)
		}
		for _, name := range names.Except {
			n := l.name(name)
			if n.except.Empty() {
				n.Text = name // of words in two spellings those are told that leave something out
			}
			n.except = n.except.With(i)
		}
	}
	for i := range l.Named {
		l.Named[i].Meets = l.Meets(l.Named[i].Mention)
		l.Texts = append(l.Texts, l.Named[i].Text)
		l.Longest = max(l.Longest, len(l.Named[i].Text))
	}
	if alike && !l.IsOfParts() {
		l.addFolds()
	}
	_, blank := l.IDs[""]
	l.Blanks = r.Expected && len(l.IDs) > 0 && !blank
	l.fillBloom()
	return l
}

// key is a name as ids have it.
func (l *Lookup) key(name string) string {
	switch {
	case l.Words != nil:
		return l.Words.Add(name)
	case l.Begins != nil:
		return l.Begins.add(name)
	}
	return name
}

// IsOfParts reports whether cells are not compared as a whole.
func (l *Lookup) IsOfParts() bool { return l.Words != nil || l.Begins != nil }

func (l *Lookup) name(text string) *namedBy {
	key := l.key(text)
	id, held := l.IDs[key]
	if !held {
		id = int32(len(l.Named))
		l.IDs[key] = id
		l.Named = append(l.Named, namedBy{Text: text})
	}
	return &l.Named[id]
}

func (l *Lookup) fillBloom() {
	var spellings []string
	for looks := range l.folded {
		spellings = append(spellings, looks)
		l.kind.Spellings(looks, func(spelling string) { spellings = append(spellings, spelling) })
	}
	bloom := screen.NewBloom(roomFor(len(l.IDs) + len(spellings)))
	for name := range l.IDs {
		bloom.Add(name)
	}
	for _, name := range spellings {
		bloom.Add(name)
	}
	if l.Blanks {
		bloom.Add("") // for rows without a name to be looked at
	}
	l.Bloom = &bloom
}

// roomFor is for how many names a bloom has room. As long as it stays in the nearest cache,
// more room lets fewer other names through.
func roomFor(names int) int {
	const near = 4096
	return max(names, min(4*names, near))
}

// In returns the lookup for tables of a dialect, which may write names in other
// bytes. A name that it cannot write is found in none. Where a character may have several
// codes, names are compared by their text.
func (l *Lookup) In(d dialect.Dialect) *Lookup {
	if !d.Legacy() || d.SeveralBytes() || l.IsOfParts() {
		return l
	}
	other := *l
	other.IDs, other.Texts = make(map[string]int32, len(l.IDs)), make([]string, len(l.Texts))
	for name, id := range l.IDs {
		if encoded, ok := d.Bytes(name); ok {
			other.IDs[string(encoded)], other.Texts[id] = id, string(encoded)
		}
	}
	other.fillBloom()
	return &other
}

// Meets returns the conditions that a row meets, given what mentions its names.
func (l *Lookup) Meets(m Mention) Set { return l.Others.Or(m.only).AndNot(m.except) }

// Find returns the id of the name in a cell of a block; unnamed: the query
// does not name it, though perhaps in another case. Of the rows that are looked at
// closely, most have the name that was found last.
func (l *Lookup) Find(block []byte, at cell.Span, last int32) (id int32, nearly bool) {
	if last >= 0 && string(at.Of(block)) == l.Texts[last] {
		return last, false
	}
	if len(l.IDs) > 0 && l.Bloom.MayHold(block, at) {
		if id, held := l.IDs[string(at.Of(block))]; held {
			return id, false
		}
		return Unnamed, true
	}
	return Unnamed, false
}

// Unnamed is the id of every name that the query does not name.
const Unnamed = -1
