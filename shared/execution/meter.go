package execution

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/changelog"
)

// outOfTime is why an attempt stops before its delivery is cut off.
type outOfTime struct{ bytesRead int64 }

func (outOfTime) Error() string { return "the delivery's time is nearly up" }

// How often a log line says how far a table has been read, and the record.
const (
	loggedEvery = 10 * time.Second
	notedEvery  = 2 * time.Second
)

// meter is the input on its way to the engine. While bytes move it renews the
// lease and tells how far they are; when time runs out it ends them.
type meter struct {
	attempt  *attempt
	ctx      context.Context
	input    io.Reader
	read     *bucket.Fingerprint
	stopAt   time.Time // zero: never
	renewAt  time.Time
	reportAt time.Time
}

func (a *attempt) meter(ctx context.Context, input io.Reader) *meter {
	now := a.now()
	return &meter{attempt: a, ctx: ctx, input: input, read: bucket.NewFingerprint(), renewAt: now.Add(a.renewEvery()), reportAt: now}
}

// stopAt is when an attempt must end to leave the margin before its deadline; zero is never.
func (a *attempt) stopAt() time.Time {
	if a.deadline.IsZero() {
		return time.Time{}
	}
	return a.deadline.Add(-a.Limits.Margin)
}

func (a *attempt) isLate() bool {
	stop := a.stopAt()
	return !stop.IsZero() && !a.now().Before(stop)
}

func (m *meter) Read(p []byte) (int, error) {
	if err := m.tick(); err != nil {
		return 0, err
	}
	n, err := m.input.Read(p)
	m.read.Write(p[:n])
	if report := m.attempt.Progress; report != nil {
		report(m.read.Size)
	}
	return n, err
}

func (m *meter) tick() error {
	now := m.attempt.now()
	if !m.stopAt.IsZero() && !now.Before(m.stopAt) {
		return outOfTime{bytesRead: m.read.Size}
	}
	if !now.Before(m.reportAt) {
		m.reportAt = now.Add(loggedEvery)
		m.attempt.Log.InfoContext(m.ctx, "applying", "bytes_read", m.read.Size, "size", m.attempt.size)
	}
	if now.Before(m.renewAt) {
		return nil
	}
	m.renewAt = now.Add(m.attempt.renewEvery())
	return m.attempt.renew(m.ctx, m.read.Size)
}

// renewEvery is how often a lease is renewed: in time to keep it, and so that
// people see how far the work is.
func (a *attempt) renewEvery() time.Duration { return min(a.Limits.Lease/3, notedEvery) }

// renew keeps the lease while work goes on, and says how much has been read.
func (a *attempt) renew(ctx context.Context, bytesRead int64) error {
	return a.checkRenewal(ctx, a.lease.Renew(ctx, a.leaseUntil(a.delivery), bytesRead))
}

// note is renew, and says how much has been recorded.
func (a *attempt) note(ctx context.Context, recorded changelog.Recorded) error {
	return a.checkRenewal(ctx, a.lease.NoteRecorded(ctx, recorded, a.leaseUntil(a.delivery)))
}

// checkRenewal judges a renewal. An execution that has gone to another is given up; a
// renewal that merely failed is not, for nothing but double work rests on it.
func (a *attempt) checkRenewal(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, errs.Stale) {
		return err
	}
	a.Log.WarnContext(ctx, "the lease was not renewed", "cause", err.Error())
	return nil
}
