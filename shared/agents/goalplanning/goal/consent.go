package goal

import (
	_ "embed" // consent.txt
	"regexp"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Approves reads a message by itself: it is an approval only if all of it, word
// by word, belongs to one in English, such as "Looks good, save it" or "👍". What
// asks, quotes, negates or wants anything besides is none: a plan is made final
// once, and another message costs little.
func Approves(message string) bool {
	if len(message) > maxApproval || len(spoken(message)) > maxApprovalWords {
		return false
	}
	plain := norm.NFKC.String(message)
	return !strings.ContainsAny(faces.Replace(plain), "?¿؟\"“”„«»「」『』`:") && approval().MatchString(consentWords(plain))
}

// The most that a message has which approves.
const (
	maxApproval      = 300 // bytes
	maxApprovalWords = 24
)

// Approves reports whether the message approves the plan by itself.
func (s Situation) Approves() bool { return Approves(s.Message) }

// MayApprove reports whether the message approves the plan where the model says that it
// does: in another language than English the code cannot read it, and takes the model's
// word unless it finds a number, a question or a command.
func (s Situation) MayApprove() bool {
	return s.Approves() || !s.English() && len(s.Message) <= maxApproval && !noApproval().MatchString(s.Message)
}

// English reports whether the user is answered in English.
func (s Situation) English() bool {
	return s.Language == "" || strings.HasPrefix(strings.ToLower(s.Language), "en")
}

var noApproval = Pattern(`(?i)\d|[?¿؟？]|\b(?:add|remove|delete|drop|move|rename|split|swap|change|make|undo|show|not|but)\b`)

//go:embed consent.txt
var consentText string

// approval matches a whole approval in the form of consentWords.
var approval = sync.OnceValue(func() *regexp.Regexp {
	var slots []string
	lines := map[string][]string{}
	for line := range strings.Lines(consentText) {
		name, phrases, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(name, "{") {
			slots = append(slots, name, phrases)
		}
		lines[name] = append(lines[name], phrases)
	}
	approvals := `(?:` + strings.Join(lines["+"], "|") + `)`
	courtesies := `(?:` + strings.Join(lines["~"], "|") + `)`
	whole := `^(?:` + courtesies + ` )*` + approvals + ` (?:(?:` + approvals + `|` + courtesies + `) )*$`
	expression := strings.NewReplacer(slots...).Replace(whole)
	return regexp.MustCompile(wordInExpression().ReplaceAllStringFunc(expression, func(word string) string {
		return strings.TrimSpace(consentWords(word))
	}))
})

var wordInExpression = Pattern(`[^ ()?:|*^$]+`)

var (
	withoutApostrophes = strings.NewReplacer("'", "", "’", "")
	faces              = strings.NewReplacer(":-)", " ", ":)", " ", ";-)", " ", ";)", " ", ":-D", " ", ":D", " ", "=)", " ", "^^", " ", "<3", " ", "+1", " plusone ")
)

// consentWords returns the words of a message, each with a blank after it, in
// small letters. Each sign such as an emoji is a word.
func consentWords(message string) string {
	var words strings.Builder
	for _, r := range withoutApostrophes.Replace(strings.ToLower(faces.Replace(message))) {
		switch {
		case unicode.Is(unicode.So, r):
			words.WriteString(" " + string(r) + " ")
		case r >= 0xfe00 && r <= 0xfe0f, r >= 0x1f3fb && r <= 0x1f3ff, r == 0x200d: // what changes the look of an emoji
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			words.WriteRune(r)
		default:
			words.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(words.String()), " ") + " "
}

// spoken returns the words of a message, apostrophes within words left out.
// Emoji and punctuation separate words.
func spoken(message string) []string {
	plain := withoutApostrophes.Replace(strings.ToLower(message))
	return strings.FieldsFunc(plain, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}
