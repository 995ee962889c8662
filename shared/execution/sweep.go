package execution

import (
	"context"
	"log/slog"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/logging"
)

// Sweep delivers all that is due, what has been due longest first: it is one
// more source of deliveries, and nothing rests on when it runs. One that fails
// does not keep the others from their turn. It returns how many failed.
func (x *Executor) Sweep(ctx context.Context) (failed int, err error) {
	at := x.now()
	var page paging.Page
	for {
		found, err := x.Ledger.Due(ctx, at, page)
		if err != nil {
			return failed, err
		}
		for _, record := range found.Items {
			if !x.hasTime(ctx) {
				return failed, ctx.Err()
			}
			failed += x.swept(ctx, record.ExecutionID,
				x.deliverDue(scoped(ctx, record.ExecutionID), record, at))
		}
		if page.Token = found.NextPageToken; page.Token == "" {
			return failed, nil
		}
	}
}

// longestDelivery is what the largest table takes: so much is left when a sweep
// begins its last delivery, which has to end by itself.
const longestDelivery = 9 * time.Minute

func (x *Executor) hasTime(ctx context.Context) bool {
	deadline, limited := ctx.Deadline()
	return ctx.Err() == nil && (!limited || deadline.Sub(x.now()) > longestDelivery)
}

func scoped(ctx context.Context, executionID string) context.Context {
	return logging.Scope(ctx, slog.String("execution_id", executionID))
}

// swept counts a delivery of the sweep that failed.
func (x *Executor) swept(ctx context.Context, what string, err error) int {
	if err == nil {
		return 0
	}
	x.Log.WarnContext(ctx, "the sweep will look at it again", "what", what, "cause", err.Error())
	return 1
}

// deliverDue does what is due of a record: it writes the notices that nobody who
// holds it will write, and makes the deliveries that it waits for.
func (x *Executor) deliverDue(ctx context.Context, record ledger.Execution, at time.Time) error {
	if record.Status != ledger.Running && len(record.Unwritten()) > 0 {
		if err := x.notifyOwed(ctx, record); err != nil {
			return err
		}
		var err error
		record, err = ledger.Discharge(ctx, x.Ledger, record, at)
		if errs.KindOf(err) == errs.Stale { // whoever changed it since looks after it
			return nil
		} else if err != nil {
			return err
		}
	}
	switch {
	case record.DueAt.IsZero() || record.DueAt.After(at) || record.AwaitsFetch() && !record.NeedsApproval():
		return nil
	case record.Status == ledger.Completed:
		return x.deliverUndos(ctx, record, at)
	case record.Source.OutputOf != "":
		completed, err := x.Ledger.Execution(ctx, record.Source.OutputOf)
		if err != nil {
			return err
		}
		return x.deliverOutput(ctx, completed, record.ExecutionID, record.Source.FoundAt)
	default:
		return x.redeliver(ctx, record)
	}
}

// redeliver delivers the upload that a record is about, with the metadata that
// it was uploaded with; of one that is gone, what the record knows.
func (x *Executor) redeliver(ctx context.Context, record ledger.Execution) error {
	source := record.Source
	object, found, err := x.describe(ctx, source.Object, source.Reads())
	switch {
	case err != nil:
		return err
	case !found:
		return x.deliverGone(ctx, record)
	}
	event := eventOf(ctx, object, source.FoundAt)
	event.Generation, event.ReadGeneration = source.Generation, source.ReadGeneration
	return x.Handle(ctx, event)
}

// deliverUndos delivers the output of a completed execution to the undos that
// are due, each until it has its outcome. Of a table that was fetched from a shop, the
// shop is fetched anew for them, elsewhere. As long as something is proposed under the
// id of one, the output is left alone: that has its decision or its time first.
func (x *Executor) deliverUndos(ctx context.Context, completed ledger.Execution, at time.Time) error {
	for _, due := range completed.UndoDue {
		if due.At.After(at) {
			continue
		}
		undo, err := x.undoOf(ctx, due)
		inShop := completed.Source.Shop != nil
		if err == nil && inShop &&
			(undo.Status == ledger.Running || completed.UndoAwaitsFetch(due, undo) && !undo.NeedsApproval()) {
			continue // whoever fetches the shop delivers the table
		}
		if err == nil && undo.Proposal == nil && !inShop {
			if err = x.deliverOutput(ctx, completed, due.ExecutionID, due.At); err == nil {
				undo, err = x.undoOf(ctx, due)
			}
		}
		if err != nil {
			return err
		}
		// the undo has changed it
		if completed, err = x.Ledger.Execution(ctx, completed.ExecutionID); err != nil {
			return err
		}
		switch {
		case undo.Proposal == nil:
			completed, err = ledger.UndoDelivered(ctx, x.Ledger, completed, due.ExecutionID, at)
		case !due.Waits:
			completed, err = ledger.UndoWaits(ctx, x.Ledger, completed, undo, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// undoOf is the record of an undo that is due; empty where nothing was begun of it.
func (x *Executor) undoOf(ctx context.Context, due ledger.UndoDue) (ledger.Execution, error) {
	undo, err := x.Ledger.Execution(ctx, due.ExecutionID)
	if errs.KindOf(err) == errs.NotFound {
		return ledger.Execution{ExecutionID: due.ExecutionID}, nil
	}
	return undo, err
}

// deliverOutput delivers what an execution wrote to the one that undoes it. It
// is read as the table that it was made of. An output that is gone has no
// generation, and the delivery finds that out.
func (x *Executor) deliverOutput(
	ctx context.Context, completed ledger.Execution, undoID string, foundAt time.Time,
) error {
	file := completed.Seal.Output
	object, err := x.Outbox.Stat(ctx, file.Object)
	if err != nil && errs.KindOf(err) != errs.NotFound {
		return err
	}
	event := eventOf(ctx, object, foundAt)
	event.Bucket, event.Object = x.Outbox.Name(), file.Object
	settings := completed.Seal.Summary.Table.Pin(completed.Seal.ReadBy(completed.Source))
	d := delivery{
		executionID: undoID,
		file:        fileOf(file.Object),
		size:        object.Size,
		source: ledger.Source{
			Upload: event.upload(), UploadedAt: object.CreatedAt.UTC().Truncate(time.Microsecond),
			Settings: settings, OutputOf: completed.ExecutionID, FoundAt: foundAt,
			Shop: completed.Source.Shop,
		},
		holder:   x.NewHolder(),
		deadline: event.Deadline,
	}
	return x.execute(scoped(ctx, undoID), d)
}
