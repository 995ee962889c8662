package firestore

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/pricing"
)

func TestEncodeRefusesWhatADocumentCannotHold(t *testing.T) {
	for name, value := range map[string]any{
		"a fraction":         map[string]any{"list": []any{map[string]any{"rows": 1.5}}},
		"more than an int64": map[string]any{"rows": uint64(1 << 63)},
		"a time that is not": map[string]any{"created_at": "yesterday"},
		"no object":          []int{1},
		"what JSON has not":  map[string]any{"channel": make(chan int)},
	} {
		if fields, err := encode(value, "cannot store it"); errs.KindOf(err) != errs.Internal {
			t.Errorf("%s: got %v, %v; want Internal", name, fields, err)
		}
	}
}

func TestEncodeConverts(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 1000, time.UTC)
	got, err := encode(map[string]any{
		"executed_at": at, "note": at, "rows": int64(1) << 62, "seal": map[string]any{"executed_at": at}, "list": []any{1, "2", nil, true},
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"executed_at": at, "note": "2026-03-01T12:00:00.000001Z", "rows": int64(1) << 62, "seal": map[string]any{"executed_at": at},
		"list": []any{int64(1), "2", nil, true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// FuzzCodec proves that a change document comes back whatever text it holds.
func FuzzCodec(f *testing.F) {
	f.Add("A101", "29.99", int64(2), int64(1740830400000001))
	f.Add("\u2028<&>\"\\\x00", "created_at", int64(-1), int64(-62135596800000000))
	f.Add("created_at", "2026-03-01T12:00:00Z", int64(1)<<62, int64(0))
	f.Fuzz(func(t *testing.T, sku, price string, row, _ int64) {
		changes := []ledger.Change{{Row: row, SKU: sku, Before: pricing.State{Price: &price}}}
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
		if err := decode(map[string]any{"changes": list}, &got, ""); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(changes, got.Changes); diff != "" {
			t.Error(diff)
		}
	})
}
