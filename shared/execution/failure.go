package execution

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/row"
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
func (x *Executor) permanent(err error, age time.Duration) *ledger.Failure {
	var refused *refusal
	var input *table.InputError
	var unknown *names.UnknownNamesError
	var stale *pricing.StaleError
	var large *pricing.TooLargeError
	switch {
	case errors.As(err, &refused):
		return &refused.Failure
	case errors.As(err, &input):
		input = input.On(x.Surface)
		code := input.Code()
		if code == row.CodeInvalid {
			code = "invalid_csv"
		}
		return &ledger.Failure{Code: code, Message: input.Error(), Details: input.Faults}
	case errors.As(err, &unknown):
		return &ledger.Failure{
			Code:         unknown.Code(),
			Message:      unknown.On(x.Surface).Error(),
			UnknownNames: unknown.Names,
		}
	case errors.As(err, &stale):
		return &ledger.Failure{Code: "stale", Message: stale.Error(), Stale: stale.Stale}
	case errors.As(err, &large):
		return &ledger.Failure{Code: "too_large", Message: large.Error()}
	case errs.KindOf(err) == errs.Invalid:
		return &ledger.Failure{Code: "invalid_file", Message: errs.Message(err)}
	case errs.Retryable(err) || age < x.Limits.UnknownFor:
		return nil
	default:
		return &ledger.Failure{
			Code:    "internal",
			Message: "The file could not be processed for " + x.Limits.UnknownFor.String() + ", for a reason on our side. The log has the details. Nothing was changed; drop the file again once it is mended.",
		}
	}
}

// clockSkew is more than clocks differ by.
const clockSkew = time.Hour

// age is how old an upload is. One that is dated in the future, beyond what
// clocks differ by, is as old as can be: nothing waits until its date comes.
func (x *Executor) age(uploadedAt time.Time) time.Duration {
	age := x.now().Sub(uploadedAt)
	if age < -clockSkew {
		return math.MaxInt64
	}
	return age
}

// begunAt is when the time began that an attempt may fail in for unknown
// reasons: at the upload, or later, when it was found or got its leave.
func (a *attempt) begunAt() time.Time {
	begun, record := a.source.UploadedAt, a.lease.Execution()
	for _, at := range []time.Time{a.source.FoundAt, leaveAt(record)} {
		if at.After(begun) {
			begun = at
		}
	}
	return begun
}

func (a *attempt) endUnsealed(ctx context.Context, err error) error {
	a.abandon()
	if late, ok := errors.AsType[outOfTime](err); ok {
		if a.lease.Execution().Timeouts+1 < a.Limits.Timeouts {
			return a.timedOut(ctx, late)
		}
		err = refuse("too_large", "The file is too large to be processed in the time there is: %d attempts ended early, the last after %d of %d bytes. %s",
			a.Limits.Timeouts, late.bytesRead, a.size, tooLargeAdvice(a.source))
	}
	failure := a.permanent(err, a.age(a.begunAt()))
	if failure == nil {
		return a.release(ctx, err)
	}
	return a.fail(ctx, *failure)
}

// fail settles the upload as failed and tells the person who dropped it.
func (a *attempt) fail(ctx context.Context, failure ledger.Failure) error {
	ctx, cancel := ledger.Afterwards(ctx)
	defer cancel()
	outcome := ledger.FailedDocument(a.lease.Execution(), failure, a.now(), a.plan)
	if err := a.lease.Fail(ctx, outcome.ExecutedAt, failure, outcome); err != nil {
		return a.findOutcome(ctx, a.delivery, fmt.Errorf("recording the failure: %w", err))
	}
	a.Log.ErrorContext(ctx, "failed", "code", failure.Code, "attempt", outcome.Attempt)
	return a.dischargeOwed(ctx, a.lease.Execution())
}

// release ends the lease after a transient error, which it returns.
func (a *attempt) release(ctx context.Context, cause error) error {
	ctx, cancel := ledger.Afterwards(ctx)
	defer cancel()
	a.Log.WarnContext(ctx, "will be tried again", "cause", cause.Error())
	if err := a.lease.Release(ctx, a.now(), errs.Message(cause)); err != nil && !errors.Is(err, errs.Stale) {
		a.Log.WarnContext(ctx, "the lease was not released", "cause", err.Error())
	}
	return cause
}

func (a *attempt) timedOut(ctx context.Context, late outOfTime) error {
	ctx, cancel := ledger.Afterwards(ctx)
	defer cancel()
	if err := a.lease.TimedOut(ctx, a.now(), late.bytesRead); err != nil {
		a.Log.WarnContext(ctx, "the timeout was not counted", "cause", err.Error())
	}
	return errs.Wrap(errs.Deadline, late, "execution %s ran out of time after %d bytes",
		a.executionID, late.bytesRead)
}
