package execution

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"iter"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// finish publishes and records what was sealed. Every step can be repeated by
// anyone: it creates what is not there, or finds it as sealed. Whatever fails
// here is tried again, for ever, and raises the alert.
func (x *Executor) finish(ctx context.Context, d delivery, held *ledger.Held, w *work) error {
	if err := x.publishAndComplete(ctx, d, held, w); err != nil {
		x.Log.ErrorContext(ctx, "a sealed execution could not be finished", "alert", "sealed_not_finished", "cause", err.Error())
		return x.letGo(ctx, d, held, err)
	}
	x.Log.InfoContext(ctx, "completed", "rows_changed", held.Record().Seal.Summary.RowsChanged)
	return nil
}

func (x *Executor) publishAndComplete(ctx context.Context, d delivery, held *ledger.Held, w *work) error {
	if w == nil {
		w = &work{}
		defer w.abandon()
		var err error
		if w.stored, w.plan, err = x.plan(ctx, d.executionID); err != nil {
			return err
		}
	}
	record := held.Record()
	if w.stored.SHA256 != record.Seal.PlanSHA256 {
		return errs.New(errs.Internal, "the stored plan %s is not the one that was sealed", d.executionID)
	}
	changes, err := x.publish(ctx, d, held, w)
	if err != nil {
		return err
	}
	listing, riding, err := x.recordChanges(ctx, d, held, changes)
	if err != nil {
		return err
	}
	outcome := ledger.CompletedDocument(d.executionID, record.Source, *record.Seal, w.stored, w.plan, listing)
	if err := x.publishAudit(ctx, outcome); err != nil {
		return err
	}
	return held.Complete(ctx, outcome, riding)
}

// publish makes the changes file and the output visible, in this order, and
// returns the changes file.
func (x *Executor) publish(ctx context.Context, d delivery, held *ledger.Held, w *work) (changes bucket.Object, err error) {
	seal := held.Record().Seal
	if w.output == nil {
		if changes, err = x.recompute(ctx, d, held, w); err != nil {
			return changes, err
		}
	}
	if w.changes != nil {
		if changes, err = show(w.changes, seal.Changes); err != nil {
			return changes, err
		}
	}
	if w.output != nil {
		if _, err = show(w.output, seal.Output); err != nil {
			return changes, err
		}
	}
	x.Log.InfoContext(ctx, "published")
	return changes, nil
}

// show commits an upload, or finds that its name holds what was sealed.
func show(upload bucket.Upload, file ledger.File) (bucket.Object, error) {
	object, err := bucket.Publish(upload)
	if errs.KindOf(err) == errs.Conflict {
		return object, otherBytes(file)
	}
	return object, err
}

func otherBytes(file ledger.File) error {
	return errs.New(errs.Internal, "%s/%s holds other bytes than were sealed", file.Bucket, file.Object)
}

// recompute runs the engine again for the files that are missing, and returns
// the changes file where it is not. Only the sealed bytes may come of it: an
// engine that computes others leaves the execution to the build that sealed it.
func (x *Executor) recompute(ctx context.Context, d delivery, held *ledger.Held, w *work) (changes bucket.Object, err error) {
	record := held.Record()
	if w.changes, changes, err = x.reopen(ctx, record.Seal.Changes); err != nil {
		return changes, err
	}
	if w.output, _, err = x.reopen(ctx, record.Seal.Output); err != nil {
		return changes, err
	}
	if w.changes == nil && w.output == nil {
		return changes, nil
	}
	in, _, err := x.Inbox.Open(ctx, record.Source.Object, record.Source.Generation)
	if err != nil {
		return changes, fmt.Errorf("reading the sealed upload again: %w", err)
	}
	defer in.Close()
	if _, err := x.Engine.Run(ctx, w.plan, record.Source.Settings, x.meter(ctx, d, held, in), into(w.output), into(w.changes)); err != nil {
		return changes, fmt.Errorf("computing the sealed files again: %w", err)
	}
	if !sealed(w.output, record.Seal.Output) || !sealed(w.changes, record.Seal.Changes) {
		return changes, errs.New(errs.Internal, "engine build %s computes other bytes than build %s sealed; that build must finish execution %s",
			x.Engine.Build(), record.Seal.EngineBuild, d.executionID)
	}
	return changes, nil
}

// reopen opens an upload for a sealed file, or finds the file where it is there.
func (x *Executor) reopen(ctx context.Context, file ledger.File) (bucket.Upload, bucket.Object, error) {
	b := x.bucketOf(file)
	object, err := b.Stat(ctx, file.Object)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		upload, err := b.Create(ctx, file.Object, bucket.CreateOptions{ContentType: contentType(file.Object)})
		return upload, bucket.Object{}, err
	case err != nil:
		return nil, bucket.Object{}, err
	case !holds(object, file):
		return nil, bucket.Object{}, otherBytes(file)
	default:
		return nil, object, nil
	}
}

// into writes to an upload, where there is one.
func into(upload bucket.Upload) io.Writer {
	if upload == nil {
		return io.Discard
	}
	return upload
}

// sealed reports whether an upload, where there is one, holds what was sealed.
func sealed(upload bucket.Upload, file ledger.File) bool {
	return upload == nil || sealedFile(file.Bucket, file.Object, upload) == file
}

func holds(object bucket.Object, file ledger.File) bool {
	return object.Size == file.Size && object.CRC32C == file.CRC32C
}

// recordChanges reads the changes file back into change documents. A single
// one rides in the completing commit; more are stored before it.
func (x *Executor) recordChanges(ctx context.Context, d delivery, held *ledger.Held, changes bucket.Object) (ledger.Listing, []ledger.ChangeDocument, error) {
	var listing ledger.Listing
	seal := held.Record().Seal
	file, _, err := x.Audit.Open(ctx, changes.Name, changes.Generation)
	if err != nil {
		return listing, nil, err
	}
	defer file.Close()
	hash := sha256.New()
	lines := listing.Listed(ledger.ReadChanges(io.TeeReader(file, hash)))
	if x.ChangesInFileOnly {
		for _, err := range lines {
			if err != nil || listing.Truncated {
				return listing, nil, err
			}
		}
		return listing, nil, nil
	}
	documents := x.renewing(ctx, d, held, ledger.Documents(d.executionID, seal.ExecutedAt, lines))
	riding, err := x.putChanges(ctx, d.executionID, documents)
	if err != nil {
		return listing, nil, err
	}
	if hex.EncodeToString(hash.Sum(nil)) != seal.ChangesSHA256 {
		return listing, nil, errs.New(errs.Internal, "the changes file of execution %s does not have the sealed hash", d.executionID)
	}
	return listing, riding, nil
}

// putChanges stores the documents, unless there is only one: that is returned.
func (x *Executor) putChanges(ctx context.Context, executionID string, documents iter.Seq2[ledger.ChangeDocument, error]) ([]ledger.ChangeDocument, error) {
	next, stop := iter.Pull2(documents)
	defer stop()
	first, err, more := next()
	if err != nil || !more {
		return nil, err
	}
	second, err, more := next()
	if err != nil {
		return nil, err
	}
	if !more {
		return []ledger.ChangeDocument{first}, nil
	}
	return nil, x.Ledger.PutChanges(ctx, executionID, func(yield func(ledger.ChangeDocument, error) bool) {
		if !yield(first, nil) || !yield(second, nil) {
			return
		}
		for {
			document, err, more := next()
			if !more || !yield(document, err) {
				return
			}
		}
	})
}

// renewing renews the lease while documents move.
func (x *Executor) renewing(ctx context.Context, d delivery, held *ledger.Held, documents iter.Seq2[ledger.ChangeDocument, error]) iter.Seq2[ledger.ChangeDocument, error] {
	return func(yield func(ledger.ChangeDocument, error) bool) {
		renewAt := x.now().Add(x.Limits.Lease / 3)
		for document, err := range documents {
			if err == nil && !x.now().Before(renewAt) {
				renewAt = x.now().Add(x.Limits.Lease / 3)
				err = x.renew(ctx, d, held)
			}
			if !yield(document, err) {
				return
			}
		}
	}
}

// publishAudit writes the completed document as the audit file's one line.
func (x *Executor) publishAudit(ctx context.Context, outcome ledger.AuditDocument) error {
	name := x.Names.Audit(outcome.ExecutionID)
	upload, err := x.Audit.Create(ctx, name, bucket.CreateOptions{ContentType: contentType(name)})
	if err != nil {
		return err
	}
	defer upload.Abandon()
	if _, err := upload.Write(outcome.Line()); err != nil {
		return err
	}
	_, err = show(upload, sealedFile(x.Audit.Name(), name, upload))
	return err
}
