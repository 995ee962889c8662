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
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// proposed asserts that an upload is proposed, that nothing of it is visible
// but its notice, and returns the proposal.
func (s *shop) proposed(event execution.Event) ledger.Proposal {
	s.t.Helper()
	record := s.record()
	if record.Status != ledger.Proposed || record.Source.Generation != event.Generation || len(record.Unwritten()) != 0 {
		s.t.Fatalf("the record: %+v", record)
	}
	name := fmt.Sprintf("%s.proposed-%d-%.8s.txt", event.Object, event.Generation, record.Proposal.ProposalSHA256)
	for _, want := range append(record.Proposal.Sentences(), record.Proposal.ProposalSHA256, "2 of 4") {
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
			made := plans.New(p)
			made.Planner = plans.PlannedBy{Model: "gemini", Agreement: plans.AgreementModel}
			if _, _, err := plans.Save(s.t.Context(), s.store, made); err != nil {
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
			if moved := "A price moves by more than 9.5%: that of A101, from 29.99 to 32.99."; !proposal.ApprovalDue || len(proposal.Reasons) != 1 || strings.Contains(name, "move") && proposal.Reasons[0] != moved {
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

// TestProposalsSayWhatWasFoundByTitles says which columns no platform's titles tell.
func TestProposalsSayWhatWasFoundByTitles(t *testing.T) {
	s := open(t)
	s.Policy.Approval = ledger.ApproveAlways
	s.storePlan()
	event := s.drop(id+"/p.csv", strings.Replace(products, "price", "Rate", 1))
	s.handle(event)
	proposal := s.proposed(event)
	name := fmt.Sprintf("%s.proposed-%d-%.8s.txt", event.Object, event.Generation, proposal.ProposalSHA256)
	if text, want := s.files("outbox")[name], `price from "Rate" (1234.56), found by its title`; !strings.Contains(text, want) {
		t.Errorf("the notice has no %q: %s", want, text)
	}
}

// TestAColumnFoundByWhatStandsInIt is proposed whatever the policy, and approved of as
// a setting of the execution, wherever it is computed; a later undo reads by it too.
func TestAColumnFoundByWhatStandsInIt(t *testing.T) {
	aisle := strings.NewReplacer("category", "Aisle")
	for name, compute := range map[string]func(*shop){"here": func(*shop) {}, "in ranges": func(s *shop) { s.Computer = s.inRanges(2) }} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.Policy.Approval = ledger.ApproveNever
			s.storePlan()
			compute(s)
			event := s.drop(id+"/p.csv", aisle.Replace(wide(products)))
			s.handle(event)
			s.dropParts()
			proposal := s.proposed(event)
			if want := `Nobody said it, and no title does: category from "Aisle", found by what stands in it.`; !proposal.ApprovalDue || len(proposal.Reasons) != 1 || proposal.Reasons[0] != want {
				t.Errorf("the reasons: %q", proposal.Reasons)
			}
			if err := s.approve(proposal.ProposalSHA256); err != nil {
				t.Fatal(err)
			}
			s.sealAndCrash(event)
			s.clock.advance(time.Hour)
			s.handle(event)
			s.dropParts()
			s.completedWith(aisle.Replace(wide(updated)))
			if seal := s.record().Seal; seal.Settings.Columns.Category != "Aisle" {
				t.Errorf("sealed with the settings %+v", seal.Settings)
			}
		})
	}
}

// TestQuestionsForColumns: several may have the plan's names, something else is at
// fault beside, or somebody rejects what was proposed.
func TestQuestionsForColumns(t *testing.T) {
	for name, table := range map[string]string{
		"two hold it":               "sku,Aisle,Shelf,price,in_stock\nA101,fitness,fitness,29.99,true\n",
		"no column of prices":       "sku,Aisle,in_stock\nA101,fitness,true\n",
		"a name that no row has":    "sku,Aisle,price,in_stock\nA101,Fitness,29.99,true\n",
		"a title that stands twice": "sku,Aisle,price,in_stock,Aisle\nA101,fitness,29.99,true,\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.storePlan()
			event := s.drop(id+"/p.csv", table)
			s.handle(event)
			if record := s.record(); record.Status != ledger.Failed || record.Error.Code != "invalid_csv" || !strings.Contains(record.Error.Message, "columns") {
				t.Errorf("the record: %+v", record)
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
func TestARequestMeanwhileIsDue(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.handle(s.drop(id+"/p.csv", products))
	s.completed()
	undo := plans.New(s.undoPlan("plan_undoes_v1"))
	if _, err := ledger.Undo(t.Context(), s.store, id, undo.ExecutionID, &undo.Record, s.clock.Now()); err != nil {
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
	undo := plans.New(s.undoPlan("plan_undoes_v1"))
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
	made := s.undoPlan("plan_undoes_v1")
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
	if record := s.record(); record.Status != ledger.Failed || record.Error.Code != ledger.CodeExpired || len(record.Unwritten()) != 0 {
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

// What would be undone before it is done is neither planned nor approved.
func TestARevertInThePastIsRefused(t *testing.T) {
	s := open(t)
	planned := func(at time.Time) execution.Event {
		return s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"approval": "always", "revert_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1))
	}
	past := planned(s.clock.Now().Add(-time.Second))
	s.handle(past)
	if notice := s.files("outbox")[fmt.Sprintf("%s.failed-%d.txt", past.Object, past.Generation)]; !strings.Contains(notice, "revert_at: is ") || !strings.Contains(notice, "which is past") {
		t.Errorf("the notice: %q", notice)
	}
	at := s.clock.Now().Add(time.Hour)
	stored := planned(at)
	s.handle(stored)
	event := s.drop(id+"/p.csv", products)
	s.handle(event)
	sha := s.proposed(event).ProposalSHA256
	s.clock.advance(time.Hour)
	s.handle(stored) // it is there, and stays
	if err := s.approve(sha); errs.KindOf(err) != errs.Conflict || !strings.Contains(errs.Message(err), "which is past") {
		t.Errorf("it is approved: %v", err)
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

func (s beforePlan) Plan(ctx context.Context, id string) (plans.Record, error) {
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

// planless is a store whose plans cannot be read.
type planless struct{ ledger.Store }

func (planless) Plan(context.Context, string) (plans.Record, error) {
	return plans.Record{}, errs.New(errs.Unavailable, "it is away")
}

// What is proposed keeps its place where its outcome cannot be written.
func TestAProposalWhosePlanCannotBeRead(t *testing.T) {
	s := open(t)
	s.Policy.Approval = ledger.ApproveAlways
	s.storePlan()
	s.handle(s.drop(id+"/p.csv", products))
	newer := s.record().Source
	newer.Generation++
	newer.UploadedAt = newer.UploadedAt.Add(time.Hour)
	claim, err := ledger.Acquire(t.Context(), planless{s.store}, ledger.ClaimRequest{ExecutionID: id, Source: newer, Holder: "newer", Now: s.clock.Now(), LeaseUntil: s.clock.Now().Add(time.Hour)})
	if errs.KindOf(err) != errs.Unavailable {
		t.Errorf("Acquire = %+v, %v", claim, err)
	}
	s.clock.advance(30 * 24 * time.Hour)
	s.Ledger = planless{s.store}
	if failed, err := s.Sweep(t.Context()); failed != 1 || err != nil || s.record().Status != ledger.Proposed {
		t.Errorf("a sweep after its end: %d failed, %v, and it is %s", failed, err, s.record().Status)
	}
}
