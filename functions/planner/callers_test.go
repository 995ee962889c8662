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

// TestOnePersonByCommandLineAndPage has Ana ask for a plan with her identity token, and
// then try to approve on the page, where another is asked for; Ben may, and is on record.
func TestOnePersonByCommandLineAndPage(t *testing.T) {
	const own, pages = "https://planner.example", "console@shop.iam.gserviceaccount.com"
	c, err := planner.ReadConfig(config.Map(map[string]string{
		"GOOGLE_CLOUD_PROJECT": "p", "INBOX_BUCKET": "b", "GOOGLE_API_KEY": "k", "TOKEN_AUDIENCES": own, "APPROVAL_GCLOUD_TOKENS": "false",
		"CONSOLE_ACCOUNT": pages, "IAP_AUDIENCE": identitytest.IAPAudience, "APPROVAL_BY_ANOTHER": "true",
	}))
	if err != nil {
		t.Fatal(err)
	}
	issuer, forger := identitytest.New(t), identitytest.New(t)
	caller, approver, err := planner.Callers(&http.Client{Transport: issuer}, c)
	if err != nil {
		t.Fatal(err)
	}
	s := openDecided(t, c.Decisions)
	s.Config.Handler = web.Service{}.Serve(planner.NewHandler(planner.Dependencies{
		Store: s.store, Planner: s.planner, InboxBucket: "b", Now: s.now, Caller: caller, Approver: approver, Decisions: c.Decisions,
	}))
	as := func(account, assertion, method, path, body string) answer {
		request := httptest.NewRequest(method, path, strings.NewReader(body))
		request.Header.Set("Authorization", "Bearer "+issuer.Identity(t, account, own))
		request.Header.Set("Content-Type", "application/json")
		if assertion != "" {
			request.Header.Set(identity.AssertionHeader, assertion)
		}
		return ask(s.Config.Handler, request)
	}
	if got := as("ana@example.com", "", "POST", "/v1/plans", `{"instruction": "`+raise+`", "execution_id": "`+decidedID+`"}`); got.status != http.StatusCreated || got.field(t, "created_by") != "ana@example.com" {
		t.Fatalf("%d %s", got.status, got.body)
	}
	s.drop(t, decidedID, products)
	ana, ben := issuer.Assertion(t, "Ana@example.com", nil), issuer.Assertion(t, "ben@example.com", nil)
	sha := as(pages, ben, "GET", "/v1/executions/"+decidedID, "").field(t, "proposal.proposal_sha256").(string)
	approve := func(account, assertion string) answer {
		return as(account, assertion, "POST", "/v1/executions/"+decidedID+":approve", `{"proposal_sha256": "`+sha+`"}`)
	}
	for who, got := range map[string]answer{
		"Ana on the page":                 approve(pages, ana),
		"Ana by command line":             approve("ana@example.com", ""),
		"Ana with Ben's word":             approve("ana@example.com", ben),
		"the pages themselves":            approve(pages, ""),
		"the pages with what they forged": approve(pages, forger.Assertion(t, "ben@example.com", nil)),
	} {
		if got.status != http.StatusForbidden {
			t.Errorf("%s: %d %s", who, got.status, got.body)
		}
	}
	if got := as(pages, ana, "GET", "/v1/me", ""); got.field(t, "name") != "ana@example.com" {
		t.Errorf("who Ana is on the page: %s", got.body)
	}
	if got := approve(pages, ben); got.status != http.StatusOK || got.field(t, "approval.by") != "ben@example.com" {
		t.Errorf("Ben on the page: %d %s", got.status, got.body)
	}
}
