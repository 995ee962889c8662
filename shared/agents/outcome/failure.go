package outcome

import (
	"context"
	"errors"
	"fmt"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/gemini"
)

// failure turns whatever ended a step into an error of our own, whose message
// is a plain sentence and whose cause is for the log.
func failure(ctx context.Context, err error) error {
	var caught *panicked
	var model modelError
	var coded *errs.Error
	switch {
	case errors.Is(err, errDeadline), errors.Is(context.Cause(ctx), errDeadline):
		return errs.Wrap(errs.Deadline, err, "The step did not finish in time.")
	case errors.As(err, &coded):
		return err // its words are ours already
	case errors.As(err, &caught):
		return errs.Wrap(errs.Internal, err, "The step stopped unexpectedly.")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return errs.Wrap(errs.Deadline, err, "The step was stopped before it finished.")
	case errors.As(err, &model):
		return gemini.Translate(model.error)
	default:
		return errs.Wrap(errs.Internal, err, "The step could not run.")
	}
}

// modelError marks an error that came from the model's client.
type modelError struct{ error }

func (e modelError) Unwrap() error { return e.error }

// logged returns what the log says of a failure, with the stack of a panic.
func logged(err error) []any {
	attrs := []any{"kind", string(errs.KindOf(err)), "error", fmt.Sprint(err)}
	if caught, ok := errors.AsType[*panicked](err); ok {
		attrs = append(attrs, "stack", string(caught.stack))
	}
	return attrs
}
