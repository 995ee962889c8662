package names

import (
	"slices"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/fold"
)

// maxSpellings is how many names of a column a worker counts that look like one
// of the query's and are none: of a table with more, which ones is left open.
const maxSpellings = 4096

// Spellings counts the rows that have a name of a role, and may matter to a
// condition: those of the query, and those that look the same as one.
type Spellings struct {
	Named []Counted // by id
	Other map[string]*Counted
}

// Counted is one of the names. Rows are counted for another name than the
// query's where they have none of the query's that looks the same: those are the
// rows that would be passed over.
type Counted struct {
	Rows    int64
	InBlock int64   // of the block that is not written yet
	Looks   *string // what names have that look the same; nil: that matters nothing
	Others  bool    // the query does not have it
}

// NewSpellings counts none yet.
func NewSpellings(l *Lookup) Spellings {
	s := Spellings{Named: make([]Counted, len(l.Named))}
	for id, n := range l.Named {
		s.Named[id].Looks = n.looks
	}
	return s
}

// Another returns the count of a name that looks like the query's; nil where
// there are too many.
func (s *Spellings) Another(name string, looks *string) *Counted {
	if s.Other == nil {
		s.Other = map[string]*Counted{}
	}
	found := s.Other[name]
	if found == nil && len(s.Other) < maxSpellings {
		found = &Counted{Looks: looks, Others: true}
		s.Other[name] = found
	}
	return found
}

// addFolds prepares the search for names that look the same.
func (l *Lookup) addFolds() {
	l.folded = make(map[string]*string, len(l.Named))
	for id := range l.Named {
		looks := l.kind.Fold(l.Named[id].Text)
		if _, known := l.folded[looks]; !known {
			l.folded[looks] = &looks
		}
		l.Named[id].looks = l.folded[looks]
	}
}

// MayFoldAlike reports whether a name may look the same as one of the query's
// that it is not. Nearly tells most that do not by their bytes: the bloom has the
// spellings of ASCII.
func (l *Lookup) MayFoldAlike(text []byte, nearly, ascii bool) bool {
	switch {
	case len(l.folded) == 0 || len(text) == 0:
		return false
	case text[0] <= ' ' || text[len(text)-1] <= ' ':
		return true
	case ascii || !slices.ContainsFunc(text, func(b byte) bool { return b >= utf8.RuneSelf }):
		return nearly && l.mayFold(text)
	default:
		return true
	}
}

// mayFold reports whether a name of ASCII may fold to what one of the query's does. A
// filter that takes one name in fifty for another would cost a large plan more than
// its search does.
func (l *Lookup) mayFold(text []byte) bool {
	var room [96]byte // an "&" takes the most: five bytes
	if len(text) > len(room)/2 || fold.HasReference(text) {
		return true
	}
	_, held := l.folded[string(l.kind.AppendASCII(room[:0], text))]
	return held
}

// FoldOf returns the fold of a name that the query does not have, where one of the
// query's looks the same.
func (l *Lookup) FoldOf(name string) *string {
	if len(l.folded) == 0 {
		return nil
	}
	return l.folded[l.kind.Fold(name)]
}
