// Package english reads the English of a merchant's instruction: it cuts text
// into tokens, knows the words that pricing is talked about in, and turns
// digits, number words and units into exact amounts.
//
// It knows words and not what an instruction means: that is the work of the
// packages that use it, the grammar and the grounding check, which share no
// more than this.
package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/plan"
)

// Kind is what a token is made of.
type Kind uint8

const (
	Word      Kind = iota // letters, with apostrophes inside
	Number                // digits, with thousands separators and a fraction
	Malformed             // digits and separators that are no one number: 10,50
	Code                  // letters and digits together, as SKUs are: A101, FIT-001
	Quoted                // text between quotation marks, without them
	Mark                  // one punctuation mark or symbol
	Stray                 // a control or invisible character, or a broken one
)

// Token is one piece of the text.
type Token struct {
	Kind       Kind
	Spaced     bool   // white space comes before it
	LineStart  bool   // it is the first of its line
	starts     start  // what can begin with its word
	word       int32  // its number in the vocabulary; 0 where it has none
	Text       string // as written; for Quoted what is between the marks
	Norm       string // in lower case, with plain apostrophes, also where "dont" has none
	Start, End int    // bytes of the source
	Value      plan.Decimal
}

// Tokenize cuts text into tokens in one pass. It never fails: what it does not
// know becomes a Mark or a Stray, which no rule consumes.
func Tokenize(text string) []Token { return tokenize(make([]Token, 0, len(text)/3+4), text) }

// tokenize appends the tokens of text.
func tokenize(tokens []Token, text string) []Token {
	s := scanner{text: text, tokens: tokens, lineStart: true}
	for s.pos < len(text) {
		s.next()
	}
	return s.tokens
}

type scanner struct {
	text      string
	pos       int
	tokens    []Token
	spaced    bool
	lineStart bool
	unclosed  map[rune]int // per closing mark, up to where none is known to follow
	skip      map[int]int  // closing marks that were dealt with: position and size
	plain     int          // up to here no piece of what hyphens join has a digit
}

func (s *scanner) next() {
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	switch {
	case s.skip[s.pos] > 0:
		s.pos += s.skip[s.pos]
		s.spaced = true
	case r == '\n':
		s.emit(Mark, s.pos+size)
		s.lineStart = true
	case r == ' ' || r == '\t' || r == '\r' || unicode.Is(unicode.Zs, r):
		s.pos += size
		s.spaced = true
	case unicode.IsLetter(r):
		s.word()
	case s.digitAt(s.pos) || r == '.' && s.digitAt(s.pos+1) && !s.afterDigit() && !s.afterRs():
		s.number()
	case r == utf8.RuneError && size == 1 || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp):
		s.emit(Stray, s.pos+size)
	case s.quote(r, size):
	default:
		s.emit(Mark, s.pos+s.markSize(size))
	}
}

func (s *scanner) emit(kind Kind, end int) *Token {
	text := s.text[s.pos:end]
	s.tokens = append(s.tokens, Token{
		Kind: kind, Text: text, Norm: apostrophed(normal(text)), Start: s.pos, End: end, Spaced: s.spaced, LineStart: s.lineStart,
	})
	s.pos, s.spaced, s.lineStart = end, false, false
	return &s.tokens[len(s.tokens)-1]
}

var plainApostrophe = strings.NewReplacer("’", "'", "‘", "'")

func normal(text string) string {
	lower := strings.ToLower(text)
	if strings.IndexByte(lower, 0xe2) < 0 { // no character of the general punctuation block
		return lower
	}
	return plainApostrophe.Replace(lower)
}

// contracted are the verbs that "nt" denies.
var contracted = set("is are was were do does did have hav has had would could should must need might ca wo")

// apostrophed writes "dont" as "don't". No other word is one of these verbs with "nt".
func apostrophed(word string) string {
	if verb, ok := strings.CutSuffix(word, "nt"); ok && contracted[verb] {
		return verb + "n't"
	}
	return word
}

// twoMarks are symbols of two characters that mean one thing.
var twoMarks = []string{"->", "=>", "<=", ">=", "..", "--", "+/"}

func (s *scanner) markSize(size int) int {
	for _, two := range twoMarks {
		if strings.HasPrefix(s.text[s.pos:], two) {
			return len(two)
		}
	}
	return size
}

func (s *scanner) digitAt(i int) bool {
	return i < len(s.text) && s.text[i] >= '0' && s.text[i] <= '9'
}

func (s *scanner) afterDigit() bool { return s.pos > 0 && s.digitAt(s.pos-1) }

// afterRs reports whether the point of Rs.50 stands here.
func (s *scanner) afterRs() bool {
	return s.pos > 0 && !s.spaced && len(s.tokens) > 0 && s.tokens[len(s.tokens)-1].Norm == "rs"
}

// word reads letters. Letters and digits together make a code, and so do
// hyphens and underscores between such pieces: FIT-001, A_12-XL. Without a
// digit a hyphen parts two words: in-stock, T-shirt.
func (s *scanner) word() {
	end, digits := s.letters(s.pos)
	if digits || end >= s.plain {
		longest, codeDigits := s.codeEnd(end)
		if digits || codeDigits {
			s.emit(Code, longest)
			return
		}
		s.plain = longest
	}
	s.emit(Word, end)
}

// letters returns the end of the letters, digits and inner apostrophes from i.
func (s *scanner) letters(i int) (end int, digits bool) {
	for i < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[i:])
		switch {
		case unicode.IsDigit(r):
			digits = true
		case unicode.IsLetter(r) || unicode.IsMark(r):
		case (r == '\'' || r == '’') && s.letterAt(i+size):
			if digits { // A101's
				return i, digits
			}
		default:
			return i, digits
		}
		i += size
	}
	return i, digits
}

func (s *scanner) letterAt(i int) bool {
	r, _ := utf8.DecodeRuneInString(s.text[i:])
	return unicode.IsLetter(r)
}

// codeEnd extends a piece over hyphens and underscores that are followed by
// further pieces, and says whether any of those has a digit.
func (s *scanner) codeEnd(end int) (int, bool) {
	digits := false
	for end+1 < len(s.text) && (s.text[end] == '-' || s.text[end] == '_') {
		next, more := s.letters(end + 1)
		if next == end+1 {
			break
		}
		end, digits = next, digits || more
	}
	return end, digits
}

// number reads digits. A comma belongs to the number where it parts groups of
// three; any other comma or second point between digits makes it malformed.
func (s *scanner) number() {
	end := s.pos
	for s.digitAt(end) || end < len(s.text) && (s.text[end] == ',' || s.text[end] == '.') && s.digitAt(end+1) {
		end++
	}
	plainDigits := onlyDigits(s.text[s.pos:end])
	if last, more := s.codeEnd(end); plainDigits && last > end && more && (s.codeLike(end) || identifies(s.text[s.pos:last])) {
		s.emit(Code, last)
		return
	}
	if plainDigits && s.wordFollows(end) {
		last, _ := s.letters(end)
		last, _ = s.codeEnd(last)
		if unit := s.text[end:last]; !gluedUnit[strings.ToLower(unit)] {
			s.emit(Code, last)
			return
		}
	}
	if last, _ := s.codeEnd(end); plainDigits && last == end+2 && unicode.IsUpper(rune(s.text[end+1])) { // 550-A
		s.emit(Code, last)
		return
	}
	value, ok := decimal(s.text[s.pos:end])
	if !ok {
		s.emit(Malformed, end)
		return
	}
	s.emit(Number, end).Value = value
}

func onlyDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// codeLike tells 100-A7 from 15-30 and 5-dollar: some later piece has both.
func (s *scanner) codeLike(end int) bool {
	return end+1 < len(s.text) && s.letterAt(end+1)
}

// identifies tells 978-0141439518 from 15-30: groups of digits of which one is
// longer than a price, or begins with a zero, are no prices.
func identifies(digits string) bool {
	for group := range strings.SplitSeq(digits, "-") {
		if len(group) >= 10 || len(group) > 1 && group[0] == '0' {
			return true
		}
	}
	return false
}

func (s *scanner) wordFollows(i int) bool { return i < len(s.text) && s.letterAt(i) }

// gluedUnit are units that may follow a number without a space.
var gluedUnit = set("percent pct pc usd eur gbp cad aud dollars dollar bucks euros euro pounds cents cent c p pence rs inr rupees off")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// decimal reads 1,299.00 and .99. It reads no number that is another one where
// the comma and the point change places: 0,500 and 2.500, which nobody writes
// with a zero at its end for two and a half.
func decimal(text string) (plan.Decimal, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	grouped := strings.Contains(whole, ",")
	thousands := !grouped && len(whole) <= 3 && whole != "" && whole[0] != '0' && len(fraction) == 3 && fraction[2] == '0'
	if grouped && !inThrees(whole) || thousands || strings.ContainsAny(fraction, ",.") {
		return plan.Decimal{}, false
	}
	if whole == "" {
		text = "0" + text
	}
	value, err := plan.ParseDecimal(strings.ReplaceAll(text, ",", ""))
	return value, err == nil
}

// inThrees reports whether commas part digits into groups of three, the first of
// which may have fewer.
func inThrees(digits string) bool {
	for i, group := range strings.Split(digits, ",") {
		if i == 0 && (len(group) > 3 || group == "" || group[0] == '0') || i > 0 && len(group) != 3 {
			return false
		}
	}
	return true
}

// closing gives each opening quotation mark its closing one.
var closing = map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '\'': '\'', '‘': '’', '`': '`'}

// quote reads text between quotation marks. A mark without its partner on the
// line is a Mark, so that every mark is looked for once a line.
func (s *scanner) quote(r rune, size int) bool {
	end, opens := closing[r]
	if !opens || s.pos < s.unclosed[end] || r == '\'' && !s.spaced && s.pos > 0 {
		return false
	}
	line := s.text[s.pos+size:]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	length := strings.IndexRune(line, end)
	if length < 0 {
		if s.unclosed == nil {
			s.unclosed = map[rune]int{}
		}
		s.unclosed[end] = s.pos + size + len(line)
		return false
	}
	inner := line[:length]
	after := s.pos + size + length
	if strings.TrimLeft(inner, "$€£₹0123456789.,%") == "" || s.quotesAll(inner, after+utf8.RuneLen(end)) { // "10%" is a number in quotation marks
		if s.skip == nil {
			s.skip = map[int]int{}
		}
		s.skip[after] = utf8.RuneLen(end)
		s.pos += size
		s.spaced = true
		return true
	}
	token := s.emit(Quoted, after+utf8.RuneLen(end))
	token.Text, token.Norm = inner, normal(inner)
	return true
}

// quotesAll reports whether text between quotation marks up to end is all that
// is asked for, after what it was said by: the boss writes: "Beer goes up 5%."
func (s *scanner) quotesAll(inner string, end int) bool {
	n := len(s.tokens)
	return n > 0 && s.tokens[n-1].Text == ":" && strings.Trim(s.text[end:], " .!\r\n") == "" && strings.ContainsAny(inner, "%$€£₹") && strings.Count(inner, " ") > 1
}

// IsCode reports whether a text is one code, such as A101 or TS-RED-M, and so a
// SKU unless it is known to be something else.
func IsCode(text string) bool {
	if !strings.ContainsFunc(text, func(r rune) bool { return r == '-' || r == '_' || unicode.IsDigit(r) }) {
		return false
	}
	tokens := Tokenize(text)
	end, _ := capitals(tokens, 0)
	return len(tokens) == 1 && tokens[0].Kind == Code || len(tokens) > 1 && end == len(tokens)
}
