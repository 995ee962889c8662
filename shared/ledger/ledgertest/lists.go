package ledgertest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/test/expect"
	"golang.org/x/sync/errgroup"
)

var listTests = []test{
	{"the newest come first, page by page", executionsOrder},
	{"a status selects", executionsStatus},
	{"pages stay what they were while others are written", executionsStable},
	{"a page has its limits", executionsLimits},
	{"a wrong token is invalid", executionsTokens},
	{"a table leads to what read it", executionsOn},
}

func executionIDs(store ledger.Store, status ledger.Status) lister[string] {
	return idsOf(func(ctx context.Context, page paging.Page) (paging.List[ledger.Execution], error) {
		return store.Executions(ctx, status, page)
	})
}

// createAll stores one record per age, named by it; the record of age 0 is the newest.
func createAll(t *testing.T, store ledger.Store, status func(age int) ledger.Status, ages ...int) {
	t.Helper()
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(8)
	for _, age := range ages {
		group.Go(func() error {
			_, err := store.CreateExecution(ctx, ledger.Execution{
				ExecutionID: idOfAge(age),
				Status:      status(age),
				CreatedAt:   noon.Add(-time.Duration(age) * time.Microsecond),
			})
			return err
		})
	}
	expect.NoError(t, group.Wait())
}

func idOfAge(age int) string { return fmt.Sprintf("plan_aged_%03d", age) }

func running(int) ledger.Status { return ledger.Running }

func executionsOrder(t *testing.T, store ledger.Store) {
	expect.Equal(t, "an empty list", [][]string{{}}, pages(t, 2, executionIDs(store, "")))
	createAll(t, store, running, 3, 1, 4, 0, 2)
	id := idOfAge
	expect.Equal(t, "pages of two", [][]string{
		{id(0), id(1)}, {id(2), id(3)}, {id(4)},
	}, pages(t, 2, executionIDs(store, "")))
	expect.Equal(
		t,
		"just one page",
		[][]string{{id(0), id(1), id(2), id(3), id(4)}},
		pages(t, 5, executionIDs(store, "")),
	)

	// Records of the same instant neither repeat nor vanish between pages.
	for _, twin := range []string{"plan_twin_a", "plan_twin_c", "plan_twin_b"} {
		create(t, store, ledger.Execution{
			ExecutionID: twin,
			Status:      ledger.Running,
			CreatedAt:   noon.Add(time.Hour),
		})
	}
	single := slices.Concat(pages(t, 1, executionIDs(store, ""))...)
	twins := slices.Sorted(slices.Values(single[:3]))
	expect.Equal(t, "the twins", []string{"plan_twin_a", "plan_twin_b", "plan_twin_c"}, twins)
	expect.Equal(t, "after the twins", []string{id(0), id(1), id(2), id(3), id(4)}, single[3:])

	expect.Equal(t, "a listed record", read(t, store, single[0]),
		expect.Result(store.Executions(t.Context(), "", paging.Page{Size: 1}))(t).Items[0])
}

func executionsStatus(t *testing.T, store ledger.Store) {
	statuses := []ledger.Status{
		ledger.Running, ledger.Completed, ledger.Failed, ledger.Completed, ledger.Running, ledger.Completed,
	}
	createAll(t, store, func(age int) ledger.Status { return statuses[age] }, 0, 1, 2, 3, 4, 5)
	id := idOfAge
	for status, want := range map[ledger.Status][][]string{
		ledger.Running:   {{id(0), id(4)}},
		ledger.Completed: {{id(1), id(3)}, {id(5)}},
		ledger.Failed:    {{id(2)}},
		"":               {{id(0), id(1)}, {id(2), id(3)}, {id(4), id(5)}},
	} {
		expect.Equal(t, "status "+string(status), want, pages(t, 2, executionIDs(store, status)))
	}
	next := read(t, store, id(4))
	next.Status = ledger.Failed
	update(t, store, next, ledger.Settlement{})
	expect.Equal(
		t, "after one failed", [][]string{{id(2), id(4)}}, pages(t, 2, executionIDs(store, ledger.Failed)),
	)
	for _, status := range []ledger.Status{ledger.Skipped, "RUNNING", "other"} {
		wantKind(t, expect.ErrorOf(store.Executions(t.Context(), status, paging.Page{})), errs.Invalid)
	}
}

func executionsStable(t *testing.T, store ledger.Store) {
	createAll(t, store, running, 10, 20, 30, 40)
	id := idOfAge
	first := expect.Result(executionIDs(store, "")(t.Context(), paging.Page{Size: 2}))(t)
	createAll(t, store, running, 5, 15, 35)
	second := expect.Result(executionIDs(store, "")(t.Context(), paging.Page{
		Size:  10,
		Token: first.NextPageToken,
	}))(t)
	expect.Equal(
		t,
		"both pages",
		[][]string{{id(10), id(20)}, {id(30), id(35), id(40)}},
		[][]string{first.Items, second.Items},
	)
}

func executionsLimits(t *testing.T, store ledger.Store) {
	var ages []int
	for age := range paging.DefaultSize + 1 {
		ages = append(ages, age)
	}
	createAll(t, store, running, ages...)
	for _, size := range []int{0, -1} {
		found := pages(t, size, executionIDs(store, ""))
		if len(found) != 2 || len(found[0]) != paging.DefaultSize || len(found[1]) != 1 {
			t.Errorf("size %d: %d pages, the first of %d", size, len(found), len(found[0]))
		}
	}
	if found := pages(t, paging.MaxSize+1, executionIDs(store, "")); len(found) != 1 ||
		len(found[0]) != len(ages) {
		t.Errorf("a page of the largest size has %d", len(found[0]))
	}
}

func executionsOn(t *testing.T, store ledger.Store) {
	on := func(input ledger.File) (ids []string) {
		t.Helper()
		for _, found := range expect.Result(store.ExecutionsOn(t.Context(), input))(t) {
			expect.Equal(t, "a record that is found", read(t, store, found.ExecutionID), found)
			ids = append(ids, found.ExecutionID)
		}
		slices.Sort(ids)
		return ids
	}
	const sum = 1<<32 - 1
	table := ledger.File{Bucket: "inbox", Object: "p.csv", Size: 1 << 33, CRC32C: sum, BLAKE3: "aa"}
	create(t, store, ledger.Execution{ExecutionID: "plan_unsealed", Status: ledger.Running, CreatedAt: noon})
	for id, input := range map[string]ledger.File{
		"plan_first":   table,
		"plan_renamed": {Bucket: "other", Object: "q.csv", Size: table.Size, CRC32C: sum},
		"plan_longer":  {Size: table.Size + 1, CRC32C: sum},
		"plan_other":   {Size: table.Size, CRC32C: sum - 1},
	} {
		record := create(t, store, ledger.Execution{ExecutionID: id, Status: ledger.Running, CreatedAt: noon})
		record.Status, record.Seal = ledger.Completed, &ledger.Seal{Input: input, ExecutedAt: noon}
		update(t, store, record, ledger.Settlement{})
	}
	expect.Equal(t, "on the table", []string{"plan_first", "plan_renamed"}, on(table))
	expect.Equal(t, "on a table that nobody read", []string(nil), on(ledger.File{Size: 1, CRC32C: sum}))
	expect.Equal(t, "on an empty one", []string(nil), on(ledger.File{}))
}

func executionsTokens(t *testing.T, store ledger.Store) {
	createAll(t, store, running, 0, 1, 2)
	token := expect.Result(store.Executions(
		t.Context(), ledger.Running, paging.Page{Size: 1},
	))(t).NextPageToken
	wantKind(t, expect.ErrorOf(store.Executions(t.Context(), "", paging.Page{Token: token})), errs.Invalid)
	for _, token := range []string{"nonsense", token + "x", token[1:], "e30", "💥"} {
		wantKind(
			t,
			expect.ErrorOf(store.Executions(t.Context(), ledger.Running, paging.Page{Token: token})),
			errs.Invalid,
		)
	}
}
