package failuresequence_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/failuresequence"
)

// story tells what happened in the order of events, one line each.
func story(events []*session.Event) []string {
	var lines []string
	for _, event := range events {
		for _, part := range event.Content.Parts {
			switch {
			case part.FunctionCall != nil:
				lines = append(lines, fmt.Sprintf("%s calls %s", event.Author, part.FunctionCall.Name))
			case part.FunctionResponse != nil:
				lines = append(lines, fmt.Sprintf("%s gets %v", event.Author, part.FunctionResponse.Response))
			default:
				lines = append(lines, event.Author+" says "+part.Text)
			}
		}
	}
	return lines
}

const (
	skippedB = `{"status":"skipped","message":"Skipped due to Agent A failure."}`
	skippedC = `{"status":"skipped","message":"Skipped due to Agent B outcome."}`
	summaryA = "Agent A failed, B and C were skipped, D completed."
)

func TestModes(t *testing.T) {
	const (
		called  = "AgentA calls FailingTool"
		worked  = "AgentA gets map[message:Nothing failed status:success]"
		doneA   = `{"status":"success","message":"Agent A completed."}`
		doneB   = `{"status":"success","message":"Agent B completed."}`
		doneC   = `{"status":"success","message":"Agent C completed."}`
		failing = `{"status":"failure","message":"Simulated failure"}`
	)
	afterA := func(outcomeA string) []string {
		return []string{"AgentA says " + outcomeA, "AgentB says " + skippedB, "AgentC says " + skippedC, "AgentD says " + summaryA}
	}
	tests := []struct {
		name  string
		state map[string]any
		want  []string
	}{
		{"by default the tool fails", nil, append([]string{called, "AgentA gets map[message:Simulated failure status:error]"},
			afterA(`{"status":"failure","message":"Tool failed: Simulated failure"}`)...)},
		{"none", map[string]any{"fail": "none"}, []string{called, worked, "AgentA says " + doneA, "AgentB says " + doneB,
			"AgentC says " + doneC, "AgentD says Agents A, B and C succeeded, D completed."}},
		{"b", map[string]any{"fail": "b"}, []string{called, worked, "AgentA says " + doneA, "AgentB says " + failing,
			"AgentC says " + skippedC, "AgentD says Agent A succeeded, B failed, C was skipped, D completed."}},
		{"c", map[string]any{"fail": "c"}, []string{called, worked, "AgentA says " + doneA, "AgentB says " + doneB,
			"AgentC says " + failing, "AgentD says Agents A and B succeeded, C failed, D completed."}},
		{"model", map[string]any{"fail": "model"}, afterA(`{"status":"failure","message":"The model did not answer."}`)},
		{"timeout", map[string]any{"fail": "timeout"}, afterA(`{"status":"failure","message":"The step did not finish in time."}`)},
		{"panic", map[string]any{"fail": "panic"}, afterA(`{"status":"failure","message":"The step stopped unexpectedly."}`)},
		{"a mode that does not exist", map[string]any{"fail": "all"},
			afterA(`{"status":"failure","message":"The session state \"fail\" must be one of none, a, b, c, model, timeout, panic."}`)},
		{"a mode that is no string", map[string]any{"fail": 1.0},
			afterA(`{"status":"failure","message":"The session state \"fail\" must be one of none, a, b, c, model, timeout, panic."}`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := run(t, t.Context(), tt.state, fault{})
				if got.errors != nil {
					t.Errorf("errors came through: %v", got.errors)
				}
				if diff := cmp.Diff(tt.want, story(got.events)); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
				if n := len(got.messages); n == 0 || got.messages[n-1] != "Sequence complete" {
					t.Errorf("the log ends in %q, not in Sequence complete", got.messages)
				}
			})
		})
	}
}

// The three outcomes are JSON strings in state, and nothing else is there.
func TestStateOfTheFailureRun(t *testing.T) {
	got := run(t, t.Context(), nil, fault{})
	want := map[string]any{
		failuresequence.KeyA: `{"status":"failure","message":"Tool failed: Simulated failure"}`,
		failuresequence.KeyB: skippedB,
		failuresequence.KeyC: skippedC,
	}
	if diff := cmp.Diff(want, got.state); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
}

// A step's deadline is its own where the request has time, and otherwise so
// much before the request's that AgentD still has its reserve, or half of the
// time where that is less.
func TestDeadlinesLeaveTimeForTheLastStep(t *testing.T) {
	tests := []struct {
		name    string
		request time.Duration // until the request's deadline; 0 is none
		want    time.Duration // until D has reported
	}{
		{"the request has no deadline", 0, 5 * time.Second},
		{"the request has time", time.Minute, 5 * time.Second},
		{"the request's deadline comes first", 6 * time.Second, 3 * time.Second},
		{"the request has less than twice the reserve", 4 * time.Second, 2 * time.Second},
	}
	for _, tt := range tests {
		for _, at := range []string{"AgentA", "AgentB", "AgentC"} {
			t.Run(tt.name+" at "+at, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := t.Context(), func() {}
					if tt.request > 0 {
						ctx, cancel = context.WithTimeout(ctx, tt.request)
					}
					defer cancel()
					got := run(t, ctx, map[string]any{"fail": "none"}, fault{at: at, callback: hang})
					if author, text := got.last(); author != "AgentD" || text == "" || got.calls("AgentD") != 1 {
						t.Errorf("last is %s: %q after %d calls; want D with its model's words", author, text, got.calls("AgentD"))
					}
					if got.took != tt.want {
						t.Errorf("D reported after %s, want %s", got.took, tt.want)
					}
				})
			})
		}
	}
}

// hang waits for the end of the step.
func hang(ctx agent.Context) (*genai.Content, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// Steps that take long without failing use up what is before the reserve and
// nothing of it.
func TestSlowStepsLeaveTheReserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		got := run(t, ctx, map[string]any{"fail": "none"}, fault{at: "AgentA AgentB", callback: slow})
		author, text := got.last()
		if want := "Agent A succeeded, B failed, C was skipped, D completed."; author != "AgentD" || text != want {
			t.Errorf("%s said %q, want %q", author, text, want)
		}
		if got.took != 7*time.Second || got.calls("AgentD") != 1 {
			t.Errorf("D reported after %s with %d calls; want 7s, which is its reserve before the end, and its model", got.took, got.calls("AgentD"))
		}
	})
}

// slow takes 4 s and then lets the step run.
func slow(ctx agent.Context) (*genai.Content, error) {
	select {
	case <-time.After(4 * time.Second):
		return nil, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// A step that does not look at its context is left behind.
func TestAStepThatIgnoresItsDeadlineIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		got := run(t, t.Context(), nil, fault{at: "AgentA", callback: func(agent.Context) (*genai.Content, error) {
			<-release
			return nil, nil
		}})
		if _, text := got.last(); text != summaryA || got.took != 5*time.Second+250*time.Millisecond || got.errors != nil {
			t.Errorf("D said %q after %s, errors %v", text, got.took, got.errors)
		}
		if got.calls("AgentA") != 0 {
			t.Errorf("AgentA asked its model %d times", got.calls("AgentA"))
		}
	})
}

// Where nobody reads the events any more, nothing runs on.
func TestAReaderThatLeavesStopsTheSequence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := runUntil(t, t.Context(), nil, fault{}, 1)
		if got.calls("AgentA") != 1 || got.calls("AgentD") != 0 {
			t.Error("agents went on after the reader left")
		}
	})
}
