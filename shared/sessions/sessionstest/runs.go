package sessionstest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/runner"
	adk "google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/test/expect"
)

// runnerOf is ADK's runner of an agent that answers in three events, each with
// state, and waits before the second.
func runnerOf(t *testing.T, app string, service adk.Service, wait func() error) *runner.Runner {
	t.Helper()
	steps := expect.Result(
		agent.New(agent.Config{
			Name: "Steps",
			Run: func(ctx agent.InvocationContext) iter.Seq2[*adk.Event, error] {
				return func(yield func(*adk.Event, error) bool) {
					asked := ctx.UserContent().Parts[0].Text
					for i := range 3 {
						if i == 1 {
							if err := wait(); err != nil {
								yield(nil, err)
								return
							}
						}
						e := adk.NewEvent(ctx, ctx.InvocationID())
						e.Author = "Steps"
						e.Content = genai.NewContentFromText(fmt.Sprintf("%s.%d", asked, i), genai.RoleModel)
						e.Actions.StateDelta = map[string]any{fmt.Sprint("step", i): asked}
						if !yield(e, nil) {
							return
						}
					}
				}
			},
		}),
	)(t)
	return expect.Result(runner.New(runner.Config{AppName: app, Agent: steps, SessionService: service}))(t)
}

// texts returns what was said in a session's events.
func texts(events iter.Seq[*adk.Event]) string {
	var list []string
	for e := range events {
		list = append(list, e.Content.Parts[0].Text)
	}
	return strings.Join(list, " ")
}

// raceRuns: of runs that have all read the same session one is stored, whole.
func raceRuns(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	var reading sync.WaitGroup
	reading.Add(racers)
	with := runnerOf(t, key.App, v, func() error { reading.Done(); reading.Wait(); return nil })
	winner := winnerOf(t, errs.Stale, func(ctx context.Context, i int) error {
		stored, err := v.Run(ctx, with, key, genai.NewContentFromText(fmt.Sprint("m", i), genai.RoleUser))
		if err == nil && len(stored) != 4 {
			err = fmt.Errorf("a turn of %d events", len(stored))
		}
		return err
	})
	got := get(t, v)
	m := fmt.Sprint("m", winner)
	if want := strings.ReplaceAll("M M.0 M.1 M.2", "M", m); texts(got.Events().All()) != want {
		t.Errorf("stored %s, want %s", texts(got.Events().All()), want)
	}
	for i := range 3 {
		expect.ErrorIf(t, value(t, got, fmt.Sprint("step", i)) != m, "step%d is of another run", i)
	}
}

func brokenRun(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	broken := errors.New("the model went away")
	_, err := v.Run(
		t.Context(),
		runnerOf(t, key.App, v, func() error { return broken }),
		key,
		genai.NewContentFromText("m", genai.RoleUser),
	)
	expect.ErrorIf(t, !errors.Is(err, broken), "error %v", err)
	expect.ErrorIf(t, get(t, v).Events().Len() != 0, "a broken turn is stored")
	fine := runnerOf(t, key.App, v, func() error { return nil })
	_, err = v.Run(t.Context(), fine, key, genai.NewContentFromText("m", genai.RoleUser))
	expect.NoError(t, err)
	_, err = v.Run(
		t.Context(),
		fine,
		sessions.Key{App: key.App, User: key.User, Session: "none"},
		genai.NewContentFromText("m", genai.RoleUser),
	)
	wantKind(t, err, errs.NotFound)
}

// foreignRunner: a runner that would store its events elsewhere is refused, and
// nothing is stored here.
func foreignRunner(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	elsewhere := adk.InMemoryService()
	expect.NoError(t, expect.ErrorOf(elsewhere.Create(t.Context(), createOf(key, nil))))
	other := key
	other.App = "another-app"
	expect.NoError(t, expect.ErrorOf(v.Create(t.Context(), createOf(other, nil))))
	for _, with := range []*runner.Runner{
		runnerOf(t, key.App, elsewhere, func() error { return nil }),
		runnerOf(t, other.App, v, func() error { return nil }),
	} {
		_, err := v.Run(t.Context(), with, key, genai.NewContentFromText("m", genai.RoleUser))
		wantKind(t, err, errs.Invalid)
	}
	for _, k := range []sessions.Key{key, other} {
		found := expect.Result(v.Get(t.Context(), getOf(k)))(t)
		expect.ErrorIf(t, found.Session.Events().Len() != 0, "%s has events", k.App)
	}
}

// quicker: outside a turn an event that comes too late says that those before
// it may be stored.
func quicker(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	mine, theirs := get(t, v), get(t, v)
	expect.NoError(t, v.AppendEvent(t.Context(), mine, event("user", "a")))
	err := v.AppendEvent(t.Context(), theirs, event("user", "b"))
	wantKind(t, err, errs.Stale)
	expect.ErrorIf(t, strings.Contains(err.Error(), "Nothing"), "%v", err)
}

// allEvents: a history longer than one read of the store is read whole.
func allEvents(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	const turns, each = 11, 100
	for i := range turns {
		turn := begin(t, v, "", fmt.Sprint(i))
		ctx, seen := turn.Context(t.Context()), mustGet(t, v, turn)
		for j := range each {
			expect.NoError(t, v.AppendEvent(ctx, seen, event("Agent", fmt.Sprint(i*each+j))))
		}
		expect.NoError(t, turn.Commit(t.Context()))
	}
	all := get(t, v).Events()
	expect.ErrorIf(
		t,
		all.Len() != turns*each || all.At(0).ID != "Agent 0" ||
			all.At(turns*each-1).ID != fmt.Sprint("Agent ", turns*each-1),
		"%d events",
		all.Len(),
	)
	most := expect.Result(
		v.Get(
			t.Context(),
			&adk.GetRequest{
				AppName:         key.App,
				UserID:          key.User,
				SessionID:       key.Session,
				NumRecentEvents: turns*each - 1,
			},
		),
	)(t)
	expect.ErrorIf(
		t,
		most.Session.Events().Len() != turns*each-1,
		"%d of the newest",
		most.Session.Events().Len(),
	)
}
