package identity_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/auth"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/identity"
	"github.com/planwright/planwright/shared/identity/identitytest"
)

const (
	planner = "https://planner.example"
	pages   = "console@shop.iam.gserviceaccount.com"
)

func assertions(t *testing.T, issuer identitytest.Issuer) *identity.Assertions {
	t.Helper()
	a, err := identity.NewAssertions(&http.Client{Transport: issuer}, identitytest.IAPAudience)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// forged are assertions that are none, by what is wrong with them.
func forged(t *testing.T, issuer, forger identitytest.Issuer) map[string]string {
	whole := issuer.Assertion(t, "ana@example.com", nil)
	content := whole[:strings.LastIndexByte(whole, '.')]
	encode := base64.RawURLEncoding.EncodeToString
	return map[string]string{
		"none":                       "",
		"no token":                   "x",
		"signed by another":          forger.Assertion(t, "ana@example.com", nil),
		"replayed when it is over":   issuer.Assertion(t, "ana@example.com", map[string]any{"exp": time.Now().Add(-time.Second).Unix()}),
		"replayed to another":        issuer.Assertion(t, "ana@example.com", map[string]any{"aud": "/projects/1/locations/europe-west1/services/other"}),
		"of another issuer":          issuer.Assertion(t, "ana@example.com", map[string]any{"iss": "https://accounts.google.com"}),
		"of nobody":                  issuer.Assertion(t, "", nil),
		"of another kind of account": issuer.Assertion(t, "securetoken.google.com/p:ana@example.com", nil),
		"without a signature":        content + ".",
		"with half a signature":      content + "." + encode(make([]byte, 31)),
		"with zeros as a signature":  content + "." + encode(make([]byte, 64)),
		"its signature removed":      content + ".SIGNATURE_REMOVED_BY_GOOGLE",
		"with others' claims":        strings.Replace(whole, strings.Split(whole, ".")[1], strings.Split(issuer.Assertion(t, "eve@example.com", nil), ".")[1], 1),
		"that says it has none":      encode([]byte(`{"alg":"none","kid":"ours"}`)) + "." + strings.Split(whole, ".")[1] + "." + encode(make([]byte, 64)),
		"an identity token":          issuer.Identity(t, "ana@example.com", identitytest.IAPAudience),
	}
}

// TestWhoThePlannerSees sends calls as the pages, as people and as a service, with every
// kind of assertion.
func TestWhoThePlannerSees(t *testing.T) {
	issuer, forger := identitytest.New(t), identitytest.New(t)
	verifier, err := identity.NewVerifier(&http.Client{Transport: issuer}, planner)
	if err != nil {
		t.Fatal(err)
	}
	caller := assertions(t, issuer).Behind(pages, verifier.Caller)
	good := issuer.Assertion(t, "Ana@example.com", nil)
	type call struct {
		from  string
		given []string
		want  string
	}
	calls := map[string]call{
		"through the pages":                    {pages, []string{good}, "ana@example.com"},
		"by the pages themselves":              {pages, nil, ""},
		"through the pages, twice":             {pages, []string{good, issuer.Assertion(t, "ben@example.com", nil)}, ""},
		"by command line":                      {"ana@example.com", nil, "ana@example.com"},
		"by command line, with an assertion":   {"eve@example.com", []string{good}, ""},
		"by another service with an assertion": {"other@shop.iam.gserviceaccount.com", []string{good}, ""},
	}
	for what, assertion := range forged(t, issuer, forger) {
		calls["through the pages, "+what] = call{pages, []string{assertion}, ""}
	}
	for name, test := range calls {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Authorization", "Bearer "+issuer.Identity(t, test.from, planner))
		for _, assertion := range test.given {
			r.Header.Add(identity.AssertionHeader, assertion)
		}
		if got, err := caller(r); got != test.want || (test.want == "") != (errs.KindOf(err) == errs.Denied) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, test.want)
		}
	}
}

type token string

func (t token) Token(context.Context) (*auth.Token, error) { return &auth.Token{Value: string(t)}, nil }

// TestThePagesSpeakForWhoIsSignedIn goes through the proxy, the guard and the speaker, with
// headers that say otherwise, and past the proxy.
func TestThePagesSpeakForWhoIsSignedIn(t *testing.T) {
	issuer, forger := identitytest.New(t), identitytest.New(t)
	a := assertions(t, issuer)
	var asked http.Header
	function := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = r.Header }))
	defer function.Close()
	speaker := identity.Speaker{Tokens: token("own"), HTTP: http.DefaultTransport}
	var seen http.Header
	guarded := a.Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		call, err := http.NewRequestWithContext(r.Context(), http.MethodGet, function.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := speaker.RoundTrip(call)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		_, _ = w.Write([]byte(identity.SignedIn(r.Context())))
	}), func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, errs.Message(err), http.StatusForbidden)
	})

	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for _, header := range []string{"Authorization", "X-Serverless-Authorization", identity.AssertionHeader, "X-Goog-Authenticated-User-Email"} {
		r.Header.Set(header, "Bearer "+issuer.Identity(t, "eve@example.com", planner))
	}
	r.Header.Set(identity.IAPHeader, issuer.Assertion(t, "eve@example.com", nil))
	answer := httptest.NewRecorder()
	issuer.Proxy(t, guarded, func(*http.Request) string { return "ana@example.com" }).ServeHTTP(answer, r)
	if answer.Body.String() != "ana@example.com" || len(seen) != 0 {
		t.Errorf("%q came through, with %v", answer.Body, seen)
	}
	if name, err := a.Person(t.Context(), asked.Get(identity.AssertionHeader)); name != "ana@example.com" || asked.Get("Authorization") != "Bearer own" || asked.Get("X-Serverless-Authorization") != "Bearer own" {
		t.Errorf("the function was asked for %q, %v: %v", name, err, asked)
	}
	for what, assertion := range forged(t, issuer, forger) {
		past := httptest.NewRequest(http.MethodGet, "/", nil)
		past.Header.Set(identity.IAPHeader, assertion)
		answer := httptest.NewRecorder()
		if guarded.ServeHTTP(answer, past); answer.Code != http.StatusForbidden {
			t.Errorf("%s: %d %s", what, answer.Code, answer.Body)
		}
	}
	call := httptest.NewRequest(http.MethodGet, function.URL, nil)
	if _, err := speaker.RoundTrip(call); errs.KindOf(err) != errs.Denied {
		t.Errorf("asked for nobody: %v", err)
	}
}
