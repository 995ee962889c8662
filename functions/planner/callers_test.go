package planner_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/identity"
	"github.com/planwright/planwright/shared/identity/identitytest"
	"github.com/planwright/planwright/shared/web"
)

// TestGcloudTokensOfApprovers sends the token that gcloud gives people, which any
// program of Google's users could have been given, and one for this planner.
func TestGcloudTokensOfApprovers(t *testing.T) {
	const own = "https://planner.example"
	for setting, taken := range map[string]bool{"": true, "true": true, "false": false} {
		c, err := planner.ReadConfig(config.Map(map[string]string{
			"GOOGLE_CLOUD_PROJECT": "p", "INBOX_BUCKET": "b", "GOOGLE_API_KEY": "k", "TOKEN_AUDIENCES": own, "APPROVAL_GCLOUD_TOKENS": setting,
		}))
		if err != nil {
			t.Fatal(err)
		}
		issuer := identitytest.New(t)
		caller, approver, err := planner.Callers(&http.Client{Transport: issuer}, c)
		if err != nil {
			t.Fatal(err)
		}
		s := open(t)
		s.Config.Handler = web.Service{}.Serve(planner.NewHandler(planner.Dependencies{
			Store: s.store, Planner: s.planner, InboxBucket: "b", Caller: caller, Approver: approver,
		}))
		for audience, want := range map[string]map[string]int{
			own:                     {"approve": http.StatusNotFound, "reject": http.StatusNotFound, "undo": http.StatusNotFound},
			identity.GcloudAudience: {"approve": http.StatusForbidden, "reject": http.StatusForbidden, "undo": http.StatusNotFound},
			"https://other.example": {"approve": http.StatusForbidden, "reject": http.StatusForbidden, "undo": http.StatusForbidden},
		} {
			token := issuer.Token(t, map[string]any{
				"iss": "https://accounts.google.com", "aud": audience, "exp": time.Now().Add(time.Hour).Unix(), "email": "ana@example.com", "email_verified": true,
			})
			for verb, want := range want {
				if taken && audience == identity.GcloudAudience {
					want = http.StatusNotFound
				}
				body := map[string]string{"approve": `{"proposal_sha256": "x"}`, "reject": `{"proposal_sha256": "x", "reason": "no"}`, "undo": `{"table": "output"}`}[verb]
				request := httptest.NewRequest(http.MethodPost, "/v1/executions/plan_none_v1:"+verb, strings.NewReader(body))
				request.Header.Set("Authorization", "Bearer "+token)
				request.Header.Set("Content-Type", "application/json")
				if got := ask(s.Config.Handler, request); got.status != want {
					t.Errorf("gcloud's tokens %q: %s by a token for %s answered %d, want %d: %s", setting, verb, audience, got.status, want, got.body)
				}
			}
		}
	}
}

// TestNobodyCouldApprove refuses to start where no token would be taken.
func TestNobodyCouldApprove(t *testing.T) {
	_, err := planner.ReadConfig(config.Map(map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "INBOX_BUCKET": "b", "GOOGLE_API_KEY": "k", "APPROVAL_GCLOUD_TOKENS": "false"}))
	if err == nil {
		t.Error("accepted")
	}
}
