package ledger

import (
	"context"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/plans"
)

// ClaimRequest is one delivery asking for an execution. Holder is random per
// delivery: it tells our own unanswered write from another's.
type ClaimRequest struct {
	ExecutionID string
	Source      Source
	Holder      string
	Now         time.Time
	LeaseUntil  time.Time
}

// Decision is what a delivery may do next.
type Decision string

const (
	// Granted: the execution is ours, for our upload.
	Granted Decision = "granted"
	// Finish: the execution is ours, to finish the upload that was sealed.
	Finish Decision = "finish"
	// Settled: our upload has its outcome; nothing is left but its notice.
	Settled Decision = "settled"
	// Done: another upload completed the execution; ours is to be skipped.
	Done Decision = "done"
	// Busy: another delivery holds the execution.
	Busy Decision = "busy"
	// Waiting: what our upload makes is proposed, and may not be applied yet.
	Waiting Decision = "waiting"
	// Expired: nobody approved of our upload's proposal in time.
	Expired Decision = "expired"
	// superseding: the execution is ours, for our upload, if the older one that
	// is proposed is skipped in the same commit.
	superseding Decision = "superseding"
	// Superseded: a newer upload is proposed; ours is to be skipped.
	Superseded Decision = "superseded"
)

// decisionOn reads the claim table for a record that exists. The first line that
// applies decides, and no line but these may change a record's holder.
func decisionOn(found Snapshot, source Source, now time.Time) Decision {
	record := found.Execution
	switch {
	case found.Outcome != nil:
		return Settled
	case record.Status == Completed:
		return Done
	case record.Status == Running && now.Before(record.LeaseUntil):
		return Busy
	case record.Status == Running && record.Seal != nil:
		return Finish
	case record.Proposal == nil: // running with its lease expired and nothing sealed, or failed
		return Granted
	case record.Source.Upload == source.Upload:
		return record.decideProposed(now)
	case source.newerThan(record.Source) && !(source.ProposeOnly && record.Approval != nil):
		return superseding
	default:
		return Superseded
	}
}

// decideProposed is for another delivery of the upload that is proposed.
func (e Execution) decideProposed(now time.Time) Decision {
	switch {
	case e.Status == Running:
		return Granted
	case e.NeedsApproval() && !now.Before(e.Proposal.ExpiresAt):
		return Expired
	case e.NeedsApproval(), now.Before(e.Proposal.ApplyAt), e.AwaitsFetch():
		return Waiting
	default:
		return Granted
	}
}

// Claim is the answer to a request. Lease is set where the execution is ours,
// Execution and Outcome are as they were read otherwise.
type Claim struct {
	Decision  Decision
	Lease     *Lease
	Execution *Execution
	Outcome   *AuditDocument
}

// Acquire claims an execution. The first claim is a create: under a storm of
// claimants it is decided by the store at once, where a read and a
// conditional write would make them wait for each other.
func Acquire(ctx context.Context, store Store, c ClaimRequest) (Claim, error) {
	first := c.first()
	record, refusal := store.CreateExecution(ctx, first)
	if refusal == nil {
		return c.granted(store, Granted, record), nil
	}
	found, err := c.snapshot(ctx, store)
	switch {
	case err != nil:
		return Claim{}, err
	case found.Execution == nil:
		return Claim{}, refusal
	case found.Execution.leasedBy(c.Holder, first.Attempt): // the create's reply was lost
		return c.granted(store, Granted, *found.Execution), nil
	}
	decision := decisionOn(found, c.Source, c.Now)
	switch decision {
	case Granted, Finish:
		return c.takeOver(ctx, store, decision, *found.Execution, Settlement{})
	case superseding:
		skipped, err := c.supersede(ctx, store, *found.Execution)
		if err != nil {
			return Claim{}, err
		}
		return c.takeOver(ctx, store, Granted, *found.Execution, Settlement{Outcome: &skipped})
	default:
		return Claim{Decision: decision, Execution: found.Execution, Outcome: found.Outcome}, nil
	}
}

// supersede is the outcome of the upload that is proposed.
func (c ClaimRequest) supersede(ctx context.Context, store Store, record Execution) (AuditDocument, error) {
	stored, err := plans.Load(ctx, store, c.ExecutionID)
	if err != nil {
		return AuditDocument{}, err
	}
	return SkippedDocument(record, record.Source, c.Now, stored), nil
}

func (c ClaimRequest) first() Execution {
	return Execution{
		ExecutionID: c.ExecutionID,
		Status:      Running,
		Attempts:    Attempts{Attempt: 1, Holder: c.Holder, LeaseUntil: c.LeaseUntil},
		Source:      c.Source,
		CreatedAt:   c.Now,
	}.dueAfter(c.Now)
}

// takeOver replaces the holder of a record that was read as free. Losing the
// race for it is not an error: the winner is at work.
func (c ClaimRequest) takeOver(
	ctx context.Context, store Store, decision Decision, record Execution, with Settlement,
) (Claim, error) {
	edit := func(record Execution) Execution { return c.next(decision, record).dueAfter(c.Now) }
	updated, refusal := replace(ctx, store, record, with, edit)
	if refusal == nil {
		return c.granted(store, decision, updated), nil
	}
	found, err := c.snapshot(ctx, store)
	switch {
	case err != nil:
		return Claim{}, err
	case found.Execution != nil && found.Execution.leasedBy(c.Holder, record.Attempt+1): // the reply was lost
		return c.granted(store, decision, *found.Execution), nil
	case errs.KindOf(refusal) == errs.Stale:
		return Claim{Decision: Busy, Execution: found.Execution, Outcome: found.Outcome}, nil
	default:
		return Claim{}, refusal
	}
}

// next is the record as its new holder starts with it. A sealed execution
// keeps its source: only the sealed upload can be finished.
func (c ClaimRequest) next(decision Decision, record Execution) Execution {
	next := record
	next.Attempt++
	next.Holder = c.Holder
	next.LeaseUntil = c.LeaseUntil
	if decision == Finish {
		return next
	}
	if record.Source.Upload != c.Source.Upload {
		next.Timeouts, next.BytesRead, next.Delay = 0, 0, ""
		next = c.replaceTable(next)
	}
	next.Status = Running
	next.Rejected = record.Rejected || record.Error != nil && IsRejection(record.Error.Code)
	next.Source = c.Source
	if record.Source.Upload == c.Source.Upload && record.Source.ProposeOnly {
		next.Source.ProposeOnly, next.Source.ProposedBy = true, record.Source.ProposedBy
	}
	next.Error = nil
	return next
}

// replaceTable is a record whose table is replaced by the request's. A proposal goes with
// its table, and its approval. A table that is fetched again from the shop keeps them:
// what is made of it is compared with them before it is sealed.
func (c ClaimRequest) replaceTable(record Execution) Execution {
	if record.Proposal == nil {
		return record
	}
	again := c.Source.isFetchedAgain(record.Source)
	record.oweSuperseded(record.Source.Upload, c.Now, !again)
	if !again {
		record.Proposal, record.Approval = nil, nil
	}
	return record
}

func (c ClaimRequest) granted(store Store, decision Decision, record Execution) Claim {
	return Claim{Decision: decision, Lease: &Lease{store: store, record: record}, Execution: &record}
}

func (c ClaimRequest) snapshot(ctx context.Context, store Store) (Snapshot, error) {
	ctx, cancel := Afterwards(ctx)
	defer cancel()
	return store.Snapshot(ctx, c.ExecutionID, c.Source.Upload.ID())
}

func (e Execution) leasedBy(holder string, attempt int) bool {
	return e.Holder == holder && e.Attempt == attempt
}

// Afterwards is the context for what must still be read or said once the time of
// ctx may be used up, such as what became of a write.
func Afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
}
