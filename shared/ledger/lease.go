package ledger

import (
	"context"
	"sync"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// Lease is the right to change an execution record, until it ends or the record
// has gone to another. Each change is one
// compare-and-set on the revision that was read last: a holder that was
// replaced meanwhile, awake or not, changes nothing. Its methods return Stale
// when the record has gone to another, and the store's error when the change
// did not happen.
type Lease struct {
	store Store

	mu     sync.Mutex // a lease is renewed while the table is read
	record Execution
}

// Execution returns the record as of the last change.
func (l *Lease) Execution() Execution {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.record
}

// Renew moves the end of the lease.
func (l *Lease) Renew(ctx context.Context, until time.Time) error {
	return l.change(ctx, Settlement{},
		func(e *Execution) { e.LeaseUntil = until },
		func(next, now Execution) bool { return now.LeaseUntil.Equal(next.LeaseUntil) })
}

// NoteRecorded is Renew, and notes how many change documents are stored.
func (l *Lease) NoteRecorded(ctx context.Context, recorded Recorded, until time.Time) error {
	return l.change(ctx, Settlement{},
		func(e *Execution) { e.Recorded, e.LeaseUntil = recorded, until },
		func(next, now Execution) bool {
			return now.Recorded == next.Recorded && now.LeaseUntil.Equal(next.LeaseUntil)
		})
}

// Release ends the lease, so that the next delivery need not wait for it.
func (l *Lease) Release(ctx context.Context) error {
	return l.change(ctx, Settlement{},
		func(e *Execution) { e.LeaseUntil = time.Time{} },
		func(_, now Execution) bool { return now.LeaseUntil.IsZero() })
}

// TimedOut releases the lease of an attempt that ran out of time after
// reading that many bytes, and counts it.
func (l *Lease) TimedOut(ctx context.Context, bytesRead int64) error {
	return l.change(ctx, Settlement{},
		func(e *Execution) {
			e.LeaseUntil = time.Time{}
			e.Timeouts++
			e.BytesRead = bytesRead
		},
		func(next, now Execution) bool { return now.Timeouts == next.Timeouts && now.LeaseUntil.IsZero() })
}

// Seal fixes what the execution will have done. It is refused when the record
// is sealed already.
func (l *Lease) Seal(ctx context.Context, seal Seal) error {
	if l.Execution().Seal != nil {
		return errs.New(errs.Conflict, "execution %s is sealed already", l.Execution().ExecutionID)
	}
	return l.change(ctx, Settlement{},
		func(e *Execution) { e.Seal = &seal },
		func(_, now Execution) bool { return now.Seal != nil })
}

// Complete ends a sealed execution with its outcome, in one commit.
func (l *Lease) Complete(ctx context.Context, outcome AuditDocument, changes []ChangeDocument) error {
	record := l.Execution()
	if record.Seal == nil {
		return errs.New(errs.Internal, "execution %s cannot complete: it is not sealed", record.ExecutionID)
	}
	return l.change(ctx, Settlement{Outcome: &outcome, Changes: changes},
		func(e *Execution) {
			summary := e.Seal.Summary
			e.Status, e.Summary, e.Error = Completed, &summary, nil
			e.AuditHead = outcome.SHA256
			e.LeaseUntil = time.Time{}
		}, nil)
}

// Fail ends an attempt that nothing was sealed of, in one commit with the
// outcome of its upload. Another upload may try again.
func (l *Lease) Fail(ctx context.Context, failure Failure, outcome AuditDocument) error {
	record := l.Execution()
	if record.Seal != nil {
		return errs.New(errs.Internal, "execution %s cannot fail: it is sealed", record.ExecutionID)
	}
	return l.change(ctx, Settlement{Outcome: &outcome},
		func(e *Execution) {
			e.Status, e.Error = Failed, &failure
			e.AuditHead = outcome.SHA256
			e.LeaseUntil = time.Time{}
		}, nil)
}

// change commits an edit of the record. After a refused or unanswered write
// the record is read: landed says whether it shows the edit of this holder and
// attempt. Without landed the outcome decides: no matter who wrote it, the same
// document at the head of the chain means that this is done.
func (l *Lease) change(ctx context.Context, with Settlement, edit func(*Execution), landed func(next, now Execution) bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.record
	edit(&next)
	next = next.Rounded() // to be compared with what is read back
	updated, refusal := l.store.UpdateExecution(ctx, next, with)
	if refusal == nil {
		l.record = updated
		return nil
	}
	ctx, cancel := afterwards(ctx)
	defer cancel()
	now, err := l.store.Execution(ctx, next.ExecutionID)
	if err != nil {
		return refusal
	}
	ours := now.heldBy(next.Holder, next.Attempt)
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
