package execution

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/files"
	"github.com/planwright/planwright/shared/table/setting"
)

// Buckets are where the tables and the records of executions lie.
type Buckets struct{ Inbox, Outbox, Audit bucket.Bucket }

// Input is the bucket that a table lies in.
func (b Buckets) Input(source ledger.Source) bucket.Bucket {
	if source.OutputOf != "" {
		return b.Outbox
	}
	return b.Inbox
}

// make reads the upload and computes what the plan makes of it, here or elsewhere.
func (a *attempt) make(ctx context.Context) (made Result, err error) {
	defer func() { a.output, a.changes = made.Output, made.Changes }() // also after an error
	in, object, err := a.Buckets.Input(a.source).Open(ctx, a.source.Object, a.source.Reads())
	if errs.KindOf(err) == errs.NotFound {
		return Result{}, refuse("generation_gone",
			"The uploaded file was deleted before it could be read. Drop it again.")
	} else if err != nil {
		return Result{}, err
	}
	defer in.Close()
	if a.isElsewhere() {
		return a.Computer.Compute(ctx, a.job(ctx, object))
	}
	if err := a.checkTable(object.Size); err != nil {
		return Result{}, err
	}
	return a.stream(ctx, in)
}

// isElsewhere reports whether another computes. An undo reads what it undoes in
// the order of the rows, and is computed here.
func (a *attempt) isElsewhere() bool { return a.Computer != nil && a.undone == nil }

// guessColumns computes a table that was refused anew, with the columns in which the plan's
// names stand, where these are one each: nobody can be asked who drops a file, so that what
// comes of it is proposed. Where the guess is refused too, the first refusal stands, which
// asks for what is not known.
func (a *attempt) guessColumns(ctx context.Context, refused error) (made Result, err error) {
	input, is := errors.AsType[*table.InputError](refused)
	if !is || input.Holding == (setting.Columns{}) || !a.guesses || a.undone != nil {
		return made, refused
	}
	a.abandon()
	a.source.Settings.Columns = input.Holding
	if made, err = a.make(ctx); err != nil && a.permanent(err, 0) != nil {
		return made, refused
	}
	return made, err
}

// checkTable refuses a table that one delivery could not read and write. One
// that is proposed was computed elsewhere, and is left to those who did.
func (a *attempt) checkTable(size int64) error {
	switch {
	case !a.Limits.tooLarge(size):
		return nil
	case a.lease.Execution().Proposal != nil:
		return errs.New(errs.Unavailable,
			"execution %s is proposed and its table is too large to be applied here: %s",
			a.executionID, pipelineCommand(a.source))
	default:
		return refuse("too_large", "The file has %s, and at most %s can be processed here. %s",
			gibibytes(size), gibibytes(a.Limits.TableBytes), tooLargeAdvice(a.source))
	}
}

// stream sends the upload through the engine into two uploads.
func (a *attempt) stream(ctx context.Context, in io.Reader) (made Result, err error) {
	if made.Output, err = a.Outbox.Create(ctx, OutputName(a.executionID, a.file),
		bucket.CreateOptions{ContentType: contentType(a.file)}); err != nil {
		return made, err
	}
	if made.Changes, err = a.Audit.Create(ctx, ChangesName(a.executionID),
		bucket.CreateOptions{ContentType: LinesType}); err != nil {
		return made, err
	}
	input := a.meter(ctx, in)
	input.stopAt = a.stopAt()
	hash := sha256.New()
	made.Summary, err = a.compute(ctx, a.source, nil, input, made.Output, made.Changes, hash)
	if _, refused := errors.AsType[*table.InputError](err); refused {
		// A title may have been misread: whether the bytes are the upload's is told at their end.
		if _, failed := io.Copy(io.Discard, input); failed != nil {
			err = failed
		}
	}
	made.Input, made.BLAKE3 = input.read.Digest, input.read.BLAKE3()
	made.ChangesSHA256 = hex.EncodeToString(hash.Sum(nil))
	return made, err
}

// contentType is the media type of what an execution writes, notices apart: an
// output is named as its upload was.
func contentType(name string) string {
	if strings.HasSuffix(name, ".jsonl") {
		return LinesType
	}
	tableType, _ := files.ContentType(name)
	return tableType
}

// compute runs the engine, which reads the changes of the execution that the
// plan undoes where it undoes one.
func (a *attempt) compute(
	ctx context.Context, source ledger.Source, sealed *ledger.Seal, in io.Reader, out io.Writer, changes ...io.Writer,
) (pricing.Summary, error) {
	task, err := a.Buckets.NewTask(ctx, a.plan.Plan, source, sealed, a.undone)
	if err != nil {
		return pricing.Summary{}, err
	}
	defer task.Close()
	if task.undo != nil {
		task.undo.meter = func(in io.Reader) io.Reader {
			m := a.meter(ctx, in)
			if sealed == nil {
				m.stopAt = a.stopAt()
			}
			return m
		}
	}
	return a.Engine.Run(ctx, task, in, out, changes...)
}

// NewTask is a plan over a table, with what it takes to undo an execution; undone
// is nil where it undoes none. It is to be closed. Where the task was sealed
// before, it is what was done then.
func (b Buckets) NewTask(
	ctx context.Context, p *plan.Plan, source ledger.Source, sealed *ledger.Seal, undone *ledger.Execution,
) (Task, error) {
	task := Task{Plan: p, Settings: source.Settings}
	if sealed != nil {
		task.Settings = sealed.Settings
	}
	if undone == nil {
		return task, nil
	}
	if sealed == nil {
		var err error
		if task.Settings, err = undoSettings(source.Settings, undone); err != nil {
			return task, err
		}
	}
	task.undo = &undoTask{Buckets: b, source: source, settings: task.Settings, undone: undone}
	var err error
	if task.Undone, _, err = bucket.OpenLive(ctx, b.Audit, undone.Seal.Changes.Object); err != nil {
		return task, errs.Wrap(errs.Unavailable, err,
			"The changes of execution %s cannot be read: put %s back where it is not there.",
			undone.ExecutionID, undone.Seal.Changes)
	}
	return task, nil
}

// Close closes the changes that are undone.
func (t Task) Close() {
	if t.Undone != nil {
		t.Undone.Close()
	}
}

// Pricing is the engine of package pricing.
type Pricing struct{}

// Build names the engine's behaviour.
func (Pricing) Build() string { return pricing.Build }

// Run applies the plan to the table.
func (Pricing) Run(
	ctx context.Context, task Task, in io.Reader, out io.Writer, changes ...io.Writer,
) (pricing.Summary, error) {
	engine, err := task.Compile(ctx)
	if err != nil {
		return pricing.Summary{}, err
	}
	return engine.Run(ctx, in, out, changes...)
}

// Compile prepares an engine for the task. It reads the changes that are undone.
func (t Task) Compile(ctx context.Context) (*pricing.Engine, error) {
	if t.Undone == nil {
		return pricing.Compile(t.Plan, t.Settings)
	}
	engine, err := pricing.CompileUndo(t.Plan, t.Settings, t.Undone)
	if err != nil {
		return nil, err
	}
	return t.undo.findRows(ctx, engine)
}

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
	return &meter{
		attempt:  a,
		ctx:      ctx,
		input:    input,
		read:     bucket.NewFingerprint(),
		renewAt:  now.Add(a.renewEvery()),
		reportAt: now,
	}
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
