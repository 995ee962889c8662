package inbox

import (
	"context"
	"path"
	"time"
)

// deliver delivers a row until it is acknowledged or the context ends.
func (w *Watcher) deliver(ctx context.Context, row Row) {
	told := false
	w.under.Go(func() {
		w.again.until(ctx, func() bool {
			done, err := w.try(ctx, row)
			if isFull(err) && !told {
				told = w.refuse(ctx, row.Path, row.Stamp, NoRoom)
			}
			return done
		})
	})
}

// Wake tries at once again whatever waits for its next try: what stood against
// it may be gone.
func (w *Watcher) Wake() { w.again.wake() }

// try delivers a row once and reports whether it is settled for good, or why not.
func (w *Watcher) try(ctx context.Context, row Row) (done bool, err error) {
	if w.waitsForPlan(ctx, row) {
		return false, nil
	}
	select {
	case w.slots <- struct{}{}:
	case <-ctx.Done():
		return false, nil
	}
	defer func() { <-w.slots }()
	if err := w.Deliver(w.work, row); err != nil {
		w.Log.InfoContext(ctx, "not acknowledged, will be delivered again",
			"object", row.Path, "generation", row.Generation, "reason", err)
		return false, err
	}
	// The outcome is stored: a delivery after a failed note finds it again.
	if err := w.Rows.acknowledge(context.WithoutCancel(w.work), row.Generation, time.Now()); err != nil {
		w.Log.ErrorContext(ctx, "could not note the acknowledgement",
			"object", row.Path, "generation", row.Generation, "error", err)
		return false, err
	}
	if isPlan(row.Path) {
		w.Wake()
	}
	return true, nil
}

// planName is the file that a plan is dropped as.
const planName = "plan.json"

func isPlan(name string) bool { return path.Base(name) == planName }

// waitsForPlan reports whether a plan lies beside a table, or was taken from
// there, that has not been acknowledged. After a long time off, the table may
// come first, and too late to wait for a plan that nobody has seen.
func (w *Watcher) waitsForPlan(ctx context.Context, row Row) bool {
	if isPlan(row.Path) {
		return false
	}
	waits, err := w.isPending(ctx, path.Join(path.Dir(row.Path), planName))
	if err != nil {
		w.Log.ErrorContext(ctx, "cannot look for the plan beside a table", "object", row.Path, "error", err)
	}
	return waits
}

// isPending reports whether there is a file of that name that has not been
// taken, or not been acknowledged.
func (w *Watcher) isPending(ctx context.Context, name string) (bool, error) {
	if due, err := w.Rows.isDue(ctx, name); err != nil || due {
		return due, err
	}
	stamp, err := w.Files.Stamp(name)
	if err != nil || !stamp.regular() {
		return false, nil // there is none
	}
	last, err := w.Rows.Last(ctx, name)
	return err == nil && last.Stamp != stamp, err
}
