package inbox

import (
	"context"
	"sync"
	"time"
)

// Between two tries lie twice as long each time, from the first to the last.
const (
	firstRetry = time.Second
	lastRetry  = time.Minute
)

// retries are tries that wait for their next one. The zero value is ready.
type retries struct {
	mutex sync.Mutex
	woken chan struct{} // closed by wake; nil while nobody waits
}

// until tries until it succeeds or the context ends. To be woken cuts a wait
// short, also one that has not quite begun.
func (r *retries) until(ctx context.Context, try func() bool) {
	for wait := firstRetry; ctx.Err() == nil; wait = min(2*wait, lastRetry) {
		woken := r.next()
		if try() {
			return
		}
		pause(ctx, wait, woken)
	}
}

// wake ends every wait.
func (r *retries) wake() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.woken != nil {
		close(r.woken)
		r.woken = nil
	}
}

// next returns what the next wake closes.
func (r *retries) next() <-chan struct{} {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.woken == nil {
		r.woken = make(chan struct{})
	}
	return r.woken
}

// pause waits so long, or until it is woken, or the context ends.
func pause(ctx context.Context, wait time.Duration, woken <-chan struct{}) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-woken:
	}
}
