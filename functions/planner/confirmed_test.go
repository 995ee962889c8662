package planner_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/reader"
	"github.com/planwright/planwright/shared/web"
)

// A reading that is sent back is stored with who confirmed it; what is none of the
// readings is a plan by hand, whatever it is called.
func TestAConfirmedReadingIsStoredWithWhoConfirmedIt(t *testing.T) {
	described := describe(t)
	service := web.Service{}.Serve(planner.NewHandler(planner.Dependencies{
		Store: memory{plans: map[string]ledger.PlanRecord{}}, Planner: reader.New(), InboxBucket: "shop-inbox",
		Caller: func(*http.Request) (string, error) { return "ann@example.com", nil },
	}))
	asked := send(service, "POST", "/v1/plans", `{"instruction":"Raise mugs by 10","execution_id":"plan_mugs_v1"}`)
	described.check(t, "POST", "/v1/plans", asked)
	var body struct {
		Error struct {
			Details struct {
				CreatedAt string `json:"created_at"`
				Readings  []struct{ Operations json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal([]byte(asked.body), &body); err != nil || len(body.Error.Details.Readings) != 2 {
		t.Fatalf("%v: %d %s, want two readings", err, asked.status, asked.body)
	}
	sent := func(id string, operations []byte) answer {
		return send(service, "PUT", "/v1/plans/"+id, fmt.Sprintf(`{"execution_id":%q,"created_at":%q,"source_instruction":"Raise mugs by 10","operations":%s}`,
			id, body.Error.Details.CreatedAt, operations))
	}
	for i, reading := range body.Error.Details.Readings {
		stored := sent(fmt.Sprintf("plan_mugs_v%d", i+1), reading.Operations)
		described.check(t, "PUT", "/v1/plans/{execution_id}", stored)
		if stored.status != 201 || stored.field(t, "planner.confirmed.by") != "ann@example.com" || stored.field(t, "agreement") != "grammar" ||
			!strings.Contains(stored.body, "Chosen by ann@example.com among several readings of the instruction.") {
			t.Errorf("%d %s", stored.status, stored.body)
		}
		if again := send(service, "GET", fmt.Sprintf("/v1/plans/plan_mugs_v%d", i+1), ""); again.field(t, "planner.confirmed.by") != "ann@example.com" {
			t.Errorf("it is not stored: %s", again.body)
		}
	}
	other := sent("plan_other_v1", []byte(strings.Replace(string(body.Error.Details.Readings[0].Operations), "10", "90", 1)))
	if other.status != 201 || strings.Contains(other.body, "confirmed") || other.field(t, "agreement") != "" {
		t.Errorf("%d %s, want a plan by hand", other.status, other.body)
	}
}

const mugShop = "sku,category,name,price,in_stock\n" +
	"M1,Kitchen,Adventure Camp Mug 12oz,14.00,true\n" +
	"M2,Kitchen,Camp Mug Lid,3.00,true\n" +
	"H1,Hats,Bobble Hat,20.00,true\n"

// A reading of what stands in the products' names can only be told from the table: with
// it, what the reading assumes is stored with who chose it, and so is a copy's.
func TestAReadingOfATablesTitlesIsStoredWithWhatItAssumes(t *testing.T) {
	c := talking(t)
	held := c.hold(t, mugShop)
	asked := c.as(t, "ana", "POST", "/v1/plans", "application/json", `{"instruction":"drop the camp mug to $12","table":"`+held+`"}`)
	var body struct {
		Error struct {
			Details struct {
				Readings []struct {
					Operations json.RawMessage
					Assumes    []string
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(asked.body), &body); err != nil || len(body.Error.Details.Readings) != 1 || len(body.Error.Details.Readings[0].Assumes) != 1 {
		t.Fatalf("%v: %d %s, want a reading that assumes something", err, asked.status, asked.body)
	}
	offered := body.Error.Details.Readings[0]
	sent := func(id, query, operations, more string) answer {
		return c.as(t, "ana", "PUT", "/v1/plans/"+id+query, "application/json",
			fmt.Sprintf(`{"execution_id":%q,"created_at":"2026-11-26T09:00:00Z","source_instruction":"drop the camp mug to $12","operations":%s%s}`, id, operations, more))
	}
	said := strings.ReplaceAll(offered.Assumes[0], `"`, `\"`)
	for query, want := range map[string]bool{"?table=" + held: true, "": false} {
		id := fmt.Sprintf("plan_mug_%t_v1", want)
		stored := sent(id, query, string(offered.Operations), "")
		for _, part := range []string{`"assumes":["` + said + `"]`, `"confirmed":{"by":"ana"}`, `"table":{"table":"` + held + `","file":"shop.csv"}`, "Chosen by ana"} {
			if stored.status != 201 || strings.Contains(stored.body, part) != want {
				t.Errorf("PUT%s: %d, has %s: %v\n%s", query, stored.status, part, !want, stored.body)
			}
		}
		if explained := strings.Count(stored.body, said); want && explained != 2 {
			t.Errorf("what is assumed stands %d times, want the planner's and the explanation's\n%s", explained, stored.body)
		}
	}
	copied := sent("plan_mug_true_v2", "?copy_of=plan_mug_true_v1&table=GONE", string(offered.Operations), `,"apply_at":"2090-01-01T00:00:00Z"`)
	if copied.status != 201 || !strings.Contains(copied.body, said) || copied.field(t, "planner.confirmed.by") != "ana" {
		t.Errorf("a copy: %d %s", copied.status, copied.body)
	}
	for query, want := range map[string]int{"?table=GONE": 404, "?copy_of=plan_none_v1": 404, "?of=x": 422} {
		if got := sent("plan_mug_gone_v1", query, string(offered.Operations), ""); got.status != want {
			t.Errorf("%s: %d %s, want %d", query, got.status, got.body, want)
		}
	}
	if got := c.as(t, "eve", "PUT", "/v1/plans/plan_eve_v1?table="+held, "application/json",
		fmt.Sprintf(`{"execution_id":"plan_eve_v1","created_at":"2026-11-26T09:00:00Z","source_instruction":"drop the camp mug to $12","operations":%s}`, offered.Operations)); got.status != 403 {
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
	stored := ledger.NewStoredPlan(p)
	stored.Planner = ledger.PlannedBy{Model: "gemini", Attempts: 1, Agreement: ledger.AgreementModel}
	if err := c.store.CreatePlan(t.Context(), stored.PlanRecord); err != nil {
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
