package console

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// openPart is something in the sentence that a person settles before a plan is made.
type openPart struct {
	Text      string       `json:"text"`
	Question  string       `json:"question"`
	Operation *int         `json:"operation"`
	Choices   []openChoice `json:"choices"`
}

type openChoice struct {
	Label string `json:"label"`
	Patch struct {
		Filter     json.RawMessage   `json:"filter,omitempty"`
		Action     json.RawMessage   `json:"action,omitempty"`
		Options    json.RawMessage   `json:"options,omitempty"`
		Operations []json.RawMessage `json:"operations,omitempty"`
		ApplyAt    string            `json:"apply_at,omitempty"`
		RevertAt   string            `json:"revert_at,omitempty"`
	} `json:"patch"`
}

// draftView is what the planner understood of a sentence.
type draftView struct {
	Operations []json.RawMessage `json:"operations"`
	Open       []openPart        `json:"open"`
	ApplyAt    string            `json:"apply_at"`
	RevertAt   string            `json:"revert_at"`
}

// OpenParts are those that are still to be settled.
func (e editor) OpenParts() (parts []openPart) {
	if json.Unmarshal([]byte(e.Get("open")), &parts) != nil {
		return nil // what did not come from us holds nothing up
	}
	return parts
}

func (e editor) setOpen(parts []openPart) error {
	if e.Del("open"); len(parts) == 0 {
		return nil
	}
	text, err := json.Marshal(parts)
	if err == nil {
		e.Set("open", string(text))
	}
	return err
}

// takeDraft fills the rules in as far as they were understood.
func (e editor) takeDraft(d *draftView) error {
	e.Del("ignored")
	if err := e.fillRaw(d.Operations); err != nil {
		return err
	}
	e.takeTimes(d.ApplyAt, d.RevertAt)
	return e.setOpen(d.Open)
}

// fillRaw fills in operations, of which none leave one rule that is empty.
func (e editor) fillRaw(operations []json.RawMessage) error {
	for name := range e.Values {
		if _, _, ok := ruleField(name); ok {
			e.Del(name)
		}
	}
	text, err := json.Marshal(operations)
	if err != nil || len(operations) == 0 {
		e.Set("rules", "1")
		return err
	}
	if err := e.fill(text); err != nil {
		return err
	}
	for i := range operations {
		e.Del(rule{e, i}.Field("id")) // rules of a draft have none
	}
	return nil
}

// takeTimes takes times as the form has them.
func (e editor) takeTimes(applyAt, revertAt string) {
	for name, text := range map[string]string{"apply_at": applyAt, "revert_at": revertAt} {
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			e.Set(name, at.Format("2006-01-02T15:04"))
		}
	}
}

// settle takes a press for an open part: one of its choices, or that its words are left out.
func (e editor) settle(part, choice string) error {
	parts := e.OpenParts()
	at, failed := strconv.Atoi(part)
	n, err := strconv.Atoi(choice)
	if failed != nil || err != nil || at < 0 || at >= len(parts) || n >= len(parts[at].Choices) {
		return errs.New(errs.Invalid, "The choice did not arrive whole. Go back and choose it again.")
	}
	chosen := parts[at]
	if err := e.setOpen(slices.Delete(slices.Clone(parts), at, at+1)); err != nil {
		return err
	}
	if n < 0 {
		e.Add("ignored", chosen.Text)
		return nil
	}
	patch := chosen.Choices[n].Patch
	e.takeTimes(patch.ApplyAt, patch.RevertAt)
	if patch.Operations != nil {
		return e.fillRaw(patch.Operations)
	}
	if chosen.Operation == nil {
		return nil
	}
	return e.patch(*chosen.Operation, map[string]json.RawMessage{"filter": patch.Filter, "action": patch.Action, "options": patch.Options})
}

// patch puts new parts into a rule, and keeps the others.
func (e editor) patch(n int, parts map[string]json.RawMessage) error {
	rules := e.rules()
	if n < 0 || n >= len(rules) {
		return errs.New(errs.Invalid, "The choice did not arrive whole. Go back and choose it again.")
	}
	before, err := json.Marshal(rules[n].operation(map[string]string{}))
	var operation struct{ Filter, Action, Options map[string]any }
	if err == nil {
		err = json.Unmarshal(before, &operation)
	}
	for name, into := range map[string]*map[string]any{"filter": &operation.Filter, "action": &operation.Action, "options": &operation.Options} {
		if text := parts[name]; text != nil && err == nil {
			*into = nil
			decoder := json.NewDecoder(strings.NewReader(string(text)))
			decoder.UseNumber()
			err = decoder.Decode(into)
		}
	}
	if err != nil {
		return errs.Wrap(errs.Unusable, err, "The choice cannot be read.")
	}
	for name := range e.Values {
		if strings.HasPrefix(name, fmt.Sprintf("r%d.", n)) {
			e.Del(name)
		}
	}
	return rules[n].fill(operation.Filter, operation.Action, operation.Options)
}

// ignoredIn are the words that were left out, of those that the sentence still has.
func ignoredIn(given url.Values, sentence string) []string {
	return slices.DeleteFunc(slices.Clone(given["ignored"]), func(words string) bool { return words == "" || !strings.Contains(sentence, words) })
}
