package ledger

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/ledger/notices"
)

// Owed is a step of which people are not known to have been told. The commit that takes a step owes its
// notice. Whoever holds the record next writes the object first, and the commit after that
// takes note of it. The clock posts to the webhook apart from that: an execution never waits
// for a receiver. What has arrived in both places is owed no more.
type Owed struct {
	notices.Step
	// Upload is the one whose object beside the output is not known to be there; nil: it is
	// there, or the notice has none.
	Upload *Upload `json:"upload,omitempty"`
	// PostAt is when the webhook is tried next; zero: it has the notice. Tries counts the
	// times that it failed.
	PostAt time.Time `json:"post_at"`
	Tries  int       `json:"tries,omitempty"`
}

// owe adds a notice, of an upload's object where one is given. An upload is owed one object
// alone, the newest.
func (e *Execution) owe(step notices.Step, of string, upload *Upload) {
	step.ID = stepID(e.ExecutionID, of, step.Kind)
	if upload != nil {
		upload = new(*upload)
	}
	*e = e.editOwed(func(owed *Owed) {
		if owed.ID == step.ID {
			upload = cmp.Or(upload, owed.Upload) // its object is still to be written
			*owed = Owed{}
		} else if upload != nil && owed.Upload != nil && *owed.Upload == *upload {
			owed.Upload = nil
		}
	})
	e.Owed = append(e.Owed, Owed{Step: step, Upload: upload, PostAt: step.At})
}

// stepID names a step of an execution, which is about something with this name.
func stepID(executionID, of string, kind notices.Kind) string {
	return executionID + "." + of + "." + string(kind)
}

// oweProposal adds the notice of the proposal that the record has by now.
func (e *Execution) oweProposal(at time.Time, upload *Upload, again string) {
	e.owe(e.proposalStep(at, again), e.Proposal.ProposalSHA256+again, upload)
}

// oweFailure adds the notice of a failure, with who decided it where somebody did.
func (e *Execution) oweFailure(outcome AuditDocument, by, note string) {
	upload := outcome.Upload.Upload
	step := outcome.Notice().Step
	step.By, step.Note = by, note
	e.owe(step, upload.ID(), &upload)
}

// oweSuperseded adds the notice of an upload in whose place another is proposed. Of a table
// that was fetched again, the webhook is told nothing.
func (e *Execution) oweSuperseded(upload Upload, at time.Time, post bool) {
	e.owe(notices.Step{Kind: notices.Superseded, At: at}, upload.ID(), &upload)
	if !post {
		e.Owed[len(e.Owed)-1].PostAt = time.Time{}
	}
}

// Unwritten are the owed notices whose objects are not known to be there.
func (e Execution) Unwritten() []Owed {
	return slices.DeleteFunc(slices.Clone(e.Owed), func(owed Owed) bool { return owed.Upload == nil })
}

// PostAt is when the first of the owed notices is to be posted; zero: none is.
func (e Execution) PostAt() (first time.Time) {
	for _, owed := range e.Owed {
		if !owed.PostAt.IsZero() && (first.IsZero() || owed.PostAt.Before(first)) {
			first = owed.PostAt
		}
	}
	return first
}

// written is the record once the objects of some notices are there.
func (e Execution) written(there []Owed) Execution {
	return e.editOwed(func(owed *Owed) {
		if slices.ContainsFunc(there, owed.is) {
			owed.Upload = nil
		}
	})
}

// is reports whether two are the same notice, owed at the same time.
func (o *Owed) is(other Owed) bool { return o.ID == other.ID && o.At.Equal(other.At) }

// editOwed is the record with each owed notice edited. What has arrived is taken out.
func (e Execution) editOwed(edit func(*Owed)) Execution {
	var left []Owed
	for _, owed := range e.Owed {
		if edit(&owed); owed.Upload != nil || !owed.PostAt.IsZero() {
			left = append(left, owed)
		}
	}
	e.Owed = left
	return e
}

// NotePosted takes note that the webhook has a notice, or that nobody tries it again.
func NotePosted(ctx context.Context, store Store, executionID string, posted Owed) error {
	return editPost(ctx, store, executionID, posted, func(owed *Owed) {
		owed.PostAt, owed.Tries = time.Time{}, 0
	})
}

// DelayPost takes note that a post failed, and when it is tried again.
func DelayPost(ctx context.Context, store Store, executionID string, failed Owed, until time.Time) error {
	return editPost(ctx, store, executionID, failed, func(owed *Owed) {
		owed.PostAt, owed.Tries = until, failed.Tries+1
	})
}

// editPost edits one owed notice of a record, and nothing else: not even when the record is
// due. One that is gone, or that was owed anew since, stays as it is.
func editPost(ctx context.Context, store Store, executionID string, post Owed, edit func(*Owed)) error {
	_, err := decide(ctx, store, executionID, func(record Execution) (Execution, Settlement, error) {
		found := false
		record = record.editOwed(func(owed *Owed) {
			if post.is(*owed) && !owed.PostAt.IsZero() {
				found = true
				edit(owed)
			}
		})
		if !found {
			return record, Settlement{}, errDecided
		}
		return record, Settlement{}, nil
	})
	return err
}
