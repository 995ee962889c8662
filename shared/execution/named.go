package execution

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
)

// HandleNamed takes a delivery that came by network. Its sender says which upload it is
// about, and nothing else is believed: metadata, size and time are read of the very
// generation. One that cannot be read is acknowledged and changes no record, unless it
// is the upload that the record is about. Errors are those of Handle.
func (x *Executor) HandleNamed(ctx context.Context, upload ledger.Upload) error {
	object, found, err := x.describe(ctx, upload.Object, upload.Generation)
	switch {
	case err != nil:
		return err
	case found:
		return x.Handle(ctx, eventOf(ctx, object, time.Time{}))
	}
	record, is, err := x.recordOf(ctx, upload)
	switch {
	case err != nil:
		return err
	case is:
		return x.deliverGone(ctx, record)
	}
	x.Log.WarnContext(ctx, "an event about an upload that cannot be read", "object", upload.Object, "generation", upload.Generation)
	return nil
}

// describe says what a generation in the inbox is. Not found: it is gone, or nothing
// there can have its name.
func (x *Executor) describe(ctx context.Context, name string, generation int64) (object bucket.Object, found bool, err error) {
	in, object, err := x.Inbox.Open(ctx, name, generation)
	if err == nil {
		in.Close() // only what describes it is needed
		return object, true, nil
	}
	switch errs.KindOf(err) {
	case errs.Invalid: // also of one that is there, and cannot be read as it was sent
		return object, object.Generation == generation, nil
	case errs.NotFound:
		return bucket.Object{}, false, nil
	}
	return bucket.Object{}, false, err
}

// recordOf is the record that is about an upload whose name tells its execution.
func (x *Executor) recordOf(ctx context.Context, upload ledger.Upload) (record ledger.Execution, is bool, err error) {
	id := ExecutionIn(upload.Object)
	if id == "" {
		return record, false, nil
	}
	record, err = x.Ledger.Execution(ctx, id)
	if errs.KindOf(err) == errs.NotFound {
		return record, false, nil
	}
	return record, err == nil && record.Source.Upload == upload, err
}

// ExecutionIn is the execution that an object's name alone tells: the folder that it lies
// in, or that the planner handed it in for. "" is none.
func ExecutionIn(object string) string {
	if handedIn, is := strings.CutPrefix(object, HandedInFolder); is {
		if id, _, _ := strings.Cut(handedIn, "/"); plan.ValidExecutionID(id) {
			return id
		}
	}
	return route(object, nil).executionID
}

// deliverGone delivers the upload of a record once it cannot be read any more: what
// there is to know of it, the record has.
func (x *Executor) deliverGone(ctx context.Context, record ledger.Execution) error {
	ctx = logging.Scope(ctx, slog.String("upload", record.Source.ID()), slog.String("execution_id", record.ExecutionID))
	deadline, _ := ctx.Deadline()
	return x.execute(ctx, delivery{
		executionID: record.ExecutionID,
		file:        fileOf(record.Source.Object),
		source:      record.Source,
		holder:      x.NewHolder(),
		deadline:    deadline,
	})
}
