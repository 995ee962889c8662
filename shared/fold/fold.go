// Package fold tells which names look the same to a person: Men's and Men’s,
// T-Shirts and T‑Shirts, Kids & Toys and Kids &amp; Toys.
//
// Names that fold together are the same but for
//   - case and Unicode form, and characters that do not show;
//   - blanks around them, and the kind and number of those inside;
//   - the kind of quotes and dashes;
//   - "&", "&amp;" and the word "and", and a few more references of HTML;
//   - Cyrillic and Greek letters that look like Latin ones (see lookalikes);
//   - in SKUs, zeros before a number that the SKU begins with.
//
// A fold is for comparing alone. It is never shown, and never written to a table.
package fold

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Kind is what the names are of.
type Kind int

// Names are those of categories, brands and tags. SKUs are also the same with
// zeros before their number: a spreadsheet makes 7 of 007.
const (
	Names Kind = iota
	SKUs
)

// Fold returns what all names have in common that look the same as this one.
func (k Kind) Fold(name string) string {
	if isASCII(name) && strings.IndexByte(name, '&') < 0 {
		return string(k.AppendASCII(nil, []byte(name)))
	}
	return string(k.AppendASCII(nil, []byte(plain(unescape(name)))))
}

// AppendASCII appends the fold of a name of ASCII without references of HTML. It
// takes no memory where there is room for the fold.
func (k Kind) AppendASCII(to, name []byte) []byte {
	start, blank := len(to), false
	word := func(text string) {
		if blank && len(to) > start {
			to = append(to, ' ')
		}
		blank = false
		to = append(to, text...)
	}
	for i, b := range name {
		switch {
		case b == ' ' || '\t' <= b && b <= '\r':
			blank = true
		case b == '&':
			blank = true
			word("and")
			blank = true
		case b == '`':
			word("'")
		case 'A' <= b && b <= 'Z':
			word(lower[b-'A' : b-'A'+1])
		default:
			if blank {
				word("")
			}
			to = append(to, name[i])
		}
	}
	if k == SKUs {
		return append(to[:start], withoutZeros(to[start:])...)
	}
	return to
}

const lower = "abcdefghijklmnopqrstuvwxyz"

// HasReference reports whether a name may have a reference of HTML.
func HasReference(name []byte) bool {
	at := bytes.IndexByte(name, '&')
	return at >= 0 && bytes.IndexByte(name[at:], ';') > 0
}

// withoutZeros is a SKU without the zeros before the number that it begins with.
func withoutZeros(sku []byte) []byte {
	for len(sku) > 1 && sku[0] == '0' && isDigit(sku[1]) {
		sku = sku[1:]
	}
	return sku
}

// Letters returns a text in one case and one Unicode form, without the characters
// that do not show and the blanks around it. Words of products' titles are compared so.
func Letters(text string) string {
	if isASCII(text) {
		return strings.ToLower(strings.TrimSpace(text))
	}
	return strings.TrimSpace(letters(text))
}

func letters(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return r
	}, norm.NFKC.String(text))
	return norm.NFKC.String(cases.Fold().String(text))
}

// references are those of HTML that exports of shops leave in names. An "&" that was
// escaped twice is read twice.
var references = strings.NewReplacer(
	"&amp;",
	"&",
	"&#38;",
	"&",
	"&#038;",
	"&",
	"&quot;",
	`"`,
	"&#34;",
	`"`,
	"&apos;",
	"'",
	"&#39;",
	"'",
	"&#039;",
	"'",
	"&#x27;",
	"'",
	"&lsquo;",
	"'",
	"&rsquo;",
	"'",
	"&#8216;",
	"'",
	"&#8217;",
	"'",
	"&ldquo;",
	`"`,
	"&rdquo;",
	`"`,
	"&ndash;",
	"-",
	"&mdash;",
	"-",
	"&#8211;",
	"-",
	"&nbsp;",
	" ",
	"&#160;",
	" ",
)

func unescape(name string) string {
	for range 3 {
		was := name
		if name = references.Replace(name); name == was {
			break
		}
	}
	return name
}

// plain is a name in plain letters and signs: those of ASCII where one looks the same.
func plain(name string) string {
	if isASCII(name) {
		return name
	}
	name = norm.NFD.String(letters(strings.Map(sign, name)))
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\u2800' { // of Braille, and blank
			return ' '
		}
		if latin, looks := lookalikes[r]; looks {
			return latin
		}
		return sign(r)
	}, name))
}

// sign is the quote or dash of ASCII for one of another kind. Single quotes and
// double ones stay two kinds: 5' are feet, and 5" are inches.
func sign(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case strings.ContainsRune("´‘’‚‛‹›ʹʻʼʽˈ′‵＇`", r):
		return '\''
	case strings.ContainsRune("“”„‟«»″‶〝〞＂", r):
		return '"'
	case unicode.Is(unicode.Pd, r) || r == '−' || r == '⁃' || r == '˗':
		return '-'
	}
	return r
}

// lookalikes are the letters of Cyrillic and Greek that Unicode lists as confusable with
// Latin ones (confusables.txt of UTS #39), in lower case. A letter is in the list
// where its capital or its small form looks the same, so that words stay the same in any
// case. Greek my is left out: 5 μm are not 5 mm.
var lookalikes = map[rune]rune{
	'а': 'a',
	'в': 'b',
	'с': 'c',
	'ԁ': 'd',
	'е': 'e',
	'һ': 'h',
	'н': 'h',
	'і': 'i',
	'ј': 'j',
	'к': 'k',
	'ӏ': 'l',
	'м': 'm',
	'о': 'o',
	'р': 'p',
	'ԛ': 'q',
	'ѕ': 's',
	'т': 't',
	'у': 'y',
	'ү': 'y',
	'ѵ': 'v',
	'ԝ': 'w',
	'х': 'x',
	'ԍ': 'g',
	'α': 'a',
	'β': 'b',
	'ε': 'e',
	'ζ': 'z',
	'η': 'h',
	'ι': 'i',
	'κ': 'k',
	'ν': 'n',
	'ο': 'o',
	'ρ': 'p',
	'τ': 't',
	'υ': 'y',
	'χ': 'x',
	'ϳ': 'j',
	'ı': 'i',
	'ɑ': 'a',
	'ɡ': 'g',
	'ſ': 's',
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
