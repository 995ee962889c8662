package execution

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/plans"
)

// attempt is a delivery at work on an execution that it holds.
type attempt struct {
	*Executor
	delivery
	lease *ledger.Lease
	plan  plans.Stored // zero until it has been read
	// undone is the execution that the plan undoes, as it was read; nil where it undoes none.
	undone *ledger.Execution
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
func (a *attempt) run(ctx context.Context, record ledger.Execution) error {
	defer a.abandon()
	if len(record.Unwritten()) > 0 {
		if err := a.notifyOwed(ctx, record); err != nil {
			return a.release(ctx, err)
		}
		a.lease.Notified()
	}
	if record.Seal == nil {
		made, executedAt, err := a.apply(ctx)
		if err != nil {
			return a.endUnsealed(ctx, err)
		}
		if sealed, err := a.seal(ctx, made, executedAt); !sealed {
			return err
		}
	}
	return a.finish(ctx)
}

// apply reads the plan and has the table computed, of which nothing is visible yet. It
// refuses what cannot be done with this plan and this upload.
func (a *attempt) apply(ctx context.Context) (made Result, executedAt time.Time, err error) {
	if err := a.readPlan(ctx); err != nil {
		return made, executedAt, err
	}
	if a.refused != nil {
		return made, executedAt, a.refused
	}
	if err := a.plan.Plan.CheckForShop(); a.source.Shop != nil && err != nil {
		return made, executedAt, refuse("not_for_a_shop", "%s", errs.Message(err))
	}
	if a.plan.Plan.Undo != nil {
		if err := a.checkUndo(ctx); err != nil {
			return made, executedAt, err
		}
	}
	executedAt = a.now()
	made, err = a.make(ctx)
	if err != nil {
		made, err = a.guessColumns(ctx, err)
	}
	return made, executedAt, err
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

// maxSeals is how often an undo tries to seal beside an execution that changes.
const maxSeals = 3

// seal fixes what will have been done, where it has leave, and says whether it
// is fixed. The record, and of an undo the execution that is undone, may have
// changed since they were read: both are looked at again then.
func (a *attempt) seal(ctx context.Context, made Result, executedAt time.Time) (sealed bool, err error) {
	record := a.lease.Execution()
	seal := a.newSeal(record, made, executedAt)
	if err = checkChanges(seal); err == nil {
		err = a.checkNames(ctx, seal)
	}
	if err != nil {
		return false, a.endUnsealed(ctx, err)
	}
	for tries := 1; ; tries++ {
		proposal := a.newProposal(record, seal)
		if !hasLeave(record, proposal) {
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
		record = a.lease.Execution()
	}
}

func (a *attempt) newSeal(record ledger.Execution, made Result, executedAt time.Time) ledger.Seal {
	policy := a.Policy
	if a.undone != nil && a.isApprovedRevert(record.Source, made.Summary.Counts) {
		policy = ledger.Policy{}
	}
	return ledger.Seal{
		Result:         a.result(made),
		Explanation:    a.plan.Explanation(),
		ExecutedAt:     executedAt,
		Attempt:        record.Attempt,
		EngineBuild:    a.Engine.Build(),
		PreviousSHA256: record.AuditHead,
		Policy:         policy,
	}
}

// result is what the plan makes of the upload, by the settings that it was read with.
func (a *attempt) result(made Result) ledger.Result {
	source := a.source
	result := ledger.Result{
		PlanSHA256: a.plan.SHA256, PlanRecordSHA256: a.plan.RecordSHA256(),
		UploadedBy: source.UploadedBy, Shop: source.FetchedFrom(), Settings: source.Settings,
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

// OutputName is what the changed table is called, in the outbox: file is the last
// segment of the upload's name. It stands in the seal, as that of the changes does:
// every delivery that finishes an execution writes the same ones.
func OutputName(executionID, file string) string { return executionID + "/" + file }

// ChangesName is what the list of changed rows is called, in the audit bucket.
func ChangesName(executionID string) string { return "changes/" + executionID + ".jsonl" }

// AuditName is what the completed audit document is called, in the audit bucket.
func AuditName(executionID string) string { return "executions/" + executionID + ".jsonl" }

// checkChanges refuses to seal more changes than there are names of documents
// for. Of two documents that follow each other, the first has as many changes
// as it may, or both together have more bytes than one may.
func checkChanges(seal ledger.Seal) error {
	rows := seal.Summary.RowsChanged
	if rows/changelog.MaxDocumentChanges+2*seal.Changes.Size/changelog.MaxDocumentBytes < changelog.MaxDocuments {
		return nil
	}
	return refuse("too_many_changes",
		"The plan changes %d rows of this file, more than can be recorded of one execution. %s",
		rows, smallerAdvice)
}

// checkNames refuses to seal what could not be published: a name that holds
// other bytes already.
func (a *attempt) checkNames(ctx context.Context, seal ledger.Seal) error {
	// holds its own time: never equal
	audit := ledger.File{Bucket: a.Audit.Name(), Object: AuditName(a.executionID), Size: -1}
	return cmp.Or(
		a.checkName(ctx, a.Audit, seal.Changes),
		a.checkName(ctx, a.Outbox, seal.Output),
		a.checkName(ctx, a.Audit, audit),
	)
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

// proposalLife is how long a proposal waits for an approval that is due.
const proposalLife = 30 * 24 * time.Hour

// newProposal is what this attempt would seal, and what it needs for that.
func (a *attempt) newProposal(record ledger.Execution, seal ledger.Seal) ledger.Proposal {
	reasons := record.Reasons(seal, a.plan)
	if before := record.Proposal; len(reasons) == 0 && before != nil {
		reasons = before.Reasons // a policy that was loosened meanwhile loosens no proposal
	}
	proposal := ledger.Proposal{
		Seal: seal, ProposalSHA256: seal.Result.SHA256(), ApprovalDue: len(reasons) > 0, Reasons: reasons,
		ApplyAt: a.plan.Plan.ApplyTime(), ExpiresAt: seal.ExecutedAt.Add(proposalLife),
	}
	if revert := a.plan.Plan.RevertTime(); !revert.IsZero() && revert.Before(proposal.ExpiresAt) {
		proposal.ExpiresAt = revert
	}
	return proposal
}

// hasLeave reports whether a result may be sealed: where one is proposed it is
// this very one, where an approval is due it is of this very one, and its time has come.
// A table that was fetched from a shop before that time is fetched again first.
func hasLeave(record ledger.Execution, result ledger.Proposal) bool {
	switch {
	case record.Proposal != nil && record.Proposal.ProposalSHA256 != result.ProposalSHA256:
		return false
	case result.ApprovalDue &&
		(record.Approval == nil || record.Approval.ProposalSHA256 != result.ProposalSHA256):
		return false
	default:
		return !result.ApplyAt.After(result.ExecutedAt) && !record.Source.FetchedBefore(result.ApplyAt)
	}
}
