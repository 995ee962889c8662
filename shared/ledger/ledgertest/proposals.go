package ledgertest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/test/expect"
)

// proposalTests are the lines of the claim table for what is proposed, and
// the decisions of people about it.
var proposalTests = []test{
	{"what may not be applied is proposed, and its notice owed", proposes},
	{"without its leave it waits", claimWaiting},
	{"with its leave it is granted, and keeps proposal and approval until the seal", claimLeave},
	{"its time is awaited, and needs no approval", claimTime},
	{"an approval that comes too late finds it expired", claimExpiredProposal},
	{"a newer upload takes its place", claimSuperseding},
	{"an older upload is skipped", claimSuperseded},
	{"a proposal that is approved gives way to no other", claimApprovedStands},
	{"a table that was dropped is newer than an output", claimDroppedIsNewer},
	{"an attempt that ended in the middle goes on with it", claimRunningProposal},
	{"an approval is of exactly what is proposed", approvals},
	{"what was edited since it was computed is not approved", approvesNothingEdited},
	{"a rejection ends it as long as nothing is sealed", rejections},
	{"who asked takes it back, and nobody else does", withdrawals},
	{"a decision after another's names who decided and when", decidedBefore},
	{"who asked reminds the approvers, once an hour", reminders},
	{"a holder whose execution was rejected changes nothing", rejectionFences},
	{"another result makes the approval void", voiding},
	{"what is to be proposed only needs an approval", proposeOnly},
	{"a decision that comes too early or too late changes nothing", decisionsRefused},
}

// dueProposal needs an approval until tomorrow.
func dueProposal() ledger.Proposal {
	return proposalOf(realPlan(), pricing.Summary{}, 24*time.Hour)
}

// proposalOf needs an approval of what a run did, until a time after noon.
func proposalOf(plan plans.Record, did pricing.Summary, life time.Duration) ledger.Proposal {
	of := source(1)
	result := ledger.Result{
		PlanSHA256: plan.SHA256, PlanRecordSHA256: plan.RecordSHA256(), Settings: of.Settings,
		Input: ledger.File{Bucket: of.Bucket, Object: of.Object, Generation: of.Generation},
	}
	result.Did(did)
	return ledger.Proposal{
		Seal: ledger.Seal{Result: result, ExecutedAt: noon}, ProposalSHA256: result.SHA256(),
		ApprovalDue: true, ExpiresAt: noon.Add(life),
	}
}

// owes are the uploads whose objects a record owes.
func owes(e ledger.Execution) (uploads []ledger.Upload) {
	for _, owed := range e.Unwritten() {
		uploads = append(uploads, *owed.Upload)
	}
	return uploads
}

// mark is the hash of what is proposed of the first upload.
var mark = dueProposal().ProposalSHA256

func realPlan() plans.Record {
	return plans.New(&plan.Plan{
		ExecutionID:       executionID,
		CreatedAt:         "2026-03-01T10:00:00Z",
		SourceInstruction: "Increase all prices by 10%.",
		Operations: []plan.Operation{{
			OperationID: "op_01",
			Action:      plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
		}},
	}).Record
}

// propose stores a plan and has an upload proposed for it.
func propose(t *testing.T, store ledger.Store, generation int64, proposal ledger.Proposal) ledger.Execution {
	t.Helper()
	expect.NoError(t, store.CreatePlan(t.Context(), realPlan()))
	expect.NoError(t, hold(t, store, delivery("proposer", generation, 0)).Propose(
		t.Context(), noon, proposal,
	))
	return read(t, store, executionID)
}

func approve(t *testing.T, store ledger.Store, after time.Duration) ledger.Execution {
	t.Helper()
	return expect.Result(ledger.Approve(t.Context(), store, executionID,
		ledger.Approval{ProposalSHA256: mark, By: "ann", At: noon.Add(after)}))(t)
}

func tryApprove(t *testing.T, store ledger.Store, sha256 string, after time.Duration) error {
	return expect.ErrorOf(ledger.Approve(t.Context(), store, executionID,
		ledger.Approval{ProposalSHA256: sha256, At: noon.Add(after)}))
}

func proposes(t *testing.T, store ledger.Store) {
	expect.NoError(t, store.CreatePlan(t.Context(), realPlan()))
	lease := hold(t, store, delivery("first", 1, 0))
	expect.NoError(t, lease.TimedOut(t.Context(), noon, 100))
	lease = hold(t, store, delivery("second", 1, 0))
	expect.NoError(t, lease.Propose(t.Context(), noon, dueProposal()))
	got := read(t, store, executionID)
	if got.Status != ledger.Proposed || got.Timeouts != 0 || !got.LeaseUntil.IsZero() ||
		!got.DueAt.Equal(noon.Truncate(time.Microsecond)) {
		t.Errorf("the record: %+v", got)
	}
	expect.Equal(t, "what is owed", []ledger.Upload{source(1).Upload}, owes(got))
	expect.Equal(t, "the proposal", mark, got.Proposal.ProposalSHA256)
	discharged := expect.Result(ledger.Discharge(t.Context(), store, got, noon))(t)
	expect.ErrorIf(t, len(owes(discharged)) != 0 || !discharged.DueAt.Equal(got.Proposal.ExpiresAt),
		"once its notice is there: %+v", discharged)
}

func claimWaiting(t *testing.T, store ledger.Store) {
	propose(t, store, 1, dueProposal())
	claim := wantRefused(t, store, delivery("again", 1, time.Hour), ledger.Waiting)
	expect.ErrorIf(t, claim.Execution.Proposal == nil, "the answer holds no proposal")
}

func claimLeave(t *testing.T, store ledger.Store) {
	propose(t, store, 1, dueProposal())
	approved := approve(t, store, time.Hour)
	expect.Equal(t, "when it is due", approved.Approval.At, approved.DueAt)
	// an approved proposal does not expire
	lease := hold(t, store, delivery("again", 1, 48*time.Hour))
	expect.NoError(t, lease.Renew(t.Context(), noon.Add(72*time.Hour), 1)) // nobody has been told yet
	got := lease.Execution()
	if got.Status != ledger.Running || got.Attempt != 2 || got.Proposal == nil || got.Approval == nil ||
		len(owes(got)) != 1 {
		t.Errorf("the record while it runs: %+v", got)
	}
	lease.Notified()
	expect.NoError(t, lease.Seal(t.Context(), *fullSeal(), nil))
	got = read(t, store, executionID)
	if got.Proposal != nil || got.Approval == nil || len(owes(got)) != 0 {
		t.Errorf("the record once it is sealed: %+v", got)
	}
}

func claimTime(t *testing.T, store ledger.Store) {
	proposal := dueProposal()
	proposal.ApprovalDue, proposal.ApplyAt = false, noon.Add(48*time.Hour).Truncate(time.Microsecond)
	record := propose(t, store, 1, proposal)
	record = expect.Result(ledger.Discharge(t.Context(), store, record, noon))(t)
	expect.ErrorIf(t, !record.DueAt.Equal(proposal.ApplyAt), "due at %s, want %s",
		record.DueAt, proposal.ApplyAt)
	wantRefused(t, store, delivery("early", 1, 48*time.Hour-time.Microsecond), ledger.Waiting)
	hold(t, store, delivery("on time", 1, 48*time.Hour))
}

func claimExpiredProposal(t *testing.T, store ledger.Store) {
	propose(t, store, 1, dueProposal())
	wantRefused(t, store, delivery("just before", 1, 24*time.Hour-time.Microsecond), ledger.Waiting)
	claim := wantRefused(t, store, delivery("late", 1, 24*time.Hour), ledger.Expired)
	wantKind(t, tryApprove(t, store, mark, 24*time.Hour), errs.Conflict)
	failed := expect.Result(ledger.Expire(t.Context(), store, *claim.Execution,
		ledger.Failure{Code: "expired"}, outcome(executionID, 1, ledger.Failed, noon)))(t)
	if failed.Status != ledger.Failed || failed.Proposal != nil || len(owes(failed)) != 1 ||
		failed.DueAt.IsZero() {
		t.Errorf("the record: %+v", failed)
	}
	wantKind(t, expect.ErrorOf(ledger.Expire(t.Context(), store, *claim.Execution,
		ledger.Failure{}, outcome(executionID, 9, ledger.Failed, noon))), errs.Stale)
}

func claimSuperseding(t *testing.T, store ledger.Store) {
	propose(t, store, 1, dueProposal())
	expect.NoError(t, expect.ErrorOf(ledger.ProposeOnly(t.Context(), store, executionID, "cat", noon)))
	claim := decided(t, store, delivery("newer", 2, 0), ledger.Granted)
	got := claim.Lease.Execution()
	expect.ErrorIf(t, got.Source.Generation != 2 || got.Source.ProposeOnly || got.Proposal != nil ||
		got.Attempt != 2, "the record: %+v", got)
	expect.Equal(t, "what is owed", []ledger.Upload{source(1).Upload}, owes(got))
	if claim := wantRefused(t, store, delivery("again", 1, 0),
		ledger.Settled); claim.Outcome.Status != ledger.Skipped ||
		claim.Outcome.PreviousSHA256 != got.AuditHead {
		t.Errorf("the outcome of the older upload: %+v", claim.Outcome)
	}
}

func claimSuperseded(t *testing.T, store ledger.Store) {
	propose(t, store, 5, dueProposal())
	claim := wantRefused(t, store, delivery("older", 4, 0), ledger.Superseded)
	skipped := outcome(executionID, 4, ledger.Skipped, noon)
	after := expect.Result(ledger.Supersede(t.Context(), store, *claim.Execution, noon, skipped))(t)
	expect.Equal(t, "what is owed", []ledger.Upload{source(5).Upload, source(4).Upload}, owes(after))
	expect.ErrorIf(t, after.Status != ledger.Proposed || after.Source.Generation != 5, "the record: %+v",
		after)
	wantRefused(t, store, delivery("again", 4, 0), ledger.Settled)
}

func claimApprovedStands(t *testing.T, store ledger.Store) {
	propose(t, store, 1, dueProposal())
	approve(t, store, 0)
	preview := delivery("a preview", 2, 0)
	preview.Source.ProposeOnly = true
	wantRefused(t, store, preview, ledger.Superseded)
	claim := decided(t, store, delivery("a newer table", 2, 0), ledger.Granted)
	expect.ErrorIf(t, claim.Execution.Approval != nil, "a newer table is approved")
}

func claimDroppedIsNewer(t *testing.T, store ledger.Store) {
	propose(t, store, 1, dueProposal())
	output := delivery("an output", 1<<60, 0)
	output.Source.OutputOf = otherID
	wantRefused(t, store, output, ledger.Superseded)
}

func claimRunningProposal(t *testing.T, store ledger.Store) {
	propose(t, store, 1, dueProposal())
	approve(t, store, 0)
	expect.NoError(t, hold(t, store, delivery("first", 1, 0)).Release(t.Context(), noon, "the disk is full"))
	decided(t, store, delivery("older", 0, 0), ledger.Superseded)
	got := hold(t, store, delivery("second", 1, 0)).Execution()
	expect.ErrorIf(t, got.Attempt != 3 || got.Proposal == nil || got.Approval == nil, "the record: %+v", got)
}

func approvals(t *testing.T, store ledger.Store) {
	given := ledger.Approval{ProposalSHA256: mark, By: "ann", At: noon}
	wantKind(t, expect.ErrorOf(ledger.Approve(t.Context(), store, executionID, given)), errs.NotFound)
	propose(t, store, 1, dueProposal())
	before := read(t, store, executionID)
	wantKind(t, tryApprove(t, store, "other", 0), errs.Conflict)
	expect.Equal(t, "the record", before, read(t, store, executionID))

	for _, policy := range []ledger.Decisions{{Approvers: []string{"ben"}}, {ByAnother: true}} {
		past := given
		past.Policy = policy
		wantKind(t, expect.ErrorOf(ledger.Approve(t.Context(), store, executionID, past)), errs.Denied)
	}
	expect.Equal(t, "the record, past a policy", before, read(t, store, executionID))
	given.Policy = ledger.Decisions{Approvers: []string{"Ann"}}
	for _, lost := range []bool{true, false, false} { // given once, whatever is lost or repeated
		flaky := &faulty{Store: store, lose: lost}
		expect.NoError(t, expect.ErrorOf(ledger.Approve(t.Context(), flaky, executionID, given)))
		given.By = "Ann"
	}
	late := given
	late.By = "bob"
	err := expect.ErrorOf(ledger.Approve(t.Context(), store, executionID, late))
	wantKind(t, err, errs.Conflict)
	expect.ErrorIf(t, !strings.HasPrefix(errs.Message(err), "ann approved this at "),
		"a second person is told: %v", err)
	expect.Equal(t, "who approved", "ann", read(t, store, executionID).Approval.By)

	lease := hold(t, store, delivery("again", 1, 0))
	wantKind(t, tryApprove(t, store, "other", 0), errs.Conflict)
	expect.NoError(t, lease.Seal(t.Context(), *fullSeal(), nil))
	expect.NoError(t, expect.ErrorOf(ledger.Approve(t.Context(), store, executionID, given))) // it was
	wantKind(t, expect.ErrorOf(ledger.Approve(t.Context(), store, executionID, late)), errs.Conflict)
}

func approvesNothingEdited(t *testing.T, store ledger.Store) {
	did := pricing.Summary{
		Counts: pricing.Counts{RowsTotal: 4, RowsChanged: 1},
		Warnings: []pricing.Warning{{
			Code:      pricing.WarnNoPrice,
			Rows:      2,
			FirstRows: []int64{3, 4},
			Arguments: []string{otherID},
		}},
	}
	computed := func() ledger.Proposal {
		stored := expect.Result(store.Plan(t.Context(), executionID))(t)
		return proposalOf(stored, did, time.Hour)
	}
	expect.NoError(t, store.CreatePlan(t.Context(), realPlan()))
	lease := hold(t, store, delivery("proposer", 1, 0))
	expect.NoError(t, lease.Propose(t.Context(), noon, computed()))
	for what, edit := range map[string]func(*ledger.Proposal){
		"rows":            func(p *ledger.Proposal) { p.Summary.RowsChanged = 2 },
		"the effect":      func(p *ledger.Proposal) { p.Effect.RowsRaised = 1 },
		"a warning":       func(p *ledger.Proposal) { p.Warnings[0].Rows = 1 },
		"no warning":      func(p *ledger.Proposal) { p.Warnings = nil },
		"who made a plan": func(p *ledger.Proposal) { p.PlanRecordSHA256 = "ab" },
	} {
		record := read(t, store, executionID)
		*record.Proposal = computed()
		edit(record.Proposal)
		expect.Result(store.UpdateExecution(t.Context(), record, ledger.Settlement{}))(t)
		err := tryApprove(t, store, computed().ProposalSHA256, 0)
		expect.ErrorIf(t, errs.KindOf(err) != errs.Internal || read(t, store, executionID).Approval != nil,
			"%s: it is approved: %v", what, err)
	}
	record := read(t, store, executionID)
	*record.Proposal = computed()
	expect.Result(store.UpdateExecution(t.Context(), record, ledger.Settlement{}))(t)
	expect.NoError(t, tryApprove(t, store, computed().ProposalSHA256, 0))
	sentence, _ := did.Warnings[0].Sentence() // what is shown is made of codes and arguments
	shown := expect.Result(read(t, store, executionID).ShownProposal(
		expect.Result(plans.Load(t.Context(), store, executionID))(t),
	))(t)
	expect.Equal(t, "the warnings", []string{sentence}, shown.Sentences())
}

func reject(t *testing.T, store ledger.Store, sha string) (ledger.Execution, error) {
	return rejectApproved(t, store, sha, "ann")
}

func rejectApproved(t *testing.T, store ledger.Store, sha, by string) (ledger.Execution, error) {
	return ledger.Reject(t.Context(), store, executionID, ledger.Rejection{
		Approval:   ledger.Approval{ProposalSHA256: sha, By: "ann", Note: "too much", At: noon},
		ApprovedBy: by,
		ReplacedBy: otherID,
	})
}

func rejections(t *testing.T, store ledger.Store) {
	propose(t, store, 1, dueProposal())
	wantKind(t, expect.ErrorOf(reject(t, store, "other")), errs.Conflict)
	approve(t, store, 0) // what is approved can still be rejected, by who knows of that
	for _, by := range []string{"", "somebody else"} {
		err := expect.ErrorOf(rejectApproved(t, store, mark, by))
		wantKind(t, err, errs.Conflict)
		expect.ErrorIf(t, !strings.Contains(errs.Message(err), "ann approved"), "it says %v", err)
	}
	got := expect.Result(reject(t, &faulty{Store: store, lose: true}, mark))(t)
	if got.Status != ledger.Failed || got.Error.Code != "rejected" || got.Error.ReplacedBy != otherID ||
		got.Proposal != nil || got.Approval != nil || got.DueAt.IsZero() {
		t.Errorf("the record: %+v", got)
	}
	wantRefused(t, store, delivery("again", 1, 0), ledger.Settled)
	wantKind(t, expect.ErrorOf(reject(t, store, mark)), errs.Conflict)
	lease := hold(t, store, delivery("another table", 2, 0))
	expect.Equal(t, "that it was rejected before", true, read(t, store, executionID).Rejected)
	expect.NoError(t, lease.Seal(t.Context(), *fullSeal(), nil))
	wantKind(t, expect.ErrorOf(reject(t, store, mark)), errs.Conflict)
}

// proposeByAnn makes a proposal that waits because ann asked for an approval.
func proposeByAnn(t *testing.T, store ledger.Store) {
	t.Helper()
	propose(t, store, 1, dueProposal())
	record := read(t, store, executionID)
	record.Source.ProposedBy = "Ann"
	update(t, store, record, ledger.Settlement{})
}

func withdraw(t *testing.T, store ledger.Store, by, approvedBy string) (ledger.Execution, error) {
	return ledger.Withdraw(t.Context(), store, executionID, ledger.Rejection{
		Approval: ledger.Approval{ProposalSHA256: mark, By: by, At: noon}, ApprovedBy: approvedBy,
	})
}

func withdrawals(t *testing.T, store ledger.Store) {
	wantKind(t, expect.ErrorOf(withdraw(t, store, "ann", "")), errs.NotFound)
	proposeByAnn(t, store)
	wantKind(t, expect.ErrorOf(withdraw(t, store, "bob", "")), errs.Denied)
	got := expect.Result(withdraw(t, &faulty{Store: store, lose: true}, "ann", ""))(t)
	failure := *got.Error
	expect.Equal(t, "the failure", ledger.Failure{
		Code:    "withdrawn",
		Message: "Withdrawn by ann.",
		By:      "ann",
		At:      noon.UTC().Truncate(time.Microsecond),
	}, failure)
	expect.ErrorIf(t, got.Status != ledger.Failed || got.Proposal != nil, "the record: %+v", got)
	expect.Equal(t, "who is told", "ann", postOf(t, store, notices.Withdrawn).By)
	wantDecided(t, expect.ErrorOf(withdraw(t, store, "ann", "")), "withdrawn", "ann")
	hold(t, store, delivery("another table", 2, 0))
	expect.Equal(t, "that the next one needs an approval", true, read(t, store, executionID).Rejected)
}

// wantDecided fails unless the error says who decided what.
func wantDecided(t *testing.T, err error, decision, by string) {
	t.Helper()
	wantKind(t, err, errs.Conflict)
	decided, is := errors.AsType[*ledger.DecidedError](err)
	if !is || decided.Decision != decision || decided.By != by ||
		!decided.At.Equal(noon.Truncate(time.Microsecond)) {
		t.Errorf("got %+v, want %s by %s", err, decision, by)
	}
}

func decidedBefore(t *testing.T, store ledger.Store) {
	proposeByAnn(t, store)
	approve(t, store, 0)
	approve(t, store, time.Hour) // by the same person, whose reply was lost
	another := ledger.Approval{ProposalSHA256: mark, By: "bob", At: noon}
	approveToo := func() error {
		return expect.ErrorOf(ledger.Approve(t.Context(), store, executionID, another))
	}
	wantDecided(t, approveToo(), "approved", "ann")
	wantDecided(t, expect.ErrorOf(withdraw(t, store, "ann", "")), "approved", "ann")
	lease := hold(t, store, delivery("holder", 1, 0))
	expect.NoError(t, lease.Seal(t.Context(), *fullSeal(), nil))
	wantDecided(t, approveToo(), "approved", "ann")
	wantDecided(t, expect.ErrorOf(reject(t, store, mark)), "approved", "ann")
}

func reminders(t *testing.T, store ledger.Store) {
	remind := func(to ledger.Store, by string, after time.Duration) (ledger.Execution, error) {
		return ledger.Remind(t.Context(), to, executionID, by, noon.Add(after))
	}
	proposeByAnn(t, store)
	wantKind(t, expect.ErrorOf(remind(store, "bob", 2*time.Hour)), errs.Denied)
	wantKind(t, expect.ErrorOf(remind(store, "ann", time.Hour-time.Second)), errs.Exhausted)
	got := expect.Result(remind(&faulty{Store: store, lose: true}, "ann", time.Hour))(t)
	told := noon.Add(time.Hour).UTC().Truncate(time.Microsecond)
	expect.Equal(t, "when", told, got.Proposal.RemindedAt)
	last := got.Owed[len(got.Owed)-1]
	expect.ErrorIf(t, last.Kind != notices.Proposed || !last.PostAt.Equal(told) ||
		last.ID == executionID+"."+mark+".proposed", "the post: %+v", last)
	expect.Equal(t, "the notices", 2, len(got.Owed))
	refused := expect.ErrorOf(remind(store, "ann", 90*time.Minute))
	soon, is := errors.AsType[*ledger.TooSoonError](refused)
	expect.ErrorIf(t, !is || soon.RetryAfter() != 30*time.Minute, "too soon: %v", refused)
	approve(t, store, 0)
	wantKind(t, expect.ErrorOf(remind(store, "ann", 5*time.Hour)), errs.Conflict)
}

func rejectionFences(t *testing.T, store ledger.Store) {
	propose(t, store, 1, dueProposal())
	approve(t, store, 0)
	lease := hold(t, store, delivery("holder", 1, 0))
	rejected := expect.Result(reject(t, store, mark))(t)
	for name, attempt := range attempts {
		err := attempt(t, lease)
		expect.ErrorIf(t, errs.KindOf(err) != errs.Stale, "%s by the holder: got %v, want Stale", name, err)
	}
	expect.Equal(t, "the record", rejected, read(t, store, executionID))
}

func voiding(t *testing.T, store ledger.Store) {
	propose(t, store, 1, dueProposal())
	approve(t, store, 0)
	lease := hold(t, store, delivery("another engine", 1, 0))
	another := dueProposal()
	another.ProposalSHA256 = "ff"
	expect.NoError(t, lease.Propose(t.Context(), noon, another))
	got := read(t, store, executionID)
	expect.ErrorIf(t, got.Approval != nil || got.Proposal.ProposalSHA256 != "ff", "the record: %+v", got)
	wantKind(t, tryApprove(t, store, mark, 0), errs.Conflict)
}

func proposeOnly(t *testing.T, store ledger.Store) {
	ask := func() (ledger.Execution, error) {
		return ledger.ProposeOnly(t.Context(), store, executionID, "cat", noon)
	}
	wantKind(t, expect.ErrorOf(ask()), errs.NotFound)
	expect.NoError(t, store.CreatePlan(t.Context(), realPlan()))
	lease := hold(t, store, delivery("holder", 1, 0))
	expect.NoError(t, expect.ErrorOf(ask()))
	wantKind(t, lease.Seal(t.Context(), *fullSeal(), nil), errs.Stale)
	expect.NoError(t, lease.Release(t.Context(), noon, "the disk is full"))
	lease = hold(t, store, delivery("again", 1, 0))
	expect.ErrorIf(t, !lease.Execution().Source.ProposeOnly, "the next attempt does not know")
	proposal := dueProposal()
	proposal.ApprovalDue, proposal.ApplyAt = false, noon.Add(time.Hour)
	expect.NoError(t, lease.Propose(t.Context(), noon, proposal))
	got := expect.Result(ask())(t)
	expect.ErrorIf(t, !got.Proposal.ApprovalDue, "the proposal: %+v", got.Proposal)
	wantRefused(t, store, delivery("on time", 1, time.Hour), ledger.Waiting)
	expect.NoError(t, expect.ErrorOf(reject(t, store, mark)))
	wantKind(t, expect.ErrorOf(ask()), errs.Conflict)
}

// decisionsRefused follows an execution through every state and tries there what
// must not be decided in it.
func decisionsRefused(t *testing.T, store ledger.Store) {
	expect.NoError(t, store.CreatePlan(t.Context(), realPlan()))
	decisions := map[string]func() error{
		"approve": func() error { return tryApprove(t, store, mark, 0) },
		"reject":  func() error { return expect.ErrorOf(reject(t, store, mark)) },
		"propose": func() error {
			return expect.ErrorOf(ledger.ProposeOnly(t.Context(), store, executionID, "cat", noon))
		},
		"undo": func() error {
			return expect.ErrorOf(ledger.Undo(t.Context(), store, executionID, "plan_undo_v1", nil, noon))
		},
	}
	refused := func(state string, kind errs.Kind, names ...string) {
		t.Helper()
		stands := func() ledger.Snapshot {
			return expect.Result(store.Snapshot(t.Context(), executionID, source(2).ID()))(t)
		}
		before := stands()
		for _, name := range names {
			err := decisions[name]()
			expect.ErrorIf(t, errs.KindOf(err) != kind, "%s, %s: got %v, want %s", state, name, err, kind)
		}
		expect.Equal(t, state, before, stands())
	}
	refused("nothing is there", errs.NotFound, "approve", "reject", "propose", "undo")
	lease := hold(t, store, delivery("failing", 1, 0))
	refused("running", errs.Conflict, "approve", "reject", "undo")
	fail(t, lease)
	refused("failed", errs.Conflict, "approve", "reject", "propose", "undo")
	proposal := dueProposal()
	proposal.ApprovalDue = false
	expect.NoError(t, hold(t, store, delivery("proposing", 2, 0)).Propose(t.Context(), noon, proposal))
	refused("proposed", errs.Conflict, "undo")
	lease = hold(t, store, delivery("sealing", 2, 0))
	refused("being computed again", errs.Conflict, "approve", "undo")
	decided(t, store, delivery("another table", 3, 0), ledger.Busy)
	expect.NoError(t, lease.Seal(t.Context(), *fullSeal(), nil))
	refused("sealed", errs.Conflict, "reject", "propose", "undo")
	expect.NoError(t, lease.Complete(t.Context(), outcomeOf(lease, ledger.Completed), nil, nil))
	refused("completed", errs.Conflict, "reject", "propose")
	undone := read(t, store, executionID)
	undone.UndoneBy = "plan_another_undo"
	update(t, store, undone, ledger.Settlement{})
	refused("undone", errs.Conflict, "reject", "propose", "undo")
}

var undoTests = []test{
	{"an execution is undone once, in the commit of the seal", undoOnce},
	{"the seal of an undo whose execution changed is stale", undoStale},
	{"an output is delivered to the undo that is stored with it", undoDelivery},
	{"a revert is stored by the completing commit", revert},
}

func undone(t *testing.T, store ledger.Store) ledger.Execution {
	t.Helper()
	return create(t, store, ledger.Execution{
		ExecutionID: otherID,
		Status:      ledger.Completed,
		CreatedAt:   noon,
		Seal:        fullSeal(),
	})
}

func undoOnce(t *testing.T, store ledger.Store) {
	before := undone(t, store)
	lease := hold(t, store, delivery("undoing", 1, 0))
	expect.NoError(t, before.CheckUndo(executionID))
	expect.NoError(t, lease.Seal(t.Context(), *fullSeal(), &before))
	after := read(t, store, otherID)
	expect.Equal(t, "undone by", executionID, after.UndoneBy)
	expect.Equal(t, "the rows that it left", int64(0), after.RowsLeft)
	expect.NoError(t, after.CheckUndo(executionID))
	refusal := after.CheckUndo("plan_another_undo")
	wantKind(t, refusal, errs.Conflict)
	expect.Equal(t, "refused with", "Execution "+otherID+" was undone by "+executionID+" already.",
		errs.Message(refusal))
	wantKind(t, ledger.Execution{Status: ledger.Failed}.CheckUndo(executionID), errs.Conflict)
}

func undoStale(t *testing.T, store ledger.Store) {
	before := undone(t, store)
	changed := before
	changed.UndoneBy = "plan_another_undo"
	changed = update(t, store, changed, ledger.Settlement{})
	lease := hold(t, store, delivery("undoing", 1, 0))
	wantKind(t, lease.Seal(t.Context(), *fullSeal(), &before), errs.Stale)
	expect.Equal(t, "the execution", changed, read(t, store, otherID))
	expect.ErrorIf(t, read(t, store, executionID).Seal != nil, "the undo is sealed")
	changed.UndoneBy = ""
	changed = update(t, store, changed, ledger.Settlement{})
	expect.NoError(t, lease.Seal(t.Context(), *fullSeal(), &changed)) // read again, it can be
}

func undoDelivery(t *testing.T, store ledger.Store) {
	at := noon.Truncate(time.Microsecond)
	undone(t, store)
	stored := planOf("plan_undo_v1")
	for _, lost := range []bool{true, false} {
		got := expect.Result(ledger.Undo(t.Context(), &faulty{Store: store, lose: lost}, otherID,
			"plan_undo_v1", &stored, at))(t)
		expect.Equal(
			t, "what is due", []ledger.UndoDue{{ExecutionID: "plan_undo_v1", At: at.UTC()}}, got.UndoDue,
		)
		expect.Equal(t, "when", at.UTC(), got.DueAt)
	}
	expect.NoError(t, expect.ErrorOf(store.Plan(t.Context(), "plan_undo_v1")))
	wantKind(
		t,
		expect.ErrorOf(ledger.Undo(t.Context(), store, "plan_absent_v1", "plan_undo_v2", &stored, at)),
		errs.NotFound,
	)
	proposing := create(t, store, ledger.Execution{
		ExecutionID: "plan_undo_v1",
		Status:      ledger.Proposed,
		Source:      source(7),
		CreatedAt:   noon,
		Proposal:    new(dueProposal()),
	})
	waits := expect.Result(ledger.UndoWaits(t.Context(), store, read(t, store, otherID), proposing, at))(t)
	expect.Equal(
		t,
		"what waits",
		[]ledger.UndoDue{{ExecutionID: "plan_undo_v1", At: at.UTC(), Waits: true}},
		read(t, store, otherID).UndoDue,
	)
	expect.Equal(t, "when it is looked at", at.UTC(), waits.DueAt)
	told := read(t, store, "plan_undo_v1")
	expect.ErrorIf(t, len(told.Owed) != 1 || told.Owed[0].Kind != notices.Proposed ||
		!told.PostAt().Equal(at), "what the webhook is owed: %+v", told.Owed)
	got := expect.Result(ledger.UndoDelivered(
		t.Context(), store, read(t, store, otherID), "plan_undo_v1", at,
	))(t)
	expect.ErrorIf(t, len(got.UndoDue) != 0 || !got.DueAt.IsZero(), "after the delivery: %+v", got)
	wantKind(t, expect.ErrorOf(ledger.Undo(t.Context(), store, otherID,
		"plan_undo_v1", &stored, at)), errs.Conflict) // the id has a plan
}

func revert(t *testing.T, store ledger.Store) {
	lease := hold(t, store, delivery("first", 1, 0))
	expect.NoError(t, lease.Seal(t.Context(), *fullSeal(), nil))
	at := noon.Add(time.Hour).Truncate(time.Microsecond)
	expect.NoError(t, lease.Complete(t.Context(), outcomeOf(lease, ledger.Completed), nil, &ledger.Revert{
		Plan: planOf("plan_undo_v1"),
		At:   at,
	}))
	got := read(t, store, executionID)
	expect.ErrorIf(t, got.Status != ledger.Completed || len(got.UndoDue) != 1 || !got.DueAt.Equal(at),
		"the record: %+v", got)
	expect.NoError(t, expect.ErrorOf(store.Plan(t.Context(), "plan_undo_v1")))
}
