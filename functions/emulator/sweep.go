package emulator

import (
	"context"
	"iter"
	"log/slog"
	"time"

	"github.com/planwright/planwright/functions/emulator/inbox"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/held"
)

// Times of the sweep on one machine: looking at what is due costs next to
// nothing here, so that what is scheduled is on time.
const (
	sweepEvery     = time.Second
	sweepAtLeast   = time.Minute // where something fails each time
	sweepInboxEach = time.Hour
)

// sweeper runs the sweep of the deployed function from a ticker.
type sweeper struct {
	*execution.Executor
	inbox bucket.Lister
	held  *held.Tables // nil: none are
	woken bell
	// rest waits so long, or until it is woken, or the context ends.
	rest func(ctx context.Context, d time.Duration, woken <-chan struct{})
	log  *slog.Logger
}

func newSweeper(x *execution.Executor, from bucket.Lister, tables *held.Tables, log *slog.Logger) *sweeper {
	return &sweeper{Executor: x, inbox: from, held: tables, woken: newBell(), rest: inbox.Pause, log: log}
}

// run sweeps until the context ends: the inbox once an hour, what is due every
// second, and less often while something fails. What is under way then gets
// drainTime to end by itself.
func (s *sweeper) run(ctx context.Context) error {
	work, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(drainTime, release) })
	defer stop()
	var inboxAt time.Time
	for wait := sweepEvery; ctx.Err() == nil; {
		if now := s.Now(); !now.Before(inboxAt) {
			inboxAt = now.Add(sweepInboxEach)
			s.note(s.SweepInbox(work, s.inbox))
			if s.held != nil {
				s.note(0, s.held.Expire(work))
			}
		}
		if s.note(s.Sweep(work)) {
			wait = sweepEvery
		} else {
			wait = min(2*wait, sweepAtLeast)
		}
		s.rest(ctx, wait, s.woken)
	}
	return nil
}

// note reports whether all of a sweep went well.
func (s *sweeper) note(failed int, err error) bool {
	if err != nil {
		s.log.Warn("the sweep stopped early", "cause", err.Error())
	}
	return failed == 0 && err == nil
}

// bell says that something is to be done at once. Rung before anybody hears it,
// it stays rung, once.
type bell chan struct{}

func newBell() bell { return make(bell, 1) }

func (b bell) ring() {
	select {
	case b <- struct{}{}:
	default:
	}
}

// written are the drops of a folder that have a row: only these stay.
type written struct {
	bucket.Lister
	rows *inbox.Rows
}

// List implements bucket.Lister.
func (w written) List(ctx context.Context) iter.Seq2[bucket.Object, error] {
	return func(yield func(bucket.Object, error) bool) {
		for object, err := range w.Lister.List(ctx) {
			has := err != nil
			if err == nil {
				has, err = w.rows.Has(ctx, object.Generation)
			}
			if has && !yield(object, err) {
				return
			}
		}
	}
}
