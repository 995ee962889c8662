package ledger_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/ledger"
)

// FuzzReadChanges reads any bytes as a changes file. What can be read is cut
// into documents that hold all of it, in its order and within their limits.
func FuzzReadChanges(f *testing.F) {
	f.Add([]byte(`{"row":2,"sku":"A101","operation_ids":["op_01"],"before":{"price":"1.00","in_stock":true},"after":{"price":"2.00","in_stock":true}}` + "\n"))
	f.Add([]byte("{}\n{}"))
	f.Add([]byte("{\"row\":9223372036854775808}\n"))
	f.Add([]byte("\n\n{}\n"))
	f.Add([]byte("null\n[]\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		var read, cut []ledger.Change
		for change, err := range ledger.ReadChanges(bytes.NewReader(file)) {
			if err != nil {
				return
			}
			read = append(read, change)
		}
		for d, err := range ledger.NewDocumentReader(bytes.NewReader(file), "plan_fuzz_v1", time.Unix(0, 0)).All() {
			var changes []ledger.Change
			if err == nil {
				err = json.Unmarshal(d.Changes, &changes)
			}
			if err != nil || len(changes) == 0 || len(changes) > ledger.MaxDocumentChanges {
				t.Fatalf("a document of %d changes, %v", len(changes), err)
			}
			cut = append(cut, changes...)
		}
		if diff := cmp.Diff(read, cut); diff != "" {
			t.Errorf("cut into documents (-read +documents):\n%s", diff)
		}
	})
}

// FuzzAuditDocument reads any bytes as a stored audit document. One that has
// the hash of its content keeps it when it is written and read again, and
// loses it when its status changes.
func FuzzAuditDocument(f *testing.F) {
	d := ledger.AuditDocument{ExecutionID: "plan_fuzz_v1", Status: ledger.Completed, ExecutedAt: time.Unix(1, 0).UTC(), PlanSnapshot: json.RawMessage(`{"a":1}`)}.Chained("")
	f.Add(d.Line())
	f.Add(d.Chained(d.SHA256).Line())
	f.Add([]byte(`{"sha256":""}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, stored []byte) {
		var d ledger.AuditDocument
		if json.Unmarshal(stored, &d) != nil || !d.Intact() {
			return
		}
		var again ledger.AuditDocument
		if err := json.Unmarshal(d.Line(), &again); err != nil || !again.Intact() || again.SHA256 != d.SHA256 {
			t.Errorf("%s is read again as %s, %v", d.Line(), again.Line(), err)
		}
		d.Status += "x"
		if d.Intact() {
			t.Error("a changed document is intact")
		}
	})
}
