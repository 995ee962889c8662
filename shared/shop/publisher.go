package shop

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/logging"
)

// Publisher writes postings to one shop. Several may run at once, anywhere.
type Publisher struct {
	Ledger               ledger.Store
	Inbox, Outbox, Audit bucket.Bucket
	Shop                 Shop
	Now                  func() time.Time
	NewHolder            func() string // a random id
	Pause                func(context.Context, time.Duration)
	Log                  *slog.Logger
	Progress             func(postings.Posting) // hears of each batch; may be nil
}

// New returns a publisher with real time and random holders.
func New(records ledger.Store, inbox, outbox, audit bucket.Bucket, to Shop, log *slog.Logger) *Publisher {
	return &Publisher{
		Ledger: records, Inbox: inbox, Outbox: outbox, Audit: audit, Shop: to,
		Now: time.Now, NewHolder: rand.Text, Pause: pause, Log: log,
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (p *Publisher) now() time.Time { return p.Now().UTC().Truncate(time.Microsecond) }

// trouble is why a run ended before its posting did.
type trouble struct {
	cause     error
	unsettled bool // a write has no answer
	rows      int  // of the batch
}

func (t *trouble) Error() string { return t.cause.Error() }
func (t *trouble) Unwrap() error { return t.cause }

// Run carries out what is due for this shop, the oldest posting first, until nothing is
// left or something stands in the way. Next is when somebody should go on; zero where
// nothing is left. What stands in the way is in the posting, and logged.
func (p *Publisher) Run(ctx context.Context) (next time.Time, err error) {
	for {
		posting, found, err := p.oldest(ctx)
		switch {
		case err != nil || !found:
			return time.Time{}, err
		case posting.DueAt.After(p.now()):
			return posting.DueAt, nil
		}
		next, err := p.carryOut(ctx, posting)
		if err != nil || !next.IsZero() {
			return next, err
		}
	}
}

// oldest is the open posting that comes first: the postings of a shop go out in the
// order in which they were sealed, and an undo behind what it undoes, also where clocks
// differ. One for another shop is told that it waits.
func (p *Publisher) oldest(ctx context.Context) (postings.Posting, bool, error) {
	open, err := postings.Open(ctx, p.Ledger)
	if err != nil {
		return postings.Posting{}, false, err
	}
	slices.SortFunc(open, func(a, b postings.Posting) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ExecutionID, b.ExecutionID))
	})
	isOpen := func(id string) bool {
		return slices.ContainsFunc(open, func(other postings.Posting) bool { return other.ExecutionID == id })
	}
	var first *postings.Posting
	for i, posting := range open {
		switch {
		case posting.Shop.URL != p.Shop.URL():
			if err := p.refuseOther(ctx, posting); err != nil {
				return posting, false, err
			}
		case first == nil && (posting.After == "" || !isOpen(posting.After)):
			first = &open[i]
		}
	}
	if first == nil {
		return postings.Posting{}, false, nil
	}
	return *first, true, nil
}

// refuseOther notes that a posting is for a shop that is not configured any more.
func (p *Publisher) refuseOther(ctx context.Context, posting postings.Posting) error {
	if posting.DueAt.After(p.now()) {
		return nil
	}
	p.Log.ErrorContext(ctx, "a posting is for another shop than SHOP_URL names",
		"alert", "posting_stuck", "execution_id", posting.ExecutionID)
	posting.Tries++
	posting.Trouble = "This is for the shop " + posting.Shop.URL + ", and SHOP_URL names " + p.Shop.URL() +
		". Nothing is written to another shop than the table was fetched from."
	posting.DueAt = p.now().Add(longestWait)
	_, err := p.Ledger.UpdatePosting(ctx, posting)
	if errs.KindOf(err) == errs.Stale {
		return nil
	}
	return err
}

// carryOut takes the shop and carries out one posting. Next is zero where it is done.
func (p *Publisher) carryOut(ctx context.Context, posting postings.Posting) (next time.Time, err error) {
	ctx = logging.Scope(ctx, slog.String("execution_id", posting.ExecutionID))
	held, err := p.take(ctx)
	if taken, is := errors.AsType[*takenError](err); is {
		return taken.until, nil
	} else if err != nil {
		return next, err
	}
	until := p.now()
	defer func() { held.release(ctx, until) }()
	run := &run{Publisher: p, posting: posting, lease: held}
	err = run.all(ctx)
	if err == nil {
		until = p.now()
		return next, nil
	}
	next, until, err = run.stop(ctx, err)
	return next, err
}

// run is one publisher at work on one posting.
type run struct {
	*Publisher
	posting postings.Posting
	lease   *lease
	about   About
}

func (r *run) all(ctx context.Context) error {
	var err error
	if r.posting, err = r.Ledger.Posting(ctx, r.posting.ExecutionID); err != nil {
		return err
	}
	if r.posting.Status == postings.Writes {
		if err := r.adopt(ctx); err != nil {
			return err
		}
		if err := r.ask(ctx); err != nil {
			return err
		}
		if err := r.write(ctx); err != nil {
			return err
		}
	}
	if r.posting.Status == postings.Checks {
		return r.check(ctx)
	}
	return nil
}

// ask asks the shop what its prices are in.
func (r *run) ask(ctx context.Context) error {
	requestCtx, cancel, err := r.lease.request(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	r.about, err = r.Shop.About(requestCtx)
	return err
}

// adopt takes over the results of a batch whose publisher ended before it noted them.
// To whoever may not list names, Cloud Storage denies what is not there.
func (r *run) adopt(ctx context.Context) error {
	lines, err := readResults(ctx, r.Audit, ResultsName(r.posting.ExecutionID, r.posting.Progress.Batch))
	switch kind := errs.KindOf(err); {
	case kind == errs.NotFound, kind == errs.Denied:
		return nil
	case err != nil:
		return err
	}
	r.Log.InfoContext(ctx, "took over the results of a batch", "batch", r.posting.Progress.Batch)
	return r.noteBatch(ctx, lines)
}

// write goes through the changes from where the posting has come to.
func (r *run) write(ctx context.Context) error {
	rows, end, err := r.open(ctx)
	if err != nil {
		return err
	}
	defer end()
	batches := &batcher{rows: rows}
	limits := r.Shop.Limits()
	for {
		batch, err := batches.next(cmp.Or(r.posting.Progress.BatchRows, limits.First))
		if err == io.EOF {
			break
		}
		if err == nil {
			err = r.batch(ctx, batch)
		}
		if err != nil {
			return err
		}
		r.Pause(ctx, limits.Pause)
	}
	next := r.posting
	next.Status = postings.Checks
	if err := r.note(ctx, next); err != nil {
		return err
	}
	r.Log.InfoContext(ctx, "all batches are in the shop, and are read once more",
		"batches", next.Progress.Batch)
	return nil
}

// open reads the changes that are left, and the table that was fetched, side by side.
func (r *run) open(ctx context.Context) (rows *rowReader, end func(), err error) {
	record, err := r.Ledger.Execution(ctx, r.posting.ExecutionID)
	if err != nil {
		return nil, nil, err
	}
	changes, err := r.openChanges(ctx, record)
	if err != nil {
		return nil, nil, err
	}
	from := r.Inbox
	if record.Source.OutputOf != "" {
		from = r.Outbox
	}
	table, _, err := from.Open(ctx, record.Source.Object, record.Source.Reads())
	if err != nil {
		changes.Close()
		return nil, nil, errs.Wrap(errs.KindOf(err), err,
			"The table that was fetched from the shop cannot be read.")
	}
	end = func() { changes.Close(); table.Close() }
	rows, err = newRowReader(table, changes, r.posting.Progress.Bytes)
	if err != nil {
		end()
	}
	return rows, end, err
}

// openChanges opens the changes file once it was found to be the sealed one.
func (r *run) openChanges(ctx context.Context, record ledger.Execution) (io.ReadCloser, error) {
	object, err := r.Audit.Stat(ctx, record.Seal.Changes.Object)
	if err != nil {
		return nil, err
	}
	in, _, err := r.Audit.Open(ctx, object.Name, object.Generation)
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	_, err = io.Copy(hash, in)
	if in.Close(); err != nil {
		return nil, err
	}
	if hex.EncodeToString(hash.Sum(nil)) != record.Seal.Changes.SHA256 {
		return nil, errs.New(errs.Internal,
			"The changes file of %s is not the one that was sealed: nothing is written of it.",
			record.ExecutionID)
	}
	in, _, err = r.Audit.Open(ctx, object.Name, object.Generation)
	return in, err
}

// note replaces the posting. After a refused or unanswered write it is read: where it
// has come as far, the write has happened.
func (r *run) note(ctx context.Context, next postings.Posting) error {
	stored, err := r.Ledger.UpdatePosting(ctx, next)
	if err != nil {
		after, cancel := ledger.Afterwards(ctx)
		defer cancel()
		now, readErr := r.Ledger.Posting(after, next.ExecutionID)
		if readErr != nil || now.Progress != next.Progress || now.Status != next.Status {
			return err
		}
		stored = now
	}
	r.posting = stored
	if r.Progress != nil {
		r.Progress(stored)
	}
	return nil
}

// nextSize is how many rows the next batch has at most, by how long the last one took.
func nextSize(size, rows int, took time.Duration, limits Limits) int {
	if rows < size && took < limits.Aim {
		return size // its group has no more
	}
	next := limits.Most
	if took > 0 {
		next = int(float64(rows) * float64(limits.Aim) / float64(took))
	}
	return max(1, min(next, 2*size, limits.Most))
}

// longestWait is the longest that is waited between two runs that get no further.
const longestWait = 15 * time.Minute

// stuckTries is after how many runs that get no further somebody is told.
const stuckTries = 5

// stop notes why a run ended before its posting did, and when to go on. The shop is
// left alone until then where a write may still land.
func (r *run) stop(ctx context.Context, cause error) (next, until time.Time, err error) {
	now := r.now()
	if errs.KindOf(cause) == errs.Stale { // another goes on
		return time.Time{}, now, cause
	}
	ctx, cancel := ledger.Afterwards(ctx)
	defer cancel()
	posting, err := r.Ledger.Posting(ctx, r.posting.ExecutionID)
	if err != nil {
		return time.Time{}, now.Add(r.Shop.Limits().Settle), err
	}
	until = now
	wait := min(time.Second<<min(posting.Tries, 12), longestWait)
	problem, is := errors.AsType[*trouble](cause)
	if is && problem.unsettled {
		until = now.Add(r.Shop.Limits().Settle)
		wait = max(wait, r.Shop.Limits().Settle)
		posting.Progress.BatchRows = max(1, problem.rows/2)
	}
	wait = max(wait, retryAfter(cause))
	posting.Tries++
	posting.Trouble, posting.DueAt = clip(errs.Message(cause), 500), now.Add(wait)
	level, attributes := slog.LevelWarn, []any{"cause", cause.Error(), "tries", posting.Tries}
	if posting.Tries >= stuckTries {
		level, attributes = slog.LevelError, append(attributes, "alert", "posting_stuck")
	}
	r.Log.Log(ctx, level, "a posting got no further, and goes on later", attributes...)
	if _, err := r.Ledger.UpdatePosting(ctx, posting); err != nil && errs.KindOf(err) != errs.Stale {
		return posting.DueAt, until, err
	}
	return posting.DueAt, until, nil
}
