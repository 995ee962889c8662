package simulation

import (
	"context"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/test/lockstep"
)

// worker is one delivery under way.
type worker struct {
	*lockstep.Worker
	name   string
	upload *delivery
	event  execution.Event // of the upload, with this delivery's deadline
	err    error
}

// ports puts the worker's fate between an executor and its ports.
func (w *worker) store(to ledger.Store) ledger.Store { return workerStore{to, w} }

func (w *worker) bucket(to bucket.Bucket) bucket.Bucket { return workerBucket{to, w} }

type workerStore struct {
	ledger.Store
	w *worker
}

func (s workerStore) CreatePlan(ctx context.Context, p plans.Record) error {
	return s.w.Call("create plan", func() error { return s.Store.CreatePlan(ctx, p) })
}

func (s workerStore) Plan(ctx context.Context, id string) (p plans.Record, err error) {
	err = s.w.Call("read plan", func() (err error) { p, err = s.Store.Plan(ctx, id); return err })
	return p, err
}

func (s workerStore) CreateExecution(ctx context.Context, first ledger.Execution) (e ledger.Execution, err error) {
	err = s.w.Call("claim", func() (err error) { e, err = s.Store.CreateExecution(ctx, first); return err })
	return e, err
}

func (s workerStore) Execution(ctx context.Context, id string) (e ledger.Execution, err error) {
	err = s.w.Call("read record", func() (err error) { e, err = s.Store.Execution(ctx, id); return err })
	return e, err
}

func (s workerStore) Snapshot(ctx context.Context, id, upload string) (found ledger.Snapshot, err error) {
	err = s.w.Call("look", func() (err error) { found, err = s.Store.Snapshot(ctx, id, upload); return err })
	return found, err
}

func (s workerStore) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (e ledger.Execution, err error) {
	err = s.w.Call("update to "+describe(next), func() (err error) { e, err = s.Store.UpdateExecution(ctx, next, with); return err })
	return e, err
}

func (s workerStore) Due(ctx context.Context, at time.Time, page paging.Page) (found paging.List[ledger.Execution], err error) {
	err = s.w.Call("due", func() (err error) { found, err = s.Store.Due(ctx, at, page); return err })
	return found, err
}

func (s workerStore) Executions(ctx context.Context, status ledger.Status, page paging.Page) (found paging.List[ledger.Execution], err error) {
	err = s.w.Call("list what is "+string(status), func() (err error) { found, err = s.Store.Executions(ctx, status, page); return err })
	return found, err
}

func describe(e ledger.Execution) string {
	return fmt.Sprintf("%s, attempt %d, sealed %t", e.Status, e.Attempt, e.Seal != nil)
}

func (s workerStore) CreateOutcome(ctx context.Context, d ledger.AuditDocument) error {
	return s.w.Call("skip", func() error { return s.Store.CreateOutcome(ctx, d) })
}

const putChanges = "put changes "

// PutChanges stores the documents one call each: a crash in the middle leaves
// the first of them.
func (s workerStore) PutChanges(ctx context.Context, id string, documents iter.Seq2[changelog.Document, error]) error {
	for d, err := range documents {
		if err != nil {
			return err
		}
		one := func(yield func(changelog.Document, error) bool) { yield(d, nil) }
		if err := s.w.Call(putChanges+d.Name(), func() error { return s.Store.PutChanges(ctx, id, one) }); err != nil {
			return err
		}
	}
	return nil
}

type workerBucket struct {
	bucket.Bucket
	w *worker
}

func (b workerBucket) Stat(ctx context.Context, name string) (o bucket.Object, err error) {
	err = b.w.Call("stat "+name, func() (err error) { o, err = b.Bucket.Stat(ctx, name); return err })
	return o, err
}

func (b workerBucket) Open(ctx context.Context, name string, generation int64) (r io.ReadCloser, o bucket.Object, err error) {
	err = b.w.Call("open "+name, func() (err error) { r, o, err = b.Bucket.Open(ctx, name, generation); return err })
	if err != nil {
		return nil, o, err
	}
	return &workerReader{ReadCloser: r, w: b.w, name: name}, o, nil
}

type workerReader struct {
	io.ReadCloser
	w      *worker
	name   string
	spoilt bool
}

// Read keeps the port's promise about bytes that come out wrong: their end is
// an error.
func (r *workerReader) Read(p []byte) (n int, err error) {
	err = r.w.Call("read "+r.name, func() (err error) { n, err = r.ReadCloser.Read(p); return err })
	if r.w.Spoilt() && n > 0 {
		p[0] ^= 1
		r.spoilt = true
	}
	if err == io.EOF && (r.spoilt || r.w.Spoilt()) {
		err = errs.New(errs.Internal, "%s was damaged on its way", r.name)
	}
	return n, err
}

func (b workerBucket) Create(ctx context.Context, name string, options bucket.CreateOptions) (u bucket.Upload, err error) {
	err = b.w.Call("create "+name, func() (err error) { u, err = b.Bucket.Create(ctx, name, options); return err })
	if err != nil {
		return nil, err
	}
	return workerUpload{u, b.w, name}, nil
}

type workerUpload struct {
	bucket.Upload
	w    *worker
	name string
}

func (u workerUpload) Commit() (o bucket.Object, err error) {
	err = u.w.Call("commit "+u.name, func() (err error) { o, err = u.Upload.Commit(); return err })
	return o, err
}
