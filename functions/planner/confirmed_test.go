package planner_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/ledger"
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
