package sqlite_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

// BenchmarkClaim claims with a sync to the disk, as a server does.
func BenchmarkClaim(b *testing.B) {
	store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "state.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		claim, err := ledger.Acquire(b.Context(), store, ledger.ClaimRequest{
			ExecutionID: fmt.Sprintf("plan_number_%d", i), Source: upload(1), Holder: "holder", Now: noon, LeaseUntil: noon.Add(time.Minute)})
		if err != nil || claim.Lease == nil {
			b.Fatalf("%+v, %v", claim, err)
		}
	}
}

func BenchmarkPutChanges(b *testing.B) {
	const changed = 100_000
	store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "state.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		id := fmt.Sprintf("plan_number_%d", i)
		if err := store.PutChanges(b.Context(), id, documents(id, changed)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(changed*b.N)/b.Elapsed().Seconds(), "changes/s")
}

func documents(id string, n int) func(func(changelog.Document, error) bool) {
	var file bytes.Buffer
	for row := range n {
		fmt.Fprintf(&file, `{"row":%d,"sku":"SKU-%06d","operation_ids":["op_01"],"before":{"price":"29.99","in_stock":true},"after":{"price":"32.99","in_stock":true}}`+"\n", row+2, row)
	}
	return changelog.NewDocumentReader(&file, id, noon).All()
}
