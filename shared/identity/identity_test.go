package identity_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/identity"
)

// keys is Google's list of keys, with one of ours in it.
type keys struct{ list string }

func (k keys) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(k.list))}, nil
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// sign makes a token of these claims.
func sign(t *testing.T, key *rsa.PrivateKey, claims map[string]any) string {
	t.Helper()
	content := encoded(t, map[string]string{"alg": "RS256", "kid": "ours", "typ": "JWT"}) + "." + encoded(t, claims)
	sum := sha256.Sum256([]byte(content))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	return content + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func newKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestCaller(t *testing.T) {
	key, stranger := newKey(t), newKey(t)
	list, err := json.Marshal(map[string]any{"keys": []map[string]string{{
		"kid": "ours", "kty": "RSA", "alg": "RS256", "use": "sig",
		"n": base64.RawURLEncoding.EncodeToString(key.N.Bytes()), "e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes()),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := identity.NewVerifier(&http.Client{Transport: keys{string(list)}})
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
	whole := sign(t, key, good)
	for name, test := range map[string]struct{ header, want string }{
		"a token":                 {"Bearer " + whole, "ana@example.com"},
		"in small letters":        {"bearer " + whole, "ana@example.com"},
		"none":                    {"", ""},
		"not a bearer's":          {"Basic " + whole, ""},
		"no token":                {"Bearer x", ""},
		"its signature removed":   {"Bearer " + whole[:strings.LastIndexByte(whole, '.')] + ".SIGNATURE_REMOVED_BY_GOOGLE", ""},
		"no signature":            {"Bearer " + whole[:strings.LastIndexByte(whole, '.')+1], ""},
		"signed by another":       {"Bearer " + sign(t, stranger, good), ""},
		"for another service":     {"Bearer " + sign(t, key, with("aud", "https://other.example")), ""},
		"over":                    {"Bearer " + sign(t, key, with("exp", time.Now().Add(-time.Hour).Unix())), ""},
		"of another issuer":       {"Bearer " + sign(t, key, with("iss", "https://evil.example")), ""},
		"an address not verified": {"Bearer " + sign(t, key, with("email_verified", false)), ""},
		"without an address":      {"Bearer " + sign(t, key, with("email", "")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodGet, "https://session.example/x", nil)
			request.Header.Set("Authorization", test.header)
			got, err := verifier.Caller(request)
			if got != test.want || (test.want == "") != (errs.KindOf(err) == errs.Denied) {
				t.Errorf("%q, %v; want %q", got, err, test.want)
			}
		})
	}
}
