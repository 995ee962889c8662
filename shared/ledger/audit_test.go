package ledger

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/pricing"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestAuditDocumentsNoticeEveryFlippedByte(t *testing.T) {
	message := "row 7, column price"
	d := AuditDocument{
		ExecutionID: "plan_test_v1", Status: Failed, Error: &message, ExecutedAt: day,
		Changes: []pricing.Change{{Row: 2, SKU: "A101", OperationIDs: []string{"op_01"}}},
	}.Chained("abc")
	if !d.Intact() {
		t.Fatal("a fresh document is not intact")
	}
	line := d.Line()
	for i := range len(line) - 1 {
		flipped := append([]byte(nil), line...)
		flipped[i] ^= 1
		var read AuditDocument
		if err := json.Unmarshal(flipped, &read); err != nil {
			continue // not even JSON
		}
		if read.Intact() && string(read.Line()) != string(line) {
			t.Errorf("byte %d of %s flipped and not noticed", i, line)
		}
	}
}

func TestAuditDocumentsRoundTrip(t *testing.T) {
	d := AuditDocument{ExecutionID: "plan_test_v1", Status: Completed, ExecutedAt: day, PlanSnapshot: json.RawMessage(`{"a":"<b>"}`)}.Chained("")
	var read AuditDocument
	if err := json.Unmarshal(d.Line(), &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d.Line(), read.Line()); diff != "" || !read.Intact() {
		t.Errorf("the line changed (-want +got):\n%s", diff)
	}
}
