package execution_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
)

// Any call of a store may fail. What is acknowledged all the same has all that was
// promised by then, and what is not is delivered again and gets it.
func TestAnyOneCallMayFail(t *testing.T) {
	for name, story := range map[string]func(*shop, doing){
		"completed": func(s *shop, do doing) {
			do.deliver(s.drop(id+"/p.csv", products))
			s.completed()
		},
		"failed": func(s *shop, do doing) {
			event := s.drop(id+"/p.csv", broken)
			do.deliver(event)
			s.failedWith(id, "invalid_csv")
			s.noticed(event, "failed")
		},
		"skipped": func(s *shop, do doing) {
			do.deliver(s.drop(id+"/p.csv", products))
			again := s.drop(id+"/p.csv", products)
			do.deliver(again)
			s.noticed(again, "skipped")
		},
		"proposed": func(s *shop, do doing) {
			s.Policy.Approval = ledger.ApproveAlways
			older := s.drop(id+"/p.csv", products)
			do.deliver(older)
			s.sweep() // what the record owes is noted then, at the latest
			s.proposed(older)
			newer := s.drop(id+"/p.csv", products)
			do.deliver(newer)
			s.sweep()
			s.noticed(older, "skipped")
			if err := s.approve(s.proposed(newer).ProposalSHA256); err != nil {
				s.t.Fatal(err)
			}
			do.deliver(newer)
			s.completed()
		},
		"expired": func(s *shop, do doing) {
			s.Policy.Approval = ledger.ApproveAlways
			event := s.drop(id+"/p.csv", products)
			do.deliver(event)
			s.clock.advance(30 * 24 * time.Hour)
			do.deliver(event)
			s.failedWith(id, ledger.CodeExpired)
			s.noticed(event, "failed")
		},
		"a plan": func(s *shop, do doing) {
			other := "plan_other_v1"
			do.deliver(s.drop(other+"/plan.json", strings.Replace(planJSON, id, other, 1)))
			if stored, err := s.store.Plan(s.t.Context(), other); err != nil || stored.ExecutionID != other {
				s.t.Errorf("the plan: %+v, %v", stored, err)
			}
		},
		"no table": func(s *shop, do doing) {
			event := s.drop(id+"/p.xlsx", "PK")
			do.deliver(event)
			if name := fmt.Sprintf("%s.failed-%d.txt", event.Object, event.Generation); !strings.Contains(s.files("outbox")[name], "neither a table nor a plan") {
				s.t.Errorf("%s is not there", name)
			}
		},
		"approved": func(s *shop, do doing) {
			s.Policy.Approval = ledger.ApproveAlways
			event := s.drop(id+"/p.csv", products)
			s.handle(event)
			if err := s.approve(s.proposed(event).ProposalSHA256); err != nil {
				s.t.Fatal(err)
			}
			do.sweep()
			s.completed()
		},
		"rejected": func(s *shop, do doing) {
			s.Policy.Approval = ledger.ApproveAlways
			event := s.drop(id+"/p.csv", products)
			s.handle(event)
			s.reject(event)
			do.sweep()
			s.noticed(event, "failed")
			if owed := s.record().Unwritten(); len(owed) != 0 {
				s.t.Errorf("owed: %v", owed)
			}
		},
		"reverted": func(s *shop, do doing) {
			at := s.clock.Now().Add(time.Hour).Format(time.RFC3339)
			revert := "plan_reverted_v1"
			s.handle(s.drop(revert+"/plan.json", strings.NewReplacer(id, revert, `"operations"`, `"revert_at": "`+at+`", "operations"`).Replace(planJSON)))
			do.deliver(s.drop(revert+"/p.csv", products))
			s.clock.advance(time.Hour)
			do.sweep()
			record, err := s.store.Execution(s.t.Context(), revert)
			if err != nil || record.UndoneBy != revert+"_undo" || len(record.UndoDue) != 0 || s.files("outbox")[revert+"_undo/p.csv"] != products {
				s.t.Errorf("%+v, %v", record, err)
			}
		},
		"found": func(s *shop, do doing) {
			s.drop(id+"/p.csv", products)
			stray := s.drop("p.csv", products)
			do(func(x *execution.Executor) error {
				return errors.Join(swept(x.SweepInbox(s.t.Context(), s.inbox.List)), swept(x.Sweep(s.t.Context())))
			})
			s.completed()
			if name := fmt.Sprintf("_unclaimed/p.csv-%d.txt", stray.Generation); s.files("outbox")[name] == "" {
				s.t.Errorf("%s is not there", name)
			}
		},
		"taken over": func(s *shop, do doing) {
			event := s.drop(id+"/p.csv", products)
			s.sealAndCrash(event)
			s.clock.advance(time.Hour)
			do.deliver(event)
			s.completed()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for f := (&fault{}); f.calls >= f.at || !f.late; {
				f = f.next()
				s := open(t)
				s.storePlan()
				story(s, func(work func(*execution.Executor) error) {
					t.Helper()
					x := *s.Executor
					x.Ledger, x.Inbox, x.Outbox, x.Audit = faultyStore{s.store, f}, faultyBucket{s.inbox, f}, faultyBucket{s.outbox, f}, faultyBucket{s.audit, f}
					if err := work(&x); err == nil {
						return
					}
					s.clock.advance(time.Hour)
					if err := work(s.Executor); err != nil {
						t.Fatalf("not even without a fault: %v", err)
					}
				})
				if t.Failed() {
					t.Fatalf("call %d failed (its reply was lost: %t): %s", f.at, f.late, f.what)
				}
			}
		})
	}
}

// doing does some work with ports of which one call fails, and where the work
// fails by that, again without a fault.
type doing func(work func(*execution.Executor) error)

func (do doing) deliver(event execution.Event) {
	do(func(x *execution.Executor) error { return x.Handle(context.Background(), event) })
}

func (do doing) sweep() {
	do(func(x *execution.Executor) error { return swept(x.Sweep(context.Background())) })
}

func swept(failed int, err error) error {
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d failed", failed)
	}
	return err
}

// told asserts that an upload has its outcome and the notice of it.
func (s *shop) noticed(event execution.Event, status ledger.Status) {
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

// fault fails one call: before it does anything, or, of a write, when it is late
// and only the reply is lost.
type fault struct {
	at, calls int
	late      bool
	what      string
}

// next is the fault of the call after, and behind the last one the first lost reply.
func (f *fault) next() *fault {
	if f.at > 0 && f.calls < f.at {
		return &fault{at: 1, late: true}
	}
	step := 1
	if testing.Short() && f.at > 0 {
		step = 7
	}
	return &fault{at: f.at + step, late: f.late}
}

func (f *fault) fails(what string) error {
	if f.late {
		return nil
	}
	return f.count(what)
}

func (f *fault) count(what string) error {
	if f.calls++; f.calls != f.at {
		return nil
	}
	f.what = what
	return errs.New(errs.Unavailable, "%s failed", what)
}

func (f *fault) write(what string, carryOut func() error) error {
	if err := f.fails(what); err != nil {
		return err
	}
	if err := carryOut(); err != nil || !f.late {
		return err
	}
	return f.count(what)
}

type faultyStore struct {
	ledger.Store
	*fault
}

func (s faultyStore) Plan(ctx context.Context, id string) (plans.Record, error) {
	if err := s.fails("Plan"); err != nil {
		return plans.Record{}, err
	}
	return s.Store.Plan(ctx, id)
}

func (s faultyStore) CreatePlan(ctx context.Context, plan plans.Record) error {
	return s.write("CreatePlan", func() error { return s.Store.CreatePlan(ctx, plan) })
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

func (s faultyStore) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (record ledger.Execution, err error) {
	err = s.write("UpdateExecution", func() (err error) { record, err = s.Store.UpdateExecution(ctx, next, with); return err })
	return record, err
}

func (s faultyStore) CreateOutcome(ctx context.Context, outcome ledger.AuditDocument) error {
	return s.write("CreateOutcome", func() error { return s.Store.CreateOutcome(ctx, outcome) })
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

func (b faultyBucket) Open(ctx context.Context, name string, generation int64) (io.ReadCloser, bucket.Object, error) {
	if err := b.fails("Open " + name); err != nil {
		return nil, bucket.Object{}, err
	}
	return b.Bucket.Open(ctx, name, generation)
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

func (u faultyUpload) Commit() (object bucket.Object, err error) {
	err = u.write("Commit "+u.name, func() (err error) { object, err = u.Upload.Commit(); return err })
	return object, err
}
