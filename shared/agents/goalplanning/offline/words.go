package offline

import (
	"strings"
)

// words is a set of words that do the same in a clause.
type words map[string]bool

func wordsOf(list string) words {
	set := words{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

func (w words) with(more words) words {
	all := words{}
	for _, set := range []words{w, more} {
		for word := range set {
			all[word] = true
		}
	}
	return all
}
