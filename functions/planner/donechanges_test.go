package planner_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger"
)

// What was done is looked through as what is proposed is: by names, by how far prices moved,
// with figures of all of it, from the files that were written.
func TestDoneChangesAreListed(t *testing.T) {
	const named = "sku,name,category,price,in_stock\nA101,Yoga Mat,fitness,29.99,true\nA102,=Rope,fitness,39.99,true\nB201,Block,yoga,19.99,false\n"
	s := openDecided(t, ledger.Decisions{})
	s.call(t, "POST", "/v1/plans", `{"instruction": "`+raise+`", "execution_id": "`+decidedID+`"}`)
	s.drop(t, decidedID, named)
	sha := s.call(t, "GET", "/v1/executions/"+decidedID, "").field(t, "proposal.proposal_sha256").(string)
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusOK)
	if failed, err := s.x.Sweep(t.Context()); failed != 0 || err != nil {
		t.Fatalf("the sweep: %d, %v", failed, err)
	}
	path := "/v1/executions/" + decidedID + "/changes?figures=true"
	for query, want := range map[string]string{
		"": "A101 A102", "&search=MAT": "A101", "&search=a102": "A102", "&search=block": "", "&sort=fall": "A102 A101",
		"&only=dearer": "A101 A102", "&only=cheaper": "", "&only=large": "", "&only=sale": "", "&moved_from=10.003": "A101",
	} {
		got := s.call(t, "GET", path+query, "")
		describe(t).check(t, "GET", "/v1/executions/{execution_id}/changes", got)
		var found []string
		for _, change := range got.field(t, "changes").([]any) {
			found = append(found, change.(map[string]any)["sku"].(string))
		}
		if strings.Join(found, " ") != want || got.field(t, "rows_found") != float64(len(found)) {
			t.Errorf("%s: %q, want %q: %s", query, found, want, got.body)
		}
		if got.field(t, "effect.rows_raised") != 2.0 || got.field(t, "effect.raised") != "7" {
			t.Errorf("%s: the figures are of what is asked for alone: %s", query, got.body)
		}
	}
	first := s.call(t, "GET", path+"&page_size=1", "")
	if !strings.Contains(first.body, `"name":"Yoga Mat","moved_percent":"10.0033"`) {
		t.Errorf("no name or no percentage: %s", first.body)
	}
	if second := s.call(t, "GET", path+"&page_size=1&page_token="+first.field(t, "next_page_token").(string), ""); !strings.Contains(second.body, "A102") {
		t.Errorf("the second page: %s", second.body)
	}
	refused := func(path string, status int, says string) {
		t.Helper()
		if got := s.call(t, "GET", path, ""); got.status != status || !strings.Contains(got.body, says) {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	refused(path+"&only=odd", http.StatusUnprocessableEntity, "must be dearer")
	file := s.call(t, "GET", "/v1/executions/"+decidedID, "").field(t, "outputs").([]any)[1].(map[string]any)["object"].(string)
	if err := os.WriteFile(filepath.Join(s.dir, "audit", file), []byte(`{"row":2}`), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(path, http.StatusConflict, "not the one that was written")
}
