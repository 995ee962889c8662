package ledgertest

import (
	"context"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/test/expect"
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
func (f *faulty) CreateExecution(
	ctx context.Context, first ledger.Execution,
) (stored ledger.Execution, err error) {
	if _, err := f.Store.Execution(ctx, first.ExecutionID); err == nil {
		return f.Store.CreateExecution(ctx, first)
	}
	err = f.fault(func() error { stored, err = f.Store.CreateExecution(ctx, first); return err })
	return stored, err
}

func (f *faulty) UpdateExecution(
	ctx context.Context, next ledger.Execution, with ledger.Settlement,
) (stored ledger.Execution, err error) {
	err = f.fault(func() error { stored, err = f.Store.UpdateExecution(ctx, next, with); return err })
	return stored, err
}

var lostReplyTests = []test{
	{"a write whose reply was lost has happened", replyLost},
	{"a write that did not happen can be tried again", writeLost},
}

// steps bring an execution from nothing to its end, and through a failure and
// a takeover on the way.
func steps() []func(*testing.T, ledger.Store, **ledger.Lease) error {
	claim := func(
		c ledger.ClaimRequest, want ledger.Decision,
	) func(*testing.T, ledger.Store, **ledger.Lease) error {
		return func(t *testing.T, store ledger.Store, lease **ledger.Lease) error {
			claim, err := ledger.Acquire(t.Context(), store, c)
			expect.ErrorIf(t, err == nil && claim.Decision != want, "%s was answered %q, want %q",
				c.Holder, claim.Decision, want)
			*lease = claim.Lease
			return err
		}
	}
	attempt := func(name string) func(*testing.T, ledger.Store, **ledger.Lease) error {
		return func(t *testing.T, _ ledger.Store, lease **ledger.Lease) error {
			return attempts[name](t, *lease)
		}
	}
	return []func(*testing.T, ledger.Store, **ledger.Lease) error{
		claim(delivery("first", 1, 0), ledger.Granted),
		attempt("renewal"),
		attempt("failure"),
		claim(delivery("second", 2, 0), ledger.Granted),
		attempt("timeout"),
		claim(delivery("third", 2, time.Second), ledger.Granted),
		attempt("seal"),
		attempt("note"),
		attempt("release"),
		claim(delivery("fourth", 3, time.Minute), ledger.Finish),
		func(t *testing.T, _ ledger.Store, lease **ledger.Lease) error {
			return (*lease).Complete(t.Context(), outcomeOf(*lease, ledger.Completed), nil, nil)
		},
	}
}

func wantFinished(t *testing.T, store ledger.Store) {
	t.Helper()
	got := read(t, store, executionID)
	if got.Status != ledger.Completed || got.Attempt != 4 || got.Timeouts != 1 || got.Source.Generation != 2 {
		t.Errorf("the record at the end: %+v", got)
	}
	documents := expect.Result(store.Audit(t.Context(), executionID, 0))(t)
	expect.ErrorIf(t, len(documents) != 2, "%d outcomes, want 2", len(documents))
}

func replyLost(t *testing.T, store ledger.Store) {
	flaky := &faulty{Store: store}
	var lease *ledger.Lease
	for i, step := range steps() {
		flaky.lose = true
		if err := step(t, flaky, &lease); err != nil {
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
	var lease *ledger.Lease
	for i, step := range steps() {
		before := lease
		flaky.refuse = true
		if err := step(t, flaky, &lease); errs.KindOf(err) != errs.Unavailable {
			t.Fatalf("step %d: got %v, want Unavailable", i, err)
		}
		if lease == nil {
			lease = before
		}
		if err := step(t, flaky, &lease); err != nil {
			t.Fatalf("step %d, tried again: %v", i, err)
		}
	}
	wantFinished(t, store)
}
