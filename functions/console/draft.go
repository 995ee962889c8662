package console

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plannerapi"
)

// draft is what the planner understood of a sentence: rules that may be unfinished, and
// what is open. It is read anew for each page, and kept nowhere.
type draft struct {
	Operations []draftRule
	Open       []openPart
	ApplyAt    string `json:"apply_at"`
	RevertAt   string `json:"revert_at"`
}

// draftRule is a rule of which parts may be missing.
type draftRule struct {
	Filter  map[string]any
	Action  map[string]any
	Options map[string]any
	From    []wordSpan // the words that it was made of
	Ask     []struct{ Slot string }
}

// wordSpan is some of a sentence's words, in bytes.
type wordSpan struct{ Start, End int }

func (s wordSpan) String() string { return fmt.Sprintf("%d-%d", s.Start, s.End) }

// openPart is something in a sentence that a person settles.
type openPart struct {
	wordSpan
	Text      string
	Class     string
	Operation *int // the rule that it is about; nil: none
	Quiet     bool // far from any rule: nobody has to settle it
	Choices   []draftChoice
}

// draftChoice is what settles an open part, as the planner proposes it.
type draftChoice struct {
	Label string
	Rows  *int64
	Patch struct {
		Filter, Action, Options map[string]any
		Operations              []draftRule
		ApplyAt                 string `json:"apply_at"`
		RevertAt                string `json:"revert_at"`
	}
}

// button is what the choice is called on a button.
func (c draftChoice) button(zone *time.Location) string {
	label := shown(c.Label)
	switch {
	case c.Patch.Filter != nil && c.Patch.Action != nil:
		label = draftRule{Filter: c.Patch.Filter, Action: c.Patch.Action, Options: c.Patch.Options}.inShort()
	case c.Patch.ApplyAt+c.Patch.RevertAt != "":
		label = "Yes: " + timesInShort(c.Patch.ApplyAt, c.Patch.RevertAt, zone)
	case len(c.Patch.Operations) > 0:
		var rules []string
		for _, rule := range c.Patch.Operations {
			rules = append(rules, rule.inShort())
		}
		label = strings.Join(rules, "; then ")
	}
	if c.Rows != nil {
		label += " (" + count(*c.Rows) + ")"
	}
	return label
}

// timesInShort are the times of a change as a button says them.
func timesInShort(apply, revert string, zone *time.Location) string {
	var parts []string
	for _, one := range [][2]string{{"starts", apply}, {"ends", revert}} {
		if at, err := time.Parse(time.RFC3339, one[1]); err == nil {
			parts = append(parts, one[0]+" "+at.In(zone).Format("Mon 2 Jan, 15:04"))
		}
	}
	return strings.Join(parts, ", ")
}

// classWhen is of open parts that say when the change is.
const classWhen = "when"

// questions are how the page asks for the classes of open parts.
var questions = map[string]string{
	"unknown_words": "We did not get “%s”.",
	"number":        "What is “%s” for?",
	"name":          "Which one is “%s”?",
	"products":      "Which products does “%s” mean?",
	"target":        "Which products does “%s” mean?",
	"direction":     "Up, down, or to this price: “%s”?",
	"unit":          "Percent or money: “%s”?",
	"amount":        "What changes for “%s”? Say it under Change.",
	"several":       "“%s” can mean several things.",
	"together":      "“%s” is put together from its words. Are the rules right?",
	"negation":      "“%s” leaves something out. Do the rules leave it out?",
	"limit":         "Is the limit of “%s” for the price, or for its change?",
	"when":          "When is “%s”?",
	"order":         "Which rule comes first: “%s”?",
}

// Question is what the page asks about it.
func (p openPart) Question() string {
	text, known := questions[p.Class]
	switch {
	case p.Class == "name" && len(p.Choices) == 0:
		text = "Nothing in your file is called “%s”."
	case p.Class == "several" && len(p.Choices) == 0, !known && len(p.Choices) == 0:
		text = "A rule cannot say “%s”."
	case !known:
		text = "What does “%s” mean?"
	}
	return fmt.Sprintf(text, shown(p.Text))
}

// Questions are the open parts that nobody has settled, each with its buttons.
func (p newPage) Questions() (all []partQuestion) {
	zone, err := zoneOf(p.Get("zone"))
	if err != nil {
		zone = time.Local // the page says what is wrong with it
	}
	for _, part := range p.Undecided {
		one := partQuestion{Question: part.Question()}
		for i, choice := range part.Choices {
			one.Choices = append(one.Choices, settling(part, strconv.Itoa(i), choice.button(zone)))
		}
		has := "The rules have it"
		if part.Class == classWhen {
			has = "It is set under When"
		}
		one.Otherwise = []choice{settling(part, "rules", has), settling(part, "ignore", "Ignore these words")}
		all = append(all, one)
	}
	return all
}

// partQuestion is an open part as the page asks about it.
type partQuestion struct {
	Question           string
	Choices, Otherwise []choice
}

// settling is a button that settles an open part.
func settling(part openPart, how, label string) choice {
	return choice{"settle:" + part.String() + ":" + how, label}
}

// maxDrafts is how many drafts are remembered, so that a page whose sentence did not change
// does not have it read again.
const maxDrafts = 256

// draftOf is what was understood of the sentence that the rules are of. It depends on the
// table, how that is read, and what day it is.
func (c *Console) draftOf(r *http.Request, e editor, over tableView) (draft, error) {
	zone, err := zoneOf(e.Get("zone"))
	if err != nil {
		return draft{}, err
	}
	settings, err := json.Marshal(over.Settings) // sorted by their names
	if err != nil {
		return draft{}, err
	}
	key := strings.Join([]string{
		over.Table, string(settings), time.Now().In(zone).Format(time.DateOnly), e.Get("zone"), e.Get("said"),
	}, "\x00")
	if found, known := c.drafts.Get(key); known {
		return found, nil
	}
	found, err := c.readDraft(r, e)
	if err == nil {
		c.drafts.Add(key, found)
	}
	return found, err
}

// draftHere is draftOf over the table of the state.
func (c *Console) draftHere(r *http.Request, e editor) (draft, error) {
	over, err := c.table(r, e.Get("table"))
	if err != nil {
		return draft{}, err
	}
	return c.draftOf(r, e, over)
}

// readDraft asks the planner what it understands of the sentence that the rules are of.
func (c *Console) readDraft(r *http.Request, e editor) (found draft, err error) {
	body := map[string]any{"instruction": e.Get("said"), "table": e.Get("table")}
	if zone := e.Get("zone"); zone != "" {
		body["time_zone"] = zone
	}
	var answer json.RawMessage
	if err := c.Planner.Send(r.Context(), http.MethodPost, "/v1/drafts", body, &answer); err != nil {
		return found, err
	}
	if err := decodeNumbers(answer, &found); err != nil {
		return found, errs.Wrap(errs.Unusable, err, "The planner's draft cannot be read.")
	}
	found.Open = joined(found.Open, e.Get("said"))
	return found, nil
}

// joined are open parts in the order of their words. Those of the same words are one, and so
// are neighbours that were not understood: they are one question to a person.
func joined(parts []openPart, said string) (all []openPart) {
	slices.SortStableFunc(parts, func(a, b openPart) int { return cmp.Compare(a.Start, b.Start) })
	for _, part := range parts {
		last := len(all) - 1
		if last >= 0 && all[last].wordSpan == part.wordSpan { // the same words, asked twice
			if len(all[last].Choices) == 0 {
				all[last].Class, all[last].Operation = part.Class, part.Operation
			}
			all[last].Choices = append(all[last].Choices, part.Choices...)
			continue
		}
		if last >= 0 && all[last].mute() && part.mute() && all[last].Quiet == part.Quiet &&
			isGap(said, all[last].End, part.Start) {
			all[last].End = part.End
			all[last].Text = said[all[last].Start:part.End]
			all[last].Class, all[last].Operation = "unknown_words", nil
			continue
		}
		all = append(all, part)
	}
	return all
}

// mute reports whether a part is words that were not understood, and nothing is proposed
// for them.
func (p openPart) mute() bool {
	return len(p.Choices) == 0 &&
		slices.Contains([]string{"unknown_words", "target", "number", "name"}, p.Class)
}

// isGap reports whether a stretch of a sentence has no word, and no end of a sentence.
func isGap(said string, start, end int) bool {
	if start > end || end > len(said) {
		return false
	}
	return !strings.ContainsFunc(said[start:end], func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune(".;!?\n", c)
	})
}

// undecided are the open parts that nobody has settled yet.
func (e editor) undecided(d draft) []openPart {
	settled := slices.Concat(e.Values["settled"], e.Values["ignored"])
	return slices.DeleteFunc(slices.Clone(d.Open), func(p openPart) bool {
		return p.Quiet || slices.Contains(settled, p.String()) || e.filledByHand(d, p)
	})
}

// filledByHand reports whether a person has put what an open part asks for into its rule, where
// the draft had nothing.
func (e editor) filledByHand(d draft, part openPart) bool {
	r, was, found := e.ruleOf(d, part)
	if !found {
		return false
	}
	switch part.Class {
	case "amount", "direction", "unit":
		wrong := map[string]string{}
		r.action(wrong)
		return (was.Action["type"] == nil || was.Action["value"] == nil) && len(wrong) == 0
	case "products":
		chosen := r.Shown(false)
		empty := func(c shownCondition) bool { return !r.filled(c.condition) }
		return len(was.Filter) == 0 && len(chosen) > 0 && !slices.ContainsFunc(chosen, empty)
	}
	return false
}

// ruleOf is the rule that an open part is about, as it is now and as it was in the draft.
func (e editor) ruleOf(d draft, part openPart) (now rule, was draftRule, found bool) {
	if part.Operation == nil {
		return now, was, false
	}
	n := *part.Operation
	if n < 0 || n >= len(d.Operations) || n >= len(e.rules()) {
		return now, was, false
	}
	return rule{e, n}, d.Operations[n], true
}

// ignoredWords are the words of the sentence that a person ignores.
func (e editor) ignoredWords(d draft) (words []string) {
	for _, part := range d.Open {
		if slices.Contains(e.Values["ignored"], part.String()) && part.Text != "" {
			words = append(words, part.Text)
		}
	}
	return words
}

// takeDraft puts what was understood of a sentence into the rules, in place of those that
// there were.
func (e editor) takeDraft(d draft) error {
	for _, name := range []string{"settled", "ignored", "plan", "apply_at", "revert_at", "tab", "search"} {
		e.Del(name)
	}
	e.Set("draft", "1")
	if err := e.takeRules(d.Operations); err != nil {
		return err
	}
	return e.takeTimes(d.ApplyAt, d.RevertAt)
}

// takeRules sets the rules to those of a draft.
func (e editor) takeRules(rules []draftRule) error {
	e.setRules(make([]int, 0))
	for i, op := range rules {
		if err := (rule{e, i}).fill(op.Filter, op.Action, op.Options); err != nil {
			return err
		}
	}
	e.Set("rules", strconv.Itoa(max(len(rules), 1)))
	return nil
}

// takeTimes sets the times that a sentence says, in the zone of the page.
func (e editor) takeTimes(apply, revert string) error {
	zone, err := zoneOf(e.Get("zone"))
	if err != nil {
		return err
	}
	for name, text := range map[string]string{"apply_at": apply, "revert_at": revert} {
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			e.Set(name, at.In(zone).Format(fieldLayout))
		}
	}
	return nil
}

// sentencePart is a stretch of a sentence: understood, open, unused or nothing.
type sentencePart struct{ Text, Kind string }

// SentenceParts is the sentence that the rules are of, by what became of its words.
func (p newPage) SentenceParts() (all []sentencePart) {
	text := p.Get("said")
	kinds := make([]string, len(text)+1)
	mark := func(s wordSpan, kind string) {
		for i := max(s.Start, 0); i < min(s.End, len(text)); i++ {
			kinds[i] = kind
		}
	}
	for _, rule := range p.Draft.Operations {
		for _, from := range rule.From {
			mark(from, "understood")
		}
	}
	for _, part := range p.Draft.Open {
		mark(part.wordSpan, "understood")
	}
	for _, part := range p.Undecided {
		mark(part.wordSpan, "open")
	}
	for _, part := range p.Draft.Open {
		if part.Quiet || slices.Contains(p.Values["ignored"], part.String()) {
			mark(part.wordSpan, "unused")
		}
	}
	for start := 0; start < len(text); {
		end := start + 1
		for end < len(text) && kinds[end] == kinds[start] {
			end++
		}
		kind := kinds[start]
		if kind == "" && len(strings.Fields(text[start:end])) >= chatWords {
			kind = "unused"
		}
		all = append(all, sentencePart{text[start:end], kind})
		start = end
	}
	return all
}

// chatWords is how many words in a row that no rule was made of are shown as chat. Fewer
// are words such as "all the products".
const chatWords = 4

// NotUsed are the words of the sentence that a person said are not to be used.
func (p newPage) NotUsed() []string { return p.ignoredWords(p.Draft) }

// Pieced are the parts of a rule that were pieced together, so that somebody looks at them.
func (p newPage) Pieced(n int) (parts []string) {
	words := map[string]string{"filter": "products", "action": "change", "options": "rounding and limits"}
	if n >= len(p.Draft.Operations) {
		return nil
	}
	for _, ask := range p.Draft.Operations[n].Ask {
		if word := words[ask.Slot]; word != "" && !slices.Contains(parts, word) {
			parts = append(parts, word)
		}
	}
	return parts
}

// fillIn puts what a sentence says into the rules. Where a model plans, its plan is asked
// for first; what it cannot plan, and what nobody but our own reader reads, is a draft.
func (c *Console) fillIn(w http.ResponseWriter, r *http.Request, e editor) error {
	e.Set("said", strings.TrimSpace(e.Get("instruction")))
	if c.me(r).Planner == plannerapi.PlannerGemini {
		body := map[string]any{"instruction": e.Get("said"), "table": e.Get("table")}
		var made planView
		err := c.Planner.Send(r.Context(), http.MethodPost, "/v1/plans", body, &made)
		if err == nil {
			return c.showState(w, r, editor{url.Values{
				"table": e.Values["table"],
				"plan":  {made.Plan.ExecutionID},
				"zone":  e.Values["zone"],
			}})
		}
	}
	found, err := c.draftHere(r, e)
	if err == nil {
		err = e.takeDraft(found)
	}
	if kind := errs.KindOf(err); err != nil && (kind == errs.NotFound || kind == errs.Internal) {
		return err
	} else if err != nil {
		e.Del("said")
		return c.refuse(w, r, e, err)
	}
	return c.showState(w, r, e)
}
