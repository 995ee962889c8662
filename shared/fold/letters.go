package fold

import (
	"fmt"
	"strings"
	"unicode"
)

// Disguised says which letters of a name are taken for plain Latin ones, such as
// "Cyrillic а"; "": none is. Where two names print alike it tells them apart.
func Disguised(name string) string {
	var letters []string
	said := map[rune]bool{}
	for _, r := range name {
		if !isLookalike(r) || said[r] {
			continue
		}
		said[r] = true
		letters = append(letters, scriptOf(r)+" "+string(r))
	}
	return strings.Join(letters, ", ")
}

// isLookalike reports whether a letter or its small form is among the lookalikes.
func isLookalike(r rune) bool {
	if _, looks := lookalikes[r]; looks {
		return true
	}
	_, looks := lookalikes[unicode.ToLower(r)]
	return looks && r > unicode.MaxASCII
}

// scriptOf names a letter that looks like another: by its script, or by its number.
func scriptOf(r rune) string {
	switch {
	case unicode.Is(unicode.Cyrillic, r):
		return "Cyrillic"
	case unicode.Is(unicode.Greek, r):
		return "Greek"
	}
	return fmt.Sprintf("U+%04X", r)
}
