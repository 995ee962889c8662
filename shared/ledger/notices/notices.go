// Package notices is what people are told of an execution: one value, whoever reads it. It
// is the file beside the outputs, the post to the webhook, and the line of a list.
//
// A record stores the steps that people are still to be told of. All else of a notice is
// made of the step, the plan and the result when it is told.
package notices

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// Kind is what a notice tells of.
type Kind string

// What people are told of.
const (
	Proposed   Kind = "proposed"  // it waits for an approval
	Scheduled  Kind = "scheduled" // it waits for its time alone
	Approved   Kind = "approved"
	Rejected   Kind = "rejected"
	Withdrawn  Kind = "withdrawn" // by who had asked for it
	Expired    Kind = "expired"
	Failed     Kind = "failed"
	Superseded Kind = "superseded" // another upload is proposed in this one's place
	Skipped    Kind = "skipped"    // its plan was carried out before
	Completed  Kind = "completed"
)

// KindOf is the kind of a notice about an upload that was not applied, by the code of that:
// otherwise, where the code has no kind of its own.
func KindOf(code string, otherwise Kind) Kind {
	switch kind := Kind(code); kind {
	case Rejected, Withdrawn, Expired, Superseded:
		return kind
	}
	return otherwise
}

// Step is one step in the life of an execution, as its record stores it until people have
// been told.
type Step struct {
	// ID names what the notice tells of: a proposal's hash, or an upload, with the kind.
	// A receiver that gets one twice can drop the second.
	ID   string    `json:"id"`
	Kind Kind      `json:"kind"`
	At   time.Time `json:"at"`
	By   string    `json:"by"`   // who decided; "": nobody did
	Note string    `json:"note"` // what they said
	Code string    `json:"code"` // of a failure
}

// Notice tells people of one step. Its JSON has no row of a table and no cell of one.
type Notice struct {
	Step
	ExecutionID string `json:"execution_id"`
	Headline    string `json:"headline"`    // what has happened, in a sentence
	Instruction string `json:"instruction"` // the plan's; "" where there is no plan
	// the table, as bucket/object; "" of a step that is about no upload
	File   string `json:"file"`
	Effect string `json:"effect"` // what the result does, in one line; "" where there is none
	// Roles and Names are for whom it is, and Link leads to the page. They are the
	// webhook's.
	Roles []string `json:"roles"`
	Names []string `json:"names"`
	Link  string   `json:"link"`
	// Details are for who dropped the file alone: titles and texts in turn.
	Details []string `json:"-"`
}

// New is the notice of a step of an execution.
func New(step Step, executionID, instruction, effect string) Notice {
	return Notice{
		Step:        step,
		ExecutionID: executionID,
		Headline:    Words[string(step.Kind)],
		Instruction: instruction,
		Effect:      effect,
	}
}

// Text is the notice as a file.
func (n Notice) Text() string {
	instruction := cmp.Or(n.Instruction, Words["no plan"])
	facts := []string{
		"File", n.File, "Execution", n.ExecutionID, "Instruction", instruction, "Effect", n.Effect,
	}
	return Paragraphs(n.Headline, append(facts, n.Details...)...)
}

// Lines are the notice in a chat, without its headline and link.
func (n Notice) Lines() (lines []string) {
	for _, line := range []struct{ title, text string }{
		{"Instruction", n.Instruction}, {"Effect", n.Effect}, {"By", n.By}, {"Note", n.Note},
		{"Reason", n.Code},
		{"For", strings.Join(n.Names, ", ")}, {"Execution", n.ExecutionID},
	} {
		if line.text != "" {
			lines = append(lines, line.title+": "+strings.Join(strings.Fields(line.text), " "))
		}
	}
	return lines
}

// Paragraphs are a headline and titled paragraphs under it. One that is empty is
// left out with its title.
func Paragraphs(headline string, titled ...string) string {
	var b strings.Builder
	b.WriteString(headline + "\n")
	for i := 0; i < len(titled); i += 2 {
		if titled[i+1] != "" {
			fmt.Fprintf(&b, "\n%s:\n  %s\n", titled[i], strings.ReplaceAll(titled[i+1], "\n", "\n  "))
		}
	}
	return b.String()
}
