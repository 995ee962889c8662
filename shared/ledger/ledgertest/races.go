package ledgertest

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
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
	{"many look while one settles", raceSnapshot},
	{"many settle one upload", raceOutcome},
	{"many store one plan", racePlan},
	{"many look for the next version", raceVersions},
}

func wantOneHolder(t *testing.T, store ledger.Store, after time.Duration, attempt int) {
	t.Helper()
	claims := make([]ledger.Claim, claimants)
	begun := time.Now()
	results := expect.AtOnce(claimants, func(i int) (err error) {
		claims[i], err = ledger.Acquire(t.Context(), store,
			delivery(fmt.Sprintf("holder-%d", i), int64(100+i), after))
		return err
	})
	t.Logf("%d claims took %v", claimants, time.Since(begun).Round(time.Millisecond))
	holder := read(t, store, executionID)
	won := 0
	for i, claim := range claims {
		expect.NoError(t, results[i])
		if claim.Lease == nil {
			expect.ErrorIf(t, claim.Decision != ledger.Busy, "claimant %d lost and was answered %q, want %q",
				i, claim.Decision, ledger.Busy)
			continue
		}
		won++
		expect.Equal(t, "the winner's record", holder, claim.Lease.Execution())
	}
	expect.ErrorIf(t, won != 1 || holder.Attempt != attempt, "%d winners, attempt %d; want 1 and attempt %d",
		won, holder.Attempt, attempt)
}

func raceUpdate(t *testing.T, store ledger.Store) {
	first := create(t, store, record(executionID))
	expect.OneWinner(t, 16, errs.Stale, func(i int) error {
		next := first
		next.Holder = fmt.Sprintf("holder-%d", i)
		with := outcome(executionID, int64(i+1), ledger.Failed, noon)
		_, err := store.UpdateExecution(t.Context(), next, ledger.Settlement{Outcome: &with})
		return err
	})
	documents := expect.Result(store.Audit(t.Context(), executionID, 0))(t)
	expect.ErrorIf(t, len(documents) != 1, "%d outcomes were written, want the winner's alone",
		len(documents))
}

// raceSnapshot looks at a record and an outcome while both are being committed:
// where the record alone were seen, the upload would be told that another had
// completed the execution.
func raceSnapshot(t *testing.T, store ledger.Store) {
	running := create(t, store, record(executionID))
	var settling atomic.Int64
	settling.Store(1)
	results := expect.AtOnce(5, func(i int) error {
		if i > 0 {
			return readUntilSettled(t, store, &settling)
		}
		defer settling.Store(0)
		for generation := int64(1); generation <= 200; generation++ {
			settling.Store(generation)
			next, settled := running, outcome(executionID, generation, ledger.Completed, noon)
			next.Source = source(generation)
			var err error
			if running, err = store.UpdateExecution(t.Context(), next,
				ledger.Settlement{Outcome: &settled}); err != nil {
				return err
			}
		}
		return nil
	})
	for _, err := range results {
		expect.NoError(t, err)
	}
}

// readUntilSettled reads the upload that is being settled, until none is.
func readUntilSettled(t *testing.T, store ledger.Store, settling *atomic.Int64) error {
	for {
		generation := settling.Load()
		if generation == 0 {
			return nil
		}
		upload := source(generation).Upload
		found, err := store.Snapshot(t.Context(), executionID, upload.ID())
		if err != nil {
			return err
		}
		if found.Execution.Source.Upload == upload && found.Outcome == nil {
			return fmt.Errorf("the record of upload %d was read without its outcome", generation)
		}
	}
}

func raceOutcome(t *testing.T, store ledger.Store) {
	expect.OneWinner(t, 16, errs.Conflict, func(i int) error {
		return store.CreateOutcome(t.Context(),
			outcome(executionID, 1, ledger.Skipped, noon.Add(time.Duration(i))))
	})
}

func racePlan(t *testing.T, store ledger.Store) {
	expect.OneWinner(t, 16, errs.Conflict, func(i int) error {
		mine := planOf(executionID)
		mine.SHA256 = fmt.Sprint(i)
		return store.CreatePlan(t.Context(), mine)
	})
}

// raceVersions has rivals store a plan each under the next version that is free. All of
// them find one, and none is left out.
func raceVersions(t *testing.T, store ledger.Store) {
	const rivals = 8
	results := expect.AtOnce(rivals, func(i int) error {
		for {
			found, err := store.PlanVersions(t.Context(), "plan_yoga", plans.Request{})
			if err != nil {
				return err
			}
			mine := planOf(plans.Version("plan_yoga", found.Last+1))
			mine.Instruction = fmt.Sprint("Sentence ", i)
			if err := store.CreatePlan(t.Context(), mine); errs.KindOf(err) != errs.Conflict {
				return err
			}
		}
	})
	ids := map[string]bool{}
	for i, err := range results {
		expect.NoError(t, err)
		request := planOf("plan_yoga_v1").Request()
		request.Instruction = fmt.Sprint("Sentence ", i)
		found := expect.Result(store.PlanVersions(t.Context(), "plan_yoga", request))(t)
		expect.Equal(t, "the last version", rivals, found.Last)
		ids[found.Latest] = true
	}
	expect.Equal(t, "plans of their own", rivals, len(ids))
}
