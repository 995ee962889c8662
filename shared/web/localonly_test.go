package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/web"
)

// The page and the calls behind it are for pages of this server alone.
func TestLocalOnly(t *testing.T) {
	server := httptest.NewServer(web.LocalOnly("https://public.example", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })))
	defer server.Close()
	own := server.URL
	_, port, _ := strings.Cut(strings.TrimPrefix(own, "http://"), ":")
	tests := []struct {
		name, method, host string
		header             map[string]string
		status             int
		allowed            string // the Access-Control-Allow-Origin
	}{
		{name: "a program", method: "POST", status: http.StatusTeapot},
		{name: "the page", method: "POST", header: map[string]string{"Origin": own, "Sec-Fetch-Site": "same-origin"}, status: http.StatusTeapot, allowed: own},
		{name: "the page, an old browser's", method: "DELETE", header: map[string]string{"Origin": own}, status: http.StatusTeapot, allowed: own},
		{name: "the page asks first", method: "OPTIONS", header: map[string]string{"Origin": own, "Access-Control-Request-Method": "PATCH"}, status: http.StatusNoContent, allowed: own},
		{name: "by the name localhost", method: "POST", host: "localhost:" + port, header: map[string]string{"Origin": "http://localhost:" + port}, status: http.StatusTeapot, allowed: "http://localhost:" + port},
		{name: "by IPv6", method: "GET", host: "[::1]:" + port, status: http.StatusTeapot},
		{name: "a link on another site", method: "GET", header: map[string]string{"Sec-Fetch-Site": "cross-site"}, status: http.StatusTeapot},
		{name: "another site reads", method: "GET", header: map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, status: http.StatusTeapot},
		{name: "another site posts", method: "POST", header: map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, status: http.StatusForbidden},
		{name: "another site posts, an old browser's", method: "POST", header: map[string]string{"Origin": "https://evil.example"}, status: http.StatusForbidden},
		{name: "another port posts", method: "POST", header: map[string]string{"Origin": "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site"}, status: http.StatusForbidden},
		{name: "another site asks first", method: "OPTIONS", header: map[string]string{"Origin": "https://evil.example"}, status: http.StatusForbidden},
		{name: "a name of another site that leads here", method: "GET", host: "evil.example:" + port, status: http.StatusForbidden},
		{name: "that name's page", method: "POST", host: "evil.example:" + port, header: map[string]string{"Origin": "http://evil.example:" + port}, status: http.StatusForbidden},
		{name: "the public name, from within", method: "POST", host: "Public.example:" + port, header: map[string]string{"Origin": "http://Public.example:" + port}, status: http.StatusTeapot, allowed: "http://Public.example:" + port},
		{name: "the public page", method: "POST", host: "public.example", header: map[string]string{"Origin": "https://public.example", "Sec-Fetch-Site": "same-origin"}, status: http.StatusTeapot, allowed: "https://public.example"},
		{name: "the public page, whose host the proxy does not tell", method: "POST", header: map[string]string{"Origin": "https://public.example"}, status: http.StatusTeapot, allowed: "https://public.example"},
		{name: "another site under the public address", method: "POST", host: "public.example", header: map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, status: http.StatusForbidden},
		{name: "a name that ends like it", method: "GET", host: "evil-public.example", status: http.StatusForbidden},
		{name: "a name that only begins like an address", method: "GET", host: "127.0.0.1.evil.example:" + port, status: http.StatusForbidden},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), tt.method, own, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Host = tt.host
			for name, value := range tt.header {
				request.Header.Set(name, value)
			}
			response, err := http.DefaultTransport.RoundTrip(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if response.StatusCode != tt.status || response.Header.Get("Access-Control-Allow-Origin") != tt.allowed {
				t.Errorf("%d, allowing %q; want %d, %q", response.StatusCode, response.Header.Get("Access-Control-Allow-Origin"), tt.status, tt.allowed)
			}
		})
	}
}
