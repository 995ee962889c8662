package firestore_test

import (
	"reflect"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
)

// TestManyChanges records 100,000 changes and reads them back page by page.
// What is alive meanwhile is a part of what all of them take in the client,
// about 185 MiB.
func TestManyChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, for long")
	}
	const id, many, bound = "plan_many_changes_v1", 100_000, 96 << 20
	w := &wire{}
	store := open(t, firestoretest.Project(t), w)
	most := alive(func(watch watcher) { must(t, store.PutChanges(t.Context(), id, watch(documents(id, many)))) })
	t.Logf("%d MiB were alive; %v", most>>20, w)
	if most > bound {
		t.Errorf("%d MiB were alive, more than %d", most>>20, bound>>20)
	}
	if w.largest > 3_500_000 {
		t.Errorf("a commit had %d bytes", w.largest)
	}
	_, err := store.CreateExecution(t.Context(), ledger.Execution{ExecutionID: id, Status: ledger.Completed})
	must(t, err)
	w.taken()
	row, page := int64(2), paging.Page{Size: paging.MaxSize}
	for {
		found, err := store.Changes(t.Context(), id, page)
		must(t, err)
		for _, got := range found.Items {
			if want := changeOf(row); !reflect.DeepEqual(want, got) {
				t.Fatalf("row %d: %s", row, cmp.Diff(want, got))
			}
			row++
		}
		if page.Token = found.NextPageToken; page.Token == "" {
			break
		}
	}
	if queries := w.taken()["RunQuery"]; queries > many/paging.MaxSize+1 {
		t.Errorf("%d queries for %d pages", queries, many/paging.MaxSize)
	}
	if row != int64(many)+2 {
		t.Errorf("%d changes were read, want %d", row-2, many)
	}
}

type (
	sequence = func(func(changelog.Document, error) bool)
	watcher  = func(sequence) sequence
)

// alive returns the most memory, in bytes, that run needed at once, looked at
// as every twentieth document is asked for.
func alive(run func(watcher)) int64 {
	before, most := heap(), int64(0)
	run(func(documents sequence) sequence {
		return func(yield func(changelog.Document, error) bool) {
			documents(func(document changelog.Document, err error) bool {
				if document.Number%20 == 0 {
					most = max(most, heap()-before)
				}
				return yield(document, err)
			})
		}
	})
	return most
}

func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
