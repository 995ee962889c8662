package dialect

import (
	"strings"
	"unicode"
)

// alphabet has the letters beyond ASCII that a language has, and those of them that
// tell it from Western European ones, as some encodings write it.
type alphabet struct {
	letters, telling string
	encodings        []Encoding
}

// loans are letters that words from elsewhere bring into a shop's texts in any language.
const loans = "éèêàâçñüöä"

// western are those of languages that Windows-1252 is for. Icelandic has letters where
// Turkish has its own, and its shops have few loans.
var western = []string{
	loans + "ëîïôœùûÿ", loans + "áíóúïò·", loans + "áãíóôúõ", loans + "ìîòù", loans + "ß", loans + "åæøš", loans + "ëïóá", loans + "õ", "áðéíóúýþæöø",
}

// alphabets are those of other languages in Latin letters. What ISO-8859-9 has of
// Turkish, Windows-1254 has in the same bytes.
var alphabets = []alphabet{
	{"ąćęłńóśźż", "ąłśźż", []Encoding{Windows1250, Latin2}},
	{"áäčďéěíľĺňóôöřŕšťúůüýž", "ďěľřšťž", []Encoding{Windows1250, Latin2}},
	{"áéíóöőúüű", "ő", []Encoding{Windows1250, Latin2}},
	{"čćđšž", "ćčšž", []Encoding{Windows1250, Latin2}},
	{"ăâîşţ", "şţ", []Encoding{Windows1250, Latin2}},
	{"âçğıİîöşûü", "ğıİş", []Encoding{Windows1254}},
	{loans + "áåæëíïîìóòôõøœùúûÿßšž€", "€œ", []Encoding{Latin9}},
}

// highBytes are how often a text has each byte that is not ASCII, and of these within
// a word.
type highBytes struct {
	all, within [256]int
	characters  int
	distinct    int // bytes
	nasal       int // an õ before an e, as Portuguese has it
}

func newHighBytes(head []byte) *highBytes {
	h := &highBytes{}
	letter := func(i int) bool { return i >= 0 && i < len(head) && (isLatin(head[i]) || head[i] > 0xa0) }
	for i, b := range head {
		if b < 0x80 {
			continue
		}
		if h.characters++; h.all[b] == 0 {
			h.distinct++
		}
		if h.all[b]++; letter(i-1) && letter(i+1) {
			h.within[b]++
		}
		if (b == 0xf5 || b == 0xd5) && i+1 < len(head) && head[i+1]|0x20 == 'e' {
			h.nasal++
		}
	}
	return h
}

// doubts counts the letters that a language does not have, controls, and signs within words;
// and the letters that tell the language.
func (h *highBytes) doubts(e Encoding, letters, telling string) (doubts, certain int) {
	for b := 0x80; b < len(h.all); b++ {
		n := h.all[b]
		if n == 0 {
			continue
		}
		r := charmaps[e].DecodeByte(byte(b))
		has := func(text string) bool {
			return strings.ContainsRune(text, r) || strings.ContainsRune(text, unicode.ToLower(r))
		}
		switch {
		case has(letters):
			if has(telling) {
				certain += n
			}
		case unicode.IsLetter(r) && r != 'ª' && r != 'º', unicode.IsControl(r), r == unicode.ReplacementChar, r == '¤':
			doubts += n
		case !strings.ContainsRune("’‘–—·´\u00a0\u00ad", r):
			doubts += h.within[b]
		}
	}
	return doubts, certain
}

// westernDoubts counts the doubts of the Western language that has the fewest.
func (h *highBytes) westernDoubts() int {
	least := h.characters
	for _, letters := range western {
		doubts, _ := h.doubts(Windows1252, letters, "")
		if strings.ContainsRune(letters, 'ã') {
			doubts += h.all[0xf5] + h.all[0xd5] - h.nasal
		}
		least = min(least, doubts)
	}
	return least
}

// latin finds which encoding of Latin letters a text is in, of which so many characters
// are in doubt as Western. It is Windows-1252 unless one that another encoding is for has
// nearly all of its letters, and some of these tell it. A rival is one that is as good
// and says something else.
func (h *highBytes) latin(doubtful int) (best, rival Encoding) {
	best, least, enough := Windows1252, doubtful/4+1, max(2, min(leastTold, h.characters))
	if doubtful < enough || rareDoubts*doubtful < h.characters {
		return best, ""
	}
	for _, a := range alphabets {
		for _, e := range a.encodings {
			switch doubts, certain := h.doubts(e, a.letters, a.telling); {
			case certain < enough || 4*doubts >= h.characters:
			case doubts < least:
				best, least, rival = e, doubts, ""
			case doubts == least && best != Windows1252 && rival == "" && h.differ(best, e):
				rival = e
			}
		}
	}
	return best, rival
}

// differ reports whether a byte that the text has is another character in each.
func (h *highBytes) differ(one, other Encoding) bool {
	for b, n := range h.all {
		if n > 0 && charmaps[one].DecodeByte(byte(b)) != charmaps[other].DecodeByte(byte(b)) {
			return true
		}
	}
	return false
}

// leastTold is how many letters tell a language, where there are more than two. One in
// rareDoubts characters may be none of a Western language's and mean nothing.
const leastTold, rareDoubts = 3, 12
