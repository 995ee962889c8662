package execution_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
)

// Any call of a store may fail. What is acknowledged all the same has all that was
// promised by then, and what is not is delivered again and gets it.
func TestAnyOneCallMayFail(t *testing.T) {
	for name, story := range map[string]func(*shop, func(execution.Event)){
		"completed": func(s *shop, deliver func(execution.Event)) {
			deliver(s.drop(id+"/p.csv", products))
			s.completed()
		},
		"failed": func(s *shop, deliver func(execution.Event)) {
			event := s.drop(id+"/p.csv", broken)
			deliver(event)
			s.failedWith(id, "invalid_csv")
			s.told(event, "failed")
		},
		"skipped": func(s *shop, deliver func(execution.Event)) {
			deliver(s.drop(id+"/p.csv", products))
			again := s.drop(id+"/p.csv", products)
			deliver(again)
			s.told(again, "skipped")
		},
		"proposed": func(s *shop, deliver func(execution.Event)) {
			s.Policy.Approval = execution.ApproveAlways
			older := s.drop(id+"/p.csv", products)
			deliver(older)
			s.sweep() // what the record owes is noted then, at the latest
			s.proposed(older)
			newer := s.drop(id+"/p.csv", products)
			deliver(newer)
			s.sweep()
			s.told(older, "skipped")
			if err := s.approve(s.proposed(newer).ProposalSHA256); err != nil {
				s.t.Fatal(err)
			}
			deliver(newer)
			s.completed()
		},
		"expired": func(s *shop, deliver func(execution.Event)) {
			s.Policy.Approval = execution.ApproveAlways
			event := s.drop(id+"/p.csv", products)
			deliver(event)
			s.clock.advance(30 * 24 * time.Hour)
			deliver(event)
			s.failedWith(id, execution.CodeExpired)
			s.told(event, "failed")
		},
		"taken over": func(s *shop, deliver func(execution.Event)) {
			event := s.drop(id+"/p.csv", products)
			s.sealAndCrash(event)
			s.clock.advance(time.Hour)
			deliver(event)
			s.completed()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for f := (&fault{}); f.calls >= f.at; {
				f = &fault{at: f.at + 1}
				s := open(t)
				s.storePlan()
				story(s, func(event execution.Event) {
					t.Helper()
					x := *s.Executor
					x.Ledger, x.Inbox, x.Outbox, x.Audit = faultyStore{s.store, f}, faultyBucket{s.inbox, f}, faultyBucket{s.outbox, f}, faultyBucket{s.audit, f}
					if err := x.Handle(t.Context(), event); err != nil {
						s.clock.advance(time.Hour)
						s.handle(event)
					}
				})
				if t.Failed() {
					t.Fatalf("call %d failed: %s", f.at, f.what)
				}
			}
		})
	}
}

// told asserts that an upload has its outcome and the notice of it.
func (s *shop) told(event execution.Event, status ledger.Status) {
	s.t.Helper()
	found := false
	for _, document := range s.history() {
		found = found || document.Status == status && document.Upload.Generation == event.Generation
	}
	name := fmt.Sprintf("%s.%s-%d.txt", event.Object, status, event.Generation)
	if text := s.files("outbox")[name]; !found || !strings.Contains(text, "What to do") {
		s.t.Errorf("outcome %t, notice %s: %q", found, name, text)
	}
}

// fault fails one call, before it does anything.
type fault struct {
	at, calls int
	what      string
}

func (f *fault) fails(what string) error {
	if f.calls++; f.calls != f.at {
		return nil
	}
	f.what = what
	return errs.New(errs.Unavailable, "%s failed", what)
}

type faultyStore struct {
	ledger.Store
	*fault
}

func (s faultyStore) Plan(ctx context.Context, id string) (ledger.PlanRecord, error) {
	if err := s.fails("Plan"); err != nil {
		return ledger.PlanRecord{}, err
	}
	return s.Store.Plan(ctx, id)
}

func (s faultyStore) Execution(ctx context.Context, id string) (ledger.Execution, error) {
	if err := s.fails("Execution"); err != nil {
		return ledger.Execution{}, err
	}
	return s.Store.Execution(ctx, id)
}

func (s faultyStore) Snapshot(ctx context.Context, id, upload string) (ledger.Snapshot, error) {
	if err := s.fails("Snapshot"); err != nil {
		return ledger.Snapshot{}, err
	}
	return s.Store.Snapshot(ctx, id, upload)
}

func (s faultyStore) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	if err := s.fails("UpdateExecution"); err != nil {
		return ledger.Execution{}, err
	}
	return s.Store.UpdateExecution(ctx, next, with)
}

func (s faultyStore) CreateOutcome(ctx context.Context, outcome ledger.AuditDocument) error {
	if err := s.fails("CreateOutcome"); err != nil {
		return err
	}
	return s.Store.CreateOutcome(ctx, outcome)
}

type faultyBucket struct {
	bucket.Bucket
	*fault
}

func (b faultyBucket) Stat(ctx context.Context, name string) (bucket.Object, error) {
	if err := b.fails("Stat " + name); err != nil {
		return bucket.Object{}, err
	}
	return b.Bucket.Stat(ctx, name)
}

func (b faultyBucket) Create(ctx context.Context, name string, options bucket.CreateOptions) (bucket.Upload, error) {
	if err := b.fails("Create " + name); err != nil {
		return nil, err
	}
	upload, err := b.Bucket.Create(ctx, name, options)
	return faultyUpload{upload, b.fault, name}, err
}

type faultyUpload struct {
	bucket.Upload
	*fault
	name string
}

func (u faultyUpload) Commit() (bucket.Object, error) {
	if err := u.fails("Commit " + u.name); err != nil {
		return bucket.Object{}, err
	}
	return u.Upload.Commit()
}
