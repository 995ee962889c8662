package planner_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/planning/reader"
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
	described, store := describe(f), memory{plans: map[string]plans.Record{}}
	service := serve(store)
	f.Fuzz(func(t *testing.T, body, id string) {
		clear(store.plans)
		for _, call := range []struct{ method, route, path string }{
			{"POST", "/v1/plans", "/v1/plans"},
			{"POST", "/v1/plans:validate", "/v1/plans:validate"},
			{"PUT", "/v1/plans/{execution_id}", "/v1/plans/x" + strings.Map(plain, id)},
		} {
			request := httptest.NewRequest(call.method, call.path, strings.NewReader(body))
			request.Header.Set("Content-Type", "application/json")
			got := ask(service, request)
			if !slices.Contains([]int{200, 201, 400, 409, 413, 422}, got.status) {
				t.Fatalf("%s %s: %d %s", call.method, call.path, got.status, got.body)
			}
			described.check(t, call.method, call.route, got)
		}
	})
}

// FuzzPreview posts any table with any settings to be previewed. It is
// previewed, or what is wrong with it is told, as openapi.json describes it.
func FuzzPreview(f *testing.F) {
	f.Add(products, "")
	f.Add(strings.Replace(products, "39.99", "free", 1), "blank_price=keep")
	f.Add("Variant SKU,category,Cost,in_stock\nA,fitness,1.00,yes\n", "columns=sku%3DVariant%20SKU%2Cprice%3DCost&blank_price=error")
	f.Add("sku,category,price,in_stock\n\"A\"\"\xff\",fitness,,true\n", "blank_price=&blank_price=%zz")
	described, store := describe(f), memory{plans: map[string]plans.Record{}}
	service := serve(store)
	put := httptest.NewRequest("PUT", "/v1/plans/by_hand_1", strings.NewReader(byHand))
	put.Header.Set("Content-Type", "application/json")
	if got := ask(service, put); got.status != 201 {
		f.Fatalf("%d %s", got.status, got.body)
	}
	f.Fuzz(func(t *testing.T, table, query string) {
		request := httptest.NewRequest("POST", "/v1/plans/by_hand_1:preview", strings.NewReader(table))
		request.Header.Set("Content-Type", "text/csv")
		request.URL.RawQuery = query
		got := ask(service, request)
		if _, err := url.ParseQuery(query); err != nil && got.status != 400 || err == nil && got.status != 200 && got.status != 422 {
			t.Fatalf("%d %s", got.status, got.body)
		}
		described.check(t, "POST", "/v1/plans/{execution_id}:preview", got)
	})
}

// serve is the planner's handler over a store, with the real reader.
func serve(store ledger.Store) http.Handler {
	return web.Service{}.Serve(planner.NewHandler(planner.Dependencies{
		Store: store, Planner: reader.New(), InboxBucket: "shop-inbox", Now: func() time.Time { return time.Unix(1_767_322_800, 0) },
	}))
}

func ask(service http.Handler, request *http.Request) answer {
	recorder := httptest.NewRecorder()
	service.ServeHTTP(recorder, request)
	return answer{recorder.Code, recorder.Header(), recorder.Body.String()}
}

// memory keeps plans, which is all that an order needs of a ledger.
type memory struct {
	ledger.Store
	plans map[string]plans.Record
}

func (m memory) CreatePlan(_ context.Context, record plans.Record) error {
	if _, exists := m.plans[record.ExecutionID]; exists {
		return errs.New(errs.Conflict, "there is a plan %s", record.ExecutionID)
	}
	m.plans[record.ExecutionID] = record
	return nil
}

func (m memory) PlanVersions(_ context.Context, name string, request plans.Request) (found plans.Versions, err error) {
	for id, record := range m.plans {
		of, version, ok := plans.SplitVersion(id)
		if ok && of == plans.VersionName(name) {
			found.Last = max(found.Last, version)
			if record.Request().SHA256() == request.SHA256() {
				found.Latest = id
			}
		}
	}
	return found, nil
}

func (m memory) ExecutionsOn(context.Context, ledger.File) ([]ledger.Execution, error) {
	return nil, errs.New(errs.Unavailable, "executions are not kept")
}

func (m memory) Plan(_ context.Context, id string) (plans.Record, error) {
	if record, exists := m.plans[id]; exists {
		return record, nil
	}
	return plans.Record{}, errs.New(errs.NotFound, "there is no plan %s", id)
}

// plain keeps an id in one segment of a path; the router's own test has others.
func plain(r rune) rune {
	if r > ' ' && r < 0x7f && !strings.ContainsRune(`/?#%:\.`, r) {
		return r
	}
	return -1
}
