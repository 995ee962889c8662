package planning

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// Draft is a list of rules that may be unfinished, with what a person has to settle before
// they are a plan. It is stored nowhere.
type Draft struct {
	Operations []DraftRule `json:"operations"`
	Open       []OpenPart  `json:"open"`
	ApplyAt    string      `json:"apply_at,omitempty"`  // RFC 3339, in the caller's time zone
	RevertAt   string      `json:"revert_at,omitempty"` // the same
	// Complete says that nothing is open and nothing to be asked: POST /v1/plans plans it.
	Complete bool `json:"complete"`
	// ID names a draft that is held for a day, because its rules are a model's: whoever
	// sends them says of which draft they are. "": it is not held.
	ID string `json:"draft_id,omitempty"`
	// Model are the rules that a model made and the reader does not vouch for; nil: there are
	// none.
	Model *ModelRules `json:"-"`
}

// ModelRules are operations that a model made and the reader does not vouch for, each in
// the one form of all that mean the same.
type ModelRules struct {
	By    plans.PlannedBy `json:"by"`
	Rules []string        `json:"rules"`
}

// rulesOfModel are operations that a model made.
func rulesOfModel(by plans.PlannedBy, ops []plan.Operation) *ModelRules {
	by.Agreement = AgreementModel
	m := &ModelRules{By: by}
	for _, rule := range normalized(&plan.Plan{Operations: ops}) {
		m.Rules = append(m.Rules, rule.text)
	}
	return m
}

// Unconfirmed reports whether one of some operations is the model's as it made it, and is not
// among those that a person confirmed, which are told by their indexes.
func (m *ModelRules) Unconfirmed(ops []plan.Operation, confirmed []int) bool {
	for i, rule := range normalized(&plan.Plan{Operations: ops}) {
		if slices.Contains(m.Rules, rule.text) && !slices.Contains(confirmed, i) {
			return true
		}
	}
	return false
}

// DraftRule is a rule of which slots may be empty.
type DraftRule struct {
	Filter  plan.Filter  `json:"filter"`
	Action  DraftAction  `json:"action"`
	Options plan.Options `json:"options"`
	From    []Span       `json:"from"` // the words that it was made of
	Ask     []Ask        `json:"ask"`  // the slots that were pieced together
}

// MarshalJSON writes the rule with its sentence.
func (r DraftRule) MarshalJSON() ([]byte, error) {
	type fields DraftRule // without MarshalJSON, which calls this
	return json.Marshal(struct {
		Sentence string `json:"sentence"`
		fields
	}{r.Sentence(), fields(r)})
}

// Sentence says in plain English what the rule does, as far as it is known.
func (r *DraftRule) Sentence() string {
	if r.Finished() {
		return plan.Explain(&plan.Plan{Operations: []plan.Operation{r.Operation("op_01")}})[0]
	}
	op := plan.Operation{OperationID: "op_01", Filter: r.Filter, Action: plan.Action{Type: plan.EndSale}}
	said := plan.Explain(&plan.Plan{Operations: []plan.Operation{op}})[0]
	lead := "Do something"
	if r.Action.Value != nil {
		lead = "Change the price by, or to, " + r.Action.Value.String()
		if r.Action.Percent {
			lead = "Change the price by " + r.Action.Value.String() + "%"
		}
	}
	return lead + strings.TrimPrefix(said, "End the sale")
}

func canonical(of any) string {
	text, err := json.Marshal(of)
	if err != nil {
		panic("a rule is not JSON: " + err.Error())
	}
	return string(text)
}

// Finished reports whether the rule is one of a plan, whatever it asks.
func (r *DraftRule) Finished() bool { return r.Action.Type != "" }

// Operation is a finished rule as a plan has it.
func (r *DraftRule) Operation(id string) plan.Operation {
	action := plan.Action{
		Type:    r.Action.Type,
		NoValue: r.Action.Type == plan.SetCompareAt && r.Action.Value == nil,
	}
	if r.Action.Value != nil {
		action.Value = *r.Action.Value
	}
	if r.Action.Stock != nil {
		action.Stock = *r.Action.Stock
	}
	return plan.Operation{OperationID: id, Filter: r.Filter, Action: action, Options: r.Options}
}

// DraftAction is an action of which the type may be missing. What is known of its value is
// kept: 10, in percent.
type DraftAction struct {
	Type    plan.ActionType
	Value   *plan.Decimal
	Stock   *bool // of set_stock
	Percent bool  // the value is in percent, whatever the type
}

// MarshalJSON writes {"type": null, "value": 10, "unit": "percent"}.
func (a DraftAction) MarshalJSON() ([]byte, error) {
	written := struct {
		Type  *plan.ActionType `json:"type"`
		Value any              `json:"value,omitempty"`
		Unit  string           `json:"unit,omitempty"`
	}{}
	if a.Type != "" {
		written.Type = &a.Type
	}
	switch {
	case a.Stock != nil:
		written.Value = *a.Stock
	case a.Value != nil:
		written.Value = *a.Value
	}
	if a.Percent && a.Type == "" {
		written.Unit = "percent"
	}
	return json.Marshal(written)
}

// DraftOf is an action as a draft has it.
func DraftOf(a plan.Action) DraftAction {
	made := DraftAction{Type: a.Type}
	switch a.Type {
	case plan.SetStock:
		made.Stock = &a.Stock
	case plan.EndSale:
	default:
		if !a.NoValue {
			made.Value = &a.Value
		}
	}
	return made
}

// Span is some of the instruction's words, in bytes.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Slot is one of the three parts of a rule.
type Slot string

// The slots.
const (
	SlotFilter  Slot = "filter"
	SlotAction  Slot = "action"
	SlotOptions Slot = "options"
)

// Ask says of a slot that was filled in why a person should look at it.
type Ask struct {
	Slot Slot   `json:"slot"`
	Why  string `json:"why"`
}

// Asks reports whether a person should look at a slot.
func (r *DraftRule) Asks(slot Slot) bool {
	for _, ask := range r.Ask {
		if ask.Slot == slot {
			return true
		}
	}
	return false
}

// The classes of open parts, beside those of the reader's questions.
const (
	OpenWords     = "unknown_words" // that nothing used
	OpenName      = "name"          // that may be one of several of the table's
	OpenProducts  = "products"      // which products a rule is for
	OpenNumber    = "number"        // that nothing used
	OpenDirection = "direction"     // up, down or to
	OpenUnit      = "unit"          // percent or money
	OpenAmount    = "amount"        // by how much
	OpenTarget    = "target"        // words that may be products
	OpenSeveral   = "several"       // what can be meant in several ways
	OpenWhen      = "when"          // a time
	OpenOrder     = "order"         // which rule comes first
)

// OpenPart is something in the instruction that a person has to settle.
type OpenPart struct {
	Span
	Text      string        `json:"text"`
	Class     string        `json:"class"`
	Question  string        `json:"question"`
	Operation *int          `json:"operation"` // the index of the rule that it is about; null: of none
	Choices   []DraftChoice `json:"choices"`
	// Quiet words are far from any rule: they are shown, and nobody has to settle them.
	Quiet bool `json:"quiet,omitempty"`
}

// DraftChoice is what a person may press to settle an open part.
type DraftChoice struct {
	Label string     `json:"label"`
	Patch DraftPatch `json:"patch"`
	Rows  *int64     `json:"rows,omitempty"` // of the table that it concerns
}

// DraftPatch is what a choice makes of the rule that the part is about. What is not given stays.
// Operations take the place of all rules.
type DraftPatch struct {
	Filter     *plan.Filter  `json:"filter,omitempty"`
	Action     *DraftAction  `json:"action,omitempty"`
	Options    *plan.Options `json:"options,omitempty"`
	Operations []DraftRule   `json:"operations,omitempty"`
	ApplyAt    string        `json:"apply_at,omitempty"`
	RevertAt   string        `json:"revert_at,omitempty"`
}

// Choose returns the draft with an open part settled by one of its choices, or ignored
// where the choice is below 0.
func (d Draft) Choose(part, choice int) Draft {
	open := d.Open[part]
	chosen := d
	chosen.Open = append(append([]OpenPart{}, d.Open[:part]...), d.Open[part+1:]...)
	chosen.Operations = append([]DraftRule{}, d.Operations...)
	if choice < 0 {
		return chosen.settled()
	}
	patch := open.Choices[choice].Patch
	if patch.ApplyAt != "" || patch.RevertAt != "" {
		chosen.ApplyAt, chosen.RevertAt = patch.ApplyAt, patch.RevertAt
	}
	if patch.Operations != nil {
		chosen.Operations = patch.Operations
	}
	if open.Operation == nil {
		return chosen.settled()
	}
	rule := &chosen.Operations[*open.Operation]
	if patch.Filter != nil {
		rule.Filter = *patch.Filter
	}
	if patch.Action != nil {
		rule.Action = *patch.Action
	}
	if patch.Options != nil {
		rule.Options = *patch.Options
	}
	return chosen.settled()
}

func (d Draft) settled() Draft {
	d.Complete = len(d.Open) == 0 && len(d.Operations) > 0
	for i := range d.Operations {
		d.Complete = d.Complete && d.Operations[i].Finished() && len(d.Operations[i].Ask) == 0
	}
	return d
}

// Ready reports whether the draft's rules are finished and nothing is open: a person who
// has looked at them may have the plan made.
func (d Draft) Ready() bool {
	for i := range d.Operations {
		if !d.Operations[i].Finished() {
			return false
		}
	}
	return len(d.Open) == 0 && len(d.Operations) > 0
}

// Rules are the operations of a draft that is ready.
func (d Draft) Rules() []plan.Operation {
	var rules []plan.Operation
	for i := range d.Operations {
		rules = append(rules, d.Operations[i].Operation(fmt.Sprintf("op_%02d", i+1)))
	}
	return rules
}

// DraftRequest asks for a draft.
type DraftRequest struct {
	Request
}
