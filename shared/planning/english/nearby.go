package english

import (
	"iter"
	"math/bits"
	"slices"
	"strings"
)

// spelling is a word with the set of its letters, which tells most words apart
// without comparing them: a slip of the pen changes the set by at most two.
type spelling struct {
	text    string
	letters uint32
}

func spelled(text string) spelling {
	s := spelling{text: text}
	for i := range len(text) {
		s.letters |= 1 << (text[i] % 32)
	}
	return s
}

// distance returns the slips from s to other, or some number above most.
func (s spelling) distance(other spelling, most int) int {
	if abs(len(s.text)-len(other.text)) > most || bits.OnesCount32(s.letters^other.letters) > 2*most {
		return most + 1
	}
	return Distance(s.text, other.text)
}

// nearByWord reports whether each word of a spelling is near its own of another of as
// many words: winter hats are no winter coats.
func nearByWord(x, y string) bool {
	if strings.Count(x, " ") != strings.Count(y, " ") {
		return true
	}
	for x != "" {
		var one, other string
		one, x, _ = strings.Cut(x, " ")
		other, y, _ = strings.Cut(y, " ")
		if one != other && Distance(one, other) > max(1, slips(max(len(one), len(other)))) {
			return false
		}
	}
	return true
}

// nearby is words by first letter and length.
type nearby map[nearKey][]spelling

type nearKey struct {
	first  byte
	length int
}

func (n nearby) add(text string) {
	if text == "" {
		return
	}
	at, s := nearKey{text[0], len(text)}, spelled(text)
	if !slices.Contains(n[at], s) {
		n[at] = append(n[at], s)
	}
}

// within yields the words with the same first letter that are from one to most
// slips away, with how many.
func (n nearby) within(text string, most int) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		s := spelled(text)
		for length := len(text) - most; length <= len(text)+most; length++ {
			for _, word := range n[nearKey{text[0], length}] {
				if distance := s.distance(word, most); distance > 0 && distance <= most && !yield(word.text, distance) {
					return
				}
			}
		}
	}
}
