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
	"github.com/planwright/planwright/shared/bucket/files"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/table"
)

// A table passes through a few buffers, so that collecting early costs next to
// nothing once they are made. Before that and after the table it would.
const (
	gcPercent = 25
	gcFrom    = 1 << 20 // bytes read
)

// run carries the job out and says what came of it. A run that fails leaves
// its line in the audit log like any other.
func (j *job) run(ctx context.Context, env environment) error {
	store, closeAll, err := j.open(ctx)
	if err != nil {
		return err
	}
	defer closeAll()
	if err := j.checkForgotten(ctx, store); err != nil {
		return err
	}
	if err := files.Append(j.audit, nil, j.noSync); err != nil { // before anything is done that could not be logged
		return err
	}
	if err := j.logLost(ctx, store); err != nil {
		return err
	}
	source, before := j.source(ctx, store, time.Now())
	files.Tables(j.db, j.noSync).Keep(j.plan.ExecutionID, source.Upload)
	defer j.forget(ctx, store)
	var outcome ledger.AuditDocument
	if err = j.keep(ctx, store); err == nil {
		outcome, err = j.execute(ctx, env, store, source)
	}
	if logErr := j.logSuperseded(ctx, store, before); logErr != nil {
		return errors.Join(logErr, err)
	}
	if waits, ok := errors.AsType[*proposedError](err); ok {
		unsigned := j.sign(ctx, store)
		_, printErr := j.form.print(env.stdout, waits.record.Proposal)
		return errors.Join(err, printErr, unsigned)
	}
	if err != nil && j.sealed(ctx, store) {
		return errs.Wrap(errs.Unavailable, err, "unfinished %s: %s\nThe result is decided but not written whole; run the same command again to finish it.", j.plan.ExecutionID, errs.Message(err))
	}
	if err != nil {
		outcome = j.broken(source, err)
	}
	if outcome.Status != ledger.Completed { // that line is written before the execution completes
		if logErr := j.log(ctx, store, outcome); logErr != nil {
			return errors.Join(err, logErr)
		}
	}
	unsigned := j.sign(ctx, store) // who reads what is printed may end this process by closing it
	return errors.Join(j.report(ctx, env, store, outcome), unsigned)
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
		if bytes.HasPrefix(line, begins) && json.Unmarshal(line, &document) == nil && document.Status == ledger.Completed {
			return errs.New(errs.Conflict, "%s says that %s was carried out at %s, and %s knows nothing of it: nothing was done, for prices would change twice.\nPut the records of that run in the place of %s. If it is meant to be done once more, plan it under another id.",
				near(j.audit), j.plan.ExecutionID, document.ExecutedAt.Format(time.RFC3339), near(j.db), near(j.db))
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return errs.Wrap(errs.Unavailable, err, "The audit log %s cannot be read.", near(j.audit))
		}
	}
}

// forget removes what is kept of tables of which nothing was made, and nothing is proposed.
func (j job) forget(ctx context.Context, store *sqlite.Store) {
	record, err := store.Execution(context.WithoutCancel(ctx), j.plan.ExecutionID)
	switch {
	case errs.KindOf(err) == errs.NotFound, err == nil && record.Status == ledger.Failed:
		files.Tables(j.db, j.noSync).Forget(j.plan.ExecutionID, ledger.Upload{})
	case err == nil:
		files.Tables(j.db, j.noSync).Forget(j.plan.ExecutionID, record.Source.Upload)
	}
}

// open opens the records and, where they are a server's, holds its folder.
func (j *job) open(ctx context.Context) (_ *sqlite.Store, closeAll func() error, err error) {
	closeAll = func() error { return nil }
	if served(j.db) {
		folder, err := emulator.Hold(ctx, filepath.Dir(j.db), logging.Discard)
		if err != nil {
			return nil, nil, err
		}
		j.folder, closeAll = folder.Buckets(), folder.Close
	} else if !isFile(j.db) {
		if err := checkRecords(ctx, j.db, nil); err != nil {
			return nil, nil, err
		}
	}
	store, err := sqlite.Open(ctx, j.db, sqlitedb.Options{NoSync: j.noSync})
	if err != nil {
		return nil, nil, errors.Join(errs.Wrap(errs.KindOf(err), err, "--db %s: %s", j.db, errs.Message(err)), closeAll())
	}
	folder := closeAll
	closeAll = func() error { return errors.Join(store.Close(), folder()) }
	if err := checkRecords(ctx, j.db, store); err != nil {
		return nil, nil, errors.Join(err, closeAll())
	}
	return store, closeAll, nil
}

// source is this run as an upload: every run is a new one, but one of the very
// table of which something is proposed, which is applied once it may be. Of
// another table something is proposed anew, in the place of what was before.
func (j job) source(ctx context.Context, store *sqlite.Store, now time.Time) (source ledger.Source, before *ledger.Upload) {
	source = ledger.Source{
		Upload:     ledger.Upload{Bucket: ledger.TypedInput, Object: j.csv, Generation: now.UnixMicro()},
		UploadedAt: now.UTC().Truncate(time.Microsecond),
		Settings:   j.settings,
		Log:        j.audit,
	}
	record, err := store.Execution(ctx, j.plan.ExecutionID)
	if err != nil || record.Proposal == nil {
		return source, nil
	}
	if record.Source.Object == j.csv && reflect.DeepEqual(record.Source.Settings, j.settings) && files.Same(j.csv, record.Proposal.Input) {
		return record.Source, nil
	}
	source.Generation = max(source.Generation, record.Source.Generation+1) // whatever the clock says
	return source, &record.Source.Upload
}

// logSuperseded adds the line of the run in whose place this one is proposed.
func (j job) logSuperseded(ctx context.Context, store *sqlite.Store, before *ledger.Upload) error {
	if before == nil {
		return nil
	}
	found, err := store.Snapshot(ctx, j.plan.ExecutionID, before.ID())
	if err != nil || found.Outcome == nil {
		return err
	}
	return j.log(ctx, store, *found.Outcome)
}

// log adds the line of a run that wrote no table.
func (j job) log(ctx context.Context, store *sqlite.Store, outcome ledger.AuditDocument) error {
	if err := store.NoteLog(ctx, j.audit); err != nil {
		return err
	}
	return files.Append(j.audit, outcome.Line(), j.noSync)
}

// logLost adds the lines of runs that were cut off between their outcome and its line:
// the tree has not got those outcomes either. A completed run's line is written before.
func (j job) logLost(ctx context.Context, store *sqlite.Store) error {
	cutOff, err := store.Unlogged(ctx, maxCutOff)
	for _, outcome := range cutOff {
		if err == nil && outcome.Upload.Bucket == ledger.TypedInput && outcome.Status != ledger.Completed {
			err = j.log(ctx, store, outcome)
		}
	}
	return err
}

// maxCutOff is more runs than are cut off one after the other.
const maxCutOff = 100

// execute carries the stored plan out and returns the outcome of this run.
func (j job) execute(ctx context.Context, env environment, store *sqlite.Store, source ledger.Source) (ledger.AuditDocument, error) {
	bar := newProgress(env, j.size)
	x := j.executor(store)
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
	event := execution.Event{
		Bucket: source.Bucket, Object: source.Object, Generation: source.Generation, Size: j.size,
		Metadata: map[string]string{execution.ExecutionIDKey: j.plan.ExecutionID}, CreatedAt: source.UploadedAt, Log: j.audit,
	}
	err := j.handle(ctx, env, store, x, event)
	collectUsually()
	_ = bar.Finish()
	if err != nil {
		return ledger.AuditDocument{}, err
	}
	found, err := store.Snapshot(ctx, j.plan.ExecutionID, source.ID())
	switch {
	case err != nil || found.Outcome != nil:
	case found.Execution != nil && found.Execution.Status == ledger.Proposed:
		err = j.proposed(ctx, store, *found.Execution)
	default:
		err = errs.New(errs.Internal, "The execution ended without an outcome.")
	}
	if err != nil {
		return ledger.AuditDocument{}, err
	}
	return *found.Outcome, nil
}

// keep stores the plan under its id, or finds it there. Conflict: another plan has
// the id, whatever became of it.
func (j *job) keep(ctx context.Context, store *sqlite.Store) error {
	p := ledger.NewStoredPlan(j.plan)
	p.CreatedAt = time.Now()
	stored, _, err := ledger.StorePlan(ctx, store, p)
	if err == nil {
		j.plan = stored.Plan
	}
	return err
}

// executor is the deployed one over this command line's files.
func (j job) executor(store *sqlite.Store) *execution.Executor {
	kinds := files.All(j.db, j.noSync)
	buckets := execution.Buckets{Inbox: kinds[0], Outbox: kinds[1], Audit: kinds[2], Others: append(kinds, j.folder...)}
	x := execution.New(store, buckets, execution.Config{Settings: j.settings, Policy: j.policy}, logging.Discard)
	x.Surface, x.Limits = table.Flags, emulator.Limits
	x.OutputPath, x.ChangesPath, x.InputBLAKE3 = j.out, j.changes, j.shown
	return x
}

// handle executes, after another run that is at work on the same id has ended
// or died. A run that lost the execution to another, having slept for longer
// than its lease, asks again how it stands by now.
func (j job) handle(ctx context.Context, env environment, store *sqlite.Store, x *execution.Executor, event execution.Event) error {
	for announced := false; ; {
		err := x.Handle(ctx, event)
		if err == nil || ctx.Err() != nil {
			return err
		}
		if errors.Is(err, errs.Stale) {
			continue
		}
		record, readErr := store.Execution(ctx, j.plan.ExecutionID)
		if readErr != nil || record.Status != ledger.Running || !time.Now().Before(record.LeaseUntil) {
			return err
		}
		if time.Until(record.LeaseUntil) > x.Limits.Lease { // the clock has been set back since: no lease is so long
			if _, err := store.ExpireLeases(ctx, time.Now()); err != nil {
				return err
			}
			continue
		}
		if !announced {
			announced = true
			fmt.Fprintf(env.stderr, "Another run is at work on %s; waiting for it.\n", j.plan.ExecutionID)
		}
		if err := gax.Sleep(ctx, min(time.Second, time.Until(record.LeaseUntil)+time.Millisecond)); err != nil {
			return err
		}
	}
}

// sealed reports whether the execution can only complete: its files may be
// visible already.
func (j job) sealed(ctx context.Context, store *sqlite.Store) bool {
	record, err := store.Execution(context.WithoutCancel(ctx), j.plan.ExecutionID)
	return err == nil && record.Status == ledger.Running && record.Seal != nil
}

// broken is the audit line of a run that settled nothing in the records: what
// went wrong lies outside the plan and the table.
func (j job) broken(source ledger.Source, err error) ledger.AuditDocument {
	failure := ledger.Failure{Code: string(errs.KindOf(err)), Message: errs.Message(err)}
	run := ledger.Execution{ExecutionID: j.plan.ExecutionID, Source: source, CreatedAt: source.UploadedAt}
	return ledger.FailedDocument(run, failure, time.Now(), ledger.NewStoredPlan(j.plan)).Chained("")
}
