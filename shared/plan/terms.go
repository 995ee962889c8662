package plan

import (
	"strings"
	"time"

	"github.com/planwright/planwright/shared/strictjson"
)

// Terms say when a plan is carried out and with whose leave. The zero value is
// at once, with the leave that the executor's own policy asks for.
type Terms struct {
	ApplyAt string `json:"apply_at,omitempty"` // RFC 3339, as written: not before it; "" is at once
	// RFC 3339, as written: what was done is undone then; "" is never
	RevertAt string   `json:"revert_at,omitempty"`
	Approval Approval `json:"approval,omitempty"`
}

// Approval says whether a person must approve what a plan would do. It adds to
// the executor's policy and takes nothing from it.
type Approval string

// ApprovalAlways asks for an approval whatever the policy says.
const ApprovalAlways Approval = "always"

const undoSuffix = "_undo"

// MaxRevertedIDLength is how long the execution id of a plan with RevertAt may
// be, so that there is room for what UndoID puts at its end.
const MaxRevertedIDLength = MaxExecutionIDLength - len(undoSuffix)

// UndoID returns the id of the plan that undoes an execution at its RevertAt.
func UndoID(executionID string) string { return executionID + undoSuffix }

// IsUndoID reports whether an id is one of those.
func IsUndoID(executionID string) bool { return strings.HasSuffix(executionID, undoSuffix) }

// ApplyTime returns ApplyAt of valid terms, or the zero time.
func (t *Terms) ApplyTime() time.Time { return timeOf(t.ApplyAt) }

// RevertTime returns RevertAt of valid terms, or the zero time.
func (t *Terms) RevertTime() time.Time { return timeOf(t.RevertAt) }

// CheckRevert refuses terms by which what is done would be undone before it was
// done: their RevertAt is past. The error is an InvalidError.
func (t *Terms) CheckRevert(now time.Time) error {
	if at := t.RevertTime(); at.IsZero() || at.After(now) {
		return nil
	}
	return invalid(
		[]strictjson.Problem{
			{
				Path:    "revert_at",
				Message: "is " + t.RevertAt + ", which is past: choose a later time, or leave it out",
			},
		},
	)
}

func timeOf(text string) time.Time {
	at, _ := time.Parse(time.RFC3339, text)
	return at
}

// ReadTerms reads the terms from another object than a plan, such as a request
// for one. It reports all that is wrong with them.
func ReadTerms(o *strictjson.Object) Terms {
	var t Terms
	fields := t.read(o)
	v := &validator{}
	v.terms(&t)
	for _, problem := range v.list.Problems() {
		fields[problem.Path].Problem("%s", problem.Message)
	}
	return t
}

func (t *Terms) read(o *strictjson.Object) map[string]strictjson.Field {
	fields := map[string]strictjson.Field{}
	read := func(name string) string {
		fields[name] = o.Optional(name)
		return optionalWord(fields[name])
	}
	t.ApplyAt, t.RevertAt, t.Approval = read("apply_at"), read("revert_at"), Approval(read("approval"))
	return fields
}

// optionalWord reads a string that, where it is given, has a value.
func optionalWord(f strictjson.Field) string {
	text, given := f.String()
	if given && text == "" {
		f.Problem("must not be empty: leave it out")
	}
	return text
}

func (v *validator) terms(t *Terms) {
	applies := v.optionalTimestamp("apply_at", t.ApplyAt)
	reverts := v.optionalTimestamp("revert_at", t.RevertAt)
	if applies && reverts && !t.RevertTime().After(t.ApplyTime()) {
		v.list.Add(v.root.Name("revert_at"), "is %s, which is not after apply_at %s", t.RevertAt, t.ApplyAt)
	}
	if t.Approval != "" && t.Approval != ApprovalAlways {
		v.list.Add(
			v.root.Name("approval"),
			"must be %s, but is %s",
			ApprovalAlways,
			strictjson.Quote(string(t.Approval)),
		)
	}
}

// optionalTimestamp reports whether there is one, and valid.
func (v *validator) optionalTimestamp(name, text string) bool {
	return text != "" && v.timestamp(name, text)
}

// explainTerms says, in sentences, when the plan is carried out and with whose leave.
func explainTerms(t *Terms) (sentences []string) {
	if t.Approval == ApprovalAlways {
		sentences = append(sentences, "Wait for a person to approve this.")
	}
	if t.ApplyAt != "" {
		sentences = append(sentences, "Apply this on "+explainTime(t.ApplyTime())+", not before.")
	}
	if t.RevertAt != "" {
		sentences = append(sentences, "Undo this on "+explainTime(t.RevertTime())+".")
	}
	return sentences
}

// Warning is something in a valid plan that its author may not have meant. What a plan
// would do to a table is told by a preview of it.
type Warning struct {
	Code string `json:"code"` // stable: programs may act on it
	// whom it concerns, in the plan's order; none for the plan's terms
	OperationIDs []string `json:"operation_ids"`
	Message      string   `json:"message"`              // a sentence or two for people
	Rows         int64    `json:"rows,omitempty"`       // of a table, how many it concerns
	FirstRows    []int64  `json:"first_rows,omitempty"` // the first of them
	Arguments    []string `json:"arguments,omitempty"`  // what else the message names
}

// Messages are those of warnings.
func Messages(warnings []Warning) (messages []string) {
	for _, warning := range warnings {
		messages = append(messages, warning.Message)
	}
	return messages
}

// WarnTimePast is the code of a warning: a time of the plan was past when the plan was made.
const WarnTimePast = "time_past"

// Warnings tell of times that were past when the plan was made.
func (p *Plan) Warnings() (warnings []Warning) {
	made := timeOf(p.CreatedAt)
	for _, past := range []struct {
		field   string
		at      time.Time
		message string
	}{
		{"apply_at", p.ApplyTime(), "apply_at was past when the plan was made: it is applied as soon as its table arrives."},
		{"revert_at", p.RevertTime(), "revert_at was past when the plan was made: what is applied is to be undone at once, and an approval comes too late."},
	} {
		if !past.at.IsZero() && past.at.Before(made) {
			warnings = append(
				warnings,
				Warning{
					Code:         WarnTimePast,
					OperationIDs: []string{},
					Arguments:    []string{past.field},
					Message:      past.message,
				},
			)
		}
	}
	return warnings
}

// explainTime says a time at its own place: Friday, 27 November 2026, 00:00 UTC+01:00.
func explainTime(t time.Time) string {
	layout := "Monday, 2 January 2006, 15:04"
	if t.Second() != 0 || t.Nanosecond() != 0 {
		layout += ":05.999999999"
	}
	zone := "UTC"
	if _, offset := t.Zone(); offset != 0 {
		zone += t.Format("-07:00")
	}
	return t.Format(layout) + " " + zone
}
