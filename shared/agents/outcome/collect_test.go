package outcome_test

import (
	"iter"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/outcome"
	"github.com/planwright/planwright/shared/errs"
)

// What an agent does after it was given up changes nothing of the answer: its
// events are kept up to then, and later ones, and a panic, are nobody's.
func TestAnAgentThatWasGivenUpChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		event := func(ctx agent.InvocationContext, key string) *session.Event {
			e := session.NewEvent(ctx, ctx.InvocationID())
			e.Content = genai.NewContentFromText(key, genai.RoleModel)
			e.Actions.StateDelta[key] = true
			return e
		}
		stubborn, err := agent.New(agent.Config{Name: "Stubborn", Run: func(ctx agent.InvocationContext) iter.Seq2[*session.Event, error] {
			return func(yield func(*session.Event, error) bool) {
				yield(event(ctx, "early"), nil)
				<-release
				yield(event(ctx, "late"), nil)
				panic("too late")
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		var got outcome.Answer
		root, err := agent.New(agent.Config{Name: "Root", SubAgents: []agent.Agent{stubborn}, Run: func(ctx agent.InvocationContext) iter.Seq2[*session.Event, error] {
			return func(func(*session.Event, error) bool) {
				got, _ = outcome.Collect(ctx, stubborn, outcome.Limit{Timeout: time.Second}, func(*session.Event) bool { return true })
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := runner.NewInMemory("a", root)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range r.Run(t.Context(), "u", "s", genai.NewContentFromText("Go", genai.RoleUser), agent.RunConfig{}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]any{"early": true}
		if errs.KindOf(got.Failure) != errs.Deadline || !maps.Equal(got.State, want) {
			t.Errorf("%v, state %v", got.Failure, got.State)
		}
		failure := got.Failure
		close(release)
		synctest.Wait()
		if diff := cmp.Diff(want, got.State); diff != "" || got.Failure != failure {
			t.Errorf("later: %v, state (-want +got):\n%s", got.Failure, diff)
		}
	})
}
