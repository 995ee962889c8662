package ledger

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/internal/stored"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/postings"
)

// Lease is the right to change an execution record, until it ends or the record
// has gone to another. Each change is one
// compare-and-set on the revision that was read last: a holder that was
// replaced meanwhile, awake or not, changes nothing. Its methods return Stale
// when the record has gone to another, and the store's error when the change did not happen.
type Lease struct {
	store Store

	mu      sync.Mutex // a lease is renewed while the table is read
	record  Execution
	written []Owed // whose objects are there by now
}

// Execution returns the record as of the last change.
func (l *Lease) Execution() Execution {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.record
}

// Notified says that the objects of all notices are there which the record owes: the next
// change takes note of it.
func (l *Lease) Notified() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.written = l.record.Unwritten()
}

// Renew moves the end of the lease, and notes how many bytes have been read.
func (l *Lease) Renew(ctx context.Context, until time.Time, bytesRead int64) error {
	until = stored.Time(until)
	return l.change(ctx, until, Settlement{},
		func(e *Execution) { e.LeaseUntil, e.BytesRead = until, bytesRead },
		func(next, now Execution) bool { return now.LeaseUntil.Equal(next.LeaseUntil) })
}

// NoteRecorded is Renew, and notes how many change documents are stored.
func (l *Lease) NoteRecorded(ctx context.Context, recorded changelog.Recorded, until time.Time) error {
	until = stored.Time(until)
	return l.change(ctx, until, Settlement{},
		func(e *Execution) { e.Recorded, e.LeaseUntil = recorded, until },
		func(next, now Execution) bool {
			return now.Recorded == next.Recorded && now.LeaseUntil.Equal(next.LeaseUntil)
		})
}

// Release ends the lease, so that the next delivery need not wait for it, and says why
// nothing came of the attempt.
func (l *Lease) Release(ctx context.Context, at time.Time, why string) error {
	return l.change(ctx, at, Settlement{},
		func(e *Execution) { e.LeaseUntil, e.Delay = time.Time{}, why },
		func(_, now Execution) bool { return now.LeaseUntil.IsZero() })
}

// TimedOut releases the lease of an attempt that ran out of time after
// reading that many bytes, and counts it.
func (l *Lease) TimedOut(ctx context.Context, at time.Time, bytesRead int64) error {
	return l.change(ctx, at, Settlement{},
		func(e *Execution) {
			e.LeaseUntil = time.Time{}
			e.Timeouts++
			e.BytesRead = bytesRead
		},
		func(next, now Execution) bool { return now.Timeouts == next.Timeouts && now.LeaseUntil.IsZero() })
}

// Propose ends an attempt that computed what it may not seal. Its notice is
// owed. Time that ran out before counts no more, and what was approved of before is void.
func (l *Lease) Propose(ctx context.Context, at time.Time, proposal Proposal) error {
	if err := l.unsealed("propose"); err != nil {
		return err
	}
	return l.change(ctx, at, Settlement{},
		func(e *Execution) {
			e.Status, e.Proposal, e.Approval = Proposed, &proposal, nil
			e.Timeouts, e.BytesRead = 0, 0
			e.LeaseUntil = time.Time{}
			e.oweProposal(at, &e.Source.Upload, "")
		},
		func(_, now Execution) bool { return now.Status == Proposed })
}

// Seal fixes what the execution will have done, which ends its proposal. It is
// refused when the record is sealed already. An undo gives the record of the
// execution that it undoes, as it was read: the same commit says in it that it is undone,
// and Stale says that it changed meanwhile. Nil: this is no undo.
func (l *Lease) Seal(ctx context.Context, seal Seal, undone *Execution) error {
	record := l.Execution()
	if record.Seal != nil {
		return errs.New(errs.Conflict, "execution %s is sealed already", record.ExecutionID)
	}
	var with Settlement
	if undone != nil {
		with.Also = undone.undone(record.ExecutionID, seal.Summary)
	}
	return l.change(ctx, record.LeaseUntil, with,
		func(e *Execution) { e.Seal, e.Proposal = &seal, nil },
		func(_, now Execution) bool { return now.Seal != nil })
}

// Complete ends a sealed execution with its outcome, in one commit. It also stores the
// plan that reverts it where there is one, to be delivered its output when its time has
// come, and what is to be written to the shop that the table was fetched from.
func (l *Lease) Complete(
	ctx context.Context, outcome AuditDocument, changes []changelog.Document, revert *Revert,
) error {
	record := l.Execution()
	if record.Seal == nil {
		return errs.New(errs.Internal, "execution %s cannot complete: it is not sealed", record.ExecutionID)
	}
	with := Settlement{Outcome: &outcome, Changes: changes, Posting: newPosting(record, outcome.Undoes)}
	if revert != nil {
		with.Plan = &revert.Plan
	}
	return l.change(ctx, record.LeaseUntil, with,
		func(e *Execution) {
			e.Status, e.Error, e.Recorded = Completed, nil, changelog.Recorded{} // the seal has all of them
			e.AuditHead = outcome.SHA256
			e.LeaseUntil = time.Time{}
			e.owe(notices.Step{Kind: notices.Completed, At: outcome.ExecutedAt}, outcome.Upload.ID, nil)
			if revert != nil {
				e.UndoDue = []UndoDue{{ExecutionID: revert.Plan.ExecutionID, At: revert.At}}
			}
		}, nil)
}

// newPosting is what an execution owes the shop that its table was fetched from; nil
// where it owes nothing.
func newPosting(e Execution, undoes string) *postings.Posting {
	if e.Source.Shop == nil || e.Seal.Summary.RowsChanged == 0 {
		return nil
	}
	return &postings.Posting{
		ExecutionID: e.ExecutionID, Shop: *e.Source.Shop, CreatedAt: e.Seal.ExecutedAt,
		Rows: e.Seal.Summary.RowsChanged, After: undoes,
		Status: postings.Writes, DueAt: e.Seal.ExecutedAt, Left: []postings.LeftRow{},
	}
}

// Revert is the undo that a plan asks for beforehand.
type Revert struct {
	Plan plans.Record
	At   time.Time
}

// Fail ends an attempt that nothing was sealed of, in one commit with the
// outcome of its upload, whose notice is owed. Another upload may try again.
func (l *Lease) Fail(ctx context.Context, at time.Time, failure Failure, outcome AuditDocument) error {
	if err := l.unsealed("fail"); err != nil {
		return err
	}
	return l.change(ctx, at, Settlement{Outcome: &outcome},
		func(e *Execution) { e.fail(failure, outcome, "") }, nil)
}

// fail ends an attempt, or a proposal, with its outcome: nobody holds the record then.
func (e *Execution) fail(failure Failure, outcome AuditDocument, note string) {
	e.Status, e.Error = Failed, &failure
	e.Proposal, e.Approval = nil, nil
	e.AuditHead = outcome.SHA256
	e.LeaseUntil = time.Time{}
	e.oweFailure(outcome, failure.By, note)
}

func (l *Lease) unsealed(step string) error {
	if record := l.Execution(); record.Seal != nil {
		return errs.New(errs.Internal, "execution %s cannot %s: it is sealed", record.ExecutionID, step)
	}
	return nil
}

// change commits an edit of the record. After a refused or unanswered write
// the record is read: landed says whether it shows the edit of this holder and
// attempt. Without landed the outcome decides: no matter who wrote it, the same
// document at the head of the chain means that this is done.
func (l *Lease) change(
	ctx context.Context,
	at time.Time,
	with Settlement,
	edit func(*Execution),
	landed func(next, now Execution) bool,
) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var next Execution // as it was to become, to be compared with what is read back
	updated, refusal := replace(ctx, l.store, l.record, with, func(record Execution) Execution {
		next = record
		if len(l.written) > 0 {
			next = next.written(l.written)
		}
		edit(&next)
		next = next.dueAfter(at)
		return next
	})
	if refusal == nil {
		l.record, l.written = updated, nil
		return nil
	}
	ctx, cancel := Afterwards(ctx)
	defer cancel()
	now, err := l.store.Execution(ctx, next.ExecutionID)
	if err != nil {
		return refusal
	}
	ours := now.leasedBy(next.Holder, next.Attempt)
	switch {
	case landed == nil && now.Status == next.Status && now.AuditHead == next.AuditHead,
		landed != nil && ours && landed(next, now):
		l.record = now
		return nil
	case !ours:
		return errs.Wrap(errs.Stale, refusal, "execution %s was taken over", next.ExecutionID)
	default:
		l.record = now // the write did not happen: another try goes from here
		return refusal
	}
}

// replace commits an edit of a record as it was read. The clock may have noted posts
// in it meanwhile: then the edit is made on the record as it is now, so that nobody
// waits for the webhook. Any other change since is Stale.
func replace(
	ctx context.Context, store Store, record Execution, with Settlement, edit func(Execution) Execution,
) (Execution, error) {
	for tries := 1; ; tries++ {
		updated, refusal := store.UpdateExecution(ctx, edit(record), with)
		if errs.KindOf(refusal) != errs.Stale || tries == maxDecisions {
			return updated, refusal
		}
		now, err := store.Execution(ctx, record.ExecutionID)
		if err != nil || now.Revision == record.Revision || !record.equalsButPosts(now) {
			return Execution{}, refusal
		}
		record = now
	}
}

func (e Execution) equalsButPosts(other Execution) bool {
	posted := func(owed *Owed) { owed.PostAt, owed.Tries = time.Time{}, 0 }
	return hashJSON(e.editOwed(posted).Rounded()) == hashJSON(other.editOwed(posted).Rounded())
}

func hashJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic("ledger: a value that is not JSON: " + err.Error()) // all of it is read from JSON
	}
	return stored.SHA256(text)
}

// dueAfter returns the record with the time at which somebody should look at it next, as
// of a change at that time. Every change of a record ends with it.
func (e Execution) dueAfter(at time.Time) Execution {
	e.DueAt = e.due(at)
	return e
}

func (e Execution) due(at time.Time) time.Time {
	switch {
	case e.Status == Running && !e.LeaseUntil.IsZero():
		return e.LeaseUntil
	case e.Status == Running, len(e.Unwritten()) > 0:
		return at
	case e.Status == Proposed && e.NeedsApproval():
		return e.Proposal.ExpiresAt
	case e.Status == Proposed && e.Proposal.ApplyAt.After(at):
		return e.Proposal.ApplyAt
	case e.Status == Proposed:
		return at
	case e.Status == Completed && len(e.UndoDue) > 0:
		return slices.MinFunc(e.UndoDue, func(a, b UndoDue) int { return a.At.Compare(b.At) }).At
	default:
		return time.Time{}
	}
}
