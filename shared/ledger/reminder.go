package ledger

import (
	"context"
	"fmt"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/internal/stored"
	"github.com/planwright/planwright/shared/ledger/plans"
)

// Remind owes the webhook the notice of a proposal once more, as who asked for it wants,
// and returns the record. NotFound: there is no execution. Conflict: nothing waits for an
// approval. Denied: somebody else asked for it. Exhausted: people were told within the
// last hour (a TooSoonError).
func Remind(ctx context.Context, store Store, executionID, by string, at time.Time) (Execution, error) {
	at = stored.Time(at)
	stored, err := plans.Load(ctx, store, executionID)
	if err != nil {
		return Execution{}, err
	}
	return decide(ctx, store, executionID, func(record Execution) (Execution, Settlement, error) {
		switch {
		case record.Status != Proposed || !record.NeedsApproval():
			return record, Settlement{}, errs.New(errs.Conflict,
				"Execution %s waits for nobody's approval: it is %s.", executionID, record.Status)
		case record.Proposal.RemindedAt.Equal(at): // the reply was lost
			return record, Settlement{}, errDecided
		}
		if err := record.CheckAsker(by, stored.CreatedBy); err != nil {
			return record, Settlement{}, err
		}
		if err := record.Proposal.TooSoon(at); err != nil {
			return record, Settlement{}, err
		}
		proposal := *record.Proposal
		proposal.RemindedAt = at
		record.Proposal = &proposal
		record.oweProposal(at, nil, fmt.Sprintf(".reminded%d", at.Unix()))
		return record.dueAfter(at), Settlement{}, nil
	})
}

// remindEvery is how long an execution waits between two notices of what it proposes.
const remindEvery = time.Hour

// TooSoonError refuses a reminder that comes too soon. Its kind is errs.Exhausted.
type TooSoonError struct {
	Last time.Time // when people were told
	Wait time.Duration
}

func (e *TooSoonError) Error() string { return errs.Message(e.Unwrap()) }

// Unwrap says it to people.
func (e *TooSoonError) Unwrap() error {
	return errs.New(errs.Exhausted,
		"The approvers were told at %s, and are told once an hour at most. Remind them again at %s.",
		e.Last.UTC().Format(time.RFC3339), e.Last.Add(remindEvery).UTC().Format(time.RFC3339))
}

// RetryAfter is how long to wait.
func (e *TooSoonError) RetryAfter() time.Duration { return e.Wait }

// Details say when the approvers can be reminded again.
func (e *TooSoonError) Details() any {
	return map[string]time.Time{"told_at": e.Last.UTC(), "again_at": e.Last.Add(remindEvery).UTC()}
}

// LastNotified is when people were told last that a proposal waits.
func (p *Proposal) LastNotified() time.Time {
	if p.RemindedAt.After(p.ExecutedAt) {
		return p.RemindedAt
	}
	return p.ExecutedAt
}

// TooSoon is the refusal of a reminder at that time; nil: it is time for one.
func (p *Proposal) TooSoon(at time.Time) error {
	if wait := p.LastNotified().Add(remindEvery).Sub(at); wait > 0 {
		return &TooSoonError{p.LastNotified(), wait}
	}
	return nil
}
