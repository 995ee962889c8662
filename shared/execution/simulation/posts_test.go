package simulation

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/messages"
)

// PostsDue implements ledger.Store.
func (s *store) PostsDue(_ context.Context, at time.Time, page paging.Page) (paging.List[ledger.Execution], error) {
	place := func(e ledger.Execution) string {
		return e.PostAt().Format("2006-01-02T15:04:05.000000Z ") + e.ExecutionID
	}
	return s.listed(page, place, func(e ledger.Execution) bool { return !e.PostAt().IsZero() && !e.PostAt().After(at) })
}

func (s workerStore) PostsDue(ctx context.Context, at time.Time, page paging.Page) (found paging.List[ledger.Execution], err error) {
	err = s.w.Call("posts due", func() (err error) { found, err = s.Store.PostsDue(ctx, at, page); return err })
	return found, err
}

// webhook is where every post goes.
var webhook = messages.Config{PublicURL: "https://shop.example", URL: "https://hooks.example/secret"}

// tell begins a run that posts what is due: whatever may happen to a call may happen
// to what it posts.
func (w *world) tell() *worker {
	one := w.hire()
	w.say("%s posts", one.name)
	sender := messages.Sender{
		Store: one.store(w.records()), Config: webhook, Log: logging.Discard, Now: func() time.Time { return w.now },
		Post: func(_ context.Context, n notices.Notice) error {
			return one.Call("post "+n.ID, func() error {
				w.checkPosted(n)
				w.posted[n.ID]++
				return nil
			})
		},
	}
	if w.mutant.tell != nil {
		return w.begin(one, func() error { return w.mutant.tell(w, &sender) })
	}
	return w.begin(one, func() error { _, err := sender.Run(context.Background()); return err })
}

// tellAll: without further faults the webhook hears of everything that has happened.
func (w *world) tellAll() {
	owing := func() bool {
		for _, record := range w.store.records {
			if !record.PostAt().IsZero() {
				return true
			}
		}
		return false
	}
	for runs := 0; owing(); runs++ {
		if runs == 3 {
			w.fail("after %d runs not everything is posted", runs)
		}
		w.now = w.now.Add(time.Hour)
		w.finishing(w.tell())
	}
	for id, record := range w.store.records {
		w.checkPosts(id, record)
	}
}

// checkPosts: what is proposed, decided and ended is owed to the webhook from the very
// commit on, until it was posted, or until nobody tries it any more.
func (w *world) checkPosts(id string, record ledger.Execution) {
	for _, p := range record.Owed {
		w.past.owed[p.ID] = p.At
	}
	told := func(of string, kinds ...notices.Kind) {
		if !slices.ContainsFunc(kinds, func(kind notices.Kind) bool { return w.hasNotice(record, id+"."+of+"."+string(kind)) }) {
			w.fail("the webhook will not hear that %s is %v", id, kinds)
		}
	}
	if record.Status == ledger.Proposed && record.Proposal.ApprovalDue {
		told(record.Proposal.ProposalSHA256, notices.Proposed)
	} else if record.Status == ledger.Proposed {
		told(record.Proposal.ProposalSHA256, notices.Scheduled)
	}
	if record.Approval != nil {
		told(record.Approval.ProposalSHA256, notices.Approved)
	}
	for upload, d := range w.store.outcomes[id] {
		switch {
		case d.Status == ledger.Completed:
			told(upload, notices.Completed)
		case d.Status == ledger.Failed:
			told(upload, notices.Failed, notices.Rejected, notices.Expired)
		case d.Code() == ledger.CodeSuperseded && !w.isFetchedAgain(d):
			told(upload, notices.Superseded)
		}
	}
	for _, p := range record.Owed {
		if at := record.PostAt(); !p.PostAt.IsZero() && (p.PostAt.Before(at) || at.IsZero()) {
			w.fail("%s is not due in time: %s, and the record %s", p.ID, p.PostAt, at)
		}
	}
}

// hasNotice reports whether a post is owed, was posted, or was tried for as long as it is.
func (w *world) hasNotice(record ledger.Execution, id string) bool {
	owed := slices.ContainsFunc(record.Owed, func(p ledger.Owed) bool { return p.ID == id && !p.PostAt.IsZero() })
	at, known := w.past.owed[id]
	return owed || w.posted[id] > 0 || known && w.now.Sub(at) >= 48*time.Hour
}

// checkPosted: the webhook hears of nothing that did not happen.
func (w *world) checkPosted(n notices.Notice) {
	if _, owed := w.past.owed[n.ID]; !owed {
		w.fail("%s is posted, and no commit owed it", n.ID)
	}
	of, _, _ := strings.Cut(strings.TrimPrefix(n.ID, n.ExecutionID+"."), ".")
	if d, ended := w.store.outcomes[n.ExecutionID][of]; n.Kind == notices.Completed && (!ended || d.Status != ledger.Completed) {
		w.fail("%s is posted, and what came of it is %s", n.ID, d.Status)
	}
}

// hastily notes each post before it makes it: one that fails then is lost.
func hastily(w *world, s *messages.Sender) error {
	found, err := s.Store.PostsDue(context.Background(), w.now, paging.Page{})
	for _, record := range found.Items {
		for _, p := range record.Owed {
			if err := ledger.NotePosted(context.Background(), s.Store, record.ExecutionID, p); err != nil {
				return err
			}
			if err := s.Post(context.Background(), notices.Notice{Step: p.Step, ExecutionID: record.ExecutionID}); err != nil {
				return err
			}
		}
	}
	return err
}

// late keeps the posts of each change back until whoever made it writes again.
type late struct {
	*store
	kept map[string][]ledger.Owed
}

func (l *late) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	before := l.records[next.ExecutionID].Owed
	isNew := func(p ledger.Owed) bool {
		return !slices.ContainsFunc(before, func(owed ledger.Owed) bool { return owed.ID == p.ID })
	}
	kept := l.kept[next.ExecutionID]
	var owed, added []ledger.Owed
	for _, p := range next.Owed {
		if !isNew(p) {
			owed = append(owed, p)
			continue
		}
		post := p
		post.Upload = nil
		added = append(added, post)
		if p.PostAt = (time.Time{}); p.Upload != nil { // its object is owed all the same
			owed = append(owed, p)
		}
	}
	next.Owed = append(owed, kept...)
	updated, err := l.store.UpdateExecution(ctx, next, with)
	if err == nil {
		l.kept[next.ExecutionID] = added
	}
	return updated, err
}

// overwritesPosts is for a note of a post that ignores the revision.
func overwritesPosts(w *world) func(ledger.Execution, ledger.Settlement) bool {
	posts := func(e ledger.Execution) (n int) {
		for _, owed := range e.Owed {
			if !owed.PostAt.IsZero() {
				n++
			}
		}
		return n
	}
	return func(next ledger.Execution, _ ledger.Settlement) bool {
		return posts(next) < posts(w.store.records[next.ExecutionID])
	}
}
