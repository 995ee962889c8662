package ledger

import (
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// Decided is what somebody has decided about a proposal.
type Decided struct {
	Decision string    `json:"decision"` // approved, rejected or withdrawn
	By       string    `json:"by"`
	At       time.Time `json:"at"`
}

const decidedApproved = "approved"

// approvedBefore refuses a decision about what somebody has approved of. What is said
// beside that is what to do.
func (e Execution) approvedBefore(given Approval, said string) error {
	return &DecidedError{e.ExecutionID, Decided{decidedApproved, given.By, given.At}, said}
}

// codeDecided is the code of a DecidedError.
const codeDecided = "decided_already"

// DecidedError refuses a decision about what somebody has decided already. Its kind is
// errs.Conflict.
type DecidedError struct {
	ExecutionID string
	Decided
	said string // what it means for who decides now, or what was decided
}

func (e *DecidedError) Error() string { return errs.Message(e.Unwrap()) }

// Unwrap says it to people.
func (e *DecidedError) Unwrap() error {
	at := e.At.UTC().Format(time.RFC3339)
	if e.Decision == decidedApproved {
		return errs.New(errs.Conflict, "%s approved this at %s already. %s", e.By, at, e.said)
	}
	return errs.New(errs.Conflict, "Execution %s proposes nothing any more. %s That was at %s.",
		e.ExecutionID, e.said, at)
}

// Code is the error's code for programs.
func (e *DecidedError) Code() string { return codeDecided }

// Details are the decision.
func (e *DecidedError) Details() any { return e.Decided }

// Askers are those who asked for what an execution proposes: who made its plan, who handed
// the table in, and who asked that it wait for an approval. Author is "" where nobody knows.
func (e Execution) Askers(author string) (names []string) {
	for _, name := range []string{author, e.Source.UploadedBy, e.Source.ProposedBy} {
		known := slices.ContainsFunc(names, func(other string) bool { return strings.EqualFold(name, other) })
		if name != "" && !known {
			names = append(names, name)
		}
	}
	return names
}

// CheckAsker refuses whoever did not ask for what is proposed. Its kind is errs.Denied.
func (e Execution) CheckAsker(by, author string) error {
	askers := e.Askers(author)
	switch {
	case slices.ContainsFunc(askers, func(name string) bool { return strings.EqualFold(name, by) }):
		return nil
	case len(askers) == 0:
		return errs.New(errs.Denied, "It is not known who asked for what %s does, so nobody can take it back: whoever decides here can reject it.", e.ExecutionID)
	}
	return errs.New(errs.Denied,
		"%s did not ask for what %s does. That was %s: ask them, or whoever decides here to reject it.",
		by, e.ExecutionID, strings.Join(askers, ", "))
}
