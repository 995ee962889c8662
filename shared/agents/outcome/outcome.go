// Package outcome lets a sequence of agents survive the failure of any of them. Each step
// leaves an outcome in the session's state, steps after a failure are skipped, and the last
// step always runs.
//
// Outcomes travel under each agent's output key as JSON strings, and a before-agent callback
// skips. Guard turns whatever happens inside a step, an error, a panic, a hang, an empty or
// cut-off answer, into that step's outcome, and the sequence goes on.
package outcome

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// Status says how a step ended.
type Status string

const (
	// Success: the step did what it is for.
	Success Status = "success"
	// Failure: it was tried and did not work out.
	Failure Status = "failure"
	// Skipped: it was not tried, because of a step before it.
	Skipped Status = "skipped"
)

// Outcome is what a step leaves for those after it. In state it is a JSON
// string: {"status": "success"|"failure"|"skipped", "message"?, "result"?}.
type Outcome struct {
	Status  Status `json:"status"`
	Message string `json:"message,omitempty"` // one sentence for people
	Result  any    `json:"result,omitempty"`  // whatever the step has to hand on
}

// maxBytes bounds an outcome as a model writes it. It becomes part of the last
// step's instruction, so it must not be able to crowd that out.
const maxBytes = 8 << 10

// Failed returns a failure with the message.
func Failed(message string) Outcome { return Outcome{Status: Failure, Message: message} }

// Succeeded reports whether the steps after this one may run.
func (o Outcome) Succeeded() bool { return o.Status == Success }

// String returns the outcome as it is kept in state.
func (o Outcome) String() string {
	text, err := json.Marshal(o)
	if err != nil { // a Result of ours that JSON cannot hold
		return Failed("The outcome could not be written down.").String()
	}
	return string(text)
}

// Parse reads an outcome strictly: an unknown field, a duplicate key, another
// status, trailing text or more than 8 KiB is an error of kind Unusable. One
// Markdown fence around the whole is taken off, for models like to add it.
func Parse(text string) (Outcome, error) {
	text = Unfence(text)
	if text == "" {
		return Outcome{}, errs.New(errs.Unusable, "the outcome is empty")
	}
	if len(text) > maxBytes {
		return Outcome{}, errs.New(errs.Unusable, "the outcome is longer than %d bytes", maxBytes)
	}
	var parsed Outcome
	problems := strictjson.ReadObject([]byte(text), func(o *strictjson.Object) {
		status := o.Required("status")
		if text, ok := status.String(); ok {
			parsed.Status = Status(text)
			if parsed.Status != Success && parsed.Status != Failure && parsed.Status != Skipped {
				status.Problem("must be success, failure or skipped")
			}
		}
		parsed.Message, _ = o.Optional("message").String()
		parsed.Result = o.Optional("result").Value().Any()
	})
	if len(problems) > 0 {
		return Outcome{}, errs.New(
			errs.Unusable,
			"the outcome cannot be read: %s",
			strictjson.Summary(problems),
		)
	}
	return parsed, nil
}

// Read returns the outcome that state holds under key. One that is missing,
// empty or unreadable is a failure that says so, never an error: the steps
// that read it must run whatever it is.
func Read(state session.ReadonlyState, key string) Outcome {
	value, err := state.Get(key)
	if errors.Is(err, session.ErrStateKeyNotExist) {
		return Failed("No outcome was recorded.")
	}
	text, ok := value.(string)
	if err != nil || !ok {
		return Failed("The recorded outcome is not a JSON string.")
	}
	parsed, err := Parse(text)
	if err != nil {
		return Failed("The recorded outcome cannot be read.")
	}
	return parsed
}

// Unfence returns a model's text without space around it and without the one
// Markdown fence that models like to put around JSON.
func Unfence(text string) string {
	text = strings.TrimSpace(text)
	inner, opened := strings.CutPrefix(text, "```")
	inner, closed := strings.CutSuffix(inner, "```")
	if !opened || !closed || !utf8.ValidString(text) {
		return text
	}
	return strings.TrimSpace(strings.TrimPrefix(inner, "json"))
}
