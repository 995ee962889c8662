package execution

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// outOfTime is why an attempt stops before its delivery is cut off.
type outOfTime struct{ bytesRead int64 }

func (outOfTime) Error() string { return "the delivery's time is nearly up" }

// progressEvery is how often a log line says how far a table has been read.
const progressEvery = 10 * time.Second

// meter is the input on its way to the engine. While bytes move it renews the
// lease and tells how far they are; when time runs out it ends them.
type meter struct {
	executor *Executor
	ctx      context.Context
	delivery delivery
	held     *ledger.Held
	input    io.Reader
	read     bucket.Digest
	stopAt   time.Time // zero: never
	renewAt  time.Time
	reportAt time.Time
}

func (x *Executor) meter(ctx context.Context, d delivery, held *ledger.Held, input io.Reader) *meter {
	now := x.now()
	return &meter{
		executor: x, ctx: ctx, delivery: d, held: held, input: input,
		renewAt:  now.Add(x.Limits.Lease / 3),
		reportAt: now,
	}
}

// file is what has been read, as a record of it.
func (m *meter) file() ledger.File {
	source := m.delivery.source
	return ledger.File{Bucket: source.Bucket, Object: source.Object, Size: m.read.Size, CRC32C: m.read.CRC32C}
}

// stopAt is when an attempt must end to leave the margin before its deadline.
func (d delivery) stopAt(margin time.Duration) time.Time {
	if d.deadline.IsZero() {
		return time.Time{}
	}
	return d.deadline.Add(-margin)
}

func (m *meter) Read(p []byte) (int, error) {
	if err := m.tick(); err != nil {
		return 0, err
	}
	n, err := m.input.Read(p)
	m.read.Write(p[:n])
	if report := m.executor.Progress; report != nil {
		report(Progress{ExecutionID: m.delivery.executionID, BytesRead: m.read.Size, Size: m.delivery.size})
	}
	return n, err
}

func (m *meter) tick() error {
	now := m.executor.now()
	if !m.stopAt.IsZero() && !now.Before(m.stopAt) {
		return outOfTime{bytesRead: m.read.Size}
	}
	if !now.Before(m.reportAt) {
		m.reportAt = now.Add(progressEvery)
		m.executor.Log.InfoContext(m.ctx, "applying", "bytes_read", m.read.Size, "size", m.delivery.size)
	}
	if now.Before(m.renewAt) {
		return nil
	}
	m.renewAt = now.Add(m.executor.Limits.Lease / 3)
	return m.executor.renew(m.ctx, m.delivery, m.held)
}

// renew keeps the lease while work goes on. An execution that has gone to
// another is given up; a renewal that merely failed is not, for nothing but
// double work rests on the lease.
func (x *Executor) renew(ctx context.Context, d delivery, held *ledger.Held) error {
	err := held.Renew(ctx, x.leaseUntil(d))
	if err == nil || errors.Is(err, errs.Stale) {
		return err
	}
	x.Log.WarnContext(ctx, "the lease was not renewed", "cause", err.Error())
	return nil
}
