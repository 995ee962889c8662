package inbox

import (
	"context"
	"log/slog"
	"path"
	"sync"
	"time"
)

// parallel is how many rows are delivered at a time.
const parallel = 4

// deliveries are the rows that wait for an acknowledgement. A table waits for the plan
// beside it.
type deliveries struct {
	files   Files
	rows    *Rows
	log     *slog.Logger
	deliver func(ctx context.Context, row Row) error
	refuse  func(ctx context.Context, name string, stamp Stamp, why Refusal) (told bool)
	work    context.Context // of each try: it outlives that of Run
	slots   chan struct{}   // has room for as many tries as are made at a time
	again   retries
	running sync.WaitGroup
}

// start delivers a row until it is acknowledged or the context ends. It does not wait for that.
func (d *deliveries) start(ctx context.Context, row Row) {
	told := false
	d.running.Go(func() {
		d.again.until(ctx, func() bool {
			done, err := d.try(ctx, row)
			if isFull(err) && !told {
				told = d.refuse(ctx, row.Path, row.Stamp, NoRoom)
			}
			return done
		})
	})
}

// try delivers a row once and reports whether it is settled for good, or why not.
func (d *deliveries) try(ctx context.Context, row Row) (done bool, err error) {
	if d.waitsForPlan(ctx, row) {
		return false, nil
	}
	select {
	case d.slots <- struct{}{}:
	case <-ctx.Done():
		return false, nil
	}
	defer func() { <-d.slots }()
	if err := d.deliver(d.work, row); err != nil {
		d.log.InfoContext(ctx, "not acknowledged, will be delivered again",
			"object", row.Path, "generation", row.Generation, "reason", err)
		return false, err
	}
	// The outcome is stored: a delivery after a failed note finds it again.
	if err := d.rows.acknowledge(context.WithoutCancel(d.work), row.Generation, time.Now()); err != nil {
		d.log.ErrorContext(ctx, "could not note the acknowledgement",
			"object", row.Path, "generation", row.Generation, "error", err)
		return false, err
	}
	if isPlan(row.Path) {
		d.again.wake()
	}
	return true, nil
}

// planName is the file that a plan is dropped as.
const planName = "plan.json"

func isPlan(name string) bool { return path.Base(name) == planName }

// waitsForPlan reports whether a plan lies beside a table, or was taken from
// there, that has not been acknowledged. After a long time off, the table may
// come first, and too late to wait for a plan that nobody has seen.
func (d *deliveries) waitsForPlan(ctx context.Context, row Row) bool {
	if isPlan(row.Path) {
		return false
	}
	waits, err := d.isPending(ctx, path.Join(path.Dir(row.Path), planName))
	if err != nil {
		d.log.ErrorContext(ctx, "cannot look for the plan beside a table", "object", row.Path, "error", err)
	}
	return waits
}

// isPending reports whether there is a file of that name that has not been
// taken, or not been acknowledged.
func (d *deliveries) isPending(ctx context.Context, name string) (bool, error) {
	if due, err := d.rows.isDue(ctx, name); err != nil || due {
		return due, err
	}
	stamp, err := d.files.Stamp(name)
	if err != nil || !stamp.regular() {
		return false, nil // there is none
	}
	last, err := d.rows.last(ctx, name)
	return err == nil && last.Stamp != stamp, err
}
