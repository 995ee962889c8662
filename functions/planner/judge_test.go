package planner_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/web"
)

// answering is a Gemini service that gives one answer to every call.
func answering(t *testing.T, operations string) *int {
	t.Helper()
	calls := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++
		text, _ := json.Marshal(`{"operations":[` + operations + `]}`)
		fmt.Fprintf(w, `{"candidates":[{"content":{"role":"model","parts":[{"text":%s}]},"finishReason":"STOP"}]}`, text)
	}))
	t.Cleanup(service.Close)
	t.Setenv("GOOGLE_GEMINI_BASE_URL", service.URL)
	return &calls
}

// judgedBy is the planner's handler as it is deployed, over a store of the test's.
func judgedBy(t *testing.T) http.Handler {
	t.Helper()
	plans, err := planner.NewPlanner(t.Context(), gemini.Config{APIKey: "k", Model: "gemini-3.5-flash", Timeout: 30 * time.Second}, gemini.Options{}, logging.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return web.Service{}.Serve(planner.NewHandler(planner.Dependencies{
		Store: memory{plans: map[string]ledger.PlanRecord{}}, Planner: plans, InboxBucket: "shop-inbox", Now: func() time.Time { return time.Unix(1_767_322_800, 0) },
	}))
}

func send(service http.Handler, method, path, body string) answer {
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	return ask(service, request)
}

const modelsPlan = `{"operation_id":"op_01","description":"Does nothing.","filter":{"categories":["mugs"],"price_lte":20},"action":{"type":"percent_increase","value":10}}`

// A model's plan that the instruction does not say is stored by the one who
// confirms it, and by nobody else.
func TestAModelsPlanIsStoredOnceAPersonSendsIt(t *testing.T) {
	calls := answering(t, modelsPlan)
	service, described := judgedBy(t), describe(t)
	asked := send(service, "POST", "/v1/plans", `{"instruction":"Raise mugs by 10%","execution_id":"plan_mugs_v1"}`)
	described.check(t, "POST", "/v1/plans", asked)
	if asked.status != 422 || *calls != 3 {
		t.Fatalf("%d %s after %d calls, want 422 after the answer and two repairs", asked.status, asked.body, *calls)
	}
	if got := send(service, "GET", "/v1/plans/plan_mugs_v1", ""); got.status != 404 {
		t.Fatalf("it was stored: %s", got.body)
	}
	var body struct {
		Error struct {
			Details struct {
				Class             string    `json:"class"`
				ExecutionID       string    `json:"execution_id"`
				CreatedAt         string    `json:"created_at"`
				SourceInstruction string    `json:"source_instruction"`
				Draft             planDraft `json:"draft"`
			} `json:"details"`
		} `json:"error"`
	}
	if err := json.Unmarshal([]byte(asked.body), &body); err != nil {
		t.Fatal(err)
	}
	details := body.Error.Details
	if details.Class != "plans_differ" || len(details.Draft.Open) != 1 || len(details.Draft.Open[0].Choices) != 2 {
		t.Fatalf("details %+v", details)
	}
	chosen := fmt.Sprintf(`{"execution_id":%q,"instruction":%q,"operations":%s}`, details.ExecutionID, details.SourceInstruction, details.Draft.Open[0].Choices[0].rules(t))
	if got := send(service, "POST", "/v1/plans", chosen); got.status != 201 || !strings.Contains(got.body, `"price_lte":20`) || got.field(t, "agreement") != "person" {
		t.Fatalf("%s: %d %s", chosen, got.status, got.body)
	}
	if strings.Contains(asked.body, "Does nothing.") {
		t.Error("what a model says of its plan is shown")
	}
}

// What the reader does not understand a model may: its plan is stored as one that
// nobody vouches for, and says so.
func TestAModelsPlanThatNobodyVouchesForSaysSo(t *testing.T) {
	answering(t, modelsPlan)
	service, described := judgedBy(t), describe(t)
	got := send(service, "POST", "/v1/plans", `{"instruction":"Flurb the mugs of twenty bucks and under by a tenth"}`)
	described.check(t, "POST", "/v1/plans", got)
	if got.status != 201 || got.field(t, "agreement") != "model" || !strings.Contains(got.body, ledger.NotVouchedFor) {
		t.Errorf("%d %s, want 201 and the model's plan", got.status, got.body)
	}
	refused := send(service, "POST", "/v1/plans", `{"instruction":"Flurb the mugs of twenty bucks and under by a tenth until Friday"}`)
	if refused.status != 422 || !strings.Contains(refused.body, `"class":"schedule"`) {
		t.Errorf("%d %s, want the reader's question", refused.status, refused.body)
	}
}

func TestAModelsPlanThatIsSaidIsStored(t *testing.T) {
	calls := answering(t, modelsPlan)
	got := send(judgedBy(t), "POST", "/v1/plans", `{"instruction":"Raise mugs that cost $20 or less by 10%"}`)
	if got.status != 201 || got.field(t, "agreement") != "both" || *calls != 1 {
		t.Errorf("%d %s after %d calls, want 201 in agreement after one", got.status, got.body, *calls)
	}
}
