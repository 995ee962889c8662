package ledgertest

import (
	"context"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/test/expect"
)

var postingTests = []test{
	{"the commit that completes makes the posting, and only over a fetched table", postingOfALife},
	{"a posting is written with the record or not at all", postingIsWhole},
	{"a posting comes back as it was written", postingRoundTrip},
	{"a posting that was changed is not changed again", postingStale},
	{"postings are listed while they are open, and the newest first", postingLists},
	{"what was refused is tried again once all is done", postingRetried},
	{"a shop is one's at a time", shopLease},
}

var postingRaceTests = []test{
	{"of many that take a shop at once one does", shopLeaseRace},
}

const shopURL = "https://shop.example"

func fetched(generation int64) ledger.ClaimRequest {
	request := delivery("first", generation, 0)
	request.Source.Shop = &postings.Shop{URL: shopURL, Currency: "EUR"}
	return request
}

func postingOfALife(t *testing.T, store ledger.Store) {
	lease := hold(t, store, fetched(1))
	wantKind(t, expect.ErrorOf(store.Posting(t.Context(), executionID)), errs.NotFound)
	finish(t, lease)
	got := expect.Result(store.Posting(t.Context(), executionID))(t)
	record := read(t, store, executionID)
	expect.Equal(t, "the shop", *record.Source.Shop, got.Shop)
	expect.Equal(t, "the rows", record.Seal.Summary.RowsChanged, got.Rows)
	expect.ErrorIf(t, !got.DueAt.Equal(record.Seal.ExecutedAt) || !got.IsOpen(), "it is due at %s: %+v",
		record.Seal.ExecutedAt, got)
}

func postingIsWhole(t *testing.T, store ledger.Store) {
	first := fullPosting(executionID, 0)
	record := create(t, store, ledger.Execution{
		ExecutionID: executionID,
		Status:      ledger.Running,
		Source:      source(1),
		CreatedAt:   noon,
	})
	record = update(t, store, record, ledger.Settlement{Posting: &first})
	wantKind(
		t,
		expect.ErrorOf(store.UpdateExecution(t.Context(), record, ledger.Settlement{Posting: &first})),
		errs.Conflict,
	)
	other := fullPosting(otherID, 0)
	record.Revision = "1999-01-01T00:00:00Z"
	wantKind(
		t,
		expect.ErrorOf(store.UpdateExecution(t.Context(), record, ledger.Settlement{Posting: &other})),
		errs.Stale,
	)
	wantKind(t, expect.ErrorOf(store.Posting(t.Context(), otherID)), errs.NotFound)
}

// fullPosting is one with every field set.
func fullPosting(id string, after time.Duration) postings.Posting {
	return postings.Posting{
		ExecutionID: id,
		Shop:        postings.Shop{URL: shopURL, Currency: "EUR"},
		CreatedAt:   noon.Add(after),
		Rows:        1 << 40,
		After:       "plan_undone_v1",
		Status:      postings.Checks,
		DueAt:       noon.Add(after),
		Tries:       3,
		Trouble:     "<é>",
		Progress: postings.Progress{
			Batch:     1,
			FirstOf:   2,
			Bytes:     1 << 41,
			BatchRows: 25,
			Checked:   3,
			Written:   4,
			Already:   5,
			Stale:     6,
			Refused:   7,
			Gone:      8,
			Differs:   9,
			Before:    10,
		},
		Left: []postings.LeftRow{{
			Row:    2,
			SKU:    "A",
			Name:   "<b>",
			Result: postings.LeftStale,
			Wanted: "9.00",
			Has:    "8.00",
			Why:    "é",
		}},
	}
}

func createPosting(t *testing.T, store ledger.Store, p postings.Posting) postings.Posting {
	t.Helper()
	record := create(t, store, ledger.Execution{
		ExecutionID: p.ExecutionID,
		Status:      ledger.Running,
		Source:      source(1),
		CreatedAt:   noon,
	})
	update(t, store, record, ledger.Settlement{Posting: &p})
	return expect.Result(store.Posting(t.Context(), p.ExecutionID))(t)
}

func postingRoundTrip(t *testing.T, store ledger.Store) {
	want := fullPosting(executionID, 0).Rounded()
	got := createPosting(t, store, want)
	want.Revision = got.Revision
	expect.Equal(t, "as it was created", want, got)
	want.Progress.Batch++
	updated := expect.Result(store.UpdatePosting(t.Context(), want))(t)
	got = expect.Result(store.Posting(t.Context(), executionID))(t)
	expect.Equal(t, "as it was changed", updated, got)
	expect.Equal(t, "its batch", 2, got.Progress.Batch)
	wantKind(t, expect.ErrorOf(store.Posting(t.Context(), "no")), errs.Invalid)
	wantKind(
		t,
		expect.ErrorOf(store.UpdatePosting(t.Context(), postings.Posting{ExecutionID: "no"})),
		errs.Invalid,
	)
}

func postingStale(t *testing.T, store ledger.Store) {
	before := createPosting(t, store, fullPosting(executionID, 0))
	next := before
	next.Progress.Batch = 7
	expect.NoError(t, expect.ErrorOf(store.UpdatePosting(t.Context(), next)))
	wantKind(t, expect.ErrorOf(store.UpdatePosting(t.Context(), before)), errs.Stale)
	next.ExecutionID = otherID
	wantKind(t, expect.ErrorOf(store.UpdatePosting(t.Context(), next)), errs.Stale)
	expect.Equal(t, "its batch", 7, expect.Result(store.Posting(t.Context(), executionID))(t).Progress.Batch)
}

func postingLists(t *testing.T, store ledger.Store) {
	for i, id := range []string{"plan_first_v1", "plan_second_v1", "plan_third_v1"} {
		createPosting(t, store, fullPosting(id, time.Duration(i)*time.Minute))
	}
	ids := func(list func(
		context.Context, paging.Page,
	) (paging.List[postings.Posting], error)) (ids []string) {
		for _, page := range pages(t, 1, list) {
			for _, p := range page {
				ids = append(ids, p.ExecutionID)
			}
		}
		return ids
	}
	due := func(after time.Duration) lister[postings.Posting] {
		return func(ctx context.Context, page paging.Page) (paging.List[postings.Posting], error) {
			return store.PostingsDue(ctx, noon.Add(after), page)
		}
	}
	expect.Equal(
		t,
		"the newest first",
		[]string{"plan_third_v1", "plan_second_v1", "plan_first_v1"},
		ids(store.Postings),
	)
	expect.Equal(t, "those due", []string{"plan_first_v1", "plan_second_v1"}, ids(due(time.Minute)))
	second := expect.Result(store.Posting(t.Context(), "plan_second_v1"))(t)
	second.Status, second.DueAt = postings.Posted, time.Time{}
	expect.NoError(t, expect.ErrorOf(store.UpdatePosting(t.Context(), second)))
	open := expect.Result(postings.Open(t.Context(), store))(t)
	expect.ErrorIf(t, len(open) != 2 || open[0].ExecutionID != "plan_first_v1" ||
		open[1].ExecutionID != "plan_third_v1", "open are %+v", open)
}

func postingRetried(t *testing.T, store ledger.Store) {
	p := createPosting(t, store, fullPosting(executionID, 0))
	wantKind(t, expect.ErrorOf(postings.Retry(t.Context(), store, executionID, noon)), errs.Conflict)
	p.Status, p.DueAt = postings.Posted, time.Time{}
	p = expect.Result(store.UpdatePosting(t.Context(), p))(t)
	again := expect.Result(postings.Retry(t.Context(), store, executionID, noon))(t)
	expect.Equal(t, "the pass", postings.Progress{
		Batch:   1,
		FirstOf: 1,
		Checked: 1,
		Before:  14,
	}, again.Progress)
	expect.ErrorIf(t, !again.IsOpen() || again.DueAt.IsZero() || len(again.Left) > 0, "it is %+v", again)
	again.Status, again.DueAt, again.Progress = postings.Posted, time.Time{}, postings.Progress{Written: 5}
	expect.NoError(t, expect.ErrorOf(store.UpdatePosting(t.Context(), again)))
	wantKind(t, expect.ErrorOf(postings.Retry(t.Context(), store, executionID, noon)), errs.Conflict)
}

func shopLease(t *testing.T, store ledger.Store) {
	none := expect.Result(store.ShopLease(t.Context(), shopURL))(t)
	expect.Equal(t, "nobody's", postings.ShopLease{Shop: shopURL}, none)
	taken := none
	taken.Holder, taken.Until = "first", noon
	taken = expect.Result(store.PutShopLease(t.Context(), taken))(t)
	expect.Equal(t, "as it was taken", taken, expect.Result(store.ShopLease(t.Context(), shopURL))(t))
	wantKind(t, expect.ErrorOf(store.PutShopLease(t.Context(), none)), errs.Stale)
	next := taken
	next.Holder, next.Until = "", time.Time{}
	expect.NoError(t, expect.ErrorOf(store.PutShopLease(t.Context(), next)))
	wantKind(t, expect.ErrorOf(store.PutShopLease(t.Context(), taken)), errs.Stale)
	other := expect.Result(store.ShopLease(t.Context(), shopURL+"/de"))(t)
	expect.Equal(t, "another shop's", postings.ShopLease{Shop: shopURL + "/de"}, other)
}

func shopLeaseRace(t *testing.T, store ledger.Store) {
	none := expect.Result(store.ShopLease(t.Context(), shopURL))(t)
	expect.OneWinner(t, 8, errs.Stale, func(int) error {
		return expect.ErrorOf(store.PutShopLease(t.Context(), none))
	})
}
