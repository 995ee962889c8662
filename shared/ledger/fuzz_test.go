package ledger_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/ledger"
)

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
