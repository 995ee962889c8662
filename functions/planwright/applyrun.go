package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"sync"
	"time"

	"github.com/googleapis/gax-go/v2"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/emulator/userfile"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table/setting"
)

// A table passes through a few buffers, so that collecting early costs next to
// nothing once they are made. Before that and after the table it would.
const (
	gcPercent = 25
	gcFrom    = 1 << 20 // bytes read
)

// applying is a job that is being carried out: the table is an upload in the store's inbox,
// and a server's executor does the rest.
type applying struct {
	*job
	env      environment
	store    *emulator.Command
	imported *folder.Import // nil: nothing is read
	event    execution.Event
	output   *wanted
	changes  *wanted
	restored []string  // files that were missing and are copied from the store
	left     []*wanted // files that are missing, for the table is another by now
}

// run carries the job out and says what came of it. A run that fails leaves
// its line in the audit log like any other.
func (j *job) run(ctx context.Context, env environment) error {
	store, err := emulator.Use(ctx, j.db, j.noSync)
	if err != nil {
		return errs.Wrap(errs.KindOf(err), err, "--db %s: %s", j.db, errs.Message(err))
	}
	defer store.Close()
	a := &applying{job: j, env: env, store: store}
	if err := a.prepare(ctx); err != nil {
		return err
	}
	defer a.drop(ctx)
	outcome, err := a.carryOut(ctx)
	if lineErr := emulator.WriteLines(context.WithoutCancel(ctx), store.Records, j.audit,
		j.noSync); lineErr != nil {
		return errors.Join(lineErr, err)
	}
	if waits, ok := errors.AsType[*proposedError](err); ok {
		unsigned := a.sign(ctx)
		_, printErr := j.form.print(env.stdout, plannerapi.ProposalOf(waits.record.Proposal))
		return errors.Join(err, printErr, unsigned)
	}
	switch {
	case err == nil:
	case a.completed(ctx):
		return errs.Wrap(errs.KindOf(err), err, "completed  %s, but for its files here: %s\nRun the same command again to have them copied from the store.", j.plan.ExecutionID, errs.Message(err))
	case a.sealed(ctx):
		return errs.Wrap(errs.Unavailable, err, "unfinished %s: %s\nThe result is decided but not written whole; run the same command again to finish it.", j.plan.ExecutionID, errs.Message(err))
	default:
		if outcome, err = a.broken(ctx, err); err != nil {
			return err
		}
	}
	unsigned := a.sign(ctx) // who reads what is printed may end this process by closing it
	return errors.Join(a.report(ctx, outcome), unsigned)
}

// prepare finishes what runs before were cut off in, and proves that the log can be written
// before anything is done.
func (a *applying) prepare(ctx context.Context) error {
	if err := a.checkForgotten(ctx, a.store.Records); err != nil {
		return err
	}
	if err := userfile.AppendLine(a.audit, nil, a.noSync); err != nil {
		return err
	}
	if err := emulator.WriteLines(ctx, a.store.Records, a.audit, a.noSync); err != nil {
		return err
	}
	return a.store.RemoveInputs(ctx, time.Now())
}

// drop removes what was written for nothing.
func (a *applying) drop(ctx context.Context) {
	for _, w := range []*wanted{a.output, a.changes} {
		if w != nil {
			w.drop()
		}
	}
	if a.imported != nil {
		a.imported.Close()
	}
	_ = a.store.RemoveInputs(context.WithoutCancel(ctx), time.Now()) // the next run tries again
}

// carryOut carries the stored plan out and returns the outcome of this run.
func (a *applying) carryOut(ctx context.Context) (none ledger.AuditDocument, err error) {
	record, err := a.recordNow(ctx)
	if err != nil {
		return none, err
	}
	if record.Status != ledger.Completed {
		if err := a.keep(ctx); err != nil {
			return none, err
		}
	} else if err := a.takeStored(ctx); err != nil {
		return none, err
	}
	buckets := a.store.Buckets(nil)
	a.want(buckets)
	if err := a.begin(ctx, record); err != nil {
		return none, err
	}
	if err := a.store.Records.NoteRun(ctx, a.plan.ExecutionID, a.upload(), a.audit); err != nil {
		return none, err
	}
	buckets = a.store.Buckets(a.imported)
	buckets.Outbox, buckets.Audit = both{buckets.Outbox, a.output}, both{buckets.Audit, a.changes}
	if err := a.execute(ctx, buckets); err != nil {
		return none, err
	}
	return a.outcome(ctx)
}

// recordNow is the record of the plan's execution; zero where there is none.
func (a *applying) recordNow(ctx context.Context) (ledger.Execution, error) {
	record, err := a.store.Records.Execution(context.WithoutCancel(ctx), a.plan.ExecutionID)
	if errs.KindOf(err) == errs.NotFound {
		return ledger.Execution{}, nil
	}
	return record, err
}

// keep stores the plan under its id, or finds it there. Conflict: another plan has
// the id.
func (a *applying) keep(ctx context.Context) error {
	p := plans.New(a.plan)
	p.CreatedAt = time.Now()
	stored, _, err := plans.Save(ctx, a.store.Records, p)
	if err == nil {
		a.plan = stored.Plan
	}
	return err
}

// takeStored takes the plan that was carried out under the id, and warns where the file has
// another.
func (a *applying) takeStored(ctx context.Context) error {
	stored, err := plans.Load(ctx, a.store.Records, a.plan.ExecutionID)
	if err != nil {
		return err
	}
	if !stored.Is(a.plan) {
		fmt.Fprintf(a.env.stderr, "warning: %s\n",
			errs.Message(plans.Taken(ctx, a.store.Records, a.plan.ExecutionID)))
	}
	a.plan = stored.Plan
	return nil
}

// object is what the table is called in the inbox.
func (j *job) object() string { return j.plan.ExecutionID + "/" + filepath.Base(j.csv) }

// want says which objects are also files here.
func (a *applying) want(buckets execution.Buckets) {
	id := a.plan.ExecutionID
	file := func(in bucket.Bucket, object, path string) *wanted {
		return &wanted{
			in:     in,
			object: object,
			stored: filepath.Join(a.store.Folder, in.Name(), object),
			path:   path,
			noSync: a.noSync,
		}
	}
	a.output = file(buckets.Outbox, execution.OutputName(id, filepath.Base(a.csv)), a.out)
	a.changes = file(buckets.Audit, execution.ChangesName(id), a.job.changes)
}

// begin makes the table an upload. Of an execution that has completed, or can only complete,
// nothing is read. The very table of which something is proposed is that upload.
func (a *applying) begin(ctx context.Context, record ledger.Execution) error {
	object, metadata := a.object(), a.metadata()
	if record.Status == ledger.Completed || record.Seal != nil {
		generation, err := a.store.Generation(ctx)
		a.event = execution.Event{
			Bucket:     emulator.InboxName,
			Object:     object,
			Generation: generation,
			Size:       a.size,
			Metadata:   metadata,
			CreatedAt:  time.Now(),
		}
		return err
	}
	for _, w := range []*wanted{a.output, a.changes} {
		if err := w.probe(a.store.Folder); err != nil {
			return err
		}
	}
	if record.Proposal != nil && a.isProposed(record) {
		source := record.Source
		a.event = execution.Event{
			Bucket:     source.Bucket,
			Object:     source.Object,
			Generation: source.Generation,
			Size:       a.size,
			Metadata:   metadata,
			CreatedAt:  source.UploadedAt,
		}
		return a.checkRoom(true)
	}
	return a.importTable(ctx, object, metadata)
}

// importTable begins to take the table into the inbox. A table that somebody was shown, and
// one of which rows are told apart, is read once before.
func (a *applying) importTable(ctx context.Context, object string, metadata map[string]string) error {
	csv, err := os.Open(a.csv)
	if err != nil {
		return userfile.Error(err, a.csv)
	}
	if a.imported, a.event, err = a.store.Import(ctx, object, csv, metadata); err != nil {
		return err
	}
	a.event.Size = a.size
	if err := a.checkRoom(a.imported.Shares()); err != nil {
		return err
	}
	switch {
	case a.shown != "":
		read := bucket.NewFingerprint()
		if err := a.imported.ReadAll(ctx, read); err != nil {
			return err
		}
		if read.BLAKE3() != a.shown {
			return errs.New(errs.Invalid,
				"The table changed after you agreed. Look at what would be done to it now, and agree again.")
		}
	case a.plan.Undo != nil:
		return a.imported.ReadAll(ctx, io.Discard)
	}
	return nil
}

// isProposed reports whether the table is the very one of which something is proposed.
func (a *applying) isProposed(record ledger.Execution) bool {
	if record.Source.Object != a.object() || !reflect.DeepEqual(record.Source.Settings, a.settings) {
		return false
	}
	csv, err := os.Open(a.csv)
	if err != nil {
		return false
	}
	defer csv.Close()
	read := bucket.NewFingerprint()
	_, err = io.Copy(read, csv)
	sealed := record.Proposal.Input
	return err == nil && read.Size == sealed.Size && read.BLAKE3() == sealed.BLAKE3 &&
		(a.shown == "" || a.shown == sealed.BLAKE3)
}

// metadata is what the upload says of itself.
func (a *applying) metadata() map[string]string {
	metadata := map[string]string{
		execution.ExecutionIDKey: a.plan.ExecutionID,
		execution.IntentKey:      execution.IntentApply,
		execution.LogKey:         a.audit,
	}
	for name, value := range a.given {
		metadata[name] = value
	}
	return metadata
}

func (a *applying) upload() ledger.Upload {
	return ledger.Upload{Bucket: a.event.Bucket, Object: a.event.Object, Generation: a.event.Generation}
}

// execute has a server's executor carry the plan out.
func (a *applying) execute(ctx context.Context, buckets execution.Buckets) error {
	x := a.store.Executor(buckets, a.policy, a.env.steps)
	x.Surface = setting.Flags
	bar := newProgress(a.env, a.size)
	var early sync.Once
	collectUsually := func() {}
	x.Progress = func(bytesRead int64) {
		if bytesRead > gcFrom {
			early.Do(func() {
				usual := debug.SetGCPercent(gcPercent)
				collectUsually = func() { debug.SetGCPercent(usual) }
			})
		}
		_ = bar.Set64(bytesRead) // a bar that cannot be drawn is no reason to stop
	}
	err := a.handle(ctx, x)
	collectUsually()
	_ = bar.Finish()
	return err
}

// handle executes, after another run that is at work on the same id has ended
// or died. A run that lost the execution to another, having slept for longer
// than its lease, asks again how it stands by now.
func (a *applying) handle(ctx context.Context, x *execution.Executor) error {
	records := a.store.Records
	for announced := false; ; {
		err := x.Handle(ctx, a.event)
		if err == nil || ctx.Err() != nil {
			return err
		}
		if errors.Is(err, errs.Stale) {
			continue
		}
		record, readErr := records.Execution(ctx, a.plan.ExecutionID)
		if readErr != nil || record.Status != ledger.Running || !time.Now().Before(record.LeaseUntil) {
			return err
		}
		// the clock has been set back since: no lease is so long
		if time.Until(record.LeaseUntil) > x.Limits.Lease {
			if _, err := records.ExpireLeases(ctx, time.Now()); err != nil {
				return err
			}
			continue
		}
		if !announced {
			announced = true
			fmt.Fprintf(a.env.stderr, "Another run is at work on %s; waiting for it.\n", a.plan.ExecutionID)
		}
		if err := gax.Sleep(ctx,
			min(time.Second, time.Until(record.LeaseUntil)+time.Millisecond)); err != nil {
			return err
		}
	}
}

// outcome is what became of this run. What has completed has its files here by then.
func (a *applying) outcome(ctx context.Context) (none ledger.AuditDocument, err error) {
	found, err := a.store.Records.Snapshot(ctx, a.plan.ExecutionID, a.upload().ID())
	switch {
	case err != nil:
		return none, err
	case found.Outcome == nil && found.Execution != nil && found.Execution.Status == ledger.Proposed:
		return none, a.proposed(ctx, a.store.Records, *found.Execution)
	case found.Outcome == nil:
		return none, errs.New(errs.Internal, "The execution ended without an outcome.")
	case found.Execution.Status != ledger.Completed:
		return *found.Outcome, nil
	}
	return *found.Outcome, a.place(ctx, *found.Execution, found.Outcome.Status == ledger.Skipped)
}

// sign takes the run's audit documents into the signed tree.
func (a *applying) sign(ctx context.Context) error {
	err := a.store.Sign(ctx)
	if err == nil {
		return nil
	}
	return errs.Wrap(errs.KindOf(err), err,
		"This run is not in the signed tree of %s yet: %s\nThe next run with the same --db adds it.",
		near(a.db), errs.Message(err))
}

// completed reports whether the execution has completed.
func (a *applying) completed(ctx context.Context) bool {
	record, err := a.recordNow(ctx)
	return err == nil && record.Status == ledger.Completed
}

// sealed reports whether the execution can only complete: its files may be
// visible already.
func (a *applying) sealed(ctx context.Context) bool {
	record, err := a.recordNow(ctx)
	return err == nil && record.Status == ledger.Running && record.Seal != nil
}

// broken is the audit document of a run that settled nothing in the records: what
// went wrong lies outside the plan and the table. Its line is in the log alone.
func (a *applying) broken(ctx context.Context, err error) (ledger.AuditDocument, error) {
	if a.event.Object == "" {
		a.event = execution.Event{
			Bucket:     emulator.InboxName,
			Object:     a.object(),
			Generation: time.Now().UnixMicro(),
			CreatedAt:  time.Now(),
		}
	}
	source := ledger.Source{
		Upload:     a.upload(),
		UploadedAt: a.event.CreatedAt.UTC().Truncate(time.Microsecond),
		Settings:   a.settings,
		Log:        a.audit,
	}
	failure := ledger.Failure{Code: string(errs.KindOf(err)), Message: errs.Message(err)}
	run := ledger.Execution{ExecutionID: a.plan.ExecutionID, Source: source, CreatedAt: source.UploadedAt}
	outcome := ledger.FailedDocument(run, failure, time.Now(), plans.New(a.plan)).Chained("")
	noted := a.store.Records.NoteLog(context.WithoutCancel(ctx), a.audit)
	if logErr := errors.Join(noted, userfile.AppendLine(a.audit, outcome.Line(), a.noSync)); logErr != nil {
		return outcome, errors.Join(err, logErr)
	}
	return outcome, nil
}

// checkForgotten refuses to carry out again what the records have nothing of, though the
// audit log says that it was carried out.
func (j job) checkForgotten(ctx context.Context, store *sqlite.Store) error {
	_, err := store.Execution(ctx, j.plan.ExecutionID)
	if errs.KindOf(err) != errs.NotFound {
		return err
	}
	if info, err := os.Stat(j.audit); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	log, err := os.Open(j.audit)
	if err != nil {
		return nil // the first line that is added says why
	}
	defer log.Close()
	begins := fmt.Appendf(nil, `{"execution_id":%q,`, j.plan.ExecutionID)
	for reader := bufio.NewReader(log); ; {
		line, err := reader.ReadBytes('\n')
		var document ledger.AuditDocument
		if bytes.HasPrefix(line, begins) && json.Unmarshal(line, &document) == nil &&
			document.Status == ledger.Completed {
			return errs.New(errs.Conflict, "%s says that %s was carried out at %s, and %s knows nothing of it: nothing was done, for prices would change twice.\nPut the records of that run in the place of %s. If it is meant to be done once more, plan it under another id.",
				near(j.audit), j.plan.ExecutionID, document.ExecutedAt.Format(time.RFC3339), near(j.db),
				near(j.db))
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return errs.Wrap(errs.Unavailable, err, "The audit log %s cannot be read.", near(j.audit))
		}
	}
}
