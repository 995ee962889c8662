package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/web"
)

// serve runs a service with one route over a real connection, and returns the
// answer, its body and the log.
func serve(t *testing.T, pattern string, handle web.Handler, request *http.Request) (*http.Response, string, string) {
	t.Helper()
	router := web.NewRouter()
	router.Handle(pattern, handle)
	var log bytes.Buffer
	service := web.Service{
		Name: "test", Project: "shop", Log: logging.New(&log, slog.LevelInfo),
		NewID: func() string { return "generated" },
		Now:   func() time.Time { return time.Unix(1_700_000_000, 0) },
	}
	server := httptest.NewServer(service.Serve(router))
	request.URL.Scheme, request.URL.Host, request.RequestURI = "http", strings.TrimPrefix(server.URL, "http://"), ""
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	server.Close() // waits for the log line
	return answer, string(body), log.String()
}

func failing(err error) web.Handler {
	return func(http.ResponseWriter, *http.Request) (any, error) { return nil, err }
}

type faulty struct{ error }

func (f faulty) Unwrap() error { return f.error }

func (faulty) Details() any { return []map[string]string{{"path": "a[0]", "message": "is bad"}} }

func TestErrors(t *testing.T) {
	const plain = "Something went wrong on our side. The log has the details under this request's id."
	secret := errors.New("rpc to 10.0.0.7 failed")
	tests := []struct {
		name   string
		err    error
		status int
		want   string
		header map[string]string
	}{
		{"malformed", web.Malformed("The body is not JSON."), 400, `{"code":"malformed","message":"The body is not JSON.","request_id":"generated"}`, nil},
		{"invalid", errs.New(errs.Invalid, "The instruction is too short."), 422, `{"code":"invalid","message":"The instruction is too short.","request_id":"generated"}`, nil},
		{"details", faulty{errs.New(errs.Invalid, "m")}, 422, `{"code":"invalid","message":"m","details":[{"message":"is bad","path":"a[0]"}],"request_id":"generated"}`, nil},
		{"questions", web.Clarify(errs.New(errs.Invalid, "m"), []string{"Percent or amount?"}, map[string]string{"class": "unit"}), 422, `{"code":"needs_clarification","message":"m","details":{"class":"unit"},"questions":["Percent or amount?"],"request_id":"generated"}`, nil},
		{"not found", errs.New(errs.NotFound, "There is no plan x."), 404, `{"code":"not_found","message":"There is no plan x.","request_id":"generated"}`, nil},
		{"conflict", errs.New(errs.Conflict, "m"), 409, `{"code":"conflict","message":"m","request_id":"generated"}`, nil},
		{"stale", errs.New(errs.Stale, "m"), 409, `{"code":"lost_race","message":"m","request_id":"generated"}`, nil},
		{"denied", errs.New(errs.Denied, "m"), 403, `{"code":"denied","message":"m","request_id":"generated"}`, nil},
		{"exhausted", errs.New(errs.Exhausted, "m"), 429, `{"code":"exhausted","message":"m","request_id":"generated"}`, map[string]string{"Retry-After": "30"}},
		{"unavailable", errs.Wrap(errs.Unavailable, secret, "m"), 503, `{"code":"unavailable","message":"m","request_id":"generated"}`, map[string]string{"Retry-After": "5"}},
		{"unusable", errs.New(errs.Unusable, "m"), 502, `{"code":"unusable_answer","message":"m","request_id":"generated"}`, nil},
		{"deadline", fmt.Errorf("x: %w", context.DeadlineExceeded), 504, `{"code":"deadline","message":"` + plain + `","request_id":"generated"}`, nil},
		{"unknown", secret, 500, `{"code":"internal","message":"` + plain + `","request_id":"generated"}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer, body, _ := serve(t, "GET /x", failing(tt.err), httptest.NewRequest("GET", "/x", nil))
			if diff := cmp.Diff(`{"error":`+tt.want+"}\n", body); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			if answer.StatusCode != tt.status {
				t.Errorf("status %d, want %d", answer.StatusCode, tt.status)
			}
			for name, want := range tt.header {
				if got := answer.Header.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
		})
	}
}

func TestEveryKindHasAnAnswer(t *testing.T) {
	for _, kind := range []errs.Kind{errs.Invalid, errs.NotFound, errs.Conflict, errs.Stale, errs.Denied, errs.Exhausted, errs.Unavailable, errs.Unusable, errs.Deadline} {
		answer, _, _ := serve(t, "GET /x", failing(errs.New(kind, "m")), httptest.NewRequest("GET", "/x", nil))
		if answer.StatusCode == http.StatusInternalServerError {
			t.Errorf("kind %s answers 500", kind)
		}
	}
}

func TestTheCauseIsLoggedAndNotShown(t *testing.T) {
	_, body, log := serve(t, "GET /v1/executions/{execution_id}", failing(errs.Wrap(errs.Unavailable, errors.New("10.0.0.7 refused"), "The store did not answer.")),
		httptest.NewRequest("GET", "/v1/executions/plan_a_v1", nil))
	if strings.Contains(body, "10.0.0.7") {
		t.Errorf("the caller sees %s", body)
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(log), &line); err != nil {
		t.Fatalf("%v in %q", err, log)
	}
	delete(line, "time")
	want := map[string]any{
		"severity": "ERROR", "message": "request", "service": "test", "request_id": "generated", "execution_id": "plan_a_v1",
		"method": "GET", "path": "/v1/executions/plan_a_v1", "status": 503.0, "bytes": float64(len(body)), "took_ms": 0.0,
		"kind": "unavailable", "error": "The store did not answer.: 10.0.0.7 refused",
	}
	if diff := cmp.Diff(want, line); diff != "" {
		t.Errorf("log line (-want +got):\n%s", diff)
	}
}

func TestRequestIDs(t *testing.T) {
	tests := []struct{ name, sent, want string }{
		{"brought", "abc-1", "abc-1"},
		{"missing", "", "generated"},
		{"not an id", "a b\"", "generated"},
		{"too long", strings.Repeat("a", 65), "generated"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			request := httptest.NewRequest("GET", "/x", nil)
			request.Header.Set("X-Request-Id", tt.sent)
			request.Header.Set("X-Cloud-Trace-Context", "105445aa7843bc8bf206b12000100000/1;o=1")
			answer, body, log := serve(t, "GET /x", failing(errs.New(errs.Invalid, "m")), request)
			if got := answer.Header.Get("X-Request-Id"); got != tt.want || !strings.Contains(body, `"request_id":"`+tt.want+`"`) {
				t.Errorf("header %q, body %s; want id %s", got, body, tt.want)
			}
			if !strings.Contains(log, `"projects/shop/traces/105445aa7843bc8bf206b12000100000"`) {
				t.Errorf("no trace in %s", log)
			}
		})
	}
}

func TestPanicIsPlainWords(t *testing.T) {
	answer, body, log := serve(t, "GET /x", func(http.ResponseWriter, *http.Request) (any, error) { panic("index of /home/x out of range") }, httptest.NewRequest("GET", "/x", nil))
	if answer.StatusCode != 500 || strings.Contains(body, "index") || strings.Contains(body, "goroutine") {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
	if !strings.Contains(log, "index of /home/x") || !strings.Contains(log, "goroutine") {
		t.Errorf("the log does not say where: %s", log)
	}
}

func TestPanicAfterTheAnswerBeganBreaksTheConnection(t *testing.T) {
	router := web.NewRouter()
	router.Handle("GET /x", func(w http.ResponseWriter, _ *http.Request) (any, error) {
		_, _ = io.WriteString(w, "half an ans")
		_ = http.NewResponseController(w).Flush()
		panic("stop")
	})
	server := httptest.NewServer(web.Service{}.Serve(router))
	defer server.Close()
	answer, err := http.Get(server.URL + "/x")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.ReadAll(answer.Body); err == nil {
		t.Error("the broken answer looks whole")
	}
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		router := web.NewRouter()
		router.Handle("GET /x", func(_ http.ResponseWriter, r *http.Request) (any, error) {
			<-r.Context().Done()
			return nil, errs.Wrap(errs.Deadline, r.Context().Err(), "The model took too long.")
		})
		recorder := httptest.NewRecorder()
		started := time.Now()
		web.Service{Timeout: time.Minute}.Serve(router).ServeHTTP(recorder, httptest.NewRequest("GET", "/x", nil))
		if recorder.Code != http.StatusGatewayTimeout || time.Since(started) != time.Minute {
			t.Errorf("%d after %s", recorder.Code, time.Since(started))
		}
	})
}

func TestLazyKeepsSuccessAndNotFailure(t *testing.T) {
	builds := 0
	handler := web.Lazy(func(context.Context) (http.Handler, error) {
		builds++
		if builds == 1 {
			return nil, errs.New(errs.Invalid, "GOOGLE_API_KEY is not set")
		}
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { web.WriteJSON(w, 200, "ok") }), nil
	})
	var statuses []int
	for range 3 {
		recorder := httptest.NewRecorder()
		web.Service{}.Serve(handler).ServeHTTP(recorder, httptest.NewRequest("GET", "/", nil))
		statuses = append(statuses, recorder.Code)
		if strings.Contains(recorder.Body.String(), "GOOGLE_API_KEY") {
			t.Errorf("the caller sees the configuration: %s", recorder.Body)
		}
	}
	if diff := cmp.Diff([]int{503, 200, 200}, statuses); diff != "" || builds != 2 {
		t.Errorf("%d builds, statuses (-want +got):\n%s", builds, diff)
	}
}
