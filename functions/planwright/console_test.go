package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The token is asked for once and sent in both headers.
func TestCallsOfADeployedFunctionCarryTheTokenOfGcloud(t *testing.T) {
	dir := t.TempDir()
	calls := filepath.Join(dir, "calls")
	if err := os.WriteFile(filepath.Join(dir, "gcloud"), []byte("#!/bin/sh\necho \"$@\" >> "+calls+"\necho signed.by.google\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	client, err := remote("https://shop-planner.example")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Authorization"), r.Header.Get("X-Serverless-Authorization"))
	}))
	defer server.Close()
	for range 2 {
		answer, err := client.HTTP.RoundTrip(httptest.NewRequest(http.MethodGet, server.URL, http.NoBody))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	const token = "Bearer signed.by.google"
	if diff := cmp.Diff([]string{token, token, token, token}, got); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if asked, err := os.ReadFile(calls); string(asked) != "auth print-identity-token\n" {
		t.Errorf("gcloud was asked %q, %v", asked, err)
	}
}
