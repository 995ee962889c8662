package reader

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a token is made of.
type kind uint8

const (
	word   kind = iota // letters, with an apostrophe inside
	number             // digits, with a point or separators
	code               // letters and digits, as SKUs are
	quoted             // text in quotation marks
	mark               // anything else
)

// token is a piece of the instruction. Hyphens inside words only part them, so
// that "in-stock" and "in stock" are the same.
type token struct {
	text  string // as written, without quotation marks
	norm  string // in lower case; what the lexicon knows
	kind  kind
	start int // bytes
	end   int
}

// tokenize cuts a text. Every byte that is not blank belongs to a token.
func tokenize(text string) []token {
	var tokens []token
	for at := 0; at < len(text); {
		char, size := utf8.DecodeRuneInString(text[at:])
		if char != '\n' && unicode.IsSpace(char) {
			at += size
			continue
		}
		t := nextToken(text, at, char, size)
		if t.kind == word && (abbreviated(t.text) || t.text == "I" && at > 0 && text[at-1] == '\n') &&
			strings.HasPrefix(text[t.end:], ". ") &&
			unicode.IsUpper(rune(text[t.end+2:][0])) {
			t.end++ // Mr. Smith, F. Jones
		}
		tokens = append(tokens, t)
		at = max(t.end, at+size)
		if t.kind == word && at < len(text)-1 && text[at] == '-' && isLetter(text[at+1:]) {
			at++
		}
	}
	return tokens
}

// abbreviated reports whether a word may be cut short before a name.
func abbreviated(word string) bool {
	return len(word) == 1 && word != "I" && word == strings.ToUpper(word) ||
		slices.Contains([]string{"Mr", "Mrs", "Ms", "Dr", "St"}, word)
}

func nextToken(text string, at int, char rune, size int) token {
	make := func(k kind, end int) token {
		return token{text: text[at:end], norm: normal(text[at:end]), kind: k, start: at, end: end}
	}
	if end := closing(text, at, char); end > 0 {
		t := make(quoted, end)
		_, last := utf8.DecodeLastRuneInString(t.text)
		t.text = strings.TrimSpace(t.text[size : len(t.text)-last])
		return t
	}
	if unicode.IsLetter(char) || isDigit(char) {
		if end := codeEnd(text, at); end > 0 {
			return make(code, end)
		}
	}
	switch {
	case isDigit(char), char == '.' && isDigitAt(text, at+1) && !isDigitAt(text, at-1):
		return make(number, at+numeric.FindStringSubmatchIndex(text[at:])[3])
	case unicode.IsLetter(char):
		return make(word, wordEnd(text, at))
	}
	for _, sign := range []string{"->", "=>", ">=", "<=", "==", ":)", ":(", ";)", ":-)", ":-("} {
		if strings.HasPrefix(text[at:], sign) {
			return make(mark, at+len(sign))
		}
	}
	t := make(mark, at+size)
	if t.text == "-" && at > 0 && text[at-1] == ' ' && !strings.HasPrefix(text[at+1:], " ") {
		t.norm = "minus" // mugs -$2
	}
	return t
}

// normal is lower case with straight apostrophes, and those that are left out in haste.
func normal(text string) string {
	norm := strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	if stem, has := strings.CutSuffix(norm, "nt"); has && slices.Contains(denied, stem) {
		return stem + "n't"
	}
	return norm
}

// denied are the verbs whose denial is no other word: dont, isnt.
var denied = strings.Fields("do does did is are was were has have had should would could must ca")

func isDigit(char rune) bool { return char >= '0' && char <= '9' }

func isDigitAt(text string, at int) bool {
	return at >= 0 && at < len(text) && text[at] >= '0' && text[at] <= '9'
}

func isLetter(text string) bool {
	char, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(char)
}

// closing returns the end of the quotation that begins here, or 0.
func closing(text string, at int, char rune) int {
	pairs := map[rune]string{'`': "`", '"': "\"", '“': "”", '‘': "’", '\'': "'", '«': "»"}
	closer, quotes := pairs[char]
	if !quotes {
		return 0
	}
	if before, _ := utf8.DecodeLastRuneInString(text[:at]); at > 0 &&
		(unicode.IsLetter(before) || unicode.IsDigit(before)) {
		return 0
	}
	from := at + utf8.RuneLen(char)
	for next := from; ; {
		found := strings.Index(text[next:], closer)
		if found < 0 || found > 100 {
			return 0
		}
		next += found + len(closer)
		if after, _ := utf8.DecodeRuneInString(text[next:]); next-len(closer) > from &&
			!unicode.IsLetter(after) {
			return next
		}
	}
}

// wordEnd includes apostrophes between letters, but not a possessive 's.
func wordEnd(text string, at int) int {
	end := at
	for end < len(text) {
		char, size := utf8.DecodeRuneInString(text[end:])
		apostrophe := char == '\'' || char == '’'
		if !unicode.IsLetter(char) && !unicode.IsMark(char) &&
			!(apostrophe && end > at && isLetter(text[end+size:])) {
			break
		}
		end += size
	}
	for _, possessive := range []string{"'s", "’s"} {
		if base, cut := strings.CutSuffix(text[at:end], possessive); cut &&
			!slices.Contains(contracted, normal(base)) {
			return at + len(base)
		}
	}
	return end
}

// contracted are words after which 's is a verb, and units what no code ends with.
var (
	contracted = strings.Fields(
		"that it what here there let who whatever everything today tomorrow valentine mother father yesterday year week month",
	)
	units = strings.Fields("p c k x th st nd rd pm am pct kg g ml l cm mm pc pcs usd eur gbp ct cts bps")
)

// numeric is a number with thousands separators, a fraction and a fraction bar; year
// is what may be one of ours; coded is pieces of letters and digits.
var (
	numeric = regexp.MustCompile(`^([0-9]*(?:,[0-9]{3})*(?:[./][0-9]+)?)(?:[^0-9]|$)`)
	year    = regexp.MustCompile(`^(19|20)[0-9]{2}$`)
	coded   = regexp.MustCompile(`^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+|\.[0-9]+)*`)
)

// codeEnd returns the end of a code: pieces of letters and digits that hyphens or
// underscores join, of which some have digits and some have letters, or which are
// in capitals. Amounts such as 50p and words such as 10-pack are none.
func codeEnd(text string, at int) int {
	piece := coded.FindString(text[at:])
	if point := strings.IndexByte(piece, '.'); point > 0 &&
		(!hasLetters(piece[:point]) || !isDigitAt(piece, point-1)) {
		piece = piece[:point]
	}
	end := at + len(piece)
	digits := strings.ContainsAny(piece, "0123456789")
	letters := hasLetters(piece)
	joined := strings.ContainsAny(piece, "-_")
	measure := isDigitAt(piece, 0) && piece == strings.ToLower(piece) && measured(piece)
	switch {
	case end < len(text) && isLetter(text[end:]), !letters && isRange(piece):
		return 0
	case digits && letters && !measure,
		digits && joined && !letters,
		letters && joined && len(piece) > 3 && piece == strings.ToUpper(piece):
		return end
	}
	return 0
}

func hasLetters(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// isRange reports whether a piece is two codes or numbers of one form, joined:
// A101-A110 or 4000-4050.
func isRange(piece string) bool {
	first, second, joined := strings.Cut(piece, "-")
	letters := strings.TrimRight(first, "0123456789")
	digits := strings.TrimPrefix(second, letters)
	return joined && len(first) > len(letters) && digits != "" && strings.Trim(digits, "0123456789") == "" &&
		(len(digits) == len(first)-len(letters) && len(digits) > 1 ||
			letters != "" && len(second) > len(digits))
}

// measured reports whether digits are followed by what is no code: a unit, or a
// hyphen with a word.
func measured(piece string) bool {
	rest := strings.TrimLeft(piece, "0123456789.,")
	return slices.Contains(units, rest) ||
		strings.HasPrefix(rest, "-") && strings.Trim(rest, "-abcdefghijklmnopqrstuvwxyz") == ""
}
