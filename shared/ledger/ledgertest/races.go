package ledgertest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/test/expect"
)

// claimants is how many deliveries of one execution race in the suite.
const claimants = 64

var raceTests = []test{
	{"many claim what is new", func(t *testing.T, store ledger.Store) {
		wantOneHolder(t, store, 0, 1)
	}},
	{"many claim what has expired", func(t *testing.T, store ledger.Store) {
		hold(t, store, delivery("dead", 1, 0))
		wantOneHolder(t, store, leaseTime, 2)
	}},
	{"many claim what has failed", func(t *testing.T, store ledger.Store) {
		fail(t, hold(t, store, delivery("dead", 1, 0)))
		wantOneHolder(t, store, 0, 2)
	}},
	{"many finish what is sealed", func(t *testing.T, store ledger.Store) {
		expect.NoError(t, hold(t, store, delivery("dead", 1, 0)).Seal(t.Context(), *fullSeal(), nil))
		wantOneHolder(t, store, leaseTime, 2)
	}},
	{"many update one revision", raceUpdate},
	{"many settle one upload", raceOutcome},
	{"many store one plan", racePlan},
}

func race(n int, run func(i int) error) []error {
	errors := make([]error, n)
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			errors[i] = run(i)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	return errors
}

// wantOneWinner fails unless one error is nil and the others are of the kind.
func wantOneWinner(t *testing.T, results []error, refused errs.Kind) {
	t.Helper()
	won := 0
	for i, err := range results {
		switch errs.KindOf(err) {
		case "":
			won++
		case refused:
		default:
			t.Errorf("%d: got %v, want %s", i, err, refused)
		}
	}
	expect.ErrorIf(t, won != 1, "%d winners, want 1", won)
}

func wantOneHolder(t *testing.T, store ledger.Store, after time.Duration, attempt int) {
	t.Helper()
	claims := make([]ledger.Claim, claimants)
	begun := time.Now()
	results := race(claimants, func(i int) (err error) {
		claims[i], err = ledger.Acquire(t.Context(), store, delivery(fmt.Sprintf("holder-%d", i), int64(100+i), after))
		return err
	})
	t.Logf("%d claims took %v", claimants, time.Since(begun).Round(time.Millisecond))
	holder := read(t, store, executionID)
	won := 0
	for i, claim := range claims {
		expect.NoError(t, results[i])
		if claim.Lease == nil {
			if claim.Decision != ledger.Busy {
				t.Errorf("claimant %d lost and was answered %q, want %q", i, claim.Decision, ledger.Busy)
			}
			continue
		}
		won++
		expect.Equal(t, "the winner's record", holder, claim.Lease.Execution())
	}
	if won != 1 || holder.Attempt != attempt {
		t.Errorf("%d winners, attempt %d; want 1 and attempt %d", won, holder.Attempt, attempt)
	}
}

func raceUpdate(t *testing.T, store ledger.Store) {
	first := create(t, store, record(executionID))
	wantOneWinner(t, race(16, func(i int) error {
		next := first
		next.Holder = fmt.Sprintf("holder-%d", i)
		with := outcome(executionID, int64(i+1), ledger.Failed, noon)
		_, err := store.UpdateExecution(t.Context(), next, ledger.Settlement{Outcome: &with})
		return err
	}), errs.Stale)
	documents := expect.Result(store.Audit(t.Context(), executionID, 0))(t)
	expect.ErrorIf(t, len(documents) != 1, "%d outcomes were written, want the winner's alone", len(documents))
}

func raceOutcome(t *testing.T, store ledger.Store) {
	wantOneWinner(t, race(16, func(i int) error {
		return store.CreateOutcome(t.Context(), outcome(executionID, 1, ledger.Skipped, noon.Add(time.Duration(i))))
	}), errs.Conflict)
}

func racePlan(t *testing.T, store ledger.Store) {
	wantOneWinner(t, race(16, func(i int) error {
		mine := plan(executionID)
		mine.SHA256 = fmt.Sprint(i)
		return store.CreatePlan(t.Context(), mine)
	}), errs.Conflict)
}
