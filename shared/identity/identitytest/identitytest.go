// Package identitytest issues identity tokens as Google does, for tests of who verifies them.
package identitytest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"strings"
	"testing"
)

// Issuer signs tokens with a key of its own.
type Issuer struct{ key *rsa.PrivateKey }

// New returns an issuer.
func New(t testing.TB) Issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return Issuer{key}
}

// RoundTrip answers every request with the list of keys, as Google's certificate address does.
func (i Issuer) RoundTrip(*http.Request) (*http.Response, error) {
	encode := base64.RawURLEncoding.EncodeToString
	list, err := json.Marshal(map[string]any{"keys": []map[string]string{{
		"kid": "ours", "kty": "RSA", "alg": "RS256", "use": "sig",
		"n": encode(i.key.N.Bytes()), "e": encode(big.NewInt(int64(i.key.E)).Bytes()),
	}}})
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(list)))}, err
}

// Token signs claims.
func (i Issuer) Token(t testing.TB, claims map[string]any) string {
	t.Helper()
	content := encoded(t, map[string]string{"alg": "RS256", "kid": "ours", "typ": "JWT"}) + "." + encoded(t, claims)
	sum := sha256.Sum256([]byte(content))
	signature, err := rsa.SignPKCS1v15(rand.Reader, i.key, crypto.SHA256, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	return content + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func encoded(t testing.TB, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}
