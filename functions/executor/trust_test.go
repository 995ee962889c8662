package executor

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/ledger"
)

// forged is the data of an event with more in it than its sender may say.
func forged(t *testing.T, data string, more map[string]any) string {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(data), &object); err != nil {
		t.Fatal(err)
	}
	maps.Copy(object, more)
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// send posts an event in each form that there is, and expects the status each time.
func (w *world) send(want int, data string) {
	w.t.Helper()
	for name, form := range map[string]func(string) *http.Request{"binary": binary, "structured": structured, "notification": notified} {
		if status := w.post(form(data)); status != want {
			w.t.Errorf("%s: %d, want %d", name, status, want)
		}
	}
}

func (w *world) record() *ledger.Execution {
	w.t.Helper()
	found, err := w.store.Snapshot(w.t.Context(), id, "00000000000000000001-00000000")
	if err != nil {
		w.t.Fatal(err)
	}
	return found.Execution
}

// storePlan drops the plan.
func (w *world) storePlan() {
	w.t.Helper()
	w.send(http.StatusNoContent, w.drop(id+"/plan.json", plan))
}

// An event says where a table lies. Which plan it is for, who handed it in and how it
// is read stand in the object's own metadata, whatever the event says.
func TestAnEventCannotNameAnotherExecution(t *testing.T) {
	w := start(t)
	w.storePlan()
	loose := w.drop("held/loose.csv", products) // of nobody's plan
	w.send(http.StatusNoContent, forged(t, loose, map[string]any{"metadata": map[string]string{
		"execution-id": id, "uploaded-by": "ana@example.com", "columns": "price=cost",
	}}))
	if record := w.record(); record != nil {
		t.Errorf("the draft was carried out: %+v", record)
	}
}

func TestAnEventCannotSayHowATableIsRead(t *testing.T) {
	w := start(t)
	w.storePlan()
	const twoPrices = "sku,category,price,cost,in_stock\nA101,fitness,29.99,5.00,true\n"
	data := w.drop(id+"/p.csv", twoPrices)
	w.send(http.StatusNoContent, forged(t, data, map[string]any{"metadata": map[string]string{
		"columns": "price=cost", "intent": "propose", "uploaded-by": "ana@example.com", "unmatched": "allow",
	}}))
	record := w.record()
	if record == nil || record.Status != ledger.Completed || record.Source.UploadedBy != "" || record.Source.ProposeOnly {
		t.Fatalf("record = %+v", record)
	}
	if price := record.Source.Settings.Columns.Price; price != "" {
		t.Errorf("the price was read in the column %q, as the event said", price)
	}
}

// An upload that is not there takes the place of nothing.
func TestAnEventOfNothingChangesNoRecord(t *testing.T) {
	w := start(t)
	w.executor.Policy = ledger.Policy{Approval: ledger.ApproveAlways}
	w.storePlan()
	data := w.drop(id+"/p.csv", products)
	w.send(http.StatusNoContent, data)
	proposed := w.record()
	if proposed.Status != ledger.Proposed {
		t.Fatalf("the table is not proposed: %+v", proposed)
	}
	given := ledger.Approval{ProposalSHA256: proposed.Proposal.ProposalSHA256, By: "ben@example.com", At: time.Now()}
	if _, err := ledger.Approve(t.Context(), w.store, id, given); err != nil {
		t.Fatal(err)
	}
	newer := map[string]any{"generation": "9000000000000000", "metadata": map[string]string{"execution-id": id}}
	for _, name := range []string{id + "/p.csv", id + "/q.csv", "held/" + id + "/x/p.csv", "p.csv", id + `/a\b.csv`, "../" + id + "/p.csv"} {
		newer["name"] = name
		w.send(http.StatusNoContent, forged(t, data, newer))
	}
	if after := w.record(); after.Approval == nil || after.Revision == "" || after.Status != ledger.Proposed || after.Source.Upload != proposed.Source.Upload {
		t.Errorf("the approved proposal is gone: %+v", after)
	}
	w.send(http.StatusNoContent, data)
	if record := w.record(); record.Status != ledger.Completed {
		t.Errorf("what was approved is not carried out: %+v", record)
	}
}

// The time of an upload is its object's: no event ends the wait for a plan.
func TestAnEventCannotSayWhenATableCame(t *testing.T) {
	w := start(t)
	data := w.drop(id+"/p.csv", products)
	w.send(http.StatusServiceUnavailable, forged(t, data, map[string]any{"timeCreated": "2001-01-01T00:00:00Z", "size": "99999999999999"}))
	w.send(http.StatusServiceUnavailable, forged(t, data, map[string]any{"timeCreated": "no time at all"}))
	if record := w.record(); record == nil || record.Status != ledger.Running || time.Since(record.Source.UploadedAt) > time.Hour {
		t.Errorf("record = %+v", record)
	}
}

// Of the upload that a record is about it is told that it is gone.
func TestTheUploadOfARecordIsGone(t *testing.T) {
	w := start(t)
	w.executor.Policy = ledger.Policy{Approval: ledger.ApproveAlways}
	w.storePlan()
	data := w.drop(id+"/p.csv", products)
	w.send(http.StatusNoContent, data)
	proposed := w.record()
	given := ledger.Approval{ProposalSHA256: proposed.Proposal.ProposalSHA256, By: "ben@example.com", At: time.Now()}
	if _, err := ledger.Approve(t.Context(), w.store, id, given); err != nil {
		t.Fatal(err)
	}
	if _, err := w.inbox.Sweep(t.Context(), func(name string, _ int64) bool { return !strings.HasSuffix(name, "p.csv") }); err != nil {
		t.Fatal(err)
	}
	w.send(http.StatusNoContent, data)
	if record := w.record(); record.Status != ledger.Failed || record.Error.Code != "generation_gone" {
		t.Errorf("record = %+v, %+v", record, record.Error)
	}
}
