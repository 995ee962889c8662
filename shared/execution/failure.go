package execution

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/pricing"
)

// refusal is an error that no other attempt on the same upload can mend.
type refusal struct{ ledger.Failure }

func (r *refusal) Error() string { return r.Message }

func (r *refusal) Unwrap() error { return errs.Invalid }

func refuse(code, format string, args ...any) error {
	return &refusal{ledger.Failure{Code: code, Message: fmt.Sprintf(format, args...)}}
}

// permanent tells permanent errors from transient ones: it returns the failure
// that an error means for an upload of that age, or nil where another attempt
// may succeed. It is the only place that does.
func permanent(err error, age time.Duration, limits Limits) *ledger.Failure {
	var refused *refusal
	var input *pricing.InputError
	switch {
	case errors.As(err, &refused):
		return &refused.Failure
	case errors.As(err, &input):
		return &ledger.Failure{Code: "invalid_csv", Message: input.Error(), Details: input.Faults}
	case errs.Retryable(err) || age < limits.UnknownFor:
		return nil
	default:
		return &ledger.Failure{
			Code:    "internal",
			Message: "The file could not be processed for " + limits.UnknownFor.String() + ", for a reason on our side. The log has the details. Nothing was changed; drop the file again once it is mended.",
		}
	}
}

// giveUp ends an attempt that sealed nothing.
func (x *Executor) giveUp(ctx context.Context, d delivery, held *ledger.Held, w *work, err error) error {
	w.abandon()
	var late outOfTime
	if errors.As(err, &late) {
		if held.Record().Timeouts+1 < x.Limits.Timeouts {
			return x.timedOut(ctx, d, held, late)
		}
		err = x.tooLarge(d, late)
	}
	failure := permanent(err, x.now().Sub(d.source.UploadedAt), x.Limits)
	if failure == nil {
		return x.letGo(ctx, d, held, err)
	}
	return x.fail(ctx, d, held, w, *failure)
}

// fail settles the upload as failed and tells the person who dropped it.
func (x *Executor) fail(ctx context.Context, d delivery, held *ledger.Held, w *work, failure ledger.Failure) error {
	ctx, cancel := lastWords(ctx)
	defer cancel()
	stored := &w.stored
	if w.plan == nil {
		stored = nil
	}
	outcome := ledger.FailedDocument(held.Record(), failure, x.now(), stored, w.plan)
	if err := held.Fail(ctx, failure, outcome); err != nil {
		return x.settled(ctx, d, fmt.Errorf("recording the failure: %w", err))
	}
	x.Log.ErrorContext(ctx, "failed", "code", failure.Code, "attempt", outcome.Attempt)
	return x.notify(ctx, d, outcome)
}

// letGo releases the lease after a transient error, which it returns.
func (x *Executor) letGo(ctx context.Context, d delivery, held *ledger.Held, cause error) error {
	ctx, cancel := lastWords(ctx)
	defer cancel()
	x.Log.WarnContext(ctx, "will be tried again", "cause", cause.Error())
	if err := held.Release(ctx); err != nil && !errors.Is(err, errs.Stale) {
		x.Log.WarnContext(ctx, "the lease was not released", "cause", err.Error())
	}
	return cause
}

func (x *Executor) timedOut(ctx context.Context, d delivery, held *ledger.Held, late outOfTime) error {
	ctx, cancel := lastWords(ctx)
	defer cancel()
	if err := held.TimedOut(ctx, late.bytesRead); err != nil {
		x.Log.WarnContext(ctx, "the timeout was not counted", "cause", err.Error())
	}
	return errs.Wrap(errs.Deadline, late, "execution %s ran out of time after %d bytes", d.executionID, late.bytesRead)
}

func (x *Executor) tooLarge(d delivery, late outOfTime) error {
	return refuse("too_large", "The file is too large to be processed in the time there is: %d attempts ended early, the last after %d of %d bytes. Split the file and make a plan for each part, or raise the executor's timeout.",
		x.Limits.Timeouts, late.bytesRead, d.size)
}

// lastWords is a context for what must still be said when the delivery's own
// has ended.
func lastWords(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
}
