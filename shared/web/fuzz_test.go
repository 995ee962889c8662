package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/planwright/planwright/shared/web"
)

// FuzzRouter asks for any path with any method. A request is answered by a
// route, or with 404 or 405 in our own form; never by a redirect or a panic.
func FuzzRouter(f *testing.F) {
	for _, seed := range []string{"/v1/plans", "/v1/plans:validate", "/v1/plans/a:preview", "/v1/plans/:/preview", "//", "/v1/plans/%2e%2e:preview", "/v1/plans/a%2Fb/", "/:preview", "*", "/v1/plans/%3A"} {
		f.Add("POST", seed)
	}
	router := web.NewRouter()
	for _, pattern := range []string{"POST /v1/plans", "POST /v1/plans:validate", "GET /v1/plans/{execution_id}", "POST /v1/plans/{execution_id}:preview", "GET /{$}"} {
		router.Handle(pattern, func(w http.ResponseWriter, _ *http.Request) (any, error) {
			w.WriteHeader(http.StatusNoContent)
			return nil, nil
		})
	}
	service := web.Service{}.Serve(router)
	f.Fuzz(func(t *testing.T, method, target string) {
		parsed, err := url.ParseRequestURI(target)
		if err != nil {
			return
		}
		request := &http.Request{Method: method, URL: parsed, RequestURI: target, Header: http.Header{}, Body: http.NoBody, Host: "planner.test"}
		recorder := httptest.NewRecorder()
		service.ServeHTTP(recorder, request)
		switch recorder.Code {
		case http.StatusNoContent, http.StatusNotFound:
		case http.StatusMethodNotAllowed:
			if recorder.Header().Get("Allow") == "" {
				t.Errorf("%s %q: 405 without Allow", method, target)
			}
		default:
			t.Errorf("%s %q: %d %s", method, target, recorder.Code, recorder.Body)
		}
	})
}
