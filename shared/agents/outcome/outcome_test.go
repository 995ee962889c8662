package outcome_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/agents/outcome"
	"github.com/planwright/planwright/shared/errs"
)

var parseTests = []struct {
	name, text string
	want       outcome.Outcome
	bad        string // what the error's message contains
}{
	{name: "status alone", text: `{"status": "success"}`, want: outcome.Outcome{Status: outcome.Success}},
	{name: "all fields", text: ` {"status": "failure", "message": "m", "result": {"n": 1.50}} `,
		want: outcome.Outcome{Status: outcome.Failure, Message: "m", Result: map[string]any{"n": json.Number("1.50")}}},
	{name: "skipped", text: `{"message":null,"status":"skipped"}`, want: outcome.Outcome{Status: outcome.Skipped}},
	{name: "in a fence", text: "```json\n{\"status\": \"success\"}\n```", want: outcome.Outcome{Status: outcome.Success}},
	{name: "in a bare fence", text: "```\n{\"status\": \"success\"}```\n", want: outcome.Outcome{Status: outcome.Success}},
	{name: "empty", text: " ", bad: "empty"},
	{name: "an empty fence", text: "``````", bad: "empty"},
	{name: "a fence that is not closed", text: "```json\n{\"status\": \"success\"}", bad: "line 1"},
	{name: "not JSON", text: "All done!", bad: "line 1"},
	{name: "cut off", text: `{"status": "succ`, bad: "line 1"},
	{name: "trailing text", text: `{"status": "success"} done`, bad: "after the end"},
	{name: "two outcomes", text: `{"status": "success"}{"status": "failure"}`, bad: "after the end"},
	{name: "another status", text: `{"status": "ok"}`, bad: "status: must be success, failure or skipped"},
	{name: "status in capitals", text: `{"status": "SUCCESS"}`, bad: "status: must be"},
	{name: "no status", text: `{"message": "m"}`, bad: "status: is required"},
	{name: "unknown field", text: `{"status": "success", "sure": true}`, bad: "sure: is not a known field"},
	{name: "duplicate key", text: `{"status": "failure", "status": "success"}`, bad: "status"},
	{name: "message of another type", text: `{"status": "failure", "message": 5}`, bad: "message: must be a string"},
	{name: "an array", text: `[{"status": "success"}]`, bad: "must be an object"},
	{name: "too long", text: `{"status": "success", "message": "` + strings.Repeat("x", 8<<10) + `"}`, bad: "longer than 8192 bytes"},
}

func TestParse(t *testing.T) {
	for _, tt := range parseTests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := outcome.Parse(tt.text)
			if tt.bad != "" {
				if err == nil || !strings.Contains(err.Error(), tt.bad) || errs.KindOf(err) != errs.Unusable {
					t.Errorf("error %v (%s), want one of kind unusable with %q", err, errs.KindOf(err), tt.bad)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}

// What parses is written in a form that parses to the same.
func FuzzParse(f *testing.F) {
	for _, tt := range parseTests {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := outcome.Parse(text)
		if err != nil {
			return
		}
		written := first.String()
		if len(written) > 8<<10 { // JSON escapes may make it longer than what was read
			return
		}
		second, err := outcome.Parse(written)
		if err != nil {
			t.Fatalf("%q parses, and what it is written as does not: %q: %v", text, written, err)
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("round trip of %q (-first +second):\n%s", text, diff)
		}
	})
}

func TestReadTakesWhatCannotBeReadForFailure(t *testing.T) {
	tests := []struct {
		name  string
		state map[string]any
		want  outcome.Outcome
	}{
		{"an outcome", map[string]any{"k": `{"status":"success"}`}, outcome.Outcome{Status: outcome.Success}},
		{"missing", nil, outcome.Failed("No outcome was recorded.")},
		{"empty, as a tool call leaves it", map[string]any{"k": ""}, outcome.Failed("The recorded outcome cannot be read.")},
		{"text", map[string]any{"k": "success"}, outcome.Failed("The recorded outcome cannot be read.")},
		{"an object instead of a string", map[string]any{"k": map[string]any{"status": "success"}}, outcome.Failed("The recorded outcome is not a JSON string.")},
		{"null", map[string]any{"k": nil}, outcome.Failed("The recorded outcome is not a JSON string.")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			created, err := session.InMemoryService().Create(context.Background(),
				&session.CreateRequest{AppName: "a", UserID: "u", State: tt.state})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, outcome.Read(created.Session.State(), "k")); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	tests := []struct{ statuses, want string }{
		{"fss", "Agent A failed, B and C were skipped, D completed."},
		{"kkk", "Agents A, B and C succeeded, D completed."},
		{"kfs", "Agent A succeeded, B failed, C was skipped, D completed."},
		{"kkf", "Agents A and B succeeded, C failed, D completed."},
		{"fff", "Agents A, B and C failed, D completed."},
		{"f", "Agent A failed, D completed."},
		{"", "Agent D completed."},
	}
	status := map[rune]outcome.Status{'k': outcome.Success, 'f': outcome.Failure, 's': outcome.Skipped}
	for _, tt := range tests {
		var steps []outcome.Named
		for i, c := range tt.statuses {
			steps = append(steps, outcome.Named{Name: string(rune('A' + i)), Outcome: outcome.Outcome{Status: status[c]}})
		}
		got := outcome.Summary(steps, "D")
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.statuses, got, tt.want)
		}
		if !outcome.Tells(got, steps) {
			t.Errorf("%q does not tell of %s", got, tt.statuses)
		}
	}
}
