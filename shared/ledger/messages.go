package ledger

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/pricing"
)

// MessageStore is the part of a store that keeps what people are to be told, until
// they are. The commit that proposes, decides, completes or fails writes its message
// beside the record, so that none is lost and none told of what did not happen.
type MessageStore interface {
	// DueMessages lists up to limit messages whose due_at is not after a time, the
	// one that has been due longest first.
	DueMessages(ctx context.Context, at time.Time, limit int) ([]Message, error)
	// UpdateMessage replaces the message whose revision is next.Revision. Stale: it
	// is not at that revision.
	UpdateMessage(ctx context.Context, next Message) error
}

// MessageKind is what a message tells of.
type MessageKind string

// What people are told of.
const (
	ToldProposed  MessageKind = "proposed"  // it waits for an approval
	ToldScheduled MessageKind = "scheduled" // it waits for its time alone
	ToldApproved  MessageKind = "approved"
	ToldRejected  MessageKind = "rejected"
	ToldExpired   MessageKind = "expired"
	ToldFailed    MessageKind = "failed"
	ToldCompleted MessageKind = "completed"
)

// Message is what people are told of one step in the life of an execution. It has no
// row of a table and no cell of one.
type Message struct {
	// ID is made of what it tells of, a proposal's hash or an upload with its
	// outcome: whoever is told twice can see that it is the same.
	ID          string      `json:"id"`
	Kind        MessageKind `json:"kind"`
	ExecutionID string      `json:"execution_id"`
	At          time.Time   `json:"at"`
	By          string      `json:"by,omitempty"`     // who decided
	Note        string      `json:"note,omitempty"`   // what they said
	Effect      string      `json:"effect,omitempty"` // in one line
	Code        string      `json:"code,omitempty"`   // of a failure

	// DueAt is when it is to be sent, zero once nothing is left to do; Tries counts
	// the times that something could not be reached, Told has those that were, and
	// GivenUp those that never will be.
	DueAt   time.Time `json:"due_at"`
	Tries   int       `json:"tries"`
	Told    []string  `json:"told,omitempty"`
	GivenUp []string  `json:"given_up,omitempty"`

	// Revision is the store's mark of this version of the message.
	Revision string `json:"-"`
}

// Rounded returns the message with its times in UTC and whole microseconds.
func (m Message) Rounded() Message {
	m.At, m.DueAt = rounded(m.At), rounded(m.DueAt)
	return m
}

// message is what is told of a record, nil where a command line named its table:
// who typed it was told on the terminal.
func (e Execution) message(kind MessageKind, of string, at time.Time, m Message) *Message {
	if e.Source.Typed() {
		return nil
	}
	m.ID, m.Kind, m.ExecutionID, m.At, m.DueAt = e.ExecutionID+"."+of+"."+string(kind), kind, e.ExecutionID, at, at
	return &m
}

// proposedMessage is what is told of a proposal.
func (e Execution) proposedMessage(p Proposal, at time.Time) *Message {
	kind := ToldScheduled
	if p.ApprovalDue {
		kind = ToldProposed
	}
	return e.message(kind, p.ProposalSHA256, at, Message{Effect: EffectLine(p.Summary, &p.Effect)})
}

// approvedMessage is what is told of the approval that the record has by now.
func (e Execution) approvedMessage() *Message {
	return e.message(ToldApproved, e.Approval.ProposalSHA256, e.Approval.At, Message{
		By: e.Approval.By, Note: e.Approval.Note, Effect: EffectLine(e.Proposal.Summary, &e.Proposal.Effect),
	})
}

// endedMessage is what is told of the outcome that a record ends with.
func (e Execution) endedMessage(outcome AuditDocument, at time.Time) *Message {
	kind, m := ToldFailed, Message{Code: outcome.ErrorCode}
	switch {
	case outcome.Status == Completed:
		kind, m = ToldCompleted, Message{Effect: EffectLine(e.Seal.Summary, nil)}
	case outcome.ErrorCode == CodeRejected:
		kind = ToldRejected
	case outcome.ErrorCode == CodeExpired:
		kind = ToldExpired
	}
	return e.message(kind, outcome.Upload.ID, at, m)
}

// EffectLine says in one line, without any row, what a result does to a table.
func EffectLine(s Summary, effect *pricing.Effect) string {
	line := fmt.Sprintf("%d of %d rows change", s.RowsChanged, s.RowsTotal)
	if effect == nil {
		return line
	}
	var parts []string
	for _, part := range []struct {
		rows int64
		text string
	}{
		{effect.RowsRaised, "%d prices rise"}, {effect.RowsLowered, "%d prices fall"}, {effect.RowsRegular, "%d regular prices change during a sale"},
		{effect.RowsIntoStock, "%d come into stock"}, {effect.RowsOutOfStock, "%d go out of stock"},
	} {
		if part.rows > 0 {
			parts = append(parts, fmt.Sprintf(part.text, part.rows))
		}
	}
	if len(parts) == 0 {
		return line
	}
	return line + ": " + strings.Join(parts, ", ")
}
