package emulator

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/logging"
)

// asked is a ledger that is only asked for what is due, and an inbox that is
// only listed: it notes both, and fails as often as it is told.
type asked struct {
	ledger.Store
	fail  int
	notes []string
}

func (a *asked) Due(context.Context, time.Time, ledger.Page) (ledger.List[ledger.Execution], error) {
	a.notes = append(a.notes, "due")
	if a.fail--; a.fail >= 0 {
		return ledger.List[ledger.Execution]{}, errs.New(errs.Unavailable, "not now")
	}
	return ledger.List[ledger.Execution]{}, nil
}

func (a *asked) List(context.Context) iter.Seq2[bucket.Object, error] {
	a.notes = append(a.notes, "inbox")
	return func(func(bucket.Object, error) bool) {}
}

// TestTheSweepKeepsItsTimes runs the sweeper by a clock that goes on only while
// it rests.
func TestTheSweepKeepsItsTimes(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	began, ledger := now, &asked{fail: 3}
	s := newSweeper(&execution.Executor{Ledger: ledger, Now: func() time.Time { return now }, Log: logging.Discard}, ledger, nil, logging.Discard)
	ctx, cancel := context.WithCancel(t.Context())
	var rests []time.Duration
	s.rest = func(_ context.Context, d time.Duration, _ <-chan struct{}) {
		rests = append(rests, d)
		now = now.Add(d)
		if now.Sub(began) > time.Hour {
			cancel()
		}
	}
	if err := s.run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if want := []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second, time.Second, time.Second}; !slices.Equal(rests[:5], want) {
		t.Errorf("it rested %v, want %v", rests[:5], want)
	}
	inbox := 0
	for _, note := range ledger.notes {
		if note == "inbox" {
			inbox++
		}
	}
	if inbox != 4 { // twice, each for plans and for the rest: at the start and after an hour
		t.Errorf("the inbox was listed %d times", inbox)
	}
}

func TestTheSweepIsWoken(t *testing.T) {
	s := newSweeper(&execution.Executor{}, nil, nil, logging.Discard)
	s.woken.ring()
	s.woken.ring() // told already
	s.rest(t.Context(), time.Hour, s.woken)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.rest(ctx, time.Hour, s.woken)
}
