package ledger

import (
	"context"
	"time"
)

// What has a time and is made of a fetched table is made of the shop as it is then: the
// shop is fetched once more when the time has come, and the new table is an upload like
// any other.

// AwaitsFetch reports whether what is proposed is applied only once the shop was fetched
// again, because the table is from before its time.
func (e Execution) AwaitsFetch() bool {
	return e.Status == Proposed && e.Source.FetchedBefore(e.Proposal.ApplyAt)
}

// UndoAwaitsFetch reports whether an undo that is due waits for the shop to be fetched;
// undo is its record, empty where nothing was begun of it. A table that failed for it
// before it was due is not its last.
func (e Execution) UndoAwaitsFetch(due UndoDue, undo Execution) bool {
	switch {
	case e.Source.Shop == nil:
		return false
	case undo.Status == Failed:
		return undo.Source.UploadedAt.Before(due.At)
	}
	return undo.Status == "" || undo.AwaitsFetch()
}

// NoteDelay notes why a record that is due is held up, where that is not noted yet.
func NoteDelay(ctx context.Context, store Store, record Execution, why string, at time.Time) error {
	if record.Delay == why {
		return nil
	}
	_, err := replace(ctx, store, record, Settlement{}, func(e Execution) Execution {
		e.Delay = why
		return e.dueAfter(at)
	})
	return err
}
