package execution_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
)

// sweep sweeps once, without a failure.
func (s *shop) sweep() {
	s.t.Helper()
	if failed, err := s.Sweep(s.t.Context()); failed != 0 || err != nil {
		s.t.Fatalf("the sweep failed %d times, %v", failed, err)
	}
}

func (s *shop) sweepInbox() {
	s.t.Helper()
	if failed, err := s.SweepInbox(s.t.Context(), s.inbox.List); failed != 0 || err != nil {
		s.t.Fatalf("the sweep of the inbox failed %d times, %v", failed, err)
	}
}

func TestWithoutAnyEventEveryFileHasItsAnswer(t *testing.T) {
	s := open(t)
	bad := s.drop(id+"/p.csv", broken)
	s.drop(id+"/p.csv", products)
	again := s.drop(id+"/p.csv", products)
	stray, archive := s.drop("products.csv", products), s.drop(id+"/p.zip", "PK")
	s.drop(id+"/plan.json", planJSON) // after its tables, and delivered before them
	s.sweepInbox()
	s.completed()
	for event, notice := range map[*execution.Event]string{
		&bad: "%s.failed-%d.txt", &again: "%s.skipped-%d.txt", &archive: "%s.failed-%d.txt", &stray: "_unclaimed/%s-%d.txt",
	} {
		name := fmt.Sprintf(notice, event.Object, event.Generation)
		if s.files("outbox")[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
	before := len(s.history())
	s.sweepInbox()
	s.sweep()
	if after := len(s.history()); after != before || before != 3 {
		t.Errorf("%d outcomes, and %d after another sweep", before, after)
	}
}

func TestTheSweepCarriesOnWhatWasLeft(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	dead := s.executor()
	dead.Outbox = full{s.outbox} // it cannot publish, and never comes back
	if err := dead.Handle(t.Context(), event); err == nil {
		t.Fatal("acknowledged without its output")
	}
	if record := s.record(); record.Seal == nil || record.DueAt.After(s.clock.Now()) {
		t.Fatalf("the record: %+v", record)
	}
	s.sweep()
	s.completed()
}

// full has no room for what is published.
type full struct{ bucket.Bucket }

func (f full) Create(ctx context.Context, name string, options bucket.CreateOptions) (bucket.Upload, error) {
	upload, err := f.Bucket.Create(ctx, name, options)
	return unpublished{upload}, err
}

type unpublished struct{ bucket.Upload }

func (u unpublished) Commit() (bucket.Object, error) {
	u.Abandon()
	return bucket.Object{}, errs.New(errs.Unavailable, "there is no room")
}

func TestTheSweepAppliesWhatWasApproved(t *testing.T) {
	for _, ofItsOwn := range []bool{false, true} { // a run over an object that is no new upload
		s := open(t)
		s.Policy.Approval = ledger.ApproveAlways
		s.storePlan()
		event := s.drop(id+"/p.csv", products)
		if ofItsOwn {
			event.ReadGeneration, event.Generation = event.Generation, event.Generation+1
		}
		s.handle(event)
		proposal := s.proposed(event)
		s.sweep()
		s.proposed(event)
		if err := s.approve(proposal.ProposalSHA256); err != nil {
			t.Fatal(err)
		}
		s.sweep()
		s.completed()
	}
}

func TestTheSweepAppliesWhatIsScheduledAndEndsWhatExpired(t *testing.T) {
	s := open(t)
	at := s.clock.Now().Add(time.Hour)
	s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"apply_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1)))
	event := s.drop(id+"/p.csv", products)
	s.sweepInbox()
	s.sweep()
	s.proposed(event)
	s.clock.advance(time.Hour)
	s.sweep()
	s.completed()

	expiring := open(t)
	expiring.Policy.Approval = ledger.ApproveAlways
	expiring.storePlan()
	expiring.handle(expiring.drop(id+"/p.csv", products))
	expiring.clock.advance(30 * 24 * time.Hour)
	expiring.sweep()
	if record := expiring.record(); record.Status != ledger.Failed || record.Error.Code != ledger.CodeExpired || !record.DueAt.IsZero() {
		t.Errorf("the record: %+v", record)
	}
}

// reject says no to what an upload proposes.
func (s *shop) reject(event execution.Event) {
	s.t.Helper()
	given := ledger.Approval{ProposalSHA256: s.proposed(event).ProposalSHA256, By: "ann", Note: "Too much.", At: s.clock.Now()}
	if _, err := ledger.Reject(s.t.Context(), s.store, id, ledger.Rejection{Approval: given}); err != nil {
		s.t.Fatal(err)
	}
}

func TestTheSweepTellsOfARejection(t *testing.T) {
	s := open(t)
	s.Policy.Approval = ledger.ApproveAlways
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	s.handle(event)
	s.reject(event)
	x := s.executor()
	x.Ledger = stuck{s.store}
	if failed, err := x.Sweep(t.Context()); err != nil || failed != 1 {
		t.Errorf("a sweep that cannot note it: %d failed, %v", failed, err)
	}
	s.sweep()
	name := fmt.Sprintf("%s.failed-%d.txt", event.Object, event.Generation)
	if text := s.files("outbox")[name]; !strings.Contains(text, "Too much.") || len(s.record().Unwritten()) != 0 {
		t.Errorf("the notice: %q, owed %v", text, s.record().Owed)
	}
}

// stuck is a store whose records cannot be written.
type stuck struct{ ledger.Store }

func (stuck) UpdateExecution(context.Context, ledger.Execution, ledger.Settlement) (ledger.Execution, error) {
	return ledger.Execution{}, errs.New(errs.Unavailable, "it is read-only")
}

func TestOneRecordDoesNotStarveTheOthers(t *testing.T) {
	s := open(t)
	waiting := s.drop("plan_without_plan/p.csv", products)
	if err := s.Handle(t.Context(), waiting); err == nil {
		t.Fatal("acknowledged without a plan")
	}
	if record, err := s.store.Execution(t.Context(), "plan_without_plan"); err != nil || !strings.Contains(record.Delay, "no plan with the id plan_without_plan yet") {
		t.Errorf("the record says %q of why it waits, %v", record.Delay, err)
	}
	s.clock.advance(time.Second)
	s.Policy.Approval = ledger.ApproveAlways
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	s.handle(event)
	if err := s.approve(s.proposed(event).ProposalSHA256); err != nil {
		t.Fatal(err)
	}
	if failed, err := s.Sweep(t.Context()); failed != 1 || err != nil {
		t.Errorf("failed %d times, %v", failed, err)
	}
	s.completed()
}

// unlisted ends with an error behind what the inbox has.
type unlisted struct{ bucket.Store }

var errUnlisted = errs.New(errs.Unavailable, "the list broke off")

func (u unlisted) List(ctx context.Context, from string) iter.Seq2[bucket.Object, error] {
	return func(yield func(bucket.Object, error) bool) {
		for object, err := range u.Store.List(ctx, from) {
			if !yield(object, err) {
				return
			}
		}
		yield(bucket.Object{}, errUnlisted)
	}
}

// unclaimable is a store in which no execution begins.
type unclaimable struct{ ledger.Store }

func (unclaimable) CreateExecution(context.Context, ledger.Execution) (ledger.Execution, error) {
	return ledger.Execution{}, errs.New(errs.Unavailable, "it is read-only")
}

func TestTheSweepOfTheInboxSaysWhatFailed(t *testing.T) {
	s := open(t)
	s.drop("plan_without_plan/p.csv", products)
	if failed, err := s.SweepInbox(t.Context(), s.inbox.List); failed != 1 || err != nil {
		t.Errorf("failed %d times, %v", failed, err)
	}
	s.Ledger = unclaimable{s.store}
	if failed, err := s.SweepInbox(t.Context(), s.inbox.List); failed != 0 || err != nil {
		t.Errorf("an upload that is due by itself was delivered: failed %d times, %v", failed, err)
	}
	if failed, err := s.SweepInbox(t.Context(), unlisted{s.inbox}.List); failed != 0 || !errors.Is(err, errUnlisted) {
		t.Errorf("broken off: failed %d times, %v", failed, err)
	}
}

// A notice that is owed is written, and what is scheduled waits all the same.
func TestTheSweepDeliversNothingBeforeItsTime(t *testing.T) {
	s := open(t)
	at := s.clock.Now().Add(10 * time.Hour)
	s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"apply_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1)))
	event := s.drop(id+"/p.csv", products)
	dead := s.executor()
	dead.Outbox = full{s.outbox}
	if err := dead.Handle(t.Context(), event); err == nil {
		t.Fatal("acknowledged without its notice")
	}
	s.clock.advance(5 * time.Hour)
	s.Inbox = gone{s.inbox, errs.Unavailable}
	s.sweep()
	if record := s.record(); len(record.Unwritten()) != 0 || !record.DueAt.Equal(at) {
		t.Errorf("the record: %+v", record)
	}
}

// What is gone by the time of the sweep fails as it would have failed before.
func TestTheSweepFindsOutWhatIsGone(t *testing.T) {
	for kind, code := range map[errs.Kind]string{errs.NotFound: "generation_gone", errs.Invalid: "invalid_file"} {
		s := open(t)
		s.Policy.Approval = ledger.ApproveAlways
		s.storePlan()
		event := s.drop(id+"/p.csv", products)
		s.handle(event)
		if err := s.approve(s.proposed(event).ProposalSHA256); err != nil {
			t.Fatal(err)
		}
		s.Inbox = gone{s.inbox, kind}
		s.sweep()
		s.failedWith(id, code)
	}
	s := open(t)
	at := s.clock.Now().Add(time.Hour)
	s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"revert_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1)))
	s.handle(s.drop(id+"/p.csv", products))
	if err := os.Remove(filepath.Join(s.dir, "outbox", id, "p.csv")); err != nil {
		t.Fatal(err)
	}
	s.clock.advance(time.Hour)
	s.sweep()
	s.failedWith(id+"_undo", "generation_gone")
}

// gone is a bucket whose objects cannot be read any more.
type gone struct {
	bucket.Bucket
	kind errs.Kind
}

func (g gone) Open(context.Context, string, int64) (io.ReadCloser, bucket.Object, error) {
	return nil, bucket.Object{}, errs.New(g.kind, "it is gone")
}

// Of a table that was handed in, only metadata says which execution it is for. Once the
// table is gone the record says so, and keeps who handed it in.
func TestATableThatWasHandedInIsGone(t *testing.T) {
	for _, named := range []bool{false, true} { // by an event, else by the sweep
		s := open(t)
		s.Policy.Approval = ledger.ApproveAlways
		s.storePlan()
		event := s.drop("held/"+id+"/TABLE/p.csv", products)
		event.Metadata = map[string]string{"execution-id": id, "uploaded-by": "ana", "prepared-by": `["ben","carl"]`}
		s.handle(event)
		if err := s.approve(s.record().Proposal.ProposalSHA256); err != nil {
			t.Fatal(err)
		}
		s.Inbox = gone{s.inbox, errs.NotFound}
		if named {
			if err := s.HandleNamed(t.Context(), s.record().Source.Upload); err != nil {
				t.Fatal(err)
			}
		} else {
			s.sweep()
		}
		s.failedWith(id, "generation_gone")
		if source := s.record().Source; source.UploadedBy != "ana" || !slices.Equal(source.PreparedBy, []string{"ben", "carl"}) {
			t.Errorf("it was handed in by %q, prepared by %q", source.UploadedBy, source.PreparedBy)
		}
		for name := range s.files("outbox") {
			if strings.HasPrefix(name, "_unclaimed/") {
				t.Errorf("it is told to be of nobody's: %s", name)
			}
		}
	}
}
