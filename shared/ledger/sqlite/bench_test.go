package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/pricing"
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
		claim, err := ledger.Ask(b.Context(), store, ledger.Claimant{
			ExecutionID: fmt.Sprintf("plan_number_%d", i), Source: upload(1), Holder: "holder", Now: noon, LeaseUntil: noon.Add(time.Minute)})
		if err != nil || claim.Held == nil {
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

func documents(id string, n int) func(func(ledger.ChangeDocument, error) bool) {
	return ledger.Documents(id, noon, func(yield func(ledger.Line, error) bool) {
		for row := range int64(n) {
			change := ledger.Change{
				Row: row + 2, SKU: fmt.Sprintf("SKU-%06d", row), OperationIDs: []string{"op_01"},
				Before: pricing.State{Price: "29.99", InStock: true}, After: pricing.State{Price: "32.99", InStock: true},
			}
			if !yield(ledger.Line{Change: change, Bytes: 140}, nil) {
				return
			}
		}
	})
}
