package plans

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// AgreementModel is the agreement of a plan that a model made and that no
// other reading of the instruction vouches for.
const AgreementModel = "model"

// NotVouchedFor is what is said of such a plan wherever it is shown.
const NotVouchedFor = "A model made this plan and our own reading of the instruction does not vouch for it: it is carried out only once a person approves of what it does."

// Caveats are what an explanation of a plan has to add to what the plan does.
func (by PlannedBy) Caveats() []string {
	caveats := slices.Clone(by.Assumes)
	if by.Confirmed != nil {
		caveats = append(caveats, by.Confirmed.String())
	}
	if by.Agreement == AgreementModel {
		caveats = append(caveats, NotVouchedFor)
	}
	return caveats
}

// WarnWithoutModel is the code of the warning of a plan that was made without the
// model that was asked first.
const WarnWithoutModel = "planned_without_model"

// Warnings are what there is to warn of about how a plan was made.
func (by PlannedBy) Warnings() []plan.Warning {
	if by.WithoutModel == "" {
		return nil
	}
	return []plan.Warning{{
		Code: WarnWithoutModel, OperationIDs: []string{},
		Message: "The model gave no plan (" + by.WithoutModel +
			"): this is the one way in which our own grammar reads the instruction.",
	}}
}

// PlannedBy says how a plan came about.
type PlannedBy struct {
	Model        string `json:"model"` // "grammar", a Gemini model, or "" for a plan written by hand
	PromptSHA256 string `json:"prompt_sha256,omitempty"`
	Attempts     int    `json:"attempts,omitempty"`
	Agreement    string `json:"agreement,omitempty"` // both, model, grammar, person

	// Assumes says what was supposed that the instruction does not say, a sentence each.
	Assumes []string `json:"assumes,omitempty"`
	// Tokens are what the model was paid for, of all its attempts together.
	Tokens *Tokens `json:"tokens,omitempty"`
	// WithoutModel is why a model that was asked gave no plan, in one term.
	WithoutModel string `json:"without_model,omitempty"`
	// Table is the held table in whose words the instruction was read; nil where there
	// was none.
	Table *PlannedOver `json:"table,omitempty"`
	// Confirmed says who finished the rules of an instruction, and which of its words they
	// ignore; nil where all words are read.
	Confirmed *Confirmation `json:"confirmed,omitempty"`
}

// PlannedOver is a table that was held when a plan was made in its words. It may be
// held no more.
type PlannedOver struct {
	Table string `json:"table"` // its id
	File  string `json:"file"`  // its name
}

// Confirmation says who finished the rules of an instruction.
type Confirmation struct {
	By string `json:"by"` // "" where nobody knows
	// words of the instruction that they ignore, as they were typed
	LeavesOut []string `json:"leaves_out,omitempty"`
}

func (c Confirmation) String() string {
	by := cmp.Or(c.By, "somebody")
	if len(c.LeavesOut) == 0 {
		return "The rules were finished by " + by + "."
	}
	return fmt.Sprintf("The rules were finished by %s, who ignores of the instruction: %s.",
		by, Quoted(c.LeavesOut))
}

// Quoted lists words as they were typed.
func Quoted(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = strconv.Quote(word)
	}
	return strings.Join(quoted, ", ")
}

// Tokens count what a model read and wrote.
type Tokens struct {
	Prompt   int64 `json:"prompt"`   // read, with those that were cached
	Answer   int64 `json:"answer"`   // written
	Cached   int64 `json:"cached"`   // of the prompt's, those that were cached
	Thoughts int64 `json:"thoughts"` // thought, which is paid as written
}

// Add adds those of another call.
func (t *Tokens) Add(more Tokens) {
	t.Prompt, t.Answer = t.Prompt+more.Prompt, t.Answer+more.Answer
	t.Cached, t.Thoughts = t.Cached+more.Cached, t.Thoughts+more.Thoughts
}

func (t Tokens) String() string {
	return fmt.Sprintf("%d read (%d of them cached), %d written, %d thought",
		t.Prompt, t.Cached, t.Answer, t.Thoughts)
}
