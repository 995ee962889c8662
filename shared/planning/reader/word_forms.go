package reader

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// singular is a word without what its number and spelling add.
func singular(word string) string {
	for _, form := range []string{word, unnumbered(word)} {
		if same := load().same[form]; same != "" {
			return same
		}
	}
	return unnumbered(word)
}

// unnumbered is a word without what its number adds.
func unnumbered(word string) string {
	for _, n := range numberEndings {
		if stem, has := strings.CutSuffix(word, n.plural); has && len(word) >= n.least {
			return stem + n.singular
		}
	}
	return word
}

// numberEndings are how words end that have a number, in words that are long enough.
var numberEndings = []struct {
	plural, singular string
	least            int
}{
	{"ies", "y", 5}, {"sses", "ss", 0}, {"shes", "sh", 0}, {"ches", "ch", 0}, {"xes", "x", 0},
	{"ves", "f", 5},
	{"ife", "if", 0},                    // knives
	{"eave", "eave", 0}, {"ve", "f", 5}, // gloves, not leave
	{"ie", "y", 5}, // cookies
	{"ss", "ss", 0}, {"s", "", 4},
}

// unaccented is a word with plain letters.
func unaccented(word string) string {
	if !strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII }) {
		return word
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, norm.NFD.String(word))
}
