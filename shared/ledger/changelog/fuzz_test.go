package changelog

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/pricing"
)

// FuzzRead reads any bytes as a changes file. What can be read is cut
// into documents that hold all of it, in its order and within their limits.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"row":2,"sku":"A101","operation_ids":["op_01"],"before":{"price":"1.00","in_stock":true},"after":{"price":"2.00","in_stock":true}}` + "\n"))
	f.Add([]byte("{}\n{}"))
	f.Add([]byte("{\"row\":9223372036854775808}\n"))
	f.Add([]byte("\n\n{}\n"))
	f.Add([]byte("null\n[]\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		var read, cut []pricing.Change
		for change, err := range Read(bytes.NewReader(file)) {
			if err != nil {
				return
			}
			read = append(read, change)
		}
		for d, err := range NewDocumentReader(bytes.NewReader(file), "plan_fuzz_v1", time.Unix(0, 0)).All() {
			var changes []pricing.Change
			if err == nil {
				err = json.Unmarshal(d.Changes, &changes)
			}
			if err != nil || len(changes) == 0 || len(changes) > MaxDocumentChanges {
				t.Fatalf("a document of %d changes, %v", len(changes), err)
			}
			cut = append(cut, changes...)
		}
		if diff := cmp.Diff(read, cut); diff != "" {
			t.Errorf("cut into documents (-read +documents):\n%s", diff)
		}
	})
}
