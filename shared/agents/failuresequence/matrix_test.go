package failuresequence_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/outcome"
	"github.com/planwright/planwright/shared/gemini/geminitest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// faults is everything that can go wrong inside a step: the ways in which a
// model fails, and the others.
var faults = append(modelFailures(), []stepFault{
	{"a tool fails", fault{answer: brokenTool}, ""},
	{"the model answers 500", fault{answer: geminitest.Refusal(500)}, ""},
	{"the connection is reset", fault{answer: geminitest.Reset}, ""},
	{"the prompt is blocked", fault{answer: geminitest.Blocked}, ""},
	{"content without text", fault{answer: geminitest.Says(" \n")}, ""},
	{"thoughts and no answer", fault{answer: geminitest.Candidate("STOP", geminitest.Object{"text": "Hm.", "thought": true})}, ""},
	{"truncated text that looks whole", fault{answer: geminitest.Candidate("MAX_TOKENS", geminitest.Object{"text": succeeded})}, ""},
	{"JSON that is no outcome", fault{answer: geminitest.Candidate("STOP", geminitest.Object{"text": `{"status": "fine"}`})}, ""},
	{"an answer that is not JSON", fault{answer: geminitest.Garbage}, ""},
	{"an answer of another shape", fault{answer: geminitest.JSON(http.StatusOK, geminitest.Object{"candidates": 5})}, ""},
	{"tools called without end", fault{answer: geminitest.Candidate("STOP", geminitest.Object{"functionCall": geminitest.Object{"name": "NoSuchTool"}})}, ""},
	{"a callback's error", fault{callback: func(agent.Context) (*genai.Content, error) { return nil, errors.New("db: no route to 10.0.0.7") }}, ""},
	{"a panic", fault{callback: func(agent.Context) (*genai.Content, error) { panic("index out of range") }}, ""},
	{"a missed deadline", fault{callback: hang}, ""},
}...)

type stepFault struct {
	name  string
	fault fault
	atD   string // what D says there, where it is not the deterministic report
}

func modelFailures() (faults []stepFault) {
	for _, failure := range geminitest.Failures(func(*http.Request) (string, error) { return succeeded, nil }) {
		fault := stepFault{"the model: " + failure.Name, fault{answer: failure.Answer}, ""}
		if failure.Name == "prose" {
			fault.atD = "Sure! I have thought about it, and here is what I would do."
		}
		faults = append(faults, fault)
	}
	return faults
}

const succeeded = `{"status": "success"}`

// cell is one fault at one step.
var cells = []struct{ at, want string }{
	{"AgentA", summaryA},
	{"AgentB", "Agent A succeeded, B failed, C was skipped, D completed."},
	{"AgentC", "Agents A and B succeeded, C failed, D completed."},
	{"AgentD", "Agents A, B and C succeeded, D completed."},
}

// TestMatrix injects every fault at every step. In each cell D runs and says
// what happened, no error comes through, the steps after the fault do not run,
// and nothing of the fault's own text shows. With -v it prints the matrix.
func TestMatrix(t *testing.T) {
	var table bytes.Buffer
	fmt.Fprintln(&table, "| What goes wrong in the step | Its outcome | at A | at B | at C | at D |\n|---|---|---|---|---|---|")
	for _, fault := range faults {
		row := []string{fault.name, ""}
		for i, cell := range cells {
			t.Run(fault.name+" at "+cell.at, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					fault := fault
					fault.fault.at = cell.at
					got := run(t, t.Context(), map[string]any{"fail": "none"}, fault.fault)
					checkCell(t, got, i)
					_, said := got.last()
					if i < 3 {
						row[1] = got.outcomes(t)[i].Message
					}
					want := cell.want
					if i == 3 && fault.atD != "" {
						want = fault.atD
					}
					if said != want {
						t.Errorf("D said %q, want %q", said, want)
					}
					row = append(row, said)
				})
			})
		}
		fmt.Fprintf(&table, "| %s |\n", strings.Join(row, " | "))
	}
	t.Logf("\n%s", table.String())
	golden(t, "matrix.md", table.Bytes())
}

// checkCell asserts what holds in every cell, at the step with index i.
func checkCell(t *testing.T, got result, i int) {
	t.Helper()
	if got.errors != nil {
		t.Errorf("errors came through: %v", got.errors)
	}
	author, said := got.last()
	if author != "AgentD" || said == "" {
		t.Fatalf("the last event is %s: %q", author, said)
	}
	if got.messages[len(got.messages)-1] != "Sequence complete" {
		t.Errorf("the log ends in %q", got.messages)
	}
	names := []string{"AgentA", "AgentB", "AgentC"}
	for j, o := range got.outcomes(t) {
		want := outcome.Success
		switch {
		case j == i:
			want = outcome.Failure
		case j > i:
			want = outcome.Skipped
			if got.calls(names[j]) > 0 {
				t.Errorf("%s was skipped and asked its model %d times", names[j], got.calls(names[j]))
			}
		}
		if o.Status != want {
			t.Errorf("%s is %s, want %s", names[j], o.Status, want)
		}
	}
	for _, event := range got.events {
		for _, secret := range []string{"10.0.0.7", "goroutine", "quota_project", "connection reset", ".go:"} {
			if strings.Contains(textOf(event), secret) {
				t.Errorf("%s shows %q: %s", event.Author, secret, textOf(event))
			}
		}
	}
}

// brokenTool calls a tool that does not exist and then claims success.
func brokenTool(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(body, []byte("functionResponse")) {
		return geminitest.Says(succeeded)(r)
	}
	return geminitest.Candidate("STOP", geminitest.Object{"functionCall": geminitest.Object{"name": "NoSuchTool"}})(r)
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// D's model may choose its words, but not its facts.
func TestTheLastStepsWordsAreCheckedAgainstTheOutcomes(t *testing.T) {
	for words, want := range map[string]string{
		"All done!":             summaryA,
		`{"status": "success"}`: summaryA,
		"Step A failed; the two after it were skipped.": "Step A failed; the two after it were skipped.",
	} {
		got := run(t, t.Context(), nil, fault{at: "AgentD", answer: geminitest.Says(words)})
		if _, said := got.last(); said != want {
			t.Errorf("the model said %q and D said %q, want %q", words, said, want)
		}
	}
}
