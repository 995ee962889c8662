package execution

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// finish publishes and records what was sealed. Every step can be repeated by
// anyone: it creates what is not there, or finds it as sealed. Whatever fails
// here is tried again, for ever, and raises the alert, unless it is only the
// time of this delivery that is up.
func (a *attempt) finish(ctx context.Context) error {
	err := a.publishAndComplete(ctx)
	if err == nil {
		a.Log.InfoContext(ctx, "completed", "rows_changed", a.lease.Execution().Seal.Summary.RowsChanged)
		return nil
	}
	if _, late := errors.AsType[outOfTime](err); !late {
		a.Log.ErrorContext(ctx, "a sealed execution could not be finished", "alert", "sealed_not_finished", "cause", err.Error())
	}
	return a.release(ctx, err)
}

func (a *attempt) publishAndComplete(ctx context.Context) error {
	if a.plan.Plan == nil { // this delivery finishes what another has sealed
		var err error
		if a.plan, err = plans.Load(ctx, a.Ledger, a.executionID); err != nil {
			return err
		}
	}
	record := a.lease.Execution()
	if a.plan.SHA256 != record.Seal.PlanSHA256 {
		return errs.New(errs.Internal, "the stored plan %s is not the one that was sealed", a.executionID)
	}
	changes, err := a.publish(ctx)
	if err != nil {
		return err
	}
	listing, last, err := a.recordChanges(ctx, changes)
	if err != nil {
		return err
	}
	outcome := ledger.CompletedDocument(record, a.plan, listing)
	if err := a.publishAudit(ctx, record, outcome); err != nil {
		return err
	}
	return a.lease.Complete(ctx, outcome, last, a.revert(*record.Seal))
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

// publish makes the changes file and the output visible, in this order, and
// returns the changes file.
func (a *attempt) publish(ctx context.Context) (changes bucket.Object, err error) {
	seal := a.lease.Execution().Seal
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

// recompute runs the engine again for the files that are missing, and returns
// the changes file where it is not. Only the sealed bytes may come of it: an
// engine that computes others leaves the execution to the build that sealed it.
func (a *attempt) recompute(ctx context.Context) (changes bucket.Object, err error) {
	record := a.lease.Execution()
	if a.changes, changes, err = a.reopen(ctx, a.Audit, record.Seal.Changes); err != nil {
		return changes, err
	}
	if a.output, _, err = a.reopen(ctx, a.Outbox, record.Seal.Output); err != nil {
		return changes, err
	}
	if a.changes == nil && a.output == nil {
		return changes, nil
	}
	if err := a.readUndone(ctx); err != nil {
		return changes, err
	}
	if err := a.makeAgain(ctx); err != nil {
		return changes, err
	}
	if !matchesSeal(a.output, record.Seal.Output) || !matchesSeal(a.changes, record.Seal.Changes) {
		return changes, errs.New(errs.Internal, "engine build %s computes other bytes than build %s sealed; that build must finish execution %s",
			a.Engine.Build(), record.Seal.EngineBuild, a.executionID)
	}
	return changes, nil
}

// makeAgain computes the files that are missing, here or elsewhere.
func (a *attempt) makeAgain(ctx context.Context) error {
	record := a.lease.Execution()
	in, object, err := a.Buckets.Input(record.Source).Open(ctx, record.Source.Object, record.Source.Reads())
	if err != nil {
		return fmt.Errorf("reading the sealed upload again: %w", err)
	}
	defer in.Close()
	if a.isElsewhere() {
		return a.makeElsewhere(ctx, object)
	}
	if a.Limits.tooLarge(object.Size) {
		return errs.New(errs.Unavailable, "execution %s is sealed and its table is too large to be computed here again: %s", a.executionID, pipelineCommand(record.Source))
	}
	input := a.meter(ctx, in)
	_, err = a.compute(ctx, record.Source, input, writerTo(a.output), writerTo(a.changes))
	if changed := a.checkInput(input, err); changed != nil {
		return changed
	}
	if err != nil {
		return fmt.Errorf("computing the sealed files again: %w", err)
	}
	return nil
}

// makeElsewhere puts what is computed elsewhere in the place of the uploads that are open.
func (a *attempt) makeElsewhere(ctx context.Context, object bucket.Object) error {
	made, err := a.Computer.Compute(ctx, a.job(ctx, object))
	for _, upload := range []struct {
		open *bucket.Upload
		made bucket.Upload
	}{{&a.output, made.Output}, {&a.changes, made.Changes}} {
		if upload.made != nil && *upload.open != nil {
			(*upload.open).Abandon()
			*upload.open = upload.made
		}
	}
	if err != nil {
		return fmt.Errorf("computing the sealed files again: %w", err)
	}
	return a.sameInput(made.BLAKE3)
}

// checkInput refuses an input that is not the sealed one. Of one that the engine
// refused, it reads the rest: that may be why.
func (a *attempt) checkInput(input *meter, refused error) error {
	if refused != nil {
		if a.permanent(refused, 0) == nil {
			return nil
		}
		if _, err := io.Copy(io.Discard, input); err != nil {
			return err
		}
	}
	return a.sameInput(input.read.BLAKE3())
}

// sameInput refuses bytes that are not those that were sealed.
func (a *attempt) sameInput(blake3 string) error {
	sealed := a.lease.Execution().Seal.Input
	if blake3 == sealed.BLAKE3 {
		return nil
	}
	return errs.New(errs.Internal, "%s has changed since execution %s was sealed: put the file of %d bytes with the BLAKE3 %s back. Where it is lost, apply the plan to the changed file under another execution id.",
		sealed.Object, a.executionID, sealed.Size, sealed.BLAKE3)
}

// reopen opens an upload for a sealed file, or finds the file where it is there.
func (x *Executor) reopen(ctx context.Context, b bucket.Bucket, file ledger.File) (bucket.Upload, bucket.Object, error) {
	object, err := b.Stat(ctx, file.Object)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		upload, err := b.Create(ctx, file.Object, bucket.CreateOptions{ContentType: contentType(file.Object)})
		return upload, bucket.Object{}, err
	case err != nil:
		return nil, bucket.Object{}, err
	case !hasContent(object, file):
		return nil, bucket.Object{}, otherBytes(file)
	default:
		return nil, object, nil
	}
}

// writerTo is what writes to an upload, where there is one.
func writerTo(upload bucket.Upload) io.Writer {
	if upload == nil {
		return io.Discard
	}
	return upload
}

// matchesSeal reports whether an upload, where there is one, holds what was sealed.
func matchesSeal(upload bucket.Upload, file ledger.File) bool {
	if upload == nil {
		return true
	}
	size, sum := upload.Sum()
	return size == file.Size && sum == file.CRC32C
}

func hasContent(object bucket.Object, file ledger.File) bool {
	return object.Size == file.Size && object.CRC32C == file.CRC32C
}

// publishAudit writes the completed document as the audit file's one line.
func (x *Executor) publishAudit(ctx context.Context, record ledger.Execution, outcome ledger.AuditDocument) error {
	name := AuditName(record.ExecutionID)
	_, err := bucket.Put(ctx, x.Audit, name, bucket.CreateOptions{ContentType: contentType(name)}, bytes.NewReader(outcome.Line()))
	if errs.KindOf(err) == errs.Conflict {
		return otherBytes(ledger.File{Bucket: x.Audit.Name(), Object: name})
	}
	return err
}
