package identity_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/identity"
	"github.com/planwright/planwright/shared/identity/identitytest"
)

func TestCaller(t *testing.T) {
	issuer, stranger := identitytest.New(t), identitytest.New(t)
	verifier, err := identity.NewVerifier(&http.Client{Transport: issuer}, "https://session.example")
	if err != nil {
		t.Fatal(err)
	}
	good := map[string]any{
		"iss": "https://accounts.google.com", "aud": "https://session.example", "exp": time.Now().Add(time.Hour).Unix(),
		"email": "Ana@example.com", "email_verified": true,
	}
	with := func(name string, value any) map[string]any {
		claims := maps.Clone(good)
		claims[name] = value
		return claims
	}
	whole := issuer.Token(t, good)
	for name, test := range map[string]struct{ header, want string }{
		"a token":                 {"Bearer " + whole, "ana@example.com"},
		"in small letters":        {"bearer " + whole, "ana@example.com"},
		"none":                    {"", ""},
		"not a bearer's":          {"Basic " + whole, ""},
		"no token":                {"Bearer x", ""},
		"its signature removed":   {"Bearer " + whole[:strings.LastIndexByte(whole, '.')] + ".SIGNATURE_REMOVED_BY_GOOGLE", ""},
		"no signature":            {"Bearer " + whole[:strings.LastIndexByte(whole, '.')+1], ""},
		"signed by another":       {"Bearer " + stranger.Token(t, good), ""},
		"for another service":     {"Bearer " + issuer.Token(t, with("aud", "https://other.example")), ""},
		"for the host it names":   {"Bearer " + issuer.Token(t, with("aud", "https://asked.example")), ""},
		"over":                    {"Bearer " + issuer.Token(t, with("exp", time.Now().Add(-time.Hour).Unix())), ""},
		"of another issuer":       {"Bearer " + issuer.Token(t, with("iss", "https://evil.example")), ""},
		"an address not verified": {"Bearer " + issuer.Token(t, with("email_verified", false)), ""},
		"without an address":      {"Bearer " + issuer.Token(t, with("email", "")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodGet, "https://asked.example/x", nil)
			request.Header.Set("Authorization", test.header)
			got, err := verifier.Caller(request)
			if got != test.want || (test.want == "") != (errs.KindOf(err) == errs.Denied) {
				t.Errorf("%q, %v; want %q", got, err, test.want)
			}
		})
	}
}
