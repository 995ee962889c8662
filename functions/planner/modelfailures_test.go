package planner_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/gemini/geminitest"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/web"
)

// modelFailures are what comes of each way in which a model fails: why the plan was
// made without it, or, where our own reader has no plan either, the answer's status.
var modelFailures = map[string]struct {
	reason string
	status int
}{
	"401":          {gemini.CredentialsRefused, 503},
	"403":          {gemini.CredentialsRefused, 503},
	"404":          {gemini.ModelNotFound, 503},
	"429":          {gemini.QuotaUsedUp, 503},
	"503":          {gemini.ServiceUnavailable, 503},
	"hang":         {gemini.TimedOut, 504},
	"prose":        {gemini.UnusableAnswer, 502},
	"invalid JSON": {gemini.UnusableAnswer, 502},
	"extra field":  {gemini.UnusableAnswer, 502},
	"truncated":    {gemini.UnusableAnswer, 502},
	"empty":        {gemini.UnusableAnswer, 502},
	"safety block": {gemini.AnswerBlocked, 502},
	"400":          {gemini.RequestRefused, 502},
	"over 8 MiB":   {gemini.UnusableAnswer, 502},
}

// asking is the planner's handler as it is deployed, over a service that gives the answer.
func asking(t *testing.T, answer geminitest.Answer, log *strings.Builder) http.Handler {
	t.Helper()
	maker, err := planner.NewPlanner(t.Context(), gemini.Config{APIKey: "k-secret", Model: "gemini-3.5-flash", Timeout: 20 * time.Second},
		gemini.Options{Transport: answer}, logging.New(log, nil))
	if err != nil {
		t.Fatal(err)
	}
	return web.Service{}.Serve(planner.NewHandler(planner.Dependencies{
		Store: memory{plans: map[string]plans.Record{}}, Planner: maker, InboxBucket: "shop-inbox",
	}))
}

func goodPlan(*http.Request) (string, error) { return `{"operations":[` + modelsPlan + `]}`, nil }

// However a model fails, a sentence that our own reader understands in exactly one
// way is planned, and says that it was planned without the model and why. Any other
// gets the model's own error.
func TestEachFailureOfTheModel(t *testing.T) {
	described := describe(t)
	for _, failure := range geminitest.Failures(goodPlan) {
		t.Run(failure.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				want, log := modelFailures[failure.Name], &strings.Builder{}
				service := asking(t, failure.Answer, log)

				read := send(service, "POST", "/v1/plans", `{"instruction":"Raise mugs that cost $20 or less by 10%","execution_id":"plan_mugs_v1"}`)
				described.check(t, "POST", "/v1/plans", read)
				warning := `"warnings":[{"code":"planned_without_model","operation_ids":[],"message":"The model gave no plan (` + want.reason + `)`
				if read.status != 201 || read.field(t, "agreement") != "grammar" || !strings.Contains(read.body, warning) || !strings.Contains(read.body, `"without_model":"`+want.reason+`"`) {
					t.Errorf("%d %s, want 201 with %s", read.status, read.body, warning)
				}
				if !strings.Contains(log.String(), `"message":"planned without the model"`) || !strings.Contains(log.String(), `"reason":"`+want.reason+`"`) {
					t.Errorf("the log does not say why: %s", log)
				}
				if stored := send(service, "GET", "/v1/plans/plan_mugs_v1", ""); !strings.Contains(stored.body, warning) {
					t.Errorf("it is not stored why: %s", stored.body)
				}

				lost := send(service, "POST", "/v1/plans", `{"instruction":"Flurb the mugs of twenty bucks by a tenth","execution_id":"plan_flurb_v1"}`)
				described.check(t, "POST", "/v1/plans", lost)
				if lost.status != want.status {
					t.Errorf("%d %s, want %d", lost.status, lost.body, want.status)
				}
				if wait := lost.header.Get("Retry-After"); failure.Name == "429" && wait != geminitest.RetryAfter {
					t.Errorf("Retry-After %q, want the provider's", wait)
				}
				for _, hidden := range []string{"4711", "k-secret"} {
					if strings.Contains(read.body+lost.body, hidden) || strings.Contains(log.String(), "k-secret") {
						t.Errorf("%s is shown: %s %s", hidden, read.body, lost.body)
					}
				}
			})
		})
	}
}

// During an outage nobody waits longer than 12 seconds, and after three who did, nobody
// waits at all: the grammar plans, and says that the model did not.
func TestAnOutageOfTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		service := asking(t, func(r *http.Request) (*http.Response, error) {
			asked++
			return geminitest.Hang(r)
		}, &strings.Builder{})
		for i, want := range []time.Duration{12 * time.Second, 12 * time.Second, 12 * time.Second, 0, 0} {
			began := time.Now()
			body := fmt.Sprintf(`{"instruction":"Raise mugs that cost $20 or less by 10%%","execution_id":"plan_mugs_v%d"}`, i+1)
			got := send(service, "POST", "/v1/plans", body)
			if took := time.Since(began); took != want {
				t.Errorf("plan %d took %v, want %v", i+1, took, want)
			}
			if got.status != 201 || got.field(t, "agreement") != "grammar" || !strings.Contains(got.body, `"code":"planned_without_model"`) {
				t.Errorf("plan %d: %d %s", i+1, got.status, got.body)
			}
		}
		lost := send(service, "POST", "/v1/plans", `{"instruction":"Flurb the mugs of twenty bucks by a tenth","execution_id":"plan_flurb_v1"}`)
		if lost.status != http.StatusGatewayTimeout || lost.header.Get("Retry-After") == "" || asked != 3 {
			t.Errorf("%d, Retry-After %q, asked %d times: %s", lost.status, lost.header.Get("Retry-After"), asked, lost.body)
		}
	})
}
