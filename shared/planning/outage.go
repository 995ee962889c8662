package planning

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// What an outage of a model may cost the people who wait for plans.
const (
	modelTime   = 12 * time.Second // one plan's, with all retries and repairs
	maxFailures = 3                // in a row; then the model is not asked
	restTime    = 30 * time.Second // for so long; then one call tries it again
)

// Patient returns a planner that asks a model and waits at most 12 seconds for its plan.
// After three failures in a row it fails at once for 30 seconds. Only a model that does
// not answer has failed: a question or an answer that is no plan is an answer. A nil now is
// time.Now.
func Patient(model Planner, now func() time.Time, log *slog.Logger) Planner {
	if now == nil {
		now = time.Now
	}
	return &patient{model: model, now: now, log: log}
}

// patient is a circuit breaker. The libraries for it count a caller who leaves as a
// success or as a failure of the model, and it is neither.
type patient struct {
	model Planner
	now   func() time.Time
	log   *slog.Logger

	mu       sync.Mutex
	failures int       // in a row
	last     error     // the latest of them
	rests    time.Time // no call begins before it, where there are enough failures
}

// Plan implements Planner.
func (p *patient) Plan(ctx context.Context, r Request) (Planned, error) {
	if err := p.begin(); err != nil {
		return Planned{}, err
	}
	asking, cancel := context.WithTimeout(ctx, modelTime)
	defer cancel()
	draft, err := p.model.Plan(asking, r)
	p.end(ctx, err)
	return draft, err
}

// begin refuses a call while the model rests. The first call after that is a trial: others
// are refused until it has ended, or has had its time.
func (p *patient) begin() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failures < maxFailures {
		return nil
	}
	now := p.now()
	if wait := p.rests.Sub(now); wait > 0 {
		return &resting{error: p.last, wait: wait}
	}
	p.rests = now.Add(modelTime)
	return nil
}

// end notes what came of a call. A caller who left says nothing of the model.
func (p *patient) end(ctx context.Context, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch kind := errs.KindOf(err); {
	case kind != errs.Unavailable && kind != errs.Deadline:
		p.failures, p.last = 0, nil
	case ctx.Err() == nil:
		p.failures++
		p.last = err
		if p.failures >= maxFailures {
			p.rests = p.now().Add(restTime)
			p.log.WarnContext(ctx, "the model is not asked for a while",
				"failures", p.failures, "for", restTime.String(), "error", err)
		}
	}
}

// resting is the failure of a model that is not asked: the last one that it had.
type resting struct {
	error
	wait time.Duration
}

// Unwrap makes the kind, the message and the reason of that failure visible.
func (r *resting) Unwrap() error { return r.error }

// RetryAfter is how long the model is left alone.
func (r *resting) RetryAfter() time.Duration { return r.wait }
