package execution

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// finish publishes and records what was sealed. Every step can be repeated by
// anyone: it creates what is not there, or finds it as sealed. Whatever fails
// here is tried again, for ever, and raises the alert, unless it is only the
// time of this delivery that is up.
func (a *attempt) finish(ctx context.Context) error {
	record := a.lease.Execution()
	err := a.publishAndComplete(ctx, record)
	if err == nil {
		a.Log.InfoContext(ctx, "completed", "rows_changed", record.Seal.Summary.RowsChanged)
		return nil
	}
	if _, late := errors.AsType[outOfTime](err); !late {
		a.Log.ErrorContext(ctx, "a sealed execution could not be finished",
			"alert", "sealed_not_finished", "cause", err.Error())
	}
	return a.release(ctx, err)
}

func (a *attempt) publishAndComplete(ctx context.Context, record ledger.Execution) error {
	if a.plan.Plan == nil { // this delivery finishes what another has sealed
		var err error
		if a.plan, err = plans.Load(ctx, a.Ledger, a.executionID); err != nil {
			return err
		}
	}
	if a.plan.SHA256 != record.Seal.PlanSHA256 {
		return errs.New(errs.Internal, "the stored plan %s is not the one that was sealed", a.executionID)
	}
	changes, err := a.publish(ctx, record.Seal)
	if err != nil {
		return err
	}
	listing, last, err := a.recordChanges(ctx, record.Seal, record.Recorded, changes)
	if err != nil {
		return err
	}
	outcome := ledger.CompletedDocument(record, a.plan, listing)
	if err := a.publishAudit(ctx, record, outcome); err != nil {
		return err
	}
	return a.lease.Complete(ctx, outcome, last, a.revert(*record.Seal))
}

// publish makes the changes file and the output visible, in this order, and
// returns the changes file.
func (a *attempt) publish(ctx context.Context, seal *ledger.Seal) (changes bucket.Object, err error) {
	if a.output == nil {
		if changes, err = a.recompute(ctx); err != nil {
			return changes, err
		}
	}
	if a.changes != nil {
		if changes, err = publishFile(a.changes, seal.Changes); err != nil {
			return changes, err
		}
	}
	if a.output != nil {
		if _, err = publishFile(a.output, seal.Output); err != nil {
			return changes, err
		}
	}
	a.Log.InfoContext(ctx, "published")
	return changes, nil
}

// publishFile commits an upload, or finds that its name holds what was sealed.
func publishFile(upload bucket.Upload, file ledger.File) (bucket.Object, error) {
	object, err := bucket.Publish(upload)
	if errs.KindOf(err) == errs.Conflict {
		return object, otherBytes(file)
	}
	return object, err
}

func otherBytes(file ledger.File) error {
	return errs.New(errs.Internal, "%s holds other bytes than were sealed", file)
}

// recordChanges reads the changes file back into change documents, from where
// the delivery before stopped. A single one rides in the completing commit and
// is returned; more are stored before it. The file that this reads, from its
// first byte to its last, has the sealed hash, or nothing completes.
func (a *attempt) recordChanges(
	ctx context.Context, seal *ledger.Seal, recorded changelog.Recorded, changes bucket.Object,
) (changelog.Listing, []changelog.Document, error) {
	file, _, err := a.Audit.Open(ctx, changes.Name, changes.Generation)
	if err != nil {
		return changelog.Listing{}, nil, err
	}
	defer file.Close()
	documents := changelog.NewDocumentReader(file, a.executionID, seal.ExecutedAt)
	listing, err := documents.Listing()
	if err != nil {
		return listing, nil, err
	}
	same, err := documents.Skip(recorded)
	if err != nil {
		return listing, nil, err
	}
	if !same { // one of the two readings was wrong: which, the sealed hash tells
		a.Log.WarnContext(ctx,
			"the changes that were stored are not those in the file; they are stored again")
		if err := a.lease.NoteRecorded(ctx, changelog.Recorded{}, a.leaseUntil(a.delivery)); err != nil {
			return listing, nil, err
		}
		return a.recordChanges(ctx, seal, changelog.Recorded{}, changes)
	}
	if isOneDocument(seal) {
		document, err := documents.Next()
		if err == nil {
			err = a.checkEnd(documents, seal)
		}
		return listing, []changelog.Document{document}, err
	}
	return listing, nil, a.storeDocuments(ctx, documents, seal)
}

// isOneDocument reports whether all that was changed fits one change document.
func isOneDocument(seal *ledger.Seal) bool {
	rows := seal.Summary.RowsChanged
	return rows == 1 || rows > 1 && rows <= changelog.MaxDocumentChanges &&
		seal.Changes.Size-rows <= changelog.MaxDocumentBytes
}

// storeDocuments stores the documents that are left. Each time the lease is
// due it waits until all that was handed over is stored and notes it in the
// record, and where the delivery's time is nearly up it leaves the rest to the next.
func (a *attempt) storeDocuments(
	ctx context.Context, documents *changelog.DocumentReader, seal *ledger.Seal,
) error {
	for more := true; more; {
		var late bool
		more = false
		renewAt := a.now().Add(a.Limits.Lease / 3)
		err := a.Ledger.PutChanges(ctx, a.executionID, func(yield func(changelog.Document, error) bool) {
			for !more {
				document, err := documents.Next()
				if err == io.EOF {
					if err = a.checkEnd(documents, seal); err == nil {
						return
					}
				}
				if !yield(document, err) || err != nil {
					return
				}
				late = a.isLate()
				more = late || !a.now().Before(renewAt)
			}
		})
		if err != nil {
			return err
		}
		if late {
			return a.leaveToNext(ctx, documents.Recorded(), seal)
		}
		if more {
			if err := a.note(ctx, documents.Recorded()); err != nil {
				return err
			}
		}
	}
	return nil
}

// leaveToNext notes what is stored and asks for another delivery.
func (a *attempt) leaveToNext(ctx context.Context, recorded changelog.Recorded, seal *ledger.Seal) error {
	if err := a.note(ctx, recorded); err != nil {
		return err
	}
	return errs.Wrap(errs.Deadline, outOfTime{bytesRead: recorded.Bytes},
		"execution %s has recorded %d of %d bytes of its changes; the next delivery goes on",
		a.executionID, recorded.Bytes, seal.Changes.Size)
}

// checkEnd compares what was read, skipped and stored with what was sealed.
func (a *attempt) checkEnd(documents *changelog.DocumentReader, seal *ledger.Seal) error {
	if documents.Recorded().SHA256 == seal.Changes.SHA256 {
		return nil
	}
	return errs.New(errs.Internal, "the changes file of execution %s does not have the sealed hash",
		a.executionID)
}

// publishAudit writes the completed document as the audit file's one line.
func (x *Executor) publishAudit(
	ctx context.Context, record ledger.Execution, outcome ledger.AuditDocument,
) error {
	name := AuditName(record.ExecutionID)
	_, err := bucket.Put(
		ctx, x.Audit, name, bucket.CreateOptions{ContentType: LinesType}, bytes.NewReader(outcome.Line()),
	)
	if errs.KindOf(err) == errs.Conflict {
		return otherBytes(ledger.File{Bucket: x.Audit.Name(), Object: name})
	}
	return err
}

// revert is the undo that the plan asks for beforehand; nil where it asks for
// none. It depends on nothing but what was sealed.
func (a *attempt) revert(seal ledger.Seal) *ledger.Revert {
	at := a.plan.Plan.RevertTime()
	if at.IsZero() {
		return nil
	}
	undo := plans.Undo(a.plan.Plan, plan.UndoID(a.executionID), seal.Changes.SHA256, seal.ExecutedAt)
	undo.ApplyAt = a.plan.Plan.RevertAt
	stored := plans.New(undo)
	stored.CreatedAt, stored.CreatedBy = seal.ExecutedAt, a.plan.CreatedBy
	return &ledger.Revert{Plan: stored.Record, At: at}
}
