// Package identitytest issues identity tokens as Google does, for tests of who verifies them.
package identitytest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Issuer signs tokens with a key of its own, and assertions with another as
// Identity-Aware Proxy does.
type Issuer struct {
	key *rsa.PrivateKey
	iap *ecdsa.PrivateKey
}

// New returns an issuer.
func New(t testing.TB) Issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	iap, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return Issuer{key, iap}
}

// RoundTrip answers every request with the list of keys, as Google's certificate address does.
func (i Issuer) RoundTrip(r *http.Request) (*http.Response, error) {
	encode := base64.RawURLEncoding.EncodeToString
	key := map[string]string{
		"kid": "ours", "kty": "RSA", "alg": "RS256", "use": "sig",
		"n": encode(i.key.N.Bytes()), "e": encode(big.NewInt(int64(i.key.E)).Bytes()),
	}
	if strings.Contains(r.URL.Path, "/iap/") {
		point, err := i.iap.PublicKey.Bytes() // 4, then both coordinates
		if err != nil {
			return nil, err
		}
		key = map[string]string{
			"kid": "ours",
			"kty": "EC",
			"alg": "ES256",
			"crv": "P-256",
			"use": "sig",
			"x":   encode(point[1:33]),
			"y":   encode(point[33:]),
		}
	}
	list, err := json.Marshal(map[string]any{"keys": []map[string]string{key}})
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{},
		Body:       io.NopCloser(strings.NewReader(string(list))),
	}, err
}

// Token signs claims.
func (i Issuer) Token(t testing.TB, claims map[string]any) string {
	t.Helper()
	content := encoded(
		t,
		map[string]string{"alg": "RS256", "kid": "ours", "typ": "JWT"},
	) + "." + encoded(
		t,
		claims,
	)
	sum := sha256.Sum256([]byte(content))
	signature, err := rsa.SignPKCS1v15(rand.Reader, i.key, crypto.SHA256, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	return content + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// IAPAudience is the service that assertions are for.
const IAPAudience = "/projects/1/locations/europe-west1/services/shop-console"

// Assertion is what Identity-Aware Proxy says of a person, for ten minutes; claims take
// the place of its own.
func (i Issuer) Assertion(t testing.TB, email string, claims map[string]any) string {
	t.Helper()
	all := map[string]any{
		"iss":   "https://cloud.google.com/iap",
		"aud":   IAPAudience,
		"email": email,
		"sub":   "accounts.google.com:" + email,
		"iat":   time.Now().Unix(),
		"exp":   time.Now().Add(10 * time.Minute).Unix(),
	}
	maps.Copy(all, claims)
	content := encoded(
		t,
		map[string]string{"alg": "ES256", "kid": "ours", "typ": "JWT"},
	) + "." + encoded(
		t,
		all,
	)
	sum := sha256.Sum256([]byte(content))
	r, s, err := ecdsa.Sign(rand.Reader, i.iap, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	signature := append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	return content + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// Identity is the identity token of an account, for an audience.
func (i Issuer) Identity(t testing.TB, email, audience string) string {
	t.Helper()
	return i.Token(t, map[string]any{
		"iss":            "https://accounts.google.com",
		"aud":            audience,
		"exp":            time.Now().Add(time.Hour).Unix(),
		"email":          email,
		"email_verified": true,
	})
}

// Proxy stands before a handler as Identity-Aware Proxy does: it says who comes, whatever
// they say of themselves. Who comes is asked of each request.
func (i Issuer) Proxy(t testing.TB, next http.Handler, who func(*http.Request) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("X-Goog-Iap-Jwt-Assertion", i.Assertion(t, who(r), nil))
		next.ServeHTTP(w, r)
	})
}

func encoded(t testing.TB, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}
