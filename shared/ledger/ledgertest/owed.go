package ledgertest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/test/expect"
)

var owedTests = []test{
	{"each step of a life owes one post, in its own commit", postsOfALife},
	{"records are listed by their first post, until none is owed", postsDue},
	{"a post that failed is due later, and the record as before", postsDelayed},
	{"a post that was owed anew is not taken out", postsOwedAnew},
	{"whoever changes a record waits for no post that is noted meanwhile", postsDisturbNobody},
}

// postOf is the one post of a kind that the record owes.
func postOf(t *testing.T, store ledger.Store, kind notices.Kind) ledger.Owed {
	t.Helper()
	posts := slices.DeleteFunc(read(t, store, executionID).Owed, func(p ledger.Owed) bool {
		return p.Kind != kind
	})
	if len(posts) != 1 {
		t.Fatalf("%d posts that it is %s, want one", len(posts), kind)
	}
	return posts[0]
}

func postsOfALife(t *testing.T, store ledger.Store) {
	propose(t, store, 1, dueProposal())
	p := postOf(t, store, notices.Proposed)
	expect.Equal(t, "the id", executionID+"."+mark+".proposed", p.ID)
	expect.ErrorIf(t, p.By != "" || !p.PostAt.Equal(p.At) || p.Upload == nil, "of the proposal: %+v", p)
	approve(t, store, 0)
	approve(t, store, 0)
	p = postOf(t, store, notices.Approved)
	expect.ErrorIf(t, p.By == "" || p.Upload != nil, "of the approval: %+v", p)
	fail(t, hold(t, store, delivery("first", 1, 0)))
	p = postOf(t, store, notices.Failed)
	expect.ErrorIf(t, p.Code == "" || p.Upload == nil, "of the failure: %+v", p)
	finish(t, hold(t, store, delivery("second", 2, time.Hour)))
	p = postOf(t, store, notices.Completed)
	expect.ErrorIf(t, p.Upload != nil, "of the end: %+v", p)
	expect.Equal(t, "the notices", 4, len(read(t, store, executionID).Owed))
}

// due lists the records whose posts are due some time after noon.
func due(
	t *testing.T, store ledger.Store, after time.Duration, page paging.Page,
) (ids []string, next string) {
	t.Helper()
	found := expect.Result(store.PostsDue(t.Context(), noon.Add(after), page))(t)
	for _, record := range found.Items {
		ids = append(ids, record.ExecutionID)
	}
	return ids, found.NextPageToken
}

func postsDue(t *testing.T, store ledger.Store) {
	owing := func(id string, times ...time.Duration) ledger.Execution {
		record := ledger.Execution{
			ExecutionID: id,
			Status:      ledger.Running,
			Source:      source(1),
			CreatedAt:   noon,
			Attempts:    ledger.Attempts{LeaseUntil: noon.Add(time.Hour)},
		}
		for i, after := range times {
			at := noon.Add(after).Truncate(time.Microsecond)
			notice := notices.Step{ID: id + string(rune('a'+i)), Kind: notices.Failed, At: at}
			record.Owed = append(record.Owed, ledger.Owed{Step: notice, PostAt: at})
		}
		return create(t, store, record)
	}
	owing("plan_later_v1", 2*time.Minute)
	owing("plan_second_v1", time.Hour, time.Second)
	owing("plan_first_v1", 0)
	owing("plan_never_v1")
	ids, next := due(t, store, time.Minute, paging.Page{Size: 1})
	expect.Equal(t, "the first page", []string{"plan_first_v1"}, ids)
	ids, _ = due(t, store, time.Minute, paging.Page{Size: 1, Token: next})
	expect.Equal(t, "the second page", []string{"plan_second_v1"}, ids)
	second := read(t, store, "plan_second_v1")
	expect.NoError(t, ledger.NotePosted(t.Context(), store, second.ExecutionID, second.Owed[1]))
	// the reply was lost
	expect.NoError(t, ledger.NotePosted(t.Context(), store, second.ExecutionID, second.Owed[1]))
	after := read(t, store, second.ExecutionID)
	expect.ErrorIf(t, len(after.Owed) != 1 || !after.PostAt().Equal(second.Owed[0].PostAt),
		"once one was posted: %+v", after)
	first := read(t, store, "plan_first_v1")
	expect.NoError(t, ledger.NotePosted(t.Context(), store, first.ExecutionID, first.Owed[0]))
	ids, _ = due(t, store, time.Minute, paging.Page{})
	expect.ErrorIf(t, len(ids) != 0, "still due: %v", ids)
	expect.ErrorIf(t, !read(t, store, "plan_first_v1").PostAt().IsZero(), "it has a time and owes nothing")
}

func postsDelayed(t *testing.T, store ledger.Store) {
	before := propose(t, store, 1, dueProposal())
	until := noon.Add(time.Hour).Truncate(time.Microsecond)
	expect.NoError(t, ledger.DelayPost(t.Context(), store, executionID, before.Owed[0], until))
	after := read(t, store, executionID)
	expect.ErrorIf(t, !after.PostAt().Equal(until) || !after.Owed[0].PostAt.Equal(until) ||
		after.Owed[0].Tries != 1, "the post: %+v", after.Owed)
	after.Owed, after.Revision = before.Owed, before.Revision
	expect.Equal(t, "the record but for its notices", before, after.Rounded())
}

func postsOwedAnew(t *testing.T, store ledger.Store) {
	record := propose(t, store, 1, dueProposal())
	posted := record.Owed[0]
	record.Owed = []ledger.Owed{posted}
	record.Owed[0].At = posted.At.Add(time.Second)
	update(t, store, record, ledger.Settlement{})
	expect.NoError(t, ledger.NotePosted(t.Context(), store, executionID, posted))
	expect.ErrorIf(t, len(read(t, store, executionID).Owed) != 1, "the later one is gone")
}

// posting notes one post of a record before each of its changes, as a clock may that
// runs beside.
type posting struct{ ledger.Store }

func (p posting) UpdateExecution(
	ctx context.Context, next ledger.Execution, with ledger.Settlement,
) (ledger.Execution, error) {
	if record, err := p.Execution(ctx, next.ExecutionID); err == nil && len(record.Owed) > 0 {
		if err := ledger.NotePosted(ctx, p.Store, next.ExecutionID, record.Owed[0]); err != nil {
			return ledger.Execution{}, err
		}
	}
	return p.Store.UpdateExecution(ctx, next, with)
}

func postsDisturbNobody(t *testing.T, store ledger.Store) {
	beside := posting{store}
	one := func(id string) ledger.Owed { return ledger.Owed{Step: notices.Step{ID: id}, PostAt: noon} }
	propose(t, store, 1, dueProposal())
	approve(t, beside, 0)
	lease := hold(t, beside, delivery("first", 1, 0)) // takes the record over
	approved := read(t, store, executionID)
	approved.Owed = append([]ledger.Owed{one("one"), one("two"), one("three")}, approved.Owed...)
	expect.NoError(t, expect.ErrorOf(store.UpdateExecution(t.Context(), approved, ledger.Settlement{})))
	expect.NoError(t, lease.Renew(t.Context(), noon.Add(time.Minute), 1))
	finish(t, lease)
	got := read(t, store, executionID)
	expect.ErrorIf(t, got.Status != ledger.Completed || got.Attempt != 2, "the record: %+v", got)
	changed := got
	changed.Rejected = true
	update(t, store, changed, ledger.Settlement{})
	// any other change counts
	wantKind(t, expect.ErrorOf(ledger.Discharge(t.Context(), beside, got, noon)), errs.Stale)
}
