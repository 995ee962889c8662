package profile

import (
	"slices"
	"strings"
	"sync"

	"github.com/planwright/planwright/shared/fold"
)

// Missing is the position of a column that a header does not have.
const Missing = -1

// Titled finds columns by their titles: those of a header, which are folded once.
type Titled struct {
	Titles []string // as they are written
	folded []string
	places map[string][]int // of the columns that have one
}

// NewTitled returns the columns of a header.
func NewTitled(titles []string) *Titled {
	t := &Titled{
		Titles: titles,
		folded: make([]string, len(titles)),
		places: make(map[string][]int, len(titles)),
	}
	for i, title := range titles {
		t.folded[i] = foldedTitle(title)
		t.places[t.folded[i]] = append(t.places[t.folded[i]], i)
	}
	return t
}

// Find returns the first column that has one of the titles, and whether it has
// it alone.
func (t *Titled) Find(titles Titles) (index int, alone bool) {
	for _, title := range titles {
		found := t.all(title)
		// which of those, a setting says
		if begins := strings.HasSuffix(title, "*"); len(found) == 1 || len(found) > 1 && !begins {
			return found[0], len(found) == 1
		}
	}
	return Missing, true
}

// Named returns the columns that have a title, as somebody wrote it: a star in it is a
// star.
func (t *Titled) Named(title string) []int { return t.places[foldedTitle(title)] }

func (t *Titled) Has(titles Titles) bool {
	index, _ := t.Find(titles)
	return index != Missing
}

// all returns the columns that have a title, which may stand for all that begin so.
func (t *Titled) all(title string) (columns []int) {
	folded := foldedKnown(title)
	stem, begins := strings.CutSuffix(folded, "*")
	if !begins {
		return t.places[folded]
	}
	for i, column := range t.folded {
		if len(column) > len(stem) && strings.HasPrefix(column, stem) {
			columns = append(columns, i)
		}
	}
	return columns
}

// Is reports whether a column has one of the titles.
func (t *Titled) Is(column int, titles Titles) bool {
	return slices.ContainsFunc(titles, func(title string) bool {
		return slices.Contains(t.all(title), column)
	})
}

// IsPrice reports whether a column is titled as the profile's price, or as what it is
// without a sale.
func (p *Profile) IsPrice(t *Titled, column int) bool {
	return t.Is(column, p.Price) || len(p.Sales) > 0 && t.Is(column, RegularPrice)
}

// ProfileOf returns the profile that reads a header: the one that the settings
// name; plain, where all its titles are there or no other's signature is; else
// that of which the most is.
func (t *Titled) ProfileOf(said string) *Profile {
	all := Profiles()
	best := PlainProfile()
	switch {
	case said != "":
		return profileNamed(said)
	case t.matches(best):
		return best
	}
	most := 0
	for i := range all {
		if p := &all[i]; len(p.Signature) > most && t.matches(p) {
			best, most = p, len(p.Signature)
		}
	}
	return best
}

func (t *Titled) matches(p *Profile) bool {
	return !slices.ContainsFunc(p.Signature, func(titles Titles) bool { return !t.Has(titles) })
}

// Several returns the columns that begin alike.
func (t *Titled) Several(titles Titles) (columns []int) {
	for _, title := range titles {
		if strings.HasSuffix(title, "*") {
			columns = append(columns, t.all(title)...)
		}
	}
	return columns
}

// Others returns the columns but for one that have one of the titles.
func (t *Titled) Others(titles Titles, but int) (columns []int) {
	for _, title := range titles {
		columns = append(columns, t.all(title)...)
	}
	slices.Sort(columns)
	return slices.DeleteFunc(slices.Compact(columns), func(i int) bool { return i == but })
}

// Any returns the columns that have one of the titles.
func (t *Titled) Any(titles []Titles) (columns []int) {
	for _, known := range titles {
		columns = append(columns, t.Others(known, Missing)...)
	}
	return columns
}

// SameTitle reports whether two titles are one column's: they look the same, quotes
// around all of one aside.
func SameTitle(a, b string) bool { return foldedTitle(a) == foldedTitle(b) }

// foldedKnown is foldedTitle of a title that a profile has: each is folded once.
func foldedKnown(title string) string {
	folded, known := knownTitles.Load(title)
	if !known {
		folded, _ = knownTitles.LoadOrStore(title, foldedTitle(title))
	}
	return folded.(string)
}

var knownTitles sync.Map

// foldedTitle is one for all titles that are the same.
func foldedTitle(title string) string { return fold.Names.Fold(unquoted(title)) }

// unquoted is a title without quotes that stand around all of it.
func unquoted(title string) string {
	text := strings.TrimSpace(title)
	if len(text) > 2 && text[0] == '"' && text[len(text)-1] == '"' {
		return text[1 : len(text)-1]
	}
	return title
}
