// Package schedule fetches a shop when something is due there. A change over a fetched
// table that has a time, and an undo that is due, are made of the shop as it is then.
//
// The new table goes into the inbox, where the execution takes it as any upload. What comes
// of it goes ahead where it is what was proposed, and is proposed anew where it moved.
//
//	INBOX/held/{execution_id}/due-{attempt}/{shop}.csv
package schedule

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"maps"
	"path"
	"strconv"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/shop"
)

// lateAfter is how late something may be before somebody is told.
const lateAfter = 15 * time.Minute

// Run fetches the shop for what has been due there longest, if anything is. One execution
// goes after the other: the table of the next one has the prices of the one before. Where
// the shop cannot be fetched, the record says why, and it did not go well.
func Run(ctx context.Context, p *shop.Publisher) (well bool, err error) {
	next, err := oldest(ctx, p)
	if err != nil || next == nil {
		return err == nil, err
	}
	ctx = logging.Scope(ctx, slog.String("execution_id", next.executionID))
	waits, err := next.waits(ctx, p)
	if err != nil || waits {
		return err == nil, err
	}
	err = next.fetch(ctx, p)
	switch {
	case err == nil:
		p.Log.InfoContext(ctx, "the shop was fetched for what is due", "object", next.name)
		return true, nil
	case shop.IsTaken(err), errs.KindOf(err) == errs.Conflict: // others write to it, and end
		return true, nil
	}
	return false, next.hold(ctx, p, err)
}

// table is one that is to be fetched.
type table struct {
	executionID string
	name        string
	due         time.Time
	record      ledger.Execution // that is due: it waits for the table, or so does its undo
}

// oldest is the table that has been waited for longest; nil where none is.
func oldest(ctx context.Context, p *shop.Publisher) (*table, error) {
	now := p.Now()
	for page := (paging.Page{Size: paging.MaxSize}); ; {
		found, err := p.Ledger.Due(ctx, now, page)
		if err != nil {
			return nil, err
		}
		for _, record := range found.Items {
			if record.Source.Shop == nil || record.Source.Shop.URL != p.Shop.URL() {
				continue
			}
			if next, err := of(ctx, p, record, now); err != nil || next != nil {
				return next, err
			}
		}
		if page.Token = found.NextPageToken; page.Token == "" {
			return nil, nil
		}
	}
}

// of is the table that a record waits for; nil where it waits for none.
func of(ctx context.Context, p *shop.Publisher, record ledger.Execution, now time.Time) (*table, error) {
	if record.AwaitsFetch() && !record.NeedsApproval() {
		return newTable(record, record.ExecutionID, record.Attempt, record.Proposal.ApplyAt), nil
	}
	for _, due := range record.UndoDue {
		if due.At.After(now) {
			continue
		}
		undo, err := p.Ledger.Execution(ctx, due.ExecutionID)
		if err != nil && errs.KindOf(err) != errs.NotFound {
			return nil, err
		}
		if record.UndoAwaitsFetch(due, undo) && !undo.NeedsApproval() {
			return newTable(record, due.ExecutionID, undo.Attempt, due.At), nil
		}
	}
	return nil, nil
}

// newTable names a table by the attempts that there were: it is fetched once for each.
func newTable(record ledger.Execution, executionID string, attempt int, due time.Time) *table {
	name := execution.HandedInFolder + executionID + "/due-" + strconv.Itoa(attempt) + "/" +
		path.Base(record.Source.Object)
	return &table{executionID, name, due, record}
}

// waits reports whether the table is there and about to be taken, or another execution
// that changes the shop is at work.
func (t *table) waits(ctx context.Context, p *shop.Publisher) (bool, error) {
	_, err := p.Inbox.Stat(ctx, t.name)
	switch kind := errs.KindOf(err); {
	case err == nil:
		return true, nil
	case kind != errs.NotFound && kind != errs.Denied: // Cloud Storage denies it of what is not there
		return false, err
	}
	for page := (paging.Page{Size: paging.MaxSize}); ; {
		running, err := p.Ledger.Executions(ctx, ledger.Running, page)
		if err != nil {
			return false, err
		}
		for _, other := range running.Items {
			if other.Source.Shop != nil && other.Source.Shop.URL == p.Shop.URL() {
				return true, nil
			}
		}
		if page.Token = running.NextPageToken; page.Token == "" {
			return false, nil
		}
	}
}

// fetch puts the shop as it is now into the inbox.
func (t *table) fetch(ctx context.Context, p *shop.Publisher) error {
	metadata, err := t.metadata(ctx, p)
	if err != nil {
		return err
	}
	_, err = p.Fetch(ctx, func(out io.Reader, _ postings.Shop) error {
		in := bufio.NewReaderSize(out, 64<<10)
		if _, err := in.Peek(1); err != nil { // nothing is created for a shop that does not answer
			return err
		}
		upload, err := p.Inbox.Create(ctx, t.name,
			bucket.CreateOptions{ContentType: "text/csv", Metadata: metadata})
		if err != nil {
			return err
		}
		defer upload.Abandon()
		if _, err := io.Copy(upload, in); err != nil {
			return err
		}
		_, err = upload.Commit()
		if errs.KindOf(err) == errs.Conflict { // another has fetched it meanwhile
			return nil
		}
		return err
	})
	return err
}

// metadata is that of the table from before: who handed it in, how it is read, and in what
// its prices were. Prices in another currency are refused when they are written.
func (t *table) metadata(ctx context.Context, p *shop.Publisher) (map[string]string, error) {
	source := t.record.Source
	in, object, err := p.Inbox.Open(ctx, source.Object, source.Reads())
	if err != nil {
		return nil, errs.Wrap(errs.KindOf(err), err,
			"The table from before is not there any more, and with it how it is read.")
	}
	in.Close()
	metadata := maps.Clone(object.Metadata)
	delete(metadata, execution.IntentKey) // the record has what was wanted
	metadata[execution.ExecutionIDKey] = t.executionID
	return metadata, nil
}

// hold notes why the shop could not be fetched.
func (t *table) hold(ctx context.Context, p *shop.Publisher, cause error) error {
	late := p.Now().Sub(t.due)
	level, attributes := slog.LevelWarn, []any{"cause", cause.Error(), "late_seconds", int(late.Seconds())}
	if late > lateAfter {
		level, attributes = slog.LevelError, append(attributes, "alert", "posting_stuck")
	}
	p.Log.Log(ctx, level, "the shop could not be fetched for what is due, and will be", attributes...)
	why := "The shop is fetched again before this goes ahead. " + errs.Message(cause)
	if t.record.Status == ledger.Completed { // a record that has completed does not change any more
		return nil
	}
	err := ledger.NoteDelay(ctx, p.Ledger, t.record, why, p.Now())
	if errs.KindOf(err) == errs.Stale {
		return nil
	}
	return err
}
