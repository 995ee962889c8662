package execution

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

// attempt is a delivery at work on an execution that it holds.
type attempt struct {
	*Executor
	delivery
	lease *ledger.Lease
	plan  plans.Stored // zero until it has been read
	// undone is the execution that the plan undoes, as it was read; nil where it undoes none.
	undone *ledger.Execution
	// held are the settings by which the table is read where a column was found by what
	// stands in it; nil: none was.
	held *table.Settings
	// What was written and is not visible yet; nil where there is nothing to be shown.
	output, changes bucket.Upload
}

func (a *attempt) abandon() {
	for _, upload := range []bucket.Upload{a.changes, a.output} {
		if upload != nil {
			upload.Abandon()
		}
	}
}

// run applies the plan to the upload and seals what came of it and finishes,
// or proposes it where it has no leave. What is sealed is finished. The notices that
// the record owes are written before anything else is done under it, and its next
// change takes note of them.
func (a *attempt) run(ctx context.Context) error {
	defer a.abandon()
	record := a.lease.Execution()
	if err := a.notifyOwed(ctx, record); err != nil {
		return a.release(ctx, err)
	}
	a.lease.Notified()
	if record.Seal == nil {
		seal, err := a.apply(ctx)
		if err != nil {
			return a.endUnsealed(ctx, err)
		}
		if sealed, err := a.seal(ctx, seal); !sealed {
			return err
		}
	}
	return a.finish(ctx)
}

// maxSeals is how often an undo tries to seal beside an execution that changes.
const maxSeals = 3

// seal fixes what will have been done, where it has leave, and says whether it
// is fixed. The record, and of an undo the execution that is undone, may have
// changed since they were read: both are looked at again then.
func (a *attempt) seal(ctx context.Context, seal ledger.Seal) (sealed bool, err error) {
	for tries := 1; ; tries++ {
		proposal := a.newProposal(seal)
		if !hasLeave(a.lease.Execution(), proposal) {
			return false, a.propose(ctx, proposal)
		}
		if err = a.lease.Seal(ctx, seal, a.undone); err == nil {
			a.Log.InfoContext(ctx, "sealed", "attempt", seal.Attempt, "rows_total", seal.Summary.RowsTotal,
				"rows_changed", seal.Summary.RowsChanged, "output_bytes", seal.Output.Size)
			return true, nil
		}
		if a.undone != nil && errs.KindOf(err) == errs.Stale && tries < maxSeals {
			err = a.readUndone(ctx)
		}
		if err != nil {
			return false, a.endUnsealed(ctx, fmt.Errorf("sealing: %w", err))
		}
	}
}

// apply has the table computed, of which nothing is visible yet. All that can
// be refused is refused here.
func (a *attempt) apply(ctx context.Context) (ledger.Seal, error) {
	if err := a.readPlan(ctx); err != nil {
		return ledger.Seal{}, err
	}
	if a.refused != nil {
		return ledger.Seal{}, a.refused
	}
	if err := a.plan.Plan.CheckForShop(); a.source.Shop != nil && err != nil {
		return ledger.Seal{}, refuse("not_for_a_shop", "%s", errs.Message(err))
	}
	if err := a.readUndone(ctx); err != nil {
		return ledger.Seal{}, err
	}
	if a.undone != nil {
		if _, err := undoSettings(a.source.Settings, a.undone); err != nil {
			return ledger.Seal{}, refuse("other_settings", "%s", errs.Message(table.On(err, a.Surface)))
		}
	}
	executedAt := a.now()
	made, err := a.make(ctx)
	if a.guessColumns(err) {
		a.abandon()
		var wrong error
		if made, wrong = a.make(ctx); wrong == nil || a.permanent(wrong, 0) == nil {
			err = wrong // else it is asked what was not known
		}
	}
	if err != nil {
		return ledger.Seal{}, err
	}
	seal := a.newSeal(made, executedAt)
	if err := checkChanges(seal); err != nil {
		return ledger.Seal{}, err
	}
	return seal, a.checkNames(ctx, seal)
}

// guessColumns takes the columns in which the plan's names stand for those that a table was
// refused for, where these are one each: nobody can be asked who drops a file, so that
// what comes of it is proposed.
func (a *attempt) guessColumns(refused error) bool {
	input, is := errors.AsType[*table.InputError](refused)
	if !is || input.Holding == (setting.Columns{}) || !a.guesses || a.undone != nil {
		return false
	}
	settings := a.source.Settings
	settings.Columns = input.Holding
	a.held = &settings
	return true
}

// as is a source with the settings by which this attempt reads it.
func (a *attempt) as(source ledger.Source) ledger.Source {
	if a.held != nil {
		source.Settings = *a.held
	}
	return source
}

// make reads the upload and computes what the plan makes of it, here or elsewhere.
func (a *attempt) make(ctx context.Context) (made Result, err error) {
	defer func() { a.output, a.changes = made.Output, made.Changes }() // also after an error
	in, object, err := a.Buckets.Input(a.source).Open(ctx, a.source.Object, a.source.Reads())
	if errs.KindOf(err) == errs.NotFound {
		return Result{}, refuse("generation_gone", "The uploaded file was deleted before it could be read. Drop it again.")
	} else if err != nil {
		return Result{}, err
	}
	defer in.Close()
	if a.isElsewhere() {
		return a.Computer.Compute(ctx, a.job(ctx, object))
	}
	if err := a.checkTable(object.Size); err != nil {
		return Result{}, err
	}
	return a.stream(ctx, in)
}

// stream sends the upload through the engine into two uploads.
func (a *attempt) stream(ctx context.Context, in io.Reader) (made Result, err error) {
	if made.Output, err = a.Outbox.Create(ctx, OutputName(a.executionID, a.file), bucket.CreateOptions{ContentType: contentType(a.file)}); err != nil {
		return made, err
	}
	if made.Changes, err = a.Audit.Create(ctx, ChangesName(a.executionID), bucket.CreateOptions{ContentType: LinesType}); err != nil {
		return made, err
	}
	input := a.meter(ctx, in)
	input.stopAt = a.stopAt()
	hash := sha256.New()
	made.Summary, err = a.compute(ctx, a.source, input, made.Output, made.Changes, hash)
	if _, refused := errors.AsType[*table.InputError](err); refused {
		// A title may have been misread: whether the bytes are the upload's is told at their end.
		if _, failed := io.Copy(io.Discard, input); failed != nil {
			err = failed
		}
	}
	made.Input, made.BLAKE3 = input.read.Digest, input.read.BLAKE3()
	made.ChangesSHA256 = hex.EncodeToString(hash.Sum(nil))
	return made, err
}

// compute runs the engine, which reads the changes of the execution that the
// plan undoes where it undoes one.
func (a *attempt) compute(ctx context.Context, source ledger.Source, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	sealed := a.lease.Execution().Seal
	task, err := a.Buckets.NewTask(ctx, a.plan.Plan, a.as(source), sealed, a.undone)
	if err != nil {
		return pricing.Summary{}, err
	}
	defer task.Close()
	if task.undo != nil {
		task.undo.meter = func(in io.Reader) io.Reader {
			m := a.meter(ctx, in)
			if sealed == nil {
				m.stopAt = a.stopAt()
			}
			return m
		}
	}
	return a.Engine.Run(ctx, task, in, out, changes...)
}

// readUndone reads the execution that the plan undoes, and refuses what cannot be undone.
func (a *attempt) readUndone(ctx context.Context) error {
	undo := a.plan.Plan.Undo
	if undo == nil {
		return nil
	}
	record, err := a.Ledger.Execution(ctx, undo.ExecutionID)
	if err != nil && errs.KindOf(err) != errs.NotFound {
		return err
	}
	record.ExecutionID = undo.ExecutionID // also of one that is not found
	failure := lineage.Refuse(ctx, a.Ledger, record, a.executionID)
	if sealed := a.lease.Execution().Seal != nil; failure != nil && !(sealed && failure.Code == ledger.CodeUndoneAlready) {
		return &refusal{*failure} // what is sealed was undone by this one, and by others since
	}
	if record.Seal.Changes.SHA256 != undo.ChangesSHA256 {
		return refuse("other_changes", "The plan undoes changes with the hash %s; those of execution %s have %s.", undo.ChangesSHA256, undo.ExecutionID, record.Seal.Changes.SHA256)
	}
	a.undone = &record
	return nil
}

// readPlan reads the plan after the claim, so that no plan is missed that was
// stored before the upload.
func (a *attempt) readPlan(ctx context.Context) error {
	var err error
	a.plan, err = plans.Load(ctx, a.Ledger, a.executionID)
	switch {
	case errs.KindOf(err) != errs.NotFound:
		return err
	case a.age(a.source.UploadedAt) < a.Limits.PlanWait:
		return errs.Wrap(errs.Unavailable, err, "There is no plan with the id %s yet: the table waits for one. If it was dropped into a folder of a wrong name, drop it into the right one.", a.executionID)
	default:
		return refuse(ledger.CodePlanMissing, "There is no plan with the id %s.", a.executionID)
	}
}

func (a *attempt) newSeal(made Result, executedAt time.Time) ledger.Seal {
	record := a.lease.Execution()
	policy := a.Policy
	if a.isApprovedRevert(record.Source, made.Summary.Counts) {
		policy = ledger.Policy{}
	}
	return ledger.Seal{
		Result:         a.result(record, made),
		Explanation:    a.plan.Explanation(),
		ExecutedAt:     executedAt,
		Attempt:        record.Attempt,
		EngineBuild:    a.Engine.Build(),
		PreviousSHA256: record.AuditHead,
		Policy:         policy,
	}
}

// result is what the plan makes of the source.
func (a *attempt) result(record ledger.Execution, made Result) ledger.Result {
	source := a.as(record.Source)
	result := ledger.Result{
		PlanSHA256: a.plan.SHA256, PlanRecordSHA256: a.plan.RecordSHA256(), UploadedBy: source.UploadedBy, Shop: source.FetchedFrom(), Settings: source.Settings,
		Input: ledger.File{
			Bucket: source.Bucket, Object: source.Object, Generation: source.Generation,
			Size: made.Input.Size, CRC32C: made.Input.CRC32C, BLAKE3: made.BLAKE3,
		},
		Output:  sealedFile(a.Outbox.Name(), OutputName(a.executionID, a.file), a.output),
		Changes: sealedFile(a.Audit.Name(), ChangesName(a.executionID), a.changes),
	}
	result.Changes.SHA256 = made.ChangesSHA256
	result.Did(made.Summary)
	if a.undone != nil {
		result.Settings, _ = undoSettings(source.Settings, a.undone) // apply has refused others
	}
	return result
}

func sealedFile(bucketName, object string, upload bucket.Upload) ledger.File {
	size, sum := upload.Sum()
	return ledger.File{Bucket: bucketName, Object: object, Size: size, CRC32C: sum}
}

// checkNames refuses to seal what could not be published: a name that holds
// other bytes already.
func (a *attempt) checkNames(ctx context.Context, seal ledger.Seal) error {
	audit := ledger.File{Bucket: a.Audit.Name(), Object: AuditName(a.executionID), Size: -1} // holds its own time: never equal
	return cmp.Or(a.checkName(ctx, a.Audit, seal.Changes), a.checkName(ctx, a.Outbox, seal.Output), a.checkName(ctx, a.Audit, audit))
}

func (a *attempt) checkName(ctx context.Context, in bucket.Bucket, file ledger.File) error {
	object, err := in.Stat(ctx, file.Object)
	switch {
	case errs.KindOf(err) == errs.NotFound, err == nil && hasContent(object, file):
		return nil
	case err != nil:
		return err
	default:
		return refuse("name_taken", "%s exists already with other content, and nothing is ever overwritten. Store the plan under another execution id and upload the table there.", file)
	}
}
