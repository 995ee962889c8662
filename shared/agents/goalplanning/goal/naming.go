package goal

import (
	"slices"
	"strings"
)

// Names reports whether what a user said names the thing of that title: each
// word of it that tells something is one of the title's. A message that has
// such words in it speaks of the thing.
func Names(said, title string) bool {
	words := telling(said)
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool { return !has(telling(title), word) })
}

// speaksOf reports whether a message speaks of the thing of that title: one of
// the title's words that tell something is in it.
func speaksOf(message, title string) bool {
	said := spoken(message)
	return slices.ContainsFunc(telling(title), func(word string) bool { return has(said, word) })
}

// telling returns the words of a text that tell one title from another; all of
// them where none does.
func telling(text string) []string {
	all := spoken(text)
	words := slices.DeleteFunc(slices.Clone(all), func(word string) bool { return slices.Contains(smallWords, word) })
	if len(words) == 0 {
		return all
	}
	return words
}

var smallWords = strings.Fields(`phase milestone task step stage plan
	a an the this that these those my your our you i we it and or but not no to of for with in on at by from as is be do so if up
	der die das den dem ein eine und zu im am le la les l de du des un une et en el los las una y del al il lo gli e di da o os as um uma het een van`)

// has reports whether a word is among words, inflected or not.
func has(words []string, word string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return akin(stem(w), stem(word)) })
}

// akin reports whether one stem is the other or begins it, as "colour" begins "colourful".
func akin(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) > 3 && strings.HasPrefix(b, a)
}

// stem cuts common English endings, so that "tests" and "testing" are one.
func stem(word string) string {
	for _, ending := range []string{"ing", "ed", "es", "s"} {
		if cut, ok := strings.CutSuffix(word, ending); ok && len(cut) >= 3 {
			return cut
		}
	}
	return word
}
