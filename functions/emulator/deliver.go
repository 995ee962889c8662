package emulator

import (
	"context"
	"log/slog"
	"time"

	"github.com/planwright/planwright/functions/emulator/inbox"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/table/setting"

	"golang.org/x/sys/unix"
)

// limits are the times of the protocol on one machine: a dead process is
// noticed soon, and there is no platform that cuts a delivery off.
var limits = execution.Limits{
	Lease:      15 * time.Second,
	Margin:     execution.DefaultLimits.Margin,
	PlanWait:   execution.DefaultLimits.PlanWait,
	UnknownFor: execution.DefaultLimits.UnknownFor,
	Timeouts:   execution.DefaultLimits.Timeouts,
}

// newExecutor returns the deployed executor over these records and buckets,
// with the times of one machine.
func newExecutor(records ledger.Store, s *stores, c execution.Config, log *slog.Logger) *execution.Executor {
	x := execution.New(records, execution.Buckets{Inbox: s.inbox, Outbox: s.outbox, Audit: s.audit}, c, log)
	x.Limits = limits
	x.Limits.TableBytes = c.TableBytes
	if s.local {
		x.Surface = setting.Server // a folder has no metadata
	}
	return x
}

// newWatcher returns the watcher of a data folder's inbox, which hands what is
// dropped to the executor as Eventarc would.
func newWatcher(
	folder *DataFolder, rows *inbox.Rows, x *execution.Executor, log *slog.Logger,
) *inbox.Watcher {
	return &inbox.Watcher{
		Files:   inbox.Disk(folder.inboxPath()),
		Blobs:   inbox.Blobs{Ingest: folder.inbox.Ingest, Open: folder.inbox.Open, Sweep: folder.inbox.Sweep},
		Whole:   folder.inbox.Created,
		Rows:    rows,
		Deliver: func(ctx context.Context, row inbox.Row) error { return deliver(ctx, folder.inbox, x, row) },
		Admit:   func(name string, size int64) inbox.Refusal { return folder.admit(x, name, size) },
		Refuse: func(ctx context.Context, name string, at int64, why inbox.Refusal) error {
			return refuse(ctx, x, name, at, why)
		},
		Log:   log,
		Grace: drainTime,
	}
}

// observed are records that tell when a plan was stored, for a table that was
// dropped before its plan waits for it.
type observed struct {
	ledger.Store
	stored func()
}

// CreatePlan implements ledger.Store.
func (o *observed) CreatePlan(ctx context.Context, plan plans.Record) error {
	err := o.Store.CreatePlan(ctx, plan)
	if err == nil {
		o.stored()
	}
	return err
}

// spareBytes are left free on the disk for records and notices.
const spareBytes = 1 << 20

// admit looks at the size of a drop before it is copied.
func (f *DataFolder) admit(x *execution.Executor, name string, size int64) inbox.Refusal {
	var disk unix.Statfs_t
	switch most := x.MaxDropBytes(name); {
	case most > 0 && size > most:
		return inbox.TooLarge
	case unix.Statfs(f.inboxPath(), &disk) == nil && size+spareBytes > int64(disk.Bavail)*int64(disk.Bsize):
		return inbox.NoRoom
	}
	return ""
}

// refuse tells somebody, where the results are, that what they dropped is not taken.
func refuse(ctx context.Context, x *execution.Executor, name string, at int64, why inbox.Refusal) error {
	switch why {
	case inbox.TooLarge:
		return x.NotifyTooLarge(ctx, name, at)
	case inbox.NoRoom:
		return x.NotifyWaiting(ctx, name, at,
			"there is no room on the disk for a copy of it, or for what becomes of it.",
			"Make room on the disk that the data folder is on. Then this file is taken by itself: leave it where it is, or drop it again.")
	case inbox.BadName:
		return x.NotifyUntaken(ctx, name, at, "its name, or the path to it, has characters that no file here may have, such as a line end, or is too long.",
			"Rename it: printable characters and no line ends, at most 200 bytes.")
	}
	return x.NotifyUntaken(
		ctx,
		name,
		at,
		"it is a link, a pipe or a device, and only files are taken.",
		"Put the file itself there.",
	)
}

// deliver tells the executor of one drop. Of one whose copy went with a deleted
// inbox it is told too, and has who dropped it told.
func deliver(ctx context.Context, from bucket.Bucket, x *execution.Executor, row inbox.Row) error {
	blob, object, err := from.Open(ctx, row.Path, row.Generation)
	if errs.KindOf(err) == errs.NotFound {
		return x.Handle(ctx, execution.Event{
			Bucket:     from.Name(),
			Object:     row.Path,
			Generation: row.Generation,
			Size:       row.Stamp.Size,
			CreatedAt:  time.UnixMicro(row.Generation),
		})
	} else if err != nil {
		return err
	}
	blob.Close() // only what describes it is needed
	return x.Handle(ctx, execution.Event{
		Bucket: object.Bucket, Object: object.Name, Generation: object.Generation, Size: object.Size,
		Metadata: object.Metadata, CreatedAt: object.CreatedAt,
	})
}
