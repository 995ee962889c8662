package planner_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/reader"
	"github.com/planwright/planwright/shared/web"
)

// planDraft is a draft as a client reads it.
type planDraft struct {
	Operations []draftRule
	Open       []struct {
		Text, Class string
		Choices     []draftChoice
	}
	ID       string `json:"draft_id"`
	ApplyAt  string `json:"apply_at"`
	Complete bool
}

type draftRule struct {
	Sentence                string
	Filter, Action, Options json.RawMessage
}

type draftChoice struct {
	Label string
	Patch struct {
		Filter, Action, Options json.RawMessage
		Operations              []draftRule
	}
}

// rules are the operations of a choice that takes the place of all rules, or of the only one.
func (c draftChoice) rules(t *testing.T) string {
	t.Helper()
	var rules []map[string]json.RawMessage
	if c.Patch.Operations == nil {
		c.Patch.Operations = []draftRule{{Filter: c.Patch.Filter, Action: c.Patch.Action, Options: c.Patch.Options}}
	}
	for _, rule := range c.Patch.Operations {
		rules = append(rules, map[string]json.RawMessage{"filter": rule.Filter, "action": rule.Action, "options": rule.Options})
	}
	text, err := json.Marshal(rules)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func byAnn(t *testing.T) (http.Handler, description) {
	t.Helper()
	return web.Service{}.Serve(planner.NewHandler(planner.Dependencies{
		Store: memory{plans: map[string]plans.Record{}}, Planner: reader.New(), InboxBucket: "shop-inbox",
		Caller: func(*http.Request) (string, error) { return "ann@example.com", nil },
	})), describe(t)
}

// A draft whose open parts are settled is stored with who finished it, and with the words
// that they ignore.
func TestAFinishedDraftIsStoredWithWhoFinishedIt(t *testing.T) {
	service, described := byAnn(t)
	const said = "Raise mugs by 10, they are lovely"
	asked := send(service, "POST", "/v1/plans", fmt.Sprintf(`{"instruction":%q,"execution_id":"plan_mugs_v1","categories":["Mugs"]}`, said))
	described.check(t, "POST", "/v1/plans", asked)
	var body struct {
		Error struct{ Details struct{ Draft planDraft } }
	}
	if err := json.Unmarshal([]byte(asked.body), &body); err != nil || len(body.Error.Details.Draft.Operations) != 1 {
		t.Fatalf("%v: %d %s, want one rule", err, asked.status, asked.body)
	}
	draft := body.Error.Details.Draft
	var action json.RawMessage
	var ignored string
	for _, part := range draft.Open {
		switch part.Class {
		case "unit":
			action = part.Choices[0].Patch.Action
		case "unknown_words", "target":
			ignored = part.Text
		}
	}
	if action == nil || ignored == "" {
		t.Fatalf("the open parts are %+v", draft.Open)
	}
	sent := func(ignored string) answer {
		return send(service, "POST", "/v1/plans", fmt.Sprintf(
			`{"instruction":%q,"execution_id":"plan_mugs_v1","operations":[{"filter":%s,"action":%s}],"ignored":[%q]}`, said, draft.Operations[0].Filter, action, ignored))
	}
	if refused := sent("a word of nobody's"); refused.status != 422 || !strings.Contains(refused.body, "is not in the instruction") {
		t.Errorf("%d %s, want the words refused", refused.status, refused.body)
	}
	stored := sent(ignored)
	described.check(t, "POST", "/v1/plans", stored)
	if stored.status != 201 || stored.field(t, "agreement") != "person" || stored.field(t, "planner.confirmed.by") != "ann@example.com" ||
		!strings.Contains(stored.body, "The rules were finished by ann@example.com, who ignores of the instruction: ") {
		t.Errorf("%d %s", stored.status, stored.body)
	}
	if again := send(service, "GET", "/v1/plans/plan_mugs_v1", ""); again.field(t, "planner.confirmed.by") != "ann@example.com" {
		t.Errorf("it is not stored: %s", again.body)
	}
}

func TestMakeDraft(t *testing.T) {
	service, described := byAnn(t)
	for _, tc := range []struct {
		name, body string
		status     int
		want       string
	}{
		{"one meaning", `{"instruction":"Raise mugs by 10%"}`, 200, `"complete":true`},
		{"an open part", `{"instruction":"Raise mugs by 10"}`, 200, `"class":"unit"`},
		{"a time in a zone", `{"instruction":"Raise mugs by 10% on 1 March 2027 at 9","time_zone":"Europe/Berlin"}`, 200, `"apply_at":"2027-03-01T09:00:00+01:00"`},
		{"the shop's names", `{"instruction":"Nike 5% off","categories":["Hats"],"brands":["Nike"]}`, 200, `"filter":{"brands":["Nike"]}`},
		{"no zone", `{"instruction":"Raise mugs by 10%","time_zone":"Berlin"}`, 422, `\"Berlin\" is no time zone`},
		{"too short", `{"instruction":"a"}`, 422, "must be 5 to 2000 characters"},
		{"another field", `{"instruction":"Raise mugs by 10%","execution_id":"plan_mugs_v1"}`, 422, "execution_id"},
		{"no table", `{"instruction":"Raise mugs by 10%","table":"nope"}`, 501, "holds no tables"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := send(service, "POST", "/v1/drafts", tc.body)
			described.check(t, "POST", "/v1/drafts", got)
			if got.status != tc.status || !strings.Contains(got.body, tc.want) {
				t.Errorf("%d %s, want %d with %s", got.status, got.body, tc.status, tc.want)
			}
		})
	}
}

const mugShop = "sku,category,name,price,in_stock\n" +
	"M1,Kitchen,Adventure Camp Mug 12oz,14.00,true\n" +
	"M2,Kitchen,Camp Mug Lid,3.00,true\n" +
	"H1,Hats,Bobble Hat,20.00,true\n"

// Words of the products' names can only be told from the table.
func TestADraftOverATableIsInItsWords(t *testing.T) {
	c := talking(t)
	held := c.hold(t, mugShop)
	got := c.as(t, "ana", "POST", "/v1/drafts", "application/json", `{"instruction":"drop the camp mug to $12","table":"`+held+`"}`)
	if got.status != 200 || !strings.Contains(got.body, `"name_contains":["camp mug"]`) || strings.Contains(got.body, `"complete":true`) {
		t.Errorf("%d %s, want the camp mugs, to be confirmed", got.status, got.body)
	}
	if got := c.as(t, "bea", "POST", "/v1/drafts", "application/json", `{"instruction":"drop the camp mug to $12","table":"`+held+`"}`); got.status != 404 && got.status != 403 {
		t.Errorf("another's table: %d %s", got.status, got.body)
	}
}

// What a model planned alone asks for an approval however often, and under whatever
// names, it is stored again.
func TestACopyOfAModelsPlanStaysOne(t *testing.T) {
	c := talking(t)
	const operations = `[{"operation_id":"op_01","filter":{"categories":["%s"]},"action":{"type":"percent_increase","value":10}}]`
	sent := func(id, query, instruction, category string) answer {
		return c.as(t, "ana", "PUT", "/v1/plans/"+id+query, "application/json",
			fmt.Sprintf(`{"execution_id":%q,"created_at":"2026-11-26T09:00:00Z","source_instruction":%q,"operations":`+operations+`}`, id, instruction, category))
	}
	p, err := plan.Decode([]byte(fmt.Sprintf(`{"execution_id":"plan_model_v1","created_at":"2026-11-26T09:00:00Z","source_instruction":"Zhuzh up fitness","operations":`+operations+`}`, "fitness")))
	if err != nil {
		t.Fatal(err)
	}
	stored := plans.New(p)
	stored.Planner = plans.PlannedBy{Model: "gemini", Attempts: 1, Agreement: plans.AgreementModel}
	if err := c.store.CreatePlan(t.Context(), stored.Record); err != nil {
		t.Fatal(err)
	}
	for id, tc := range map[string]struct{ query, instruction, category, want string }{
		"plan_model_v2": {"?copy_of=plan_model_v1", "Zhuzh up fitness", "fitness", "model"},
		"plan_model_v3": {"?copy_of=plan_model_v1", "Zhuzh up fitness", "Fitness", "model"},
		"plan_model_v4": {"?copy_of=plan_model_v1", "Raise yoga", "yoga", ""},
		"plan_model_v5": {"", "Zhuzh up fitness", "fitness", ""},
	} {
		if got := sent(id, tc.query, tc.instruction, tc.category); got.status != 201 || got.field(t, "agreement") != tc.want {
			t.Errorf("%s: %d %s, want the agreement %q", id, got.status, got.body, tc.want)
		}
	}
}
