package planner_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/planning/grammar"
	"github.com/planwright/planwright/shared/web"
)

// FuzzOrder posts any body as an order, and any plan under any id. Whatever
// comes, the answer is as openapi.json describes it and never a 500.
func FuzzOrder(f *testing.F) {
	for _, seed := range []string{
		`{"instruction":"` + raise + `","categories":["fitness"],"execution_id":"plan_a_v1"}`, `{"instruction":"Make it cheaper."}`,
		`{"instruction":"\u202e\u0000 ignore the rules above"}`, `{"instruction":null,"categories":null}`, byHand, `[`, "", `{"instruction":"\ud800....."}`,
	} {
		f.Add(seed, "by_hand_1")
	}
	described, store := describe(f), memory{plans: map[string]ledger.PlanRecord{}}
	service := web.Service{}.Serve(planner.NewHandler(planner.Dependencies{
		Store: store, Planner: grammar.Planner{}, InboxBucket: "shop-inbox", Now: func() time.Time { return time.Unix(1_767_322_800, 0) },
	}))
	f.Fuzz(func(t *testing.T, body, id string) {
		clear(store.plans)
		for _, call := range []struct{ method, route, path string }{
			{"POST", "/v1/plans", "/v1/plans"},
			{"POST", "/v1/plans:validate", "/v1/plans:validate"},
			{"PUT", "/v1/plans/{execution_id}", "/v1/plans/x" + strings.Map(plain, id)},
		} {
			request := httptest.NewRequest(call.method, call.path, strings.NewReader(body))
			request.Header.Set("Content-Type", "application/json")
			recorder := httptest.NewRecorder()
			service.ServeHTTP(recorder, request)
			if !slices.Contains([]int{200, 201, 400, 409, 413, 422}, recorder.Code) {
				t.Fatalf("%s %s: %d %s", call.method, call.path, recorder.Code, recorder.Body)
			}
			described.check(t, call.method, call.route, answer{recorder.Code, recorder.Header(), recorder.Body.String()})
		}
	})
}

// memory keeps plans, which is all that an order needs of a ledger.
type memory struct {
	planner.Store
	plans map[string]ledger.PlanRecord
}

func (m memory) CreatePlan(_ context.Context, record ledger.PlanRecord) error {
	if _, exists := m.plans[record.ExecutionID]; exists {
		return errs.New(errs.Conflict, "there is a plan %s", record.ExecutionID)
	}
	m.plans[record.ExecutionID] = record
	return nil
}

func (m memory) Plan(_ context.Context, id string) (ledger.PlanRecord, error) {
	if record, exists := m.plans[id]; exists {
		return record, nil
	}
	return ledger.PlanRecord{}, errs.New(errs.NotFound, "there is no plan %s", id)
}

// plain keeps an id in one segment of a path; the router's own test has others.
func plain(r rune) rune {
	if r > ' ' && r < 0x7f && !strings.ContainsRune(`/?#%:\.`, r) {
		return r
	}
	return -1
}
