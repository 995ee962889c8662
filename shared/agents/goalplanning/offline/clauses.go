package offline

import (
	"slices"
	"strings"
	"unicode"
)

// endsAt reports whether tokens after a pause or "and" begin another clause.
func (c clause) endsAt(next []token) bool {
	word := next[0].word
	verbs := slices.ContainsFunc(c.tokens, func(k token) bool { return isVerb(k.word) || k.word == "are" })
	lists := c.any(plurals) && verbs // "add tasks: ..."
	placed := len(c.parts(hours)) > 0 || c.has("at", "before", "after")
	return starters[word] || isVerb(word) && !lists || dueNext(next) || meetsToo(c.tokens, next) ||
		placed && titled(c.tokens) && titled(next)
}

// find returns where the first word of a set stands, -1 where none does.
func (c clause) find(set words) int {
	return slices.IndexFunc(c.tokens, func(k token) bool { return set[k.word] })
}

func (c clause) any(set words) bool { return c.find(set) >= 0 }

// at is find for a few words, and has is any.
func (c clause) at(wanted ...string) int {
	return slices.IndexFunc(
		c.tokens,
		func(k token) bool { return k.word != "" && slices.Contains(wanted, k.word) },
	)
}

func (c clause) has(wanted ...string) bool { return c.at(wanted...) >= 0 }

// parts returns the parts of a kind.
func (c clause) parts(of kind) (list []part) {
	for _, k := range c.tokens {
		if k.is(of) {
			list = append(list, *k.part)
		}
	}
	return list
}

// clocks returns the times of a day; "evening" is none.
func (c clause) clocks() []part {
	return slices.DeleteFunc(c.parts(times), func(p part) bool { return p.partly })
}

// before reports whether one of some words stands just before the first part of a kind.
func (c clause) before(of kind, wanted ...string) bool {
	i := slices.IndexFunc(c.tokens, func(k token) bool { return k.is(of) })
	return i > 0 && slices.Contains(wanted, c.tokens[i-1].word)
}

// negated reports whether a clause says when there is no time.
func (c clause) negated() bool {
	return c.any(negatives) ||
		c.has("keep", "leave", "count", "block") && c.has("free", "clear", "open", "alone", "out")
}

// use says that something was done with the whole clause.
func (c clause) use() {
	for i := range c.tokens {
		c.tokens[i].used = true
	}
}

// rest returns what nothing was done with, in the words of the message.
func (c clause) rest() string {
	left := func(k token) bool {
		return !k.used && !fillers[k.word] &&
			(k.part != nil || strings.ContainsFunc(k.word, func(r rune) bool {
				return unicode.IsLetter(r) || unicode.IsDigit(r)
			}))
	}
	first := slices.IndexFunc(c.tokens, left)
	if first < 0 {
		return ""
	}
	last := first
	for i, k := range c.tokens {
		if left(k) {
			last = i
		}
	}
	return text(c.tokens[first : last+1])
}
