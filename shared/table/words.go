package table

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/dialect"
)

// words are those of a text, in small letters, each with a space behind it.
// Letters, digits and marks make a word, and a point or comma between digits. A
// sign that makes another word of one, as in 100% and C++, is a word too. All
// else parts words.
type words struct {
	text   []byte
	starts []int
}

// read takes the words of a text, in place of those that there were.
func (w *words) read(d dialect.Dialect, text []byte) {
	w.text, w.starts = w.text[:0], w.starts[:0]
	if slices.ContainsFunc(text, func(b byte) bool { return b >= utf8.RuneSelf }) {
		text = []byte(fold.Letters(strings.Map(withoutMark, d.Text(text))))
	}
	open := false
	for i := 0; i < len(text); {
		if b := text[i]; b < utf8.RuneSelf && isWordByte[b] { // as most are
			if !open {
				w.starts = append(w.starts, len(w.text))
			}
			w.text, open = append(w.text, lowerByte(b)), true
			i++
			continue
		}
		var size int
		open, size = w.readOther(text, i, open)
		i += size
	}
	if open {
		w.text = append(w.text, ' ')
	}
}

// readOther reads what is no letter and no digit of ASCII, and returns whether a word goes
// on behind it.
func (w *words) readOther(text []byte, i int, open bool) (in bool, size int) {
	r, size := rune(text[i]), 1
	if r >= utf8.RuneSelf {
		r, size = utf8.DecodeRune(text[i:])
	}
	digits := i > 0 && i+1 < len(text) && isDigit(text[i-1]) && isDigit(text[i+1])
	in = isWordRune(r) || (r == '.' || r == ',') && digits
	sign := isSign(r)
	if open && !in {
		w.text = append(w.text, ' ')
	}
	if sign || in && !open {
		w.starts = append(w.starts, len(w.text))
	}
	if in || sign {
		w.text = utf8.AppendRune(w.text, r)
	}
	if sign {
		w.text = append(w.text, ' ')
	}
	return in, size
}

// withoutMark takes the marks of a registered name for blanks, of which
// normalisation would make letters.
func withoutMark(r rune) rune {
	if r == '™' || r == '℠' {
		return ' '
	}
	return r
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isWordByte[r]
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// isWordByte has the letters and digits of ASCII.
var isWordByte = func() (is [utf8.RuneSelf]bool) {
	for b := range is {
		is[b] = unicode.IsLetter(rune(b)) || unicode.IsDigit(rune(b))
	}
	return is
}()

func isSign(r rune) bool { return r == '%' || r == '&' || r == '+' || r == '#' }

func lowerByte(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// first returns one of the words, without the space behind it.
func (w *words) first(i int) []byte { word := w.run(i, 1); return word[:len(word)-1] }

// run returns so many words from one on, of as many as there are.
func (w *words) run(first, count int) []byte {
	if behind := first + count; behind < len(w.starts) {
		return w.text[w.starts[first]:w.starts[behind]]
	}
	return w.text[w.starts[first]:]
}

// firsts tells most words that no phrase begins with from those that one does.
type firsts [16]uint64

func (f *firsts) add(word []byte)      { n := firstOf(word); f[n/64] |= 1 << (n % 64) }
func (f *firsts) has(word []byte) bool { n := firstOf(word); return f[n/64]&(1<<(n%64)) != 0 }

// firstOf is the number of a word, in any case.
func firstOf(word []byte) uint {
	small := func(i int) uint { return uint(word[i] | ' ') } // where it is a letter of ASCII
	size := len(word)
	return (small(0)*37 + small(size-1)*11 + small(size/2)*5 + uint(size)) % (64 * uint(len(firsts{})))
}

// phrases finds which of a query's phrases a text has, as whole words in a row.
type phrases struct {
	ids    map[string]int32 // by their words
	firsts firsts
	most   int // words of the longest
}

// add adds a phrase and returns its words.
func (p *phrases) add(phrase string) string {
	var w words
	if w.read(dialect.Dialect{}, []byte(phrase)); len(w.starts) > 0 {
		p.firsts.add(w.first(0))
		p.most = max(p.most, len(w.starts))
	}
	return string(w.text)
}

// mayBeIn reports whether a text may have a phrase: most have no word that one
// begins with.
func (p *phrases) mayBeIn(text []byte) bool {
	start := -1
	for i, b := range text {
		switch {
		case b >= utf8.RuneSelf:
			return true
		case isWordByte[b] || (b == '.' || b == ',') && start >= 0 && i+1 < len(text) && isDigit(text[i-1]) && isDigit(text[i+1]):
			if start < 0 {
				start = i
			}
			continue
		case start >= 0 && p.firsts.has(text[start:i]) || isSign(rune(b)) && p.firsts.has(text[i:i+1]):
			return true
		}
		start = -1
	}
	return start >= 0 && p.firsts.has(text[start:])
}

// in calls yield with each phrase that is among the words, which may be more than once.
func (p *phrases) in(w *words, yield func(id int32)) {
	for i := range w.starts {
		if !p.firsts.has(w.first(i)) {
			continue
		}
		for count := 1; count <= p.most && i+count <= len(w.starts); count++ {
			if id, held := p.ids[string(w.run(i, count))]; held {
				yield(id)
			}
		}
	}
}

// longestWord is the longest of the words of a phrase, each of which has a space behind it.
func longestWord(phrase string) (longest string) {
	for word := range strings.FieldsSeq(phrase) {
		if len(word) > len(longest) {
			longest = word
		}
	}
	return longest
}
