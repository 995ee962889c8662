package execution_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// proposed asserts that an upload is proposed, that nothing of it is visible
// but its notice, and returns the proposal.
func (s *shop) proposed(event execution.Event) ledger.Proposal {
	s.t.Helper()
	record := s.record()
	if record.Status != ledger.Proposed || record.Source.Generation != event.Generation || len(record.Owed) != 0 {
		s.t.Fatalf("the record: %+v", record)
	}
	name := fmt.Sprintf("%s.proposed-%d-%.8s.txt", event.Object, event.Generation, record.Proposal.ProposalSHA256)
	for _, want := range append(record.Proposal.Summary.Warnings, record.Proposal.ProposalSHA256, "2 of 4") {
		if text := s.files("outbox")[name]; !strings.Contains(text, want) {
			s.t.Errorf("the notice %s has no %q: %q", name, want, text)
		}
	}
	for name := range s.files("outbox") {
		if strings.HasSuffix(name, ".csv") {
			s.t.Errorf("%s is visible", name)
		}
	}
	if files := s.files("audit"); len(files) != 0 {
		s.t.Errorf("visible: %v", files)
	}
	return *record.Proposal
}

func (s *shop) approve(proposal string) error {
	_, err := ledger.Approve(s.t.Context(), s.store, id, ledger.Approval{ProposalSHA256: proposal, By: "ann", At: s.clock.Now(), Note: "fine"})
	return err
}

func TestWhatNeedsAnApprovalIsProposed(t *testing.T) {
	for name, needs := range map[string]func(*shop) execution.Event{
		"the policy, always": func(s *shop) execution.Event {
			s.Policy.Approval = ledger.ApproveAlways
			s.storePlan()
			return s.drop(id+"/p.csv", products)
		},
		"the policy, of so many rows": func(s *shop) execution.Event {
			s.Policy = ledger.Policy{Approval: ledger.ApproveOver, OverRows: 1}
			s.storePlan()
			return s.drop(id+"/p.csv", products)
		},
		"the policy, of a price's move": func(s *shop) execution.Event {
			s.Policy = ledger.Policy{Approval: ledger.ApproveOver, OverPercent: "9.5"}
			s.storePlan()
			return s.drop(id+"/p.csv", products)
		},
		"the policy, of warnings": func(s *shop) execution.Event {
			s.Policy = ledger.Policy{Approval: ledger.ApproveOver}
			idle := `"operations": [{"operation_id": "op_02", "filter": {"price_gte": 9999}, "action": {"type": "set_stock", "value": false}}, {`
			s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations": [{`, idle, 1)))
			return s.drop(id+"/p.csv", products)
		},
		"the plan": func(s *shop) execution.Event {
			s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"approval": "always", "operations"`, 1)))
			return s.drop(id+"/p.csv", products)
		},
		"a model's plan that nobody vouches for": func(s *shop) execution.Event {
			p, err := plan.Decode([]byte(planJSON))
			if err != nil {
				s.t.Fatal(err)
			}
			made := ledger.NewStoredPlan(p)
			made.Planner = ledger.PlannedBy{Model: "gemini", Agreement: ledger.AgreementModel}
			if _, _, err := ledger.StorePlan(s.t.Context(), s.store, made); err != nil {
				s.t.Fatal(err)
			}
			s.Policy.Approval = ledger.ApproveNever
			return s.drop(id+"/p.csv", products)
		},
		"the upload": func(s *shop) execution.Event {
			s.storePlan()
			event := s.drop(id+"/p.csv", products)
			event.Metadata = map[string]string{execution.IntentKey: execution.IntentPropose}
			return event
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			event := needs(s)
			s.handle(event)
			proposal := s.proposed(event)
			if !proposal.ApprovalDue || len(proposal.Reasons) != 1 {
				t.Errorf("the reasons: %q", proposal.Reasons)
			}
			s.handle(event) // without leave it changes nothing
			if again := s.proposed(event); again.Attempt != proposal.Attempt {
				t.Errorf("it was computed again, as attempt %d", again.Attempt)
			}
			if err := s.approve("another"); errs.KindOf(err) != errs.Conflict {
				t.Errorf("another proposal is approved: %v", err)
			}
			if err := s.approve(proposal.ProposalSHA256); err != nil {
				t.Fatal(err)
			}
			s.handle(event)
			if document := s.completed(); document.Approval == nil || document.Approval.By != "ann" || document.Approval.Note != "fine" {
				t.Errorf("the audit says of the approval %+v", document.Approval)
			}
		})
	}
}

func TestWhatNeedsNoApprovalIsApplied(t *testing.T) {
	for _, rows := range []int64{2, 0} { // 0 is no limit
		s := open(t)
		s.Policy = ledger.Policy{Approval: ledger.ApproveOver, OverRows: rows}
		s.storePlan()
		s.handle(s.drop(id+"/p.csv", products))
		s.completed()
	}
}

func TestAnUnknownIntentIsRefused(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	event.Metadata = map[string]string{execution.IntentKey: "preview"}
	s.handle(event)
	if record := s.record(); record.Status != ledger.Failed || record.Error.Code != "invalid_settings" {
		t.Errorf("the record: %+v", record)
	}
}

func TestAnotherResultIsProposedAnewAndItsApprovalVoid(t *testing.T) {
	s := open(t)
	s.Policy.Approval = ledger.ApproveAlways
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	s.handle(event)
	first := s.proposed(event)
	if err := s.approve(first.ProposalSHA256); err != nil {
		t.Fatal(err)
	}
	s.Engine, s.Policy = hooked{spoil: []byte("A104,fitness,1.00,true\n")}, ledger.Policy{}
	s.handle(event)
	second := s.proposed(event)
	if second.ProposalSHA256 == first.ProposalSHA256 || s.record().Approval != nil {
		t.Error("the approval of other bytes stands")
	}
	if !second.ApprovalDue || !cmp.Equal(second.Reasons, first.Reasons) {
		t.Errorf("a policy that was loosened meanwhile makes the reasons %q", second.Reasons)
	}
	if err := s.approve(first.ProposalSHA256); errs.KindOf(err) != errs.Conflict {
		t.Errorf("the first proposal is approved: %v", err)
	}
}

// An approval that is asked for while the table is read is due, also of an undo,
// which tries to seal again where what it undoes has changed.
func TestWhatIsAskedForMeanwhileIsDue(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.handle(s.drop(id+"/p.csv", products))
	s.completed()
	undo := ledger.NewStoredPlan(ledger.UndoPlan(id, "plan_undoes_v1", *s.record().Seal, s.clock.Now()))
	if _, err := ledger.Undo(t.Context(), s.store, id, undo.ExecutionID, &undo.PlanRecord, s.clock.Now()); err != nil {
		t.Fatal(err)
	}
	asked := false
	s.Outbox = trickling{s.outbox, func(int) {
		if _, err := ledger.ProposeOnly(t.Context(), s.store, undo.ExecutionID, "Somebody asked.", s.clock.Now()); !asked && err != nil {
			t.Error(err)
		}
		asked = true
	}}
	s.sweep()
	record, err := s.store.Execution(t.Context(), undo.ExecutionID)
	if err != nil || !asked || record.Status != ledger.Proposed || !record.Proposal.ApprovalDue {
		t.Errorf("asked: %t, the record: %+v, %v", asked, record, err)
	}
}

func TestAPlanWaitsForItsTime(t *testing.T) {
	s := open(t)
	at := s.clock.Now().Add(48 * time.Hour)
	s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"apply_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1)))
	event := s.drop(id+"/p.csv", products)
	s.handle(event)
	if proposal := s.proposed(event); proposal.ApprovalDue || !proposal.ApplyAt.Equal(at) {
		t.Errorf("the proposal: %+v", proposal)
	}
	if due := s.record().DueAt; !due.Equal(at) {
		t.Errorf("due at %s, want %s", due, at)
	}
	s.clock.advance(48*time.Hour - time.Second)
	s.handle(event)
	s.proposed(event)
	s.clock.advance(time.Second)
	sha, asked := s.record().Proposal.ProposalSHA256, false
	s.Inbox = trickling{s.inbox, func(int) {
		asked = true
		if err := s.approve(sha); errs.KindOf(err) != errs.Conflict {
			t.Errorf("what is being computed again is approved: %v", err)
		}
	}}
	s.handle(event)
	if s.completed(); !asked {
		t.Error("nothing was read")
	}
}

func TestWhatHasNotCompletedIsNotUndone(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.sealAndCrash(s.drop(id+"/p.csv", products))
	undo := ledger.NewStoredPlan(ledger.UndoPlan(id, "plan_undoes_v1", *s.record().Seal, s.clock.Now()))
	s.handle(s.drop("plan_undoes_v1/plan.json", string(undo.Canonical)))
	s.handle(s.drop("plan_undoes_v1/p.csv", updated))
	record, err := s.store.Execution(t.Context(), "plan_undoes_v1")
	if err != nil || record.Status != ledger.Failed || record.Error.Code != "not_completed" || s.record().UndoneBy != "" {
		t.Errorf("the undo: %+v, %v", record, err)
	}
}

func TestOtherChangesThanThoseMadeAreNotUndone(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.handle(s.drop(id+"/p.csv", products))
	made := ledger.UndoPlan(id, "plan_undoes_v1", *s.record().Seal, s.clock.Now())
	made.Undo.ChangesSHA256 = strings.Repeat("0", 64)
	s.handle(s.drop("plan_undoes_v1/plan.json", string(made.Canonical())))
	s.handle(s.drop("plan_undoes_v1/p.csv", updated))
	record, err := s.store.Execution(t.Context(), "plan_undoes_v1")
	if err != nil || record.Status != ledger.Failed || record.Error.Code != "other_changes" || s.record().UndoneBy != "" {
		t.Errorf("the undo: %+v, %v", record, err)
	}
}

func TestAProposalExpires(t *testing.T) {
	s := open(t)
	s.Policy.Approval = ledger.ApproveAlways
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	s.handle(event)
	s.proposed(event)
	s.clock.advance(30 * 24 * time.Hour)
	s.handle(event)
	if record := s.record(); record.Status != ledger.Failed || record.Error.Code != execution.CodeExpired || len(record.Owed) != 0 {
		t.Errorf("the record: %+v", record)
	}
	if text := s.files("outbox")[fmt.Sprintf("%s.failed-%d.txt", event.Object, event.Generation)]; !strings.Contains(text, "Nobody approved") {
		t.Errorf("the notice: %q", text)
	}
	again := s.drop(id+"/p.csv", products)
	s.handle(again)
	s.proposed(again)
}

// A proposal is of no use once what it does would be undone.
func TestAProposalExpiresAtTheTimeOfItsRevert(t *testing.T) {
	s := open(t)
	s.Policy.Approval = ledger.ApproveAlways
	at := s.clock.Now().Add(time.Hour)
	s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"revert_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1)))
	event := s.drop(id+"/p.csv", products)
	s.handle(event)
	if proposal := s.proposed(event); !proposal.ExpiresAt.Equal(at) {
		t.Errorf("it expires at %s, want %s", proposal.ExpiresAt, at)
	}
}

// failing is an engine that cannot be used, for a reason that nobody knows.
type failing struct{ execution.Pricing }

func (failing) Run(context.Context, execution.Task, io.Reader, io.Writer, ...io.Writer) (pricing.Summary, error) {
	return pricing.Summary{}, errors.New("unheard of")
}

// The time after which an unknown error is taken to be permanent begins with what
// was waited for.
func TestWhatWaitedIsNotGivenUpAtOnce(t *testing.T) {
	const waited = 24 * time.Hour
	for name, wait := range map[string]func(*shop) execution.Event{
		"for its approval": func(s *shop) execution.Event {
			s.Policy.Approval = ledger.ApproveAlways
			s.storePlan()
			event := s.drop(id+"/p.csv", products)
			s.handle(event)
			s.clock.advance(waited)
			if err := s.approve(s.proposed(event).ProposalSHA256); err != nil {
				s.t.Fatal(err)
			}
			return event
		},
		"for its time": func(s *shop) execution.Event {
			at := s.clock.Now().Add(waited).Format(time.RFC3339)
			s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"apply_at": "`+at+`", "operations"`, 1)))
			event := s.drop(id+"/p.csv", products)
			s.handle(event)
			s.clock.advance(waited)
			return event
		},
		"to be found": func(s *shop) execution.Event {
			s.storePlan()
			event := s.drop(id+"/p.csv", products)
			s.clock.advance(waited)
			event.FoundAt = s.clock.Now()
			return event
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			event := wait(s)
			s.Engine = failing{}
			if err := s.Handle(t.Context(), event); err == nil || s.record().Status == ledger.Failed {
				t.Errorf("given up at once: %v", err)
			}
			s.clock.advance(s.Limits.UnknownFor)
			s.handle(event)
			if record := s.record(); record.Status != ledger.Failed || record.Error.Code != "internal" {
				t.Errorf("the record: %+v", record)
			}
		})
	}
}

// What was found expired, and was approved of and sealed before that was written
// down, stays sealed.
func TestWhatIsSealedMeanwhileDoesNotExpire(t *testing.T) {
	s := open(t)
	s.Policy.Approval = ledger.ApproveAlways
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	s.handle(event)
	proposal := s.proposed(event)
	inTime := s.clock.Now()
	s.clock.advance(30 * 24 * time.Hour)
	late, sealed := s.executor(), false
	late.Ledger = beforePlan{s.store, func() {
		if sealed {
			return
		}
		sealed = true
		if _, err := ledger.Approve(t.Context(), s.store, id, ledger.Approval{ProposalSHA256: proposal.ProposalSHA256, By: "ann", At: inTime}); err != nil {
			t.Error(err)
		}
		s.sealAndCrash(event)
	}}
	if err := late.Handle(t.Context(), event); err == nil || !sealed {
		t.Errorf("sealed: %t, and the event is acknowledged", sealed)
	}
	s.clock.advance(time.Hour)
	s.handle(event)
	s.completed()
}

// beforePlan lets something happen before a plan is read.
type beforePlan struct {
	ledger.Store
	before func()
}

func (s beforePlan) Plan(ctx context.Context, id string) (ledger.PlanRecord, error) {
	s.before()
	return s.Store.Plan(ctx, id)
}

func TestANewerTableTakesTheProposalsPlace(t *testing.T) {
	s := open(t)
	s.Policy.Approval = ledger.ApproveAlways
	s.storePlan()
	oldest, older := s.drop(id+"/p.csv", products), s.drop(id+"/p.csv", products)
	s.handle(older)
	s.proposed(older)
	newer := s.drop(id+"/p.csv", products)
	s.handle(newer)
	s.proposed(newer)
	s.handle(oldest)
	s.proposed(newer)
	for _, event := range []execution.Event{oldest, older} {
		if text := s.files("outbox")[fmt.Sprintf("%s.skipped-%d.txt", event.Object, event.Generation)]; !strings.Contains(text, "in its place") || strings.Contains(text, "carried out already") {
			t.Errorf("the notice of %d: %q", event.Generation, text)
		}
		s.handle(event)
	}
	if err := s.approve(s.record().Proposal.ProposalSHA256); err != nil {
		t.Fatal(err)
	}
	s.handle(newer)
	s.completed()
}

func TestACompletedPlanStoresItsRevert(t *testing.T) {
	s := open(t)
	at := s.clock.Now().Add(time.Hour)
	s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"revert_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1)))
	s.handle(s.drop(id+"/p.csv", products))
	document := s.completed()
	record := s.record()
	if len(record.UndoDue) != 1 || record.UndoDue[0].ExecutionID != id+"_undo" || !record.DueAt.Equal(at) {
		t.Errorf("the record: %+v", record)
	}
	stored, err := ledger.LoadPlan(t.Context(), s.store, id+"_undo")
	if err != nil {
		t.Fatal(err)
	}
	if undo := stored.Plan.Undo; undo.ExecutionID != id || undo.ChangesSHA256 != document.ChangesSHA256 || !stored.Plan.ApplyTime().Equal(at) {
		t.Errorf("the plan: %s", stored.Canonical)
	}
	s.clock.advance(time.Hour)
	s.sweep()
	if diff := cmp.Diff(products, s.files("outbox")[id+"_undo/p.csv"]); diff != "" {
		t.Errorf("undone, it is not what was dropped (-dropped +undone):\n%s", diff)
	}
	if record := s.record(); record.UndoneBy != id+"_undo" || len(record.UndoDue) != 0 {
		t.Errorf("the record: %+v", record)
	}
	if undo, err := s.store.Execution(t.Context(), id+"_undo"); err != nil || undo.Source.Settings.Dialect != recognized().Dialect || undo.Source.Settings.Profile != table.Plain {
		t.Errorf("it is not read as the table was: %+v, %v", undo.Source.Settings, err)
	}
	s.sweep()
}

// Who approves sees when it is undone: the undo of exactly that needs no second
// approval. Another undo, or one of another table, does.
func TestARevertIsApprovedWithWhatItUndoes(t *testing.T) {
	revertible := func(t *testing.T, policy ledger.Approvals, reverted bool) *shop {
		s := open(t)
		s.Policy.Approval = policy
		text := planJSON
		if reverted {
			text = strings.Replace(planJSON, `"operations"`, `"revert_at": "`+s.clock.Now().Add(time.Hour).Format(time.RFC3339)+`", "operations"`, 1)
		}
		s.handle(s.drop(id+"/plan.json", text))
		event := s.drop(id+"/p.csv", products)
		s.handle(event)
		if policy == ledger.ApproveAlways {
			if err := s.approve(s.proposed(event).ProposalSHA256); err != nil {
				t.Fatal(err)
			}
			s.handle(event)
		}
		s.completed()
		return s
	}
	status := func(s *shop) ledger.Status {
		record, err := s.store.Execution(t.Context(), id+"_undo")
		if err != nil {
			t.Fatal(err)
		}
		return record.Status
	}

	s := revertible(t, ledger.ApproveAlways, true)
	s.clock.advance(time.Hour)
	s.sweep()
	if got := status(s); got != ledger.Completed || s.files("outbox")[id+"_undo/p.csv"] != products {
		t.Errorf("the revert is %s", got)
	}

	s = revertible(t, ledger.ApproveNever, true)
	s.Policy.Approval = ledger.ApproveAlways
	s.clock.advance(time.Hour)
	s.sweep()
	if got := status(s); got != ledger.Proposed {
		t.Errorf("the revert of what nobody approved of is %s", got)
	}

	s = revertible(t, ledger.ApproveAlways, true)
	s.clock.advance(time.Hour)
	s.handle(s.drop(id+"_undo/p.csv", updated))
	if got := status(s); got != ledger.Proposed {
		t.Errorf("the revert of a table that was dropped is %s", got)
	}

	s = revertible(t, ledger.ApproveAlways, false)
	record := s.record()
	undo := ledger.NewStoredPlan(ledger.UndoPlan(id, id+"_undo", *record.Seal, s.clock.Now()))
	if _, err := ledger.Undo(t.Context(), s.store, id, id+"_undo", &undo.PlanRecord, s.clock.Now()); err != nil {
		t.Fatal(err)
	}
	s.sweep()
	if got := status(s); got != ledger.Proposed {
		t.Errorf("an undo that nobody was shown is %s", got)
	}
}

// An undo that needs an approval is due by itself once it has it.
func TestARevertThatIsApprovedIsDeliveredAgain(t *testing.T) {
	s := open(t)
	at := s.clock.Now().Add(time.Hour)
	s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"revert_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1)))
	s.handle(s.drop(id+"/p.csv", products))
	s.Policy.Approval = ledger.ApproveAlways
	s.clock.advance(time.Hour)
	s.sweep()
	undo, err := s.store.Execution(t.Context(), id+"_undo")
	if err != nil || undo.Status != ledger.Proposed {
		t.Fatalf("the undo: %+v, %v", undo, err)
	}
	if _, err := ledger.Approve(t.Context(), s.store, id+"_undo", ledger.Approval{ProposalSHA256: undo.Proposal.ProposalSHA256, By: "ann", At: s.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	s.sweep()
	if diff := cmp.Diff(products, s.files("outbox")[id+"_undo/p.csv"]); diff != "" {
		t.Errorf("undone, it is not what was dropped (-dropped +undone):\n%s", diff)
	}
}

// A table that was edited since is undone but for the rows that were; a plan that
// is to undo all or nothing fails.
func TestUndoOfAnEditedTable(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.handle(s.drop(id+"/p.csv", products))
	sum := s.completed().ChangesSHA256
	undo := func(undoID, stale string) string {
		return fmt.Sprintf(`{"execution_id": %q, "created_at": "2026-01-02T03:04:05Z", "source_instruction": "Undo it.", "undo": {"execution_id": %q, "changes_sha256": %q, "stale": %q}}`, undoID, id, sum, stale)
	}
	edited := strings.Replace(updated, "43.99", "77.77", 1)
	s.handle(s.drop("plan_undo_all_v1/plan.json", undo("plan_undo_all_v1", "fail")))
	failed := s.drop("plan_undo_all_v1/p.csv", edited)
	s.handle(failed)
	if text := s.files("outbox")[fmt.Sprintf("%s.failed-%d.txt", failed.Object, failed.Generation)]; !strings.Contains(text, "1 row that execution "+id+" changed was changed again since") {
		t.Errorf("the notice: %q", text)
	}
	s.handle(s.drop("plan_undo_rest_v1/plan.json", undo("plan_undo_rest_v1", "report")))
	s.handle(s.drop("plan_undo_rest_v1/p.csv", edited))
	want := strings.Replace(products, "39.99", "77.77", 1)
	if diff := cmp.Diff(want, s.files("outbox")["plan_undo_rest_v1/p.csv"]); diff != "" {
		t.Errorf("undone (-want +got):\n%s", diff)
	}
	if record, err := s.store.Execution(t.Context(), id); err != nil || record.UndoneBy != "plan_undo_rest_v1" {
		t.Errorf("undone by %q, %v", record.UndoneBy, err)
	}
	s.handle(s.drop("plan_undo_again_v1/plan.json", undo("plan_undo_again_v1", "report")))
	s.handle(s.drop("plan_undo_again_v1/p.csv", edited))
	s.failedWith("plan_undo_again_v1", "undone_already")
}

// failedWith asserts how an execution failed.
func (s *shop) failedWith(executionID, code string) {
	s.t.Helper()
	record, err := s.store.Execution(s.t.Context(), executionID)
	if err != nil || record.Status != ledger.Failed || record.Error.Code != code {
		s.t.Errorf("%s: status %s, error %+v, %v; want failed, %s", executionID, record.Status, record.Error, err, code)
	}
}

func TestWhatCannotBeUndone(t *testing.T) {
	const undoID = "plan_undo_v1"
	for name, test := range map[string]struct {
		before func(*shop)
		code   string
	}{
		"nothing was executed": {func(*shop) {}, "not_completed"},
		"it failed":            {func(s *shop) { s.handle(s.drop(id+"/p.csv", broken)) }, "not_completed"},
		"other changes":        {func(s *shop) { s.handle(s.drop(id+"/p.csv", products)) }, "other_changes"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.storePlan()
			test.before(s)
			s.handle(s.drop(undoID+"/plan.json", fmt.Sprintf(`{"execution_id": %q, "created_at": "2026-01-02T03:04:05Z", "source_instruction": "Undo it.", "undo": {"execution_id": %q, "changes_sha256": %q, "stale": "report"}}`,
				undoID, id, strings.Repeat("0", 64))))
			s.handle(s.drop(undoID+"/p.csv", updated))
			s.failedWith(undoID, test.code)
		})
	}
}

// An undo whose execution changes while it seals reads it again, and leaves it
// to another delivery where that does not end.
func TestAnUndoSealsBesideAnExecutionThatChanges(t *testing.T) {
	for changes, tries := range map[int]int{0: 1, 2: 3, 99: 3} {
		t.Run(fmt.Sprint(changes, " changes"), func(t *testing.T) {
			s := open(t)
			at := s.clock.Now().Add(time.Hour)
			s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"revert_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1)))
			s.handle(s.drop(id+"/p.csv", products))
			s.clock.advance(time.Hour)
			store := &restless{Store: s.store, changes: changes}
			s.Ledger = store
			failed, err := s.Sweep(t.Context())
			if err != nil || store.tries != tries || (failed == 0) != (changes < tries) || (s.record().UndoneBy == "") != (failed > 0) {
				t.Errorf("%d tries, %d failed, %v, undone by %q", store.tries, failed, err, s.record().UndoneBy)
			}
		})
	}
}

// restless has the execution that is undone change, so many times.
type restless struct {
	ledger.Store
	changes, tries int
}

func (r *restless) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	if with.Also == nil || next.Seal == nil {
		return r.Store.UpdateExecution(ctx, next, with)
	}
	if r.tries++; r.tries <= min(r.changes, 20) {
		return ledger.Execution{}, errs.New(errs.Stale, "%s has changed", with.Also.ExecutionID)
	}
	return r.Store.UpdateExecution(ctx, next, with)
}
