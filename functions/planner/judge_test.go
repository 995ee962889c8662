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
	"github.com/planwright/planwright/shared/ledger/plans"
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
	maker, err := planner.NewPlanner(t.Context(), gemini.Config{APIKey: "k", Model: "gemini-3.5-flash", Timeout: 30 * time.Second}, gemini.Options{}, logging.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return web.Service{}.Serve(planner.NewHandler(planner.Dependencies{
		Store: memory{plans: map[string]plans.Record{}}, Planner: maker, InboxBucket: "shop-inbox", Now: func() time.Time { return time.Unix(1_767_322_800, 0) },
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

// The rules of a model's draft stay the model's, with the approval that this asks for, until
// a person confirms or changes them.
func TestRulesOfAModelsDraftStayTheModels(t *testing.T) {
	answering(t, modelsPlan)
	maker, err := planner.NewPlanner(t.Context(), gemini.Config{APIKey: "k", Model: "gemini-3.5-flash", Timeout: 30 * time.Second}, gemini.Options{}, logging.Discard)
	if err != nil {
		t.Fatal(err)
	}
	c := openCounter(t, func(d *planner.Dependencies) { d.Planner = maker })
	create := func(who, body string) answer { return c.as(t, who, "POST", "/v1/plans", "application/json", body) }
	for name, instruction := range map[string]string{
		"they differ":                "Raise mugs by 10%",
		"the reader refuses":         "Flurb the mugs of 20 bucks and under by 10 per hundred until Friday",
		"a number is in no rule":     "Flurb the mugs of 20 bucks and under by 10, and the rest by 7",
		"a name is in no rule, also": "Flurb the mugs of 20 bucks and under by 10 but not QX-77",
	} {
		t.Run(name, func(t *testing.T) {
			asked := create("ana", fmt.Sprintf(`{"instruction":%q}`, instruction))
			var body struct {
				Error struct {
					Details struct {
						Draft planDraft `json:"draft"`
					} `json:"details"`
				} `json:"error"`
			}
			if err := json.Unmarshal([]byte(asked.body), &body); err != nil || asked.status != 422 {
				t.Fatalf("%d %s", asked.status, asked.body)
			}
			draft := body.Error.Details.Draft
			if len(draft.ID) != 26 || len(draft.Open) == 0 {
				t.Fatalf("the draft is %+v", draft)
			}
			rules := `[{"filter":{"categories":["mugs"],"price_lte":20},"action":{"type":"percent_increase","value":10}}]`
			other := strings.Replace(rules, `"value":10`, `"value":11`, 1)
			for i, test := range []struct{ rules, more, agreement string }{
				{rules, "", "model"},
				{rules, `,"confirmed":[0]`, "person"},
				{other, "", "person"},
			} {
				id := fmt.Sprintf("plan_%s_%d", strings.ReplaceAll(strings.Map(letters, name), " ", ""), i)
				got := create("ana", fmt.Sprintf(`{"instruction":%q,"execution_id":%q,"operations":%s,"draft_id":%q%s}`, instruction, id, test.rules, draft.ID, test.more))
				if got.status != 201 || got.field(t, "agreement") != test.agreement || (test.agreement == "model") != strings.Contains(got.body, plans.NotVouchedFor) {
					t.Errorf("%+v: %d %s", test, got.status, got.body)
				}
			}
			if got := create("ben", fmt.Sprintf(`{"operations":%s,"draft_id":%q}`, rules, draft.ID)); got.status != 403 {
				t.Errorf("somebody else's draft: %d %s", got.status, got.body)
			}
			c.tick.Add(25 * 3600)
			if got := create("ana", fmt.Sprintf(`{"operations":%s,"draft_id":%q}`, rules, draft.ID)); got.status != 404 || !strings.Contains(got.body, "Ask for a plan") {
				t.Errorf("a day later: %d %s", got.status, got.body)
			}
		})
	}
	for _, body := range []string{
		`{"instruction":"Raise mugs by 10%","draft_id":"x"}`,
		`{"operations":[{"action":{"type":"end_sale"},"filter":{}}],"confirmed":[0]}`,
		`{"operations":[{"action":{"type":"end_sale"},"filter":{}}],"draft_id":"x","confirmed":[1]}`,
	} {
		if got := create("ana", body); got.status != 422 {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
}

// letters leaves letters alone.
func letters(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return r
	}
	return -1
}

// What the reader does not understand a model may: its plan is stored as one that
// nobody vouches for, and says so.
func TestAModelsPlanThatNobodyVouchesForSaysSo(t *testing.T) {
	answering(t, modelsPlan)
	service, described := judgedBy(t), describe(t)
	got := send(service, "POST", "/v1/plans", `{"instruction":"Flurb the mugs of twenty bucks and under by a tenth"}`)
	described.check(t, "POST", "/v1/plans", got)
	if got.status != 201 || got.field(t, "agreement") != "model" || !strings.Contains(got.body, plans.NotVouchedFor) {
		t.Errorf("%d %s, want 201 and the model's plan", got.status, got.body)
	}
	refused := send(service, "POST", "/v1/plans", `{"instruction":"Flurb the mugs of twenty bucks and under by a tenth until Friday"}`)
	if refused.status != 422 || !strings.Contains(refused.body, `"class":"schedule"`) {
		t.Errorf("%d %s, want the reader's question", refused.status, refused.body)
	}
}

func TestAModelsVouchedPlanIsStored(t *testing.T) {
	calls := answering(t, modelsPlan)
	got := send(judgedBy(t), "POST", "/v1/plans", `{"instruction":"Raise mugs that cost $20 or less by 10%"}`)
	if got.status != 201 || got.field(t, "agreement") != "both" || *calls != 1 {
		t.Errorf("%d %s after %d calls, want 201 in agreement after one", got.status, got.body, *calls)
	}
}
