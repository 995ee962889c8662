package emulator

import (
	"context"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/logging"
)

// countingLedger is a ledger that is only asked for what is due, and an inbox that is
// only listed: it notes when, and fails as often as it is told.
type countingLedger struct {
	ledger.Store
	fail   int
	due    []time.Time
	listed int
}

func (a *countingLedger) Due(context.Context, time.Time, paging.Page) (paging.List[ledger.Execution], error) {
	a.due = append(a.due, time.Now())
	if a.fail--; a.fail >= 0 {
		return paging.List[ledger.Execution]{}, errs.New(errs.Unavailable, "not now")
	}
	return paging.List[ledger.Execution]{}, nil
}

func (a *countingLedger) List(context.Context, string) iter.Seq2[bucket.Object, error] {
	a.listed++
	return func(func(bucket.Object, error) bool) {}
}

// TestTheSweepKeepsItsTimes sweeps for an hour of a clock that goes on only while
// the sweeper rests.
func TestTheSweepKeepsItsTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ledger := &countingLedger{fail: 3}
		s := &sweeper{Executor: &execution.Executor{Ledger: ledger, Now: time.Now, Log: logging.Discard}, inbox: ledger.List}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour+time.Second/2)
		defer cancel()
		repeat(ctx, s.sweep)
		var rests []time.Duration
		for i, at := range ledger.due[1:6] {
			rests = append(rests, at.Sub(ledger.due[i]))
		}
		if want := []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second, time.Second, time.Second}; !slices.Equal(rests, want) {
			t.Errorf("it rested %v, want %v", rests, want)
		}
		if ledger.listed != 4 { // twice, each for plans and for the rest: at the start and after an hour
			t.Errorf("the inbox was listed %d times", ledger.listed)
		}
	})
}

// What is under way when the server ends gets its time, and no more.
func TestWhatIsRepeatedMayEndByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		begun, times := time.Now(), 0
		repeat(ctx, func(ctx context.Context) bool {
			times++
			cancel()
			<-ctx.Done()
			return true
		})
		if took := time.Since(begun); took != drainTime || times != 1 {
			t.Errorf("%d times, the last of which had %s to end", times, took)
		}
	})
}
