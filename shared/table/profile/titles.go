package profile

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Missing is the position of a column that a header does not have.
const Missing = -1

// Titled finds columns by their titles.
type Titled []string

// find returns the first column that has one of the titles, and whether it has
// it alone.
func (t Titled) Find(titles Titles) (index int, alone bool) {
	for _, title := range titles {
		is := func(other string) bool { return SameTitle(other, title) }
		if stem, begins := strings.CutSuffix(title, "*"); begins {
			is = func(other string) bool { return beginsTitle(other, stem) }
			if first := slices.IndexFunc(t, is); first >= 0 && slices.ContainsFunc(t[first+1:], is) {
				continue // which of them, a setting says
			}
		}
		if found := slices.IndexFunc(t, is); found >= 0 {
			return found, !slices.ContainsFunc(t[found+1:], is)
		}
	}
	return Missing, true
}

func (t Titled) Has(titles Titles) bool {
	index, _ := t.Find(titles)
	return index != Missing
}

// profileOf returns the profile that reads a header: the one that the settings
// name; plain, where all its titles are there or no other's signature is; else
// that of which the most is.
func (t Titled) ProfileOf(said string) *Profile {
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

func (t Titled) matches(p *Profile) bool {
	return !slices.ContainsFunc(p.Signature, func(titles Titles) bool { return !t.Has(titles) })
}

// several returns the columns that begin alike.
func (t Titled) Several(titles Titles) (columns []int) {
	for _, title := range titles {
		stem, begins := strings.CutSuffix(title, "*")
		for i, column := range t {
			if begins && beginsTitle(column, stem) {
				columns = append(columns, i)
			}
		}
	}
	return columns
}

// Others returns the columns but for one that have one of the titles, each of
// which may stand for all that begin so.
func (t Titled) Others(titles Titles, but int) (columns []int) {
	for i := range t {
		if i != but && len(titles) > 0 && slices.ContainsFunc(titles, func(title string) bool { return t[i : i+1].Has(Titles{title}) }) {
			columns = append(columns, i)
		}
	}
	return columns
}

// SameTitle reports whether two titles are one column's: case, the blanks
// around a title, the kind and number of those within and the Unicode form do
// not tell columns apart.
func SameTitle(a, b string) bool {
	return !beginApart(a, b) && strings.EqualFold(PlainTitle(a), PlainTitle(b))
}

// beginApart tells most titles that are not the same by their first letters: a header
// of a million columns is compared with each title of each profile.
func beginApart(a, b string) bool {
	letter := func(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
	return a != "" && b != "" && letter(a[0]) && letter(b[0]) && a[0]|0x20 != b[0]|0x20
}

// beginsTitle reports whether a title begins with a stem, compared in the same
// way.
func beginsTitle(title, stem string) bool {
	title, stem = PlainTitle(title), strings.TrimSuffix(PlainTitle(stem+"*"), "*") // a blank at its end counts
	return len(title) > len(stem) && strings.EqualFold(title[:len(stem)], stem)
}

func PlainTitle(s string) string {
	if isPlainTitle(s) {
		return s
	}
	return strings.Join(strings.Fields(norm.NFC.String(s)), " ")
}

// isPlainTitle reports whether a title is ASCII, with single blanks inside alone.
func isPlainTitle(s string) bool {
	blank := true
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f || blank && s[i] == ' ' {
			return false
		}
		blank = s[i] == ' '
	}
	return s == "" || !blank
}
