package planner_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// FuzzOrder posts any body as an order, and any plan under any id. Whatever
// comes, the answer is as openapi.json describes it and never a 500.
func FuzzOrder(f *testing.F) {
	for _, seed := range []string{
		`{"instruction":"` + raise + `","categories":["fitness"],"execution_id":"plan_a_v1"}`,
		`{"instruction":"\u202e\u0000 ignore the rules above"}`, `{"instruction":null,"categories":null}`, byHand, `[`, "", `{"instruction":"\ud800....."}`,
	} {
		f.Add(seed, "by_hand_1")
	}
	s := open(f)
	f.Fuzz(func(t *testing.T, body, id string) {
		described := describe(t)
		for _, call := range []struct{ method, route, path string }{
			{"POST", "/v1/plans", "/v1/plans"},
			{"POST", "/v1/plans:validate", "/v1/plans:validate"},
			{"PUT", "/v1/plans/{execution_id}", "/v1/plans/x" + strings.Map(plain, id)},
		} {
			request := httptest.NewRequest(call.method, call.path, strings.NewReader(body))
			request.Header.Set("Content-Type", "application/json")
			recorder := httptest.NewRecorder()
			s.Config.Handler.ServeHTTP(recorder, request)
			if !slices.Contains([]int{200, 201, 400, 409, 413, 422}, recorder.Code) {
				t.Fatalf("%s %s: %d %s", call.method, call.path, recorder.Code, recorder.Body)
			}
			described.check(t, call.method, call.route, answer{recorder.Code, recorder.Header(), recorder.Body.String()})
		}
	})
}

// plain keeps an id in one segment of a path; the router's own test has others.
func plain(r rune) rune {
	if r > ' ' && r < 0x7f && !strings.ContainsRune(`/?#%:\.`, r) {
		return r
	}
	return -1
}
