package fold

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

const (
	maxNearest   = 3      // of a name
	maxSeen      = 10_000 // distinct names that are kept
	maxCompared  = 64     // characters; longer names are not compared letter by letter
	similarShare = 3      // at most one letter in three may differ
)

// Nearest gathers the names that there are, to say which of them somebody meant by one
// that is none of them. Its memory is bounded: of very many names the first are kept, and
// all that fold as a wanted one does.
type Nearest struct {
	kind   Kind
	wanted map[string]bool     // folded
	seen   map[string]struct{} // as they are written
}

// NewNearest returns a gatherer for those names.
func NewNearest(kind Kind, wanted []string) *Nearest {
	n := &Nearest{kind: kind, wanted: make(map[string]bool, len(wanted)), seen: map[string]struct{}{}}
	for _, name := range wanted {
		n.wanted[kind.Fold(name)] = true
	}
	return n
}

// Add tells of a name that there is.
func (n *Nearest) Add(name string) {
	if _, known := n.seen[name]; known || strings.TrimSpace(name) == "" {
		return
	}
	if len(n.seen) < maxSeen || n.wanted[n.kind.Fold(name)] {
		n.seen[strings.Clone(name)] = struct{}{}
	}
}

// Of returns the names nearest to one, at most three, the likeliest first.
func (n *Nearest) Of(name string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for seen := range n.seen {
		if distance, similar := n.kind.apart(name, seen); similar {
			found = append(found, candidate{seen, distance})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	names := make([]string, min(len(found), maxNearest))
	for i := range names {
		names[i] = found[i].name
	}
	return names
}

// apart says how far two names are from each other, and whether one may have
// been meant by the other: they look the same; the same letters and digits; few
// letters that differ; one of them part of the other.
func (k Kind) apart(wanted, seen string) (distance int, similar bool) {
	a, b := k.Fold(wanted), k.Fold(seen)
	if a == b {
		return 0, true
	}
	x, y := WithoutSigns(a), WithoutSigns(b)
	if x == y {
		return 1, x != "" // signs alone say nothing
	}
	long, short := utf8.RuneCountInString(x), utf8.RuneCountInString(y)
	if short > long {
		long, short = short, long
	}
	if long <= maxCompared && (long-short)*similarShare <= long {
		if letters := Slips(x, y); letters*similarShare <= long {
			return 1 + letters, true
		}
	}
	if containsWords(a, b) || containsWords(b, a) {
		return 1 + long, true
	}
	return 0, false
}

// Slips is how many letters are put in, left out or exchanged between two words.
func Slips(a, b string) int { return levenshtein.ComputeDistance(a, b) }

// WithoutSigns is a name without blanks, hyphens and other signs.
func WithoutSigns(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, name)
}

// containsWords reports whether a name has all words of another, in a row.
func containsWords(name, part string) bool {
	words := func(s string) string {
		return " " + strings.Join(strings.FieldsFunc(s, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
		}), " ") + " "
	}
	part = words(part)
	return part != "  " && strings.Contains(words(name), part)
}
