package execution

import (
	"context"
	"fmt"
	"io"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

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
		return changes, errs.New(errs.Internal,
			"engine build %s computes other bytes than build %s sealed; that build must finish execution %s",
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
		return errs.New(errs.Unavailable,
			"execution %s is sealed and its table is too large to be computed here again: %s",
			a.executionID, pipelineCommand(record.Source))
	}
	input := a.meter(ctx, in)
	_, err = a.compute(ctx, record.Source, record.Seal, input, writerTo(a.output), writerTo(a.changes))
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
func (x *Executor) reopen(
	ctx context.Context, b bucket.Bucket, file ledger.File,
) (bucket.Upload, bucket.Object, error) {
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
