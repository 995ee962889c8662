package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/test/expect"
)

var changeTests = []test{
	{"only a completed execution has changes", changesOnlyCompleted},
	{"they come in row order, page by page", changesOrder},
	{"a page has its limits", changesLimits},
	{"storing is repeatable, and replaces", changesRepeatable},
	{"an error of the sequence ends it and is returned as it is", changesError},
	{"what was not stored is not reported as stored", changesCancelled},
	{"a wrong token is invalid", changesTokens},
}

func changesOf(store ledger.Store, id string) lister[pricing.Change] {
	return func(ctx context.Context, page paging.Page) (paging.List[pricing.Change], error) {
		return store.Changes(ctx, id, page)
	}
}

func manyChanges(count int) []pricing.Change {
	changes := make([]pricing.Change, count)
	for i := range changes {
		row := 2 + int64(i)
		changes[i] = change(row, fmt.Sprintf("SKU-%06d", row))
	}
	return changes
}

func changesOnlyCompleted(t *testing.T, store ledger.Store) {
	changed := change(2, "A101")
	put(t, store, executionID, documentOf(executionID, 0, noon, changed)) // without any record
	wantChanges := func(when string, want ...pricing.Change) {
		t.Helper()
		found := expect.Result(store.Changes(t.Context(), executionID, paging.Page{}))(t)
		expect.Equal(t, when, append([]pricing.Change{}, want...), append([]pricing.Change{}, found.Items...))
		history := expect.Result(store.SKUChanges(t.Context(), "A101", paging.Page{}))(t)
		expect.ErrorIf(t, len(history.Items) != len(want), "%s: the SKU's history has %d changes, want %d",
			when, len(history.Items), len(want))
	}
	wantChanges("without a record")
	record := create(t, store, ledger.Execution{
		ExecutionID: executionID,
		Status:      ledger.Running,
		CreatedAt:   noon,
	})
	wantChanges("while it runs")
	record.Seal = &ledger.Seal{ExecutedAt: noon}
	record = update(t, store, record, ledger.Settlement{})
	wantChanges("while it is sealed")
	record.Status = ledger.Failed
	record = update(t, store, record, ledger.Settlement{})
	wantChanges("once it has failed")
	record.Status = ledger.Completed
	update(t, store, record, ledger.Settlement{})
	wantChanges("once it has completed", changed)
}

func changesOrder(t *testing.T, store ledger.Store) {
	all := manyChanges(12)
	completed(t, store, executionID, noon,
		documentOf(executionID, 0, noon, all[:5]...), documentOf(executionID, 1, noon, all[5:6]...),
		documentOf(executionID, 2, noon, all[6:10]...), documentOf(executionID, 10, noon, all[10:]...))
	completed(t, store, otherID, noon, documentOf(otherID, 0, noon, change(2, "A101")))
	for size := 1; size <= 13; size++ {
		want := slices.Collect(slices.Chunk(all, size))
		expect.Equal(t, fmt.Sprintf("pages of %d", size), want, pages(t, size, changesOf(store, executionID)))
	}
	none := expect.Result(store.Changes(t.Context(), "plan_absent_v1", paging.Page{}))(t)
	expect.ErrorIf(t, len(none.Items) != 0 || none.NextPageToken != "",
		"an execution that does not exist has changes: %+v", none)
}

func changesLimits(t *testing.T, store ledger.Store) {
	all := manyChanges(700)
	completed(t, store, executionID, noon,
		documentOf(executionID, 0, noon, all[:450]...), documentOf(executionID, 1, noon, all[450:]...))
	for _, c := range []struct{ size, first int }{
		{0, paging.DefaultSize}, {-5, paging.DefaultSize}, {499, 499}, {10_000, paging.MaxSize},
	} {
		found := pages(t, c.size, changesOf(store, executionID))
		expect.ErrorIf(t, len(found[0]) != c.first, "size %d: the first page has %d changes, want %d",
			c.size, len(found[0]), c.first)
		expect.Equal(t, "all pages", all, slices.Concat(found...))
	}
}

func changesRepeatable(t *testing.T, store ledger.Store) {
	all := manyChanges(6)
	completed(t, store, executionID, noon, documentOf(executionID, 0, noon, manyChanges(9)...),
		documentOf(executionID, 1, noon, all[3:]...))
	for range 2 {
		put(t, store, executionID, documentOf(executionID, 0, noon, all[:3]...),
			documentOf(executionID, 1, noon, all[3:]...))
		expect.Equal(t, "the changes", [][]pricing.Change{all}, pages(t, 100, changesOf(store, executionID)))
	}
	history := expect.Result(store.SKUChanges(t.Context(), all[5].SKU, paging.Page{}))(t)
	expect.ErrorIf(t, len(history.Items) != 1, "a change stored three times is in the history %d times",
		len(history.Items))
	put(t, store, executionID) // nothing at all
}

func changesError(t *testing.T, store ledger.Store) {
	broken := errors.New("the changes file broke off")
	pulled := 0
	err := store.PutChanges(t.Context(), executionID, func(yield func(changelog.Document, error) bool) {
		for number := range 100 {
			pulled++
			if number == 7 {
				expect.ErrorIf(t, yield(changelog.Document{}, broken),
					"the sequence was asked for more after its error")
				return
			}
			if !yield(documentOf(executionID, number, noon, change(int64(number), "A101")), nil) {
				return
			}
		}
	})
	expect.ErrorIf(t, err != broken, "got %v, want the sequence's error itself", err)
	expect.ErrorIf(t, pulled != 8, "%d documents were asked for, want 8", pulled)
	stray := store.PutChanges(
		t.Context(), executionID, sequence(documentOf(otherID, 0, noon, change(2, "A101"))),
	)
	wantKind(t, stray, errs.Internal)
}

func changesCancelled(t *testing.T, store ledger.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := store.PutChanges(ctx, executionID, func(yield func(changelog.Document, error) bool) {
		for number := range 5 {
			if number == 4 {
				cancel()
			}
			if !yield(documentOf(executionID, number, noon, change(int64(number), "A101")), nil) {
				return
			}
		}
	})
	wantKind(t, err, errs.Deadline)
}

func changesTokens(t *testing.T, store ledger.Store) {
	completed(t, store, executionID, noon, documentOf(executionID, 0, noon, manyChanges(3)...))
	completed(t, store, otherID, noon, documentOf(otherID, 0, noon, manyChanges(3)...))
	page := expect.Result(store.Changes(t.Context(), executionID, paging.Page{Size: 1}))(t)
	wantKind(
		t,
		expect.ErrorOf(store.Changes(t.Context(), otherID, paging.Page{Token: page.NextPageToken})),
		errs.Invalid,
	)
	wantKind(
		t,
		expect.ErrorOf(store.SKUChanges(t.Context(), "A101", paging.Page{Token: page.NextPageToken})),
		errs.Invalid,
	)
	wantKind(
		t,
		expect.ErrorOf(store.Changes(t.Context(), executionID, paging.Page{Token: "nonsense"})),
		errs.Invalid,
	)
}

var skuTests = []test{
	{"a history runs through completed executions, newest first", skuHistory},
	{"a page stays what it was while others complete", skuStable},
	{"any SKU can be asked for", skuNames},
}

func historyOf(store ledger.Store, sku string) lister[changelog.SKUChange] {
	return func(ctx context.Context, page paging.Page) (paging.List[changelog.SKUChange], error) {
		return store.SKUChanges(ctx, sku, page)
	}
}

// history is what an execution did to the SKU A101, in two documents with
// other SKUs around it, and as it is to be read.
func history(id string, at time.Time) ([]changelog.Document, []changelog.SKUChange) {
	documents := []changelog.Document{
		documentOf(id, 0, at, change(2, "A101"), change(3, "B201"), change(4, "A101")),
		documentOf(id, 1, at, change(5, "B201")),
		documentOf(id, 2, at, change(6, "B202"), change(7, "A101"), change(9, "A101"), change(10, "A1011")),
	}
	var want []changelog.SKUChange
	for _, row := range []int64{2, 4, 7, 9} {
		want = append(want, changelog.SKUChange{
			ExecutionID: id,
			ExecutedAt:  documents[0].Rounded().ExecutedAt,
			Change:      change(row, "A101"),
		})
	}
	return documents, want
}

func skuHistory(t *testing.T, store ledger.Store) {
	var want []changelog.SKUChange
	for i, id := range []string{"plan_second_v1", "plan_third_v1", "plan_first_v1"} { // the newest last
		documents, changes := history(id, noon.Add(time.Duration(i)*time.Microsecond))
		completed(t, store, id, noon, documents...)
		want = append(changes, want...)
	}
	unfinished, _ := history("plan_unfinished_v1", noon.Add(time.Microsecond))
	create(t, store, ledger.Execution{
		ExecutionID: "plan_unfinished_v1",
		Status:      ledger.Running,
		Seal:        &ledger.Seal{},
	})
	put(t, store, "plan_unfinished_v1", unfinished...)
	for size := 1; size <= len(want)+1; size++ {
		expect.Equal(
			t,
			fmt.Sprintf("pages of %d", size),
			slices.Collect(slices.Chunk(want, size)),
			pages(t, size, historyOf(store, "A101")),
		)
	}

	// Two executions of the same instant: neither repeats, each in its order.
	twin, changes := history("plan_twin_v1", noon)
	completed(t, store, "plan_twin_v1", noon, twin...)
	found := slices.Concat(pages(t, 3, historyOf(store, "A101"))...)
	if len(found) != 16 {
		t.Fatalf("%d changes, want 16", len(found))
	}
	ofTwin := slices.DeleteFunc(slices.Clone(found), func(c changelog.SKUChange) bool {
		return c.ExecutionID != "plan_twin_v1"
	})
	expect.Equal(t, "the twin's changes", changes, ofTwin)
}

func skuStable(t *testing.T, store ledger.Store) {
	older, olderChanges := history("plan_older_v1", noon)
	completed(t, store, "plan_older_v1", noon, older...)
	first := expect.Result(store.SKUChanges(t.Context(), "A101", paging.Page{Size: 2}))(t)
	newer, _ := history("plan_newer_v1", noon.Add(time.Hour))
	completed(t, store, "plan_newer_v1", noon, newer...)
	second := expect.Result(store.SKUChanges(t.Context(), "A101", paging.Page{
		Size:  10,
		Token: first.NextPageToken,
	}))(t)
	expect.Equal(t, "both pages", olderChanges, append(first.Items, second.Items...))
}

func skuNames(t *testing.T, store ledger.Store) {
	names := []string{
		"A/101", `"quoted", 100%`, "größe-42 😀", "__name__", ".", "0", strings.Repeat("x", 512), " spaced ",
	}
	var changes []pricing.Change
	for i, name := range names {
		changes = append(changes, change(int64(i+2), name))
	}
	completed(t, store, executionID, noon, documentOf(executionID, 0, noon, changes...))
	for i, name := range names {
		found := expect.Result(store.SKUChanges(t.Context(), name, paging.Page{}))(t)
		if len(found.Items) != 1 {
			t.Errorf("SKU %q has %d changes", name, len(found.Items))
			continue
		}
		expect.Equal(t, "the change of "+name, changes[i], found.Items[0].Change)
		wantKind(
			t,
			expect.ErrorOf(store.SKUChanges(t.Context(), name+"x", paging.Page{Token: "nonsense"})),
			errs.Invalid,
		)
	}
	for _, absent := range []string{"", "A101", "a/101", "not UTF-8: \xff", strings.Repeat("x", 5_000)} {
		found := expect.Result(store.SKUChanges(t.Context(), absent, paging.Page{}))(t)
		expect.ErrorIf(t, len(found.Items) != 0, "SKU %.20q has %d changes", absent, len(found.Items))
	}
}
