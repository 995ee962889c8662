package geminitest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/gemini/geminitest"
)

func good(*http.Request) (string, error) { return `{"answer": 42}`, nil }

// Each failure is what genai's own client makes of the answer over HTTP.
func TestFailuresOverHTTP(t *testing.T) {
	want := map[string]string{
		"401": "error 401", "403": "error 403", "404": "error 404", "429": "error 429", "503": "error 503", "400": "error 400",
		"hang":         "too late",
		"prose":        "STOP: Sure! I have thought about it, and here is what I would do.",
		"invalid JSON": `STOP: {"answer": 42,}`,
		"extra field":  `STOP: {"answer":42,"confidence":0.9}`,
		"truncated":    `MAX_TOKENS: {"answe`,
		"empty":        "STOP: ", "safety block": "SAFETY: ",
		"over 8 MiB": "STOP: 8388609 characters",
	}
	got := map[string]string{}
	for _, failure := range geminitest.Failures(good) {
		got[failure.Name] = ask(t, failure)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}

// ask says what came of one call.
func ask(t *testing.T, failure geminitest.Failure) string {
	t.Helper()
	timeout := time.Minute
	if failure.Name == "hang" {
		timeout = 50 * time.Millisecond
	}
	response, err := client(t, failure.Answer, timeout).Models.GenerateContent(t.Context(), "m", genai.Text("hi"), nil)
	var refused genai.APIError
	switch {
	case errors.As(err, &refused):
		return fmt.Sprintf("error %d", refused.Code)
	case errors.Is(err, context.DeadlineExceeded):
		return "too late"
	case err != nil:
		return err.Error()
	}
	text := response.Text()
	if len(text) > 1000 {
		text = fmt.Sprintf("%d characters", len(text))
	}
	return string(response.Candidates[0].FinishReason) + ": " + text
}

func client(t *testing.T, answer geminitest.Answer, timeout time.Duration) *genai.Client {
	t.Helper()
	made, err := genai.NewClient(t.Context(), &genai.ClientConfig{
		Backend: genai.BackendGeminiAPI, APIKey: "k",
		HTTPOptions: genai.HTTPOptions{BaseURL: geminitest.Serve(t, answer), Timeout: &timeout},
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestAnExhaustedQuotaSaysWhenToTryAgain(t *testing.T) {
	response, err := http.Get(geminitest.Serve(t, geminitest.Failures(good)[3].Answer))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusTooManyRequests || response.Header.Get("Retry-After") != geminitest.RetryAfter {
		t.Errorf("%d with Retry-After %q", response.StatusCode, response.Header.Get("Retry-After"))
	}
}

func TestATextInPieces(t *testing.T) {
	c := client(t, geminitest.SaysInPieces("Let", " us", " see."), time.Minute)
	var pieces []string
	for response, err := range c.Models.GenerateContentStream(t.Context(), "m", genai.Text("hi"), nil) {
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, response.Text())
	}
	if diff := cmp.Diff([]string{"Let", " us", " see."}, pieces); diff != "" {
		t.Errorf("pieces (-want +got):\n%s", diff)
	}
	whole, err := c.Models.GenerateContent(t.Context(), "m", genai.Text("hi"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Text() != "Let us see." {
		t.Errorf("whole: %q", whole.Text())
	}
}
