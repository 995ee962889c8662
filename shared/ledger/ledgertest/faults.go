package ledgertest

import (
	"context"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// faulty is a store whose next write of a record goes wrong, once.
type faulty struct {
	ledger.Store
	lose   bool // it is carried out, the reply is lost
	refuse bool // it is not carried out
}

var lost = errs.New(errs.Unavailable, "the connection was lost")

func (f *faulty) fault(write func() error) error {
	lose, refuse := f.lose, f.refuse
	f.lose, f.refuse = false, false
	if refuse {
		return lost
	}
	if err := write(); err != nil {
		return err
	}
	if lose {
		return lost
	}
	return nil
}

// CreateExecution goes wrong where it would have succeeded: the claim of an
// execution that exists is decided by the update after it.
func (f *faulty) CreateExecution(ctx context.Context, first ledger.Execution) (stored ledger.Execution, err error) {
	if _, err := f.Store.Execution(ctx, first.ExecutionID); err == nil {
		return f.Store.CreateExecution(ctx, first)
	}
	err = f.fault(func() error { stored, err = f.Store.CreateExecution(ctx, first); return err })
	return stored, err
}

func (f *faulty) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (stored ledger.Execution, err error) {
	err = f.fault(func() error { stored, err = f.Store.UpdateExecution(ctx, next, with); return err })
	return stored, err
}

var lostReplyTests = []test{
	{"a write whose reply was lost has happened", replyLost},
	{"a write that did not happen can be tried again", writeLost},
}

// steps bring an execution from nothing to its end, and through a failure and
// a takeover on the way.
func steps() []func(*testing.T, ledger.Store, **ledger.Held) error {
	claim := func(c ledger.Claimant, want ledger.Decision) func(*testing.T, ledger.Store, **ledger.Held) error {
		return func(t *testing.T, store ledger.Store, held **ledger.Held) error {
			claim, err := ledger.Ask(t.Context(), store, c)
			if err == nil && claim.Decision != want {
				t.Errorf("%s was answered %q, want %q", c.Holder, claim.Decision, want)
			}
			*held = claim.Held
			return err
		}
	}
	attempt := func(name string) func(*testing.T, ledger.Store, **ledger.Held) error {
		return func(t *testing.T, _ ledger.Store, held **ledger.Held) error { return attempts[name](t, *held) }
	}
	return []func(*testing.T, ledger.Store, **ledger.Held) error{
		claim(delivery("first", 1, 0), ledger.Granted),
		attempt("renewal"),
		attempt("failure"),
		claim(delivery("second", 2, 0), ledger.Granted),
		attempt("timeout"),
		claim(delivery("third", 2, time.Second), ledger.Granted),
		attempt("seal"),
		attempt("release"),
		claim(delivery("fourth", 3, time.Minute), ledger.Finish),
		func(t *testing.T, _ ledger.Store, held **ledger.Held) error {
			return (*held).Complete(t.Context(), outcomeOf(*held, ledger.Completed), nil)
		},
	}
}

func wantFinished(t *testing.T, store ledger.Store) {
	t.Helper()
	got := read(t, store, executionID)
	if got.Status != ledger.Completed || got.Attempt != 4 || got.Timeouts != 1 || got.Source.Generation != 2 {
		t.Errorf("the record at the end: %+v", got)
	}
	documents, err := store.Audit(t.Context(), executionID, 0)
	must(t, err)
	if len(documents) != 2 {
		t.Errorf("%d outcomes, want 2", len(documents))
	}
}

func replyLost(t *testing.T, store ledger.Store) {
	flaky := &faulty{Store: store}
	var held *ledger.Held
	for i, step := range steps() {
		flaky.lose = true
		if err := step(t, flaky, &held); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		if flaky.lose {
			t.Fatalf("step %d wrote no record", i)
		}
	}
	wantFinished(t, store)
}

func writeLost(t *testing.T, store ledger.Store) {
	flaky := &faulty{Store: store}
	var held *ledger.Held
	for i, step := range steps() {
		before := held
		flaky.refuse = true
		if err := step(t, flaky, &held); errs.KindOf(err) != errs.Unavailable {
			t.Fatalf("step %d: got %v, want Unavailable", i, err)
		}
		if held == nil {
			held = before
		}
		if err := step(t, flaky, &held); err != nil {
			t.Fatalf("step %d, tried again: %v", i, err)
		}
	}
	wantFinished(t, store)
}
