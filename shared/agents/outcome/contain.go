package outcome

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"google.golang.org/adk/v2/session"
)

// Limit says how long a step may take.
type Limit struct {
	// Timeout is the most for the step alone.
	Timeout time.Duration
	// Reserve is kept back from the deadline of the whole request for the steps
	// after this one, so that the last always has time. Where less than twice
	// the reserve is left, half of what is left is kept back.
	Reserve time.Duration
}

// errDeadline is the cause of a step's own deadline.
var errDeadline = errors.New("the step's deadline has passed")

// apply returns a context that ends when the step must.
func (l Limit) apply(ctx context.Context) (context.Context, context.CancelFunc) {
	now := time.Now()
	deadline := now.Add(l.Timeout)
	if end, ok := ctx.Deadline(); ok {
		reserve := min(l.Reserve, end.Sub(now)/2)
		if latest := end.Add(-reserve); latest.Before(deadline) {
			deadline = latest
		}
	}
	return context.WithDeadlineCause(ctx, deadline, errDeadline)
}

// panicked is a panic that was caught; value and stack are for the log.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// grace is how long a step whose time is up may take to notice it. A step that
// starts without any time left is still skipped in it, if it is to be.
const grace = 250 * time.Millisecond

// contained runs work so that nothing in it can take the caller along: a panic
// becomes an error, and soon after ctx ends the caller goes on, even if work
// does not look at ctx. Work runs in a goroutine of its own; the events that it
// hands over go to forward, in turns, unless it was given up. Where forward
// returns false nobody listens any more, and ok is false.
func contained(
	ctx context.Context,
	work func(hand func(*session.Event) bool),
	forward func(*session.Event) bool,
) (err error, ok bool) {
	events := make(chan *session.Event)
	resume := make(chan struct{})
	givenUp := make(chan struct{})
	done := make(chan error, 1)
	defer close(givenUp)
	hand := func(event *session.Event) bool {
		select {
		case events <- event:
		case <-givenUp:
			return false
		}
		select {
		case <-resume:
			return true
		case <-givenUp:
			return false
		}
	}
	go func() {
		var err error
		defer func() {
			if value := recover(); value != nil {
				err = &panicked{value, debug.Stack()}
			}
			done <- err
		}()
		work(hand)
	}()
	timeIsUp, stopWaiting := after(ctx, grace)
	defer stopWaiting()
	for {
		select {
		case event := <-events:
			if !forward(event) {
				return nil, false
			}
			resume <- struct{}{}
		case err := <-done:
			return err, true
		case <-timeIsUp:
			return context.Cause(ctx), true
		}
	}
}

// after returns a channel that is closed so long after ctx ends, unless stop comes first.
func after(ctx context.Context, wait time.Duration) (ended <-chan struct{}, stop func() bool) {
	done := make(chan struct{})
	return done, context.AfterFunc(ctx, func() {
		time.AfterFunc(wait, func() { close(done) })
	})
}

// inline runs the tools of one model answer one after another in the step's
// own goroutine: a panic in a goroutine of ADK's would end the process.
func inline(ctx context.Context, tasks []func(context.Context)) {
	for _, task := range tasks {
		task(ctx)
	}
}
