package execution

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// work is an attempt that has been applied: its plan, the two files it has
// written and not yet shown, and what they are to be sealed as.
type work struct {
	stored  ledger.PlanRecord
	plan    *plan.Plan
	output  bucket.Upload
	changes bucket.Upload
	seal    ledger.Seal
}

func (w *work) abandon() {
	for _, upload := range []bucket.Upload{w.changes, w.output} {
		if upload != nil {
			upload.Abandon()
		}
	}
}

// attempt applies the plan to the upload, seals what came of it and finishes.
func (x *Executor) attempt(ctx context.Context, d delivery, held *ledger.Held) error {
	w := &work{}
	defer w.abandon()
	if err := x.apply(ctx, d, held, w); err != nil {
		return x.giveUp(ctx, d, held, w, err)
	}
	if err := held.Seal(ctx, w.seal); err != nil {
		w.abandon()
		return x.letGo(ctx, d, held, fmt.Errorf("sealing: %w", err))
	}
	x.Log.InfoContext(ctx, "sealed", "attempt", w.seal.Attempt, "rows_total", w.seal.Summary.RowsTotal,
		"rows_changed", w.seal.Summary.RowsChanged, "output_bytes", w.seal.Output.Size)
	return x.finish(ctx, d, held, w)
}

// apply streams the upload through the engine into two uploads that nobody
// sees yet. All that can be refused is refused here.
func (x *Executor) apply(ctx context.Context, d delivery, held *ledger.Held, w *work) error {
	if err := x.readPlan(ctx, d, w); err != nil {
		return err
	}
	if d.refused != nil {
		return d.refused
	}
	in, _, err := x.Inbox.Open(ctx, d.source.Object, d.source.Generation)
	if errs.KindOf(err) == errs.NotFound {
		return refuse("generation_gone", "The uploaded file was deleted before it could be read. Drop it again.")
	} else if err != nil {
		return err
	}
	defer in.Close()
	if w.output, err = x.Outbox.Create(ctx, x.Names.Output(d.executionID, d.file), bucket.CreateOptions{ContentType: contentType(d.file)}); err != nil {
		return err
	}
	if w.changes, err = x.Audit.Create(ctx, x.Names.Changes(d.executionID), bucket.CreateOptions{ContentType: linesType}); err != nil {
		return err
	}
	executedAt := x.now()
	input := x.meter(ctx, d, held, in)
	input.stopAt = d.stopAt(x.Limits.Margin)
	hash := sha256.New()
	summary, err := x.Engine.Run(ctx, w.plan, d.source.Settings, input, w.output, w.changes, hash)
	if err != nil {
		return err
	}
	w.seal = x.newSeal(d, held.Record(), w, summary, executedAt)
	w.seal.Input = input.file()
	w.seal.ChangesSHA256 = hex.EncodeToString(hash.Sum(nil))
	return x.checkNames(ctx, d, w.seal)
}

// readPlan reads the plan after the claim, so that no plan is missed that was
// stored before the upload.
func (x *Executor) readPlan(ctx context.Context, d delivery, w *work) error {
	var err error
	w.stored, w.plan, err = x.plan(ctx, d.executionID)
	switch {
	case errs.KindOf(err) != errs.NotFound:
		return err
	case x.now().Sub(d.source.UploadedAt) < x.Limits.PlanWait:
		return errs.Wrap(errs.Unavailable, err, "execution %s has no plan yet; the table waits for it", d.executionID)
	default:
		return refuse("plan_missing", "There is no plan with the id %s. Make the plan first, then drop the file again.", d.executionID)
	}
}

func (x *Executor) newSeal(d delivery, record ledger.Execution, w *work, summary pricing.Summary, executedAt time.Time) ledger.Seal {
	return ledger.Seal{
		PlanSHA256:     w.stored.SHA256,
		Output:         sealedFile(x.Outbox.Name(), x.Names.Output(d.executionID, d.file), w.output),
		Changes:        sealedFile(x.Audit.Name(), x.Names.Changes(d.executionID), w.changes),
		Summary:        ledger.NewSummary(summary),
		Explanation:    ledger.Explanation(w.plan),
		ExecutedAt:     executedAt,
		Attempt:        record.Attempt,
		EngineBuild:    x.Engine.Build(),
		PreviousSHA256: record.AuditHead,
	}
}

func sealedFile(bucketName, object string, upload bucket.Upload) ledger.File {
	size, sum := upload.Sum()
	return ledger.File{Bucket: bucketName, Object: object, Size: size, CRC32C: sum}
}

// checkNames refuses to seal what could not be published: a name that holds
// other bytes already.
func (x *Executor) checkNames(ctx context.Context, d delivery, seal ledger.Seal) error {
	audit := ledger.File{Bucket: x.Audit.Name(), Object: x.Names.Audit(d.executionID), Size: -1} // holds its own time: never equal
	for _, file := range []ledger.File{seal.Output, seal.Changes, audit} {
		object, err := x.bucketOf(file).Stat(ctx, file.Object)
		switch {
		case errs.KindOf(err) == errs.NotFound, err == nil && holds(object, file):
		case err != nil:
			return err
		default:
			return refuse("name_taken", "%s/%s exists already with other content, and nothing is ever overwritten. Move it away, or use another execution id.", file.Bucket, file.Object)
		}
	}
	return nil
}

func (x *Executor) bucketOf(file ledger.File) bucket.Bucket {
	if file.Bucket == x.Outbox.Name() {
		return x.Outbox
	}
	return x.Audit
}
