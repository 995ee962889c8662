package geminitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Failure is one way in which a model fails.
type Failure struct {
	Name   string
	Answer Answer
}

// Failures are the fourteen ways. Those that are a good answer gone wrong
// begin with what good says to the request, which is a JSON object.
func Failures(good func(*http.Request) (string, error)) []Failure {
	spoilt := func(change func(string) Answer) Answer {
		return func(r *http.Request) (*http.Response, error) {
			text, err := good(r)
			if err != nil {
				return nil, err
			}
			return change(text)(r)
		}
	}
	return []Failure{
		{"401", refusal(http.StatusUnauthorized, "UNAUTHENTICATED")},
		{"403", refusal(http.StatusForbidden, "PERMISSION_DENIED")},
		{"404", refusal(http.StatusNotFound, "NOT_FOUND")},
		{"429", exhausted},
		{"503", refusal(http.StatusServiceUnavailable, "UNAVAILABLE")},
		{"hang", Hang},
		{"prose", Says("Sure! I have thought about it, and here is what I would do.")},
		{
			"invalid JSON",
			spoilt(
				func(text string) Answer {
					return Says(strings.TrimSuffix(strings.TrimSpace(text), "}") + ",}")
				},
			),
		},
		{"extra field", spoilt(func(text string) Answer { return Says(withField(text, "confidence", 0.9)) })},
		{
			"truncated",
			spoilt(
				func(text string) Answer {
					return Candidate("MAX_TOKENS", Object{"text": text[:len(text)/2]})
				},
			),
		},
		{"empty", Candidate("STOP")},
		{"safety block", Candidate("SAFETY")},
		{"400", refusal(http.StatusBadRequest, "INVALID_ARGUMENT")},
		{"over 8 MiB", Says(strings.Repeat("a", 8<<20+1))},
	}
}

// withField returns a JSON object with one more field. Text that is no object
// is a fault of the test.
func withField(text, name string, value any) string {
	object := Object{}
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		panic(fmt.Sprintf("a good answer is a JSON object: %v in %s", err, text))
	}
	object[name] = value
	data, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return string(data)
}
