package goal

import (
	_ "embed" // consent.txt
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Approves reads a message by itself, clause by clause. It is an approval if all of it
// belongs to one in English, such as "Looks good, save it" or "👍". Talk around an
// approval does no harm: before it, or around the words that make the plan final. A
// message that asks, quotes, negates, counts, or wants anything besides is none.
func Approves(message string) bool {
	if len(message) > maxApproval || len(spoken(message)) > maxApprovalWords {
		return false
	}
	plain := faces.Replace(norm.NFKC.String(message))
	if strings.ContainsAny(plain, "?¿؟\"“”„«»「」『』`:") {
		return false
	}
	if approval().whole.MatchString(consentWords(plain)) {
		return true
	}
	if strings.ContainsAny(plain, "0123456789") {
		return false
	}
	plain = asides().ReplaceAllString(withoutApostrophes.Replace(plain), "")
	if !readable(plain) || besides().MatchString(plain) {
		return false
	}
	approves, final := false, false // the clause that was read last, and any
	for _, clause := range clauseEnd().Split(plain, -1) {
		words := consentWords(clause)
		switch {
		case approval().firm.MatchString(words):
			final = true
		case approval().whole.MatchString(words):
			approves = true
		case words != " " && !approval().courtesy.MatchString(words):
			approves = false
			if orders().MatchString(words) {
				return false
			}
		}
	}
	return approves || final
}

// orders are words by which talk may ask for something to be done.
var orders = Pattern(
	`\b(?:make|call|name|title|merge|combine|replace|keep|use|start|begin|insert|create|another|extra|bring|take|leave|lets|let|please|double|halve|reduce|increase|extend|shorten|raise|lower)\b`,
)

// readable reports whether talk may be English: other letters are of words that nobody
// here can tell from a wish.
func readable(talk string) bool {
	return !strings.ContainsFunc(
		talk,
		func(r rune) bool { return r >= utf8.RuneSelf && (unicode.IsLetter(r) || r == utf8.RuneError) },
	)
}

var (
	clauseEnd = Pattern(`(?i)[.,;!\n]+|\b(?:and|so|before)\b`)
	// asides want nothing, although they have words that do.
	asides = Pattern(`(?i)\bbefore (?:i|we) [^.!;,]*|\bi must say\b|\b(?:as|like) (?:it|this|that)(?: is)?\b`)
	// besides are words of a message that wants something else, or not yet.
	besides = Pattern(
		`(?i)\d|\b(?:no|not|never|none|(?:do|does|did|is|are|was|were|ca|could|would|should|wo|has|have|had|need|must|ai)nt|cannot|but|except|unless|if|when|while|until|till|once|after|afterwards|later|yet|almost|nearly|first|next|instead|rather|` +
			`also|plus|then|more|less|fewer|only|however|although|though|otherwise|say|said|says|want|need|like|prefer|hope|wish|would|should|could|can|must|might|may|maybe|perhaps|will|want|wait|missing|` +
			`add|remove|delete|drop|cut|move|push|shift|rename|split|swap|change|undo|show|put|include|set|give|plan (?:for|to)|hours?|minutes?|days|weeks?|months?|years?|today|tomorrow|tonight|` +
			`\w+days?|january|february|march|april|june|july|august|september|october|november|december|milestones?|tasks?)\b`,
	)
)

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
	return s.Approves() ||
		!s.English() && len(s.Message) <= maxApproval && !noApproval().MatchString(s.Message)
}

// English reports whether the user is answered in English.
func (s Situation) English() bool {
	return s.Language == "" || strings.HasPrefix(strings.ToLower(s.Language), "en")
}

var noApproval = Pattern(
	`(?i)\d|[?¿؟？]|\b(?:add|remove|delete|drop|move|rename|split|swap|change|make|undo|show|not|but)\b`,
)

//go:embed consent.txt
var consentText string

// consents match approvals in the form of consentWords.
type consents struct {
	whole    *regexp.Regexp // all of it approves
	firm     *regexp.Regexp // it says that the plan is final
	courtesy *regexp.Regexp // it adds nothing
}

var approval = sync.OnceValue(func() consents {
	var slots []string
	lines := map[string][]string{}
	for line := range strings.Lines(consentText) {
		name, phrases, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(name, "{") {
			slots = append(slots, name, phrases)
		}
		lines[name] = append(lines[name], phrases)
	}
	firm := `(?:` + strings.Join(lines["!"], "|") + `)`
	approvals := `(?:` + strings.Join(append(lines["+"], firm), "|") + `)`
	courtesies := `(?:` + strings.Join(lines["~"], "|") + `)`
	compile := func(expression string) *regexp.Regexp {
		expression = strings.NewReplacer(slots...).Replace(strings.NewReplacer(slots...).Replace(expression))
		return regexp.MustCompile(
			wordInExpression().ReplaceAllStringFunc(expression, func(word string) string {
				return strings.TrimSpace(consentWords(word))
			}),
		)
	}
	around := `(?:` + approvals + `|` + courtesies + `) `
	return consents{
		whole:    compile(`^(?:` + courtesies + ` )*` + approvals + ` (?:` + around + `)*$`),
		firm:     compile(`^(?:` + around + `)*` + firm + ` (?:` + around + `)*$`),
		courtesy: compile(`^(?:` + courtesies + ` )*$`),
	}
})

var wordInExpression = Pattern(`[^ ()?:|*^$]+`)

var (
	withoutApostrophes = strings.NewReplacer("'", "", "’", "")
	faces              = strings.NewReplacer(
		":-)",
		" ",
		":)",
		" ",
		";-)",
		" ",
		";)",
		" ",
		":-D",
		" ",
		":D",
		" ",
		"=)",
		" ",
		"^^",
		" ",
		"<3",
		" ",
		"+1",
		" plusone ",
	)
)

// consentWords returns the words of a message, each with a blank after it, in
// small letters. Each sign such as an emoji is a word.
func consentWords(message string) string {
	var words strings.Builder
	for _, r := range withoutApostrophes.Replace(strings.ToLower(faces.Replace(message))) {
		switch {
		case unicode.Is(unicode.So, r):
			words.WriteString(" " + string(r) + " ")
		case r >= 0xfe00 && r <= 0xfe0f,
			r >= 0x1f3fb && r <= 0x1f3ff,
			r == 0x200d: // what changes the look of an emoji
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
	return strings.FieldsFunc(
		plain,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) },
	)
}
