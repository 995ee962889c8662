package names

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/dialect"
)

// Words are those of a text, in small letters, each with a space behind it.
// Letters, digits and marks make a word, and a point or comma between digits. A
// sign that makes another word of one, as in 100% and C++, is a word too. All
// else parts words.
type Words struct {
	Text   []byte
	Starts []int
}

// Read takes the words of a text, in place of those that there were.
func (w *Words) Read(d dialect.Dialect, text []byte) {
	w.Text, w.Starts = w.Text[:0], w.Starts[:0]
	if slices.ContainsFunc(text, func(b byte) bool { return b >= utf8.RuneSelf }) {
		text = []byte(fold.Letters(strings.Map(withoutMark, d.Text(text))))
	}
	open := false
	for i := 0; i < len(text); {
		if b := text[i]; b < utf8.RuneSelf && isWordByte[b] { // as most are
			if !open {
				w.Starts = append(w.Starts, len(w.Text))
			}
			w.Text, open = append(w.Text, lowerByte(b)), true
			i++
			continue
		}
		var size int
		open, size = w.readOther(text, i, open)
		i += size
	}
	if open {
		w.Text = append(w.Text, ' ')
	}
}

// readOther reads what is no letter and no digit of ASCII, and returns whether a word goes
// on behind it.
func (w *Words) readOther(text []byte, i int, open bool) (in bool, size int) {
	r, size := rune(text[i]), 1
	if r >= utf8.RuneSelf {
		r, size = utf8.DecodeRune(text[i:])
	}
	digits := i > 0 && i+1 < len(text) && isDigit(text[i-1]) && isDigit(text[i+1])
	in = isWordRune(r) || (r == '.' || r == ',') && digits
	sign := isSign(r)
	if open && !in {
		w.Text = append(w.Text, ' ')
	}
	if sign || in && !open {
		w.Starts = append(w.Starts, len(w.Text))
	}
	if in || sign {
		w.Text = utf8.AppendRune(w.Text, r)
	}
	if sign {
		w.Text = append(w.Text, ' ')
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

// First returns one of the words, without the space behind it.
func (w *Words) First(i int) []byte { word := w.Run(i, 1); return word[:len(word)-1] }

// Run returns so many words from one on, of as many as there are.
func (w *Words) Run(first, count int) []byte {
	if behind := first + count; behind < len(w.Starts) {
		return w.Text[w.Starts[first]:w.Starts[behind]]
	}
	return w.Text[w.Starts[first]:]
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

// Phrases finds which of a query's phrases a text has, as whole words in a row.
type Phrases struct {
	IDs    map[string]int32 // by their words
	firsts firsts
	most   int // words of the longest
}

// Add adds a phrase and returns its words.
func (p *Phrases) Add(phrase string) string {
	var w Words
	if w.Read(dialect.Dialect{}, []byte(phrase)); len(w.Starts) > 0 {
		p.firsts.add(w.First(0))
		p.most = max(p.most, len(w.Starts))
	}
	return string(w.Text)
}

// MayBeIn reports whether a text may have a phrase: most have no word that one
// begins with.
func (p *Phrases) MayBeIn(text []byte) bool {
	start := -1
	for i, b := range text {
		switch {
		case b >= utf8.RuneSelf:
			return true
		case isWordByte[b] || (b == '.' || b == ',') && start >= 0 && i+1 < len(text) && isDigit(text[i-1]) &&
			isDigit(text[i+1]):
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

// In calls yield with each phrase that is among the words, which may be more than once.
func (p *Phrases) In(w *Words, yield func(id int32)) {
	for i := range w.Starts {
		if !p.firsts.has(w.First(i)) {
			continue
		}
		for count := 1; count <= p.most && i+count <= len(w.Starts); count++ {
			if id, held := p.IDs[string(w.Run(i, count))]; held {
				yield(id)
			}
		}
	}
}

// LongestWord is the longest of the words of a phrase, each of which has a space behind it.
func LongestWord(phrase string) (longest string) {
	for word := range strings.FieldsSeq(phrase) {
		if len(word) > len(longest) {
			longest = word
		}
	}
	return longest
}

// IsASCII reports whether a text is nothing else.
func IsASCII[Text string | []byte](text Text) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
