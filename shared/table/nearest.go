package table

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"github.com/planwright/planwright/shared/fold"
)

const (
	maxNearest   = 3      // shown for a name
	maxSeen      = 10_000 // distinct names of a table that are kept
	maxCompared  = 64     // characters; longer names are not compared letter by letter
	similarShare = 3      // at most one letter in three may differ
)

// nearest gathers the names that a table has, to say which of them somebody
// meant by one that it has not. Its memory is bounded: of a table with very many
// names the first are kept, and all that fold as a wanted one does.
type nearest struct {
	kind   fold.Kind
	wanted map[string]bool     // folded
	seen   map[string]struct{} // as the table writes them
}

// newNearest returns a gatherer for those names.
func newNearest(kind fold.Kind, wanted []string) *nearest {
	n := &nearest{kind: kind, wanted: make(map[string]bool, len(wanted)), seen: map[string]struct{}{}}
	for _, name := range wanted {
		n.wanted[kind.Fold(name)] = true
	}
	return n
}

// Add tells of a name that the table has.
func (n *nearest) Add(name string) {
	if _, known := n.seen[name]; known || strings.TrimSpace(name) == "" {
		return
	}
	if len(n.seen) < maxSeen || n.wanted[n.kind.Fold(name)] {
		n.seen[strings.Clone(name)] = struct{}{}
	}
}

// Of returns the names nearest to one, at most three, the likeliest first.
func (n *nearest) Of(name string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for seen := range n.seen {
		if distance, similar := n.apart(name, seen); similar {
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
func (n *nearest) apart(wanted, seen string) (distance int, similar bool) {
	a, b := n.kind.Fold(wanted), n.kind.Fold(seen)
	if a == b {
		return 0, true
	}
	x, y := lettersOf(a), lettersOf(b)
	if x == y {
		return 1, x != "" // signs alone say nothing
	}
	long, short := utf8.RuneCountInString(x), utf8.RuneCountInString(y)
	if short > long {
		long, short = short, long
	}
	if long <= maxCompared && (long-short)*similarShare <= long {
		if letters := levenshtein.ComputeDistance(x, y); letters*similarShare <= long {
			return 1 + letters, true
		}
	}
	if containsWords(a, b) || containsWords(b, a) {
		return 1 + long, true
	}
	return 0, false
}

func lettersOf(name string) string {
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
