package firestore

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/pricing"
)

// FuzzCodec proves that a change document comes back whatever text it holds.
func FuzzCodec(f *testing.F) {
	f.Add("A101", "29.99", int64(2), int64(1740830400000001))
	f.Add("\u2028<&>\"\\\x00", "created_at", int64(-1), int64(-62135596800000000))
	f.Add("created_at", "2026-03-01T12:00:00Z", int64(1)<<62, int64(0))
	f.Fuzz(func(t *testing.T, sku, price string, row, _ int64) {
		changes := []pricing.Change{{Row: row, SKU: sku, Before: pricing.State{Price: &price}}}
		text, err := json.Marshal(changes)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &changes); err != nil { // text that is not UTF-8 is mended here
			t.Fatal(err)
		}
		list, skus, err := readArray(text)
		if err != nil || len(skus) != 1 || skus[0] != changes[0].SKU {
			t.Fatalf("SKUs %q, %v", skus, err)
		}
		var got changeDocument
		if err := firestoredb.Decode(map[string]any{"changes": list}, &got, ""); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(changes, got.Changes); diff != "" {
			t.Error(diff)
		}
	})
}
