package grammar

import (
	"strings"

	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/english"
)

// Classes of questions, as ClarificationError.Class gives them.
const (
	missingAmount    = "missing_amount"
	missingUnit      = "missing_unit"
	missingDirection = "missing_direction"
	missingTarget    = "missing_target"
	vagueTarget      = "vague_target"
	vagueAmount      = "vague_amount"
	skuRange         = "sku_range"
	schedule         = "schedule"
	outsideData      = "outside_data"
	deleteRows       = "delete_rows"
	free             = "free"
	fullDecrease     = "full_decrease"
	floorOverCeiling = "floor_over_ceiling"
	contradiction    = "contradiction"
	overlap          = "overlap"
	scope            = "scope"
	machine          = "machine"
	nothingToDo      = "nothing_to_do"
	foreign          = "foreign_language"
	unread           = "unknown_words"
	unknownWords     = "unknown_words"
	unknownCategory  = "unknown_category"
	negation         = "negation"
	rounding         = "rounding"
	unsupported      = "unsupported"
	misspelt         = "misspelt"
	tooMany          = "too_many"
	invisible        = "invisible_characters"
)

// newPriceOrChange is the question about an amount that may be either.
const newPriceOrChange = "Is the amount in %s the new price, or the change? Say \"to\" for the new price, or \"by\" for the change."

// maxQuoted bounds the words of the instruction that a question repeats.
const maxQuoted = 80

// failure is the reason to ask, with the questions.
type failure struct {
	class     string
	questions []string
	readings  []planning.Reading
	blank     *blank // the amount that says too little; nil where it is not one
}

// notUnderstood are the classes of what the grammar cannot read. All others ask
// about what it has read.
var notUnderstood = map[string]bool{unknownWords: true, unknownCategory: true, misspelt: true}

func (f *failure) error() error {
	return &planning.ClarificationError{Class: f.class, Open: !notUnderstood[f.class], Questions: f.questions, Readings: f.readings}
}

// fail notes the first failure. %s in the question stands for the words of
// symbols from up to to.
func (p *parser) fail(class string, from, to int, question string) bool {
	if p.failed == nil {
		p.failed = &failure{class: class, questions: []string{strings.ReplaceAll(question, "%s", p.quote(from, to))}}
	}
	return false
}

// unread fails at a symbol that no rule consumes where it stands.
func (p *parser) unread(i int) bool {
	return p.fail(unread, i, i+1, "What does %s mean here? Say it in other words, or leave it out; a category's name can stand in quotation marks.")
}

// quote is the words of symbols, in quotation marks, without the words that
// join them to the next.
func (p *parser) quote(from, to int) string {
	from, to = max(0, min(from, len(p.symbols)-1)), max(1, min(to, len(p.symbols)))
	for to-1 > from && p.joinsNext(to-1) {
		to--
	}
	first, last := p.symbols[from].From, p.symbols[to-1].To
	if last <= first {
		last = min(first+1, len(p.tokens))
	}
	if first >= len(p.tokens) || last > len(p.tokens) || last <= first {
		return "the end of the sentence"
	}
	return quoted(p.text[p.tokens[first].Start:p.tokens[last-1].End])
}

func (p *parser) joinsNext(i int) bool {
	switch p.classAt(i) {
	case english.And, english.But, english.Then, english.Colon:
		return true
	case english.Comma:
		return p.symbols[i].Text != ")"
	}
	return false
}

func quoted(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxQuoted {
		text = string(runes[:maxQuoted]) + "…"
	}
	return "\"" + text + "\""
}

// categoryList shows the first categories of the list.
func (p *parser) categoryList() string {
	names := p.known.Names()
	const shown = 10
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:shown], ", ") + " and others"
}
