package ledgertest

import (
	"context"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/test/expect"
)

var dueTests = []test{
	{"what has been due longest comes first, page by page", dueOrder},
	{"a record is due when its status says", dueStatus},
}

func dueIDs(store ledger.Store, at time.Time) lister[string] {
	return idsOf(func(ctx context.Context, page paging.Page) (paging.List[ledger.Execution], error) {
		return store.Due(ctx, at, page)
	})
}

func dueOrder(t *testing.T, store ledger.Store) {
	at := noon.Truncate(time.Microsecond)
	for id, due := range map[string]time.Time{
		"plan_second":    at.Add(-time.Minute),
		"plan_first":     at.Add(-time.Hour),
		"plan_third":     at,
		"plan_third_too": at,
		"plan_later":     at.Add(time.Microsecond),
		"plan_never":     {},
	} {
		create(t, store, ledger.Execution{
			ExecutionID: id,
			Status:      ledger.Running,
			CreatedAt:   noon,
			DueAt:       due,
		})
	}
	expect.Equal(t, "what is due", [][]string{
		{"plan_first", "plan_second"}, {"plan_third", "plan_third_too"},
	}, pages(t, 2, dueIDs(store, at)))
	expect.Equal(
		t,
		"in one page",
		[][]string{{"plan_first", "plan_second", "plan_third", "plan_third_too"}},
		pages(t, 0, dueIDs(store, at)),
	)
	expect.Equal(t, "a listed record", read(t, store, "plan_first"),
		expect.Result(store.Due(t.Context(), at, paging.Page{Size: 1}))(t).Items[0])
}

// dueStatus follows an execution through its life.
func dueStatus(t *testing.T, store ledger.Store) {
	due := func(want time.Time, what string) {
		t.Helper()
		if got := read(t, store, executionID).DueAt; !got.Equal(want.Truncate(time.Microsecond)) {
			t.Errorf("%s: due at %s, want %s", what, got, want)
		}
	}
	first := hold(t, store, delivery("first", 1, 0))
	due(noon.Add(leaseTime), "running")
	expect.NoError(t, first.Renew(t.Context(), noon.Add(2*leaseTime), 0))
	due(noon.Add(2*leaseTime), "renewed")
	expect.NoError(t, first.Release(t.Context(), noon.Add(time.Second), "the disk is full"))
	due(noon.Add(time.Second), "released")
	fail(t, hold(t, store, delivery("second", 1, time.Minute)))
	due(noon, "failed, and its notice owed")
	expect.NoError(t, expect.ErrorOf(ledger.Discharge(t.Context(), store, read(t, store, executionID), noon)))
	due(time.Time{}, "failed")
	finish(t, hold(t, store, delivery("third", 2, time.Hour)))
	due(time.Time{}, "completed")
}
