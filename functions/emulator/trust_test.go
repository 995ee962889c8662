package emulator_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/emulator/emulatortest"
	"github.com/planwright/planwright/shared/config"
)

// team is a server behind a proxy, as its people reach it.
type team struct {
	t       *testing.T
	address string
	data    string
}

// serveTeam serves behind a proxy with the roles that the variables give.
func serveTeam(t *testing.T, variables map[string]string) team {
	t.Helper()
	variables["PUBLIC_URL"] = "https://shop.example"
	settings, err := emulator.ReadSettings(config.Map(variables))
	if err != nil {
		t.Fatal(err)
	}
	if settings, err = settings.BehindProxy(userHeader); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "local")
	address, _ := emulatortest.ServeIn(t, data, settings)
	return team{t, address, data}
}

// as sends a request in somebody's name and reads the answer into v, which may be nil.
func (s team) as(name, method, path, contentType, body string, v any) (status int, text string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.address+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set(userHeader, name)
	request.Header.Set("Content-Type", contentType)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if v != nil && answer.StatusCode < 300 {
		if err := json.Unmarshal(read, v); err != nil {
			s.t.Fatalf("%v: %s", err, read)
		}
	}
	return answer.StatusCode, string(read)
}

// does is as for what must succeed.
func (s team) does(name, method, path, contentType, body string, v any) {
	s.t.Helper()
	if status, text := s.as(name, method, path, contentType, body, v); status >= 300 {
		s.t.Fatalf("%s %s by %s: %d %s", method, path, name, status, text)
	}
}

const (
	asJSON = "application/json"
	asCSV  = "text/csv"

	twoPrices = "sku,category,price,cost,in_stock\nA101,fitness,29.99,5.00,true\n"
)

// plan has somebody store a plan.
func (s team) plan(name, id string) {
	s.t.Helper()
	s.does(name, "PUT", "/planner/v1/plans/"+id, asJSON, `{"execution_id":"`+id+`","created_at":"2026-03-01T10:00:00Z","source_instruction":"Increase fitness prices by 10%.",
		"operations":[{"operation_id":"op_01","filter":{"categories":["fitness"]},"action":{"type":"percent_increase","value":10}}]}`, nil)
}

// hold has somebody send a table, and returns its id.
func (s team) hold(name string) string {
	s.t.Helper()
	var held struct{ Table string }
	s.does(name, "POST", "/planner/v1/tables?file=p.csv", asCSV, twoPrices, &held)
	return held.Table
}

// state is an execution as it is shown.
type state struct {
	Status     string
	Upload     struct{ Object string }
	UploadedBy string   `json:"uploaded_by"`
	PreparedBy []string `json:"prepared_by"`
	Proposal   struct {
		SHA256 string `json:"proposal_sha256"`
	}
	Approval *struct{ By string }
}

// await waits until an execution has a status.
func (s team) await(id, status string) (found state) {
	s.t.Helper()
	for s.t.Context().Err() == nil {
		found = state{}
		code, text := s.as("ana", "GET", "/planner/v1/executions/"+id, "", "", &found)
		if code == http.StatusOK && found.Status == status {
			return found
		}
		if code == http.StatusOK && found.Status == "failed" {
			s.t.Fatalf("%s failed: %s", id, text)
		}
	}
	s.t.Fatalf("%s is %s, not %s", id, found.Status, status)
	return found
}

// event tells the executor of an upload, and more.
func (s team) event(name, object, generation, metadata string) int {
	s.t.Helper()
	status, _ := s.as(name, "POST", "/executor", "application/cloudevents+json", fmt.Sprintf(
		`{"specversion":"1.0","id":"1","source":"x","type":"google.cloud.storage.object.v1.finalized","datacontenttype":"application/json","data":
			{"bucket":"inbox","name":%q,"generation":%q,"size":"1","timeCreated":"2001-01-01T00:00:00Z","metadata":%s}}`, object, generation, metadata), nil)
	return status
}

// A viewer sends events of his own making. None carries a draft out, takes an approved
// sale's place, or names another as the one who handed a table in.
func TestAViewerMakesNothingOfEvents(t *testing.T) {
	s := serveTeam(t, map[string]string{
		"VIEWERS": "vic", "PLANNERS": "ana", "APPROVERS": "ben", "APPROVAL": "always", "APPROVAL_BY_ANOTHER": "true",
	})
	const draft, sale = "plan_draft_v1", "plan_sale_v1"
	s.plan("ana", draft)
	s.plan("ana", sale)
	s.does("ana", "POST", "/planner/v1/plans/"+sale+":execute", asJSON, `{"table":"`+s.hold("ana")+`"}`, nil)
	proposed := s.await(sale, "proposed")
	s.does("ben", "POST", "/planner/v1/executions/"+sale+":approve", asJSON, `{"proposal_sha256":"`+proposed.Proposal.SHA256+`"}`, nil)
	loose := filepath.Join(s.data, "inbox", draft, "loose.csv.part")
	if err := os.MkdirAll(filepath.Dir(loose), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(loose, []byte(twoPrices), 0o600); err != nil {
		t.Fatal(err)
	}
	written, err := os.Stat(loose)
	if err != nil {
		t.Fatal(err)
	}
	byHand := fmt.Sprint(written.ModTime().UnixMicro()) // the generation that a file put there by hand would have
	for _, attack := range [][3]string{
		{proposed.Upload.Object, "9000000000000000", `{"execution-id":"` + draft + `","uploaded-by":"ana"}`},
		{proposed.Upload.Object, "9000000000000000", `{"execution-id":"` + sale + `"}`},
		{sale + "/p.csv", "9000000000000000", `{}`},
		{"held/" + sale + "/x/p.csv", "9000000000000000", `{"execution-id":"` + sale + `","intent":"propose"}`},
		{draft + "/p.csv", "1", `{"uploaded-by":"ana","columns":"price=cost"}`},
		{draft + "/loose.csv.part", byHand, `{"execution-id":"` + draft + `"}`},
	} {
		if status := s.event("vic", attack[0], attack[1], attack[2]); status != http.StatusNoContent {
			t.Errorf("%v: %d", attack, status)
		}
	}
	if status, text := s.as("vic", "GET", "/planner/v1/executions/"+draft, "", "", nil); status != http.StatusNotFound {
		t.Errorf("the draft was carried out: %d %s", status, text)
	}
	if done := s.await(sale, "completed"); done.UploadedBy != "ana" || done.Approval.By != "ben" {
		t.Errorf("the sale: %+v", done)
	}
}

// Who sends a table and who says how it is read is on record, and approves of nothing
// that becomes of it, whoever hands it in.
func TestWhoPreparesATableDoesNotApproveOfIt(t *testing.T) {
	s := serveTeam(t, map[string]string{
		"PLANNERS": "ana, ben, carl", "APPROVERS": "ben, carl, dora", "APPROVAL": "always", "APPROVAL_BY_ANOTHER": "true",
	})
	const id = "plan_prepared_v1"
	s.plan("ana", id)
	table := s.hold("carl")
	s.does("ben", "PUT", "/planner/v1/tables/"+table+"/settings", asJSON, `{"columns":"price=cost"}`, nil)
	s.does("dora", "PUT", "/planner/v1/tables/"+table+"/settings", asJSON, `{}`, nil)
	s.does("Ben", "PUT", "/planner/v1/tables/"+table+"/settings", asJSON, `{"columns":"price=cost"}`, nil)
	if status, text := s.as("ana", "POST", "/planner/v1/plans/"+id+":execute", asJSON, `{"table":"`+table+`"}`, nil); status != http.StatusForbidden {
		t.Fatalf("ana, who did not send it: %d %s", status, text)
	}
	s.does("carl", "POST", "/planner/v1/plans/"+id+":execute", asJSON, `{"table":"`+table+`"}`, nil)
	proposed := s.await(id, "proposed")
	if got := strings.Join(proposed.PreparedBy, " "); proposed.UploadedBy != "carl" || got != "ben dora" {
		t.Errorf("uploaded by %s, prepared by %s", proposed.UploadedBy, got)
	}
	decision := `{"proposal_sha256":"` + proposed.Proposal.SHA256 + `"}`
	for name, want := range map[string]string{"carl": "handed in", "ben": "said how it is read", "DORA": "said how it is read"} {
		if status, text := s.as(name, "POST", "/planner/v1/executions/"+id+":approve", asJSON, decision, nil); status != http.StatusForbidden || !strings.Contains(text, want) {
			t.Errorf("%s approves: %d %s", name, status, text)
		}
	}
	if after := s.await(id, "proposed"); after.Approval != nil {
		t.Errorf("it is approved: %+v", after.Approval)
	}
}
