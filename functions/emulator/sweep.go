package emulator

import (
	"context"
	"io"
	"iter"
	"time"

	"github.com/googleapis/gax-go/v2"

	"github.com/planwright/planwright/functions/emulator/inbox"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/tablestore"
)

// Times of what is done over and over on one machine: looking at what is due costs
// next to nothing here, so that what is scheduled is on time.
const (
	oftenest  = time.Second
	seldomest = time.Minute // where it fails each time
	listEvery = time.Hour   // the inbox
)

// repeat does something until the context ends, less often while it reports that it
// failed. What is under way then gets drainTime to end by itself.
func repeat(ctx context.Context, do func(context.Context) (well bool)) {
	work, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(drainTime, release) })
	defer stop()
	for wait := oftenest; ctx.Err() == nil; {
		if do(work) {
			wait = oftenest
		} else {
			wait = min(2*wait, seldomest)
		}
		_ = gax.Sleep(ctx, wait) // until the context ends
	}
}

// sweeper does what the deployed sweeper does for its clock.
type sweeper struct {
	*execution.Executor
	inbox  execution.List
	held   *tablestore.Tables // nil: none are
	listAt time.Time
}

// sweep delivers what is due, and once an hour what lies forgotten in the inbox.
func (s *sweeper) sweep(ctx context.Context) (well bool) {
	if now := s.Now(); !now.Before(s.listAt) {
		s.listAt = now.Add(listEvery)
		s.note(s.SweepInbox(ctx, s.inbox))
		if s.held != nil {
			s.note(0, s.held.Expire(ctx))
		}
	}
	return s.note(s.Sweep(ctx))
}

// note reports whether all of a sweep went well.
func (s *sweeper) note(failed int, err error) (well bool) {
	if err != nil {
		s.Log.Warn("the sweep stopped early", "cause", err.Error())
	}
	return failed == 0 && err == nil
}

// written are the drops of a folder that have a row: only these stay. A file that is
// there and not taken yet is no upload, for somebody may still write it.
type written struct {
	*folder.Bucket
	rows *inbox.Rows
}

// Open implements bucket.Bucket.
func (w written) Open(
	ctx context.Context, name string, generation int64,
) (io.ReadCloser, bucket.Object, error) {
	has, err := w.rows.Has(ctx, generation)
	switch {
	case err != nil:
		return nil, bucket.Object{}, err
	case !has:
		return nil, bucket.Object{}, errs.New(errs.NotFound,
			"Nothing was taken from the inbox as generation %d of %s.", generation, name)
	}
	return w.Bucket.Open(ctx, name, generation)
}

// List implements bucket.Store.
func (w written) List(ctx context.Context, from string) iter.Seq2[bucket.Object, error] {
	return func(yield func(bucket.Object, error) bool) {
		for object, err := range w.Bucket.List(ctx, from) {
			has := err != nil
			if err == nil {
				has, err = w.rows.Has(ctx, object.Generation)
			}
			if has && !yield(object, err) {
				return
			}
		}
	}
}
