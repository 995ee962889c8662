// Package inbox takes the files that people drop into a folder, and delivers each until
// it is acknowledged, across restarts.
//
// The watcher takes a file once no program has it open for writing and it has stood still
// for a while. It waits longer if the file looks unfinished. It copies the file to an
// immutable blob with the next generation, and then writes a row. From then on it delivers
// the row; the file in the folder may change or go. Dropping the same bytes again is a new
// upload.
//
// The system's notifications wake the watcher, and it scans the folder now and then all the
// same. It never writes into the folder that it watches.
package inbox

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"log/slog"
	"time"

	"github.com/googleapis/gax-go/v2"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
)

// Blobs keeps what was taken, as a folder.Bucket over the watched folder does.
type Blobs struct {
	// Ingest copies the file of that name to an immutable blob under the
	// generation given. After an error there is no blob.
	Ingest func(
		ctx context.Context, name string, options folder.IngestOptions,
	) (bucket.Object, fs.FileInfo, error)
	// Open reads a generation that was copied.
	Open func(ctx context.Context, name string, generation int64) (io.ReadCloser, bucket.Object, error)
	// Sweep removes the blobs that claimed does not know.
	Sweep func(ctx context.Context, claimed func(name string, generation int64) bool) (int, error)
}

// settle is how long a file must have been seen unchanged: patience times as long if it looks
// unfinished, or if nobody can say whether it is being written.
const settle = 2 * time.Second

// Between two scans lies the usual poll, or the longest where the system tells of changes: a
// network's disk tells of none. A scan also waits idle times as long as the last one took, at
// most the longest poll, so that scanning many folders takes a few percent of a core.
const (
	idle        = 50
	usualPoll   = 250 * time.Millisecond
	longestPoll = 2 * time.Second
)

// Refusal is why something is never taken.
type Refusal string

const (
	noFile  Refusal = "a link, a pipe or a device: put the file itself there"
	BadName Refusal = "no object can have its name: rename it"
	// TooLarge is said of a file before a byte of it is copied.
	TooLarge Refusal = "it is larger than what can be done with it here"
	// NoRoom is no refusal for good: the drop is taken once there is room.
	NoRoom Refusal = "the disk is full"
)

// Watcher watches one folder: it looks at its files, copies them, and has the copies
// delivered. Its fields are fixed before Run.
type Watcher struct {
	Files Files
	Blobs Blobs
	Rows  *Rows
	// Changes tells of changes in the folder. Nil tells of none.
	Changes *Changes
	// Whole returns the generation under which a file was put there at once with all
	// that it has, so that it need not stand still; 0: it was not. Nil knows of none.
	Whole func(name string) (generation int64)
	// Deliver hands a row on; nil acknowledges it. Its context outlives that
	// of Run by Grace.
	Deliver func(ctx context.Context, row Row) error
	// Admit looks at the size of a file before it is copied; "" takes it. Nil takes all.
	Admit func(name string, size int64) Refusal
	// Refuse tells somebody why what they dropped is not taken. It may be told
	// the same again after a restart: the time, in microseconds, is that of the
	// drop. Nil does nothing.
	Refuse func(ctx context.Context, name string, at int64, why Refusal) error
	Log    *slog.Logger
	// Grace is how long running deliveries may take to end once the context
	// of Run has ended.
	Grace time.Duration

	seen       sightings
	copies     copies
	deliveries deliveries
}

// Run removes blobs that have no row, delivers what is still due, then watches
// until the context ends. It returns once every delivery has ended, with an
// error only where the state file or the blobs cannot be read at the start.
func (w *Watcher) Run(ctx context.Context) error {
	work, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	w.prepare(work)
	due, err := w.begin(ctx)
	if err != nil && ctx.Err() == nil {
		return err
	}
	for _, row := range due {
		w.deliveries.start(ctx, row)
	}
	for ctx.Err() == nil {
		begun := time.Now()
		next := w.scan(ctx) // the poll, or the time at which a file settles
		rest := min(idle*time.Since(begun), longestPoll)
		_ = gax.Sleep(ctx, rest)
		pause(ctx, next-rest, w.Changes.happened())
	}
	last := time.AfterFunc(w.Grace, release)
	defer last.Stop()
	w.copies.running.Wait() // each may start a delivery
	w.deliveries.running.Wait()
	return nil
}

// begin removes blobs that have no row and returns what is still due.
func (w *Watcher) begin(ctx context.Context) ([]Row, error) {
	if err := w.sweep(ctx); err != nil {
		return nil, err
	}
	return w.Rows.due(ctx)
}

// sweep removes what was copied and never written down.
func (w *Watcher) sweep(ctx context.Context) error {
	_, err := w.Blobs.Sweep(ctx, func(_ string, generation int64) bool {
		written, err := w.Rows.Has(ctx, generation)
		return written || err != nil // keep what cannot be looked up
	})
	return err
}

// prepare fills in what is not set, and makes what Run needs. Work is the context of deliveries.
func (w *Watcher) prepare(work context.Context) {
	if w.Admit == nil {
		w.Admit = func(string, int64) Refusal { return "" }
	}
	if w.Refuse == nil {
		w.Refuse = func(context.Context, string, int64, Refusal) error { return nil }
	}
	w.copies.small = cmp.Or(w.copies.small, largeBytes)
	w.copies.large = make(chan struct{}, largeParallel)
	d := &w.deliveries
	d.files, d.rows, d.log = w.Files, w.Rows, w.Log
	d.deliver, d.refuse = w.Deliver, w.refuse
	d.work, d.slots = work, make(chan struct{}, parallel)
}

// poll is the time between two scans.
func (w *Watcher) poll() time.Duration {
	if w.Changes != nil {
		return longestPoll
	}
	return usualPoll
}

// Wake tries at once again whatever waits for its next try: what stood against
// it may be gone. It may be called at any time.
func (w *Watcher) Wake() { w.deliveries.again.wake() }
