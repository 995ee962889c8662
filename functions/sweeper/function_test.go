package sweeper

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	"github.com/planwright/planwright/functions/frameworktest"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/firestore"
)

// TestNoUploadRestsOnItsEvent is the deployed function alone, over Google's
// Firestore emulator and a Cloud Storage server: no event is ever sent. Every
// table has its outcome, or is proposed, after the first hourly call, and what
// waited for its approval or its time after the next minute's.
func TestNoUploadRestsOnItsEvent(t *testing.T) {
	project, storage := frameworktest.Cloud(t)
	store, err := firestore.Open(t.Context(), project, "(default)")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	url := frameworktest.Serve(t, "Sweeper")
	sweep := func(path string) {
		t.Helper()
		response, err := http.Post(url+path, "application/json", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if body, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusOK || !strings.Contains(string(body), `{"failed":0}`) {
			t.Errorf("%s: %d %s", path, response.StatusCode, body)
		}
	}
	drop := func(name, content string) {
		storage.CreateObject(fakestorage.Object{ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "shop-inbox", Name: name}, Content: []byte(content)})
	}
	status := func(id string, want ledger.Status) ledger.Execution {
		t.Helper()
		record, err := store.Execution(t.Context(), id)
		if err != nil || record.Status != want {
			t.Fatalf("%s is %q, %v; want %s", id, record.Status, err, want)
		}
		return record
	}
	const good, bad = "sku,category,price,in_stock\nA1,x,9.00,true\n", "sku,category,price,in_stock\nA1,x,cheap,true\n"
	soon := time.Now().Add(2 * time.Second)
	for id, more := range map[string]string{
		"plan_applied_v1": "", "plan_refused_v1": "", "plan_approved_v1": `"approval": "always", `, "plan_timed_v1": `"apply_at": "` + soon.Format(time.RFC3339Nano) + `", `,
	} {
		drop(id+"/plan.json", strings.NewReplacer("plan_swept_v1", id, `"operations"`, more+`"operations"`).Replace(planJSON))
		drop(id+"/p.csv", map[bool]string{true: bad, false: good}[id == "plan_refused_v1"])
	}
	sweep("/inbox")
	status("plan_applied_v1", ledger.Completed)
	status("plan_refused_v1", ledger.Failed)
	proposed := status("plan_approved_v1", ledger.Proposed)
	if _, err := ledger.Approve(t.Context(), store, proposed.ExecutionID, ledger.Approval{ProposalSHA256: proposed.Proposal.ProposalSHA256, By: "ann", At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Until(soon)) // its time has to come, by the function's own clock
	sweep("/due")
	sweep("/inbox") // finds nothing that is left
	for _, id := range []string{"plan_applied_v1", "plan_approved_v1", "plan_timed_v1"} {
		status(id, ledger.Completed)
		if output, err := storage.GetObject("shop-outbox", id+"/p.csv"); err != nil || !strings.Contains(string(output.Content), "A1,x,5.00,true") {
			t.Errorf("the output of %s: %s, %v", id, output.Content, err)
		}
	}
}
