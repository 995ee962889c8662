package firestoredb

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
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
