package goal

import (
	_ "embed" // consent.txt
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Approves reads a message by itself: it is an approval only if all of it, word
// by word, belongs to one in one language, such as "Looks good, save it" or
// "👍". What asks, quotes, negates or wants anything besides is none: a plan is
// made final once, and another message costs little.
func Approves(message string) bool {
	if len(message) > maxApproval || len(spoken(message)) > maxApprovalWords {
		return false
	}
	plain := norm.NFKC.String(message)
	if strings.ContainsAny(faces.Replace(plain), "?¿؟\"“”„«»「」『』`:") {
		return false
	}
	said := consentWords(plain)
	return slices.ContainsFunc(languages(), func(whole func() *regexp.Regexp) bool { return whole().MatchString(said) })
}

// The most that a message has which approves.
const (
	maxApproval      = 300 // bytes
	maxApprovalWords = 24
)

//go:embed consent.txt
var consentText string

// languages has for each language of consent.txt what matches a whole approval,
// in the form of consentWords. Each is compiled when it is first asked for.
var languages = sync.OnceValue(func() (list []func() *regexp.Regexp) {
	var slots []string
	for part := range strings.SplitSeq(consentText, "\n\n") {
		lines := map[string][]string{}
		for line := range strings.Lines(part) {
			name, phrases, _ := strings.Cut(strings.TrimSpace(line), " ")
			if strings.HasPrefix(name, "{") {
				slots = append(slots, name, phrases)
			}
			lines[name] = append(lines[name], phrases)
		}
		if lines["+"] == nil {
			continue
		}
		approvals := `(?:` + strings.Join(lines["+"], "|") + `|{anywhere})`
		courtesies := `(?:` + strings.Join(lines["~"], "|") + `|{politely})`
		whole := `^(?:` + courtesies + ` )*` + approvals + ` (?:(?:` + approvals + `|` + courtesies + `) )*$`
		list = append(list, sync.OnceValue(func() *regexp.Regexp {
			expression := strings.NewReplacer(slots...).Replace(whole)
			return regexp.MustCompile(wordInExpression().ReplaceAllStringFunc(expression, func(word string) string {
				return strings.TrimSpace(consentWords(word))
			}))
		}))
	}
	return list
})

var wordInExpression = Pattern(`[^ ()?:|*^$]+`)

var (
	withoutApostrophes = strings.NewReplacer("'", "", "’", "")
	faces              = strings.NewReplacer(":-)", " ", ":)", " ", ";-)", " ", ";)", " ", ":-D", " ", ":D", " ", "=)", " ", "^^", " ", "<3", " ", "+1", " plusone ")
)

// consentWords returns the words of a message, each with a blank after it, in
// small letters without accents. Each sign such as an emoji is a word, and so
// is each character of a script that is written without blanks.
func consentWords(message string) string {
	var words strings.Builder
	inWord := false
	end := func() {
		if inWord {
			words.WriteByte(' ')
		}
		inWord = false
	}
	for _, r := range norm.NFC.String(strings.Map(withoutAccent, norm.NFD.String(withoutApostrophes.Replace(strings.ToLower(faces.Replace(message)))))) {
		switch {
		case unicode.Is(unicode.So, r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end()
			words.WriteRune(r)
			words.WriteByte(' ')
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			words.WriteRune(r)
			inWord = true
		default:
			end()
		}
	}
	end()
	return words.String()
}

// withoutAccent drops accents of Latin, Greek and Cyrillic letters, and what
// only changes the look of an emoji.
func withoutAccent(r rune) rune {
	switch {
	case r >= 0x300 && r <= 0x36f, r >= 0xfe00 && r <= 0xfe0f, r >= 0x1f3fb && r <= 0x1f3ff, r == 0x200d, r == '♂', r == '♀':
		return -1
	default:
		return r
	}
}

// spoken returns the words of a message, apostrophes within words left out.
// Emoji and punctuation separate words.
func spoken(message string) []string {
	plain := withoutApostrophes.Replace(strings.ToLower(message))
	return strings.FieldsFunc(plain, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}
