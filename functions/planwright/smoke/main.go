// Command smoke asks a deployed installation for one plan and one conversation about a
// goal, by its own model. It prints what came, how long it took and what it cost in tokens.
// "make smoke" runs it after "make deploy". It fails if the model was not asked, or gave
// nothing. The plan stays and is carried out by nobody.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/web"
)

const (
	instruction = "Increase prices by 10% for all in-stock fitness products, rounded to .99."
	goalApp     = "goal_planning_agent"
)

// messages are the conversation. It must end in a goal that is final.
var messages = []string{
	"I want to run a 10 km race in spring. I have five hours a week for it.",
	"Not on Mondays, and my team meets on Tuesdays 10 to 11.",
	"Looks good, save it",
}

func main() {
	planner := flag.String("planner", "", "address of the planner: terraform output -raw planner_url")
	session := flag.String("session", "",
		"address of the session function: terraform output -raw session_url")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := smoke(ctx, os.Stdout, *planner, *session)
	if err != nil {
		fmt.Fprintln(os.Stderr, "smoke:", errs.Message(err))
		os.Exit(1)
	}
}

// smoke finds the caller's credentials and tries both functions with them.
func smoke(ctx context.Context, out io.Writer, planner, session string) error {
	if !strings.HasPrefix(planner, "http") ||
		!strings.HasPrefix(session, "http") { // terraform prints a warning where it has no outputs
		return errs.New(
			errs.Invalid,
			"There is no installation here: run make deploy first, or give -planner and -session.",
		)
	}
	token, err := exec.CommandContext(ctx, "gcloud", "auth", "print-identity-token").Output()
	if err != nil || len(token) == 0 {
		return errs.Wrap(
			errs.Denied,
			err,
			"There are no Google credentials here, and nothing was asked. Sign in as one who may call the functions, with gcloud auth login; then run make smoke again.",
		)
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute) // a request ends after two
	defer cancel()
	caller := identified(strings.TrimSpace(string(token)))
	try := trial{
		out:     out,
		now:     time.Now,
		planner: &web.Client{Base: planner, HTTP: caller},
		session: &web.Client{Base: session, HTTP: caller},
	}
	return try.run(ctx)
}

// identified adds a caller's identity token to each request. Cloud Run takes the signature
// off the one that it looks at itself.
type identified string

func (token identified) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(token))
	r.Header.Set("X-Serverless-Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(r)
}

// trial is one plan and one conversation.
type trial struct {
	out              io.Writer
	now              func() time.Time
	planner, session *web.Client
}

func (t trial) run(ctx context.Context) error {
	var me struct{ Name, Planner string }
	if err := t.planner.Get(ctx, "/v1/me", &me); err != nil {
		return err
	}
	if me.Planner != "gemini" {
		return errs.New(
			errs.Unavailable,
			"The planner plans by the grammar: it has no credentials for Gemini, and its log says why.",
		)
	}
	if err := t.plan(ctx); err != nil {
		return err
	}
	user := me.Name
	if user == "" {
		user = "smoke"
	}
	return t.converse(ctx, user)
}

// plan asks for a plan, which the model must have made.
func (t trial) plan(ctx context.Context) error {
	began := t.now()
	asked := map[string]string{
		"instruction":  instruction,
		"execution_id": fmt.Sprintf("smoke_%d_v1", began.UnixMilli()),
	}
	var got struct {
		Explanation []string
		Agreement   string
		Planner     struct {
			Model        string
			WithoutModel string `json:"without_model"`
			Attempts     int
			Tokens       struct{ Prompt, Answer, Cached, Thoughts int64 }
		}
	}
	if err := t.planner.Send(ctx, http.MethodPost, "/v1/plans", asked, &got); err != nil {
		return err
	}
	took := t.now().Sub(began)
	if got.Planner.WithoutModel != "" {
		return errs.New(
			errs.Unavailable,
			"The plan was made without the model after %s: %s.",
			took.Round(time.Millisecond),
			got.Planner.WithoutModel,
		)
	}
	tokens := got.Planner.Tokens
	_, err := fmt.Fprintf(
		t.out,
		"plan  %s  %s, %d attempts, agreement %s\n      tokens: %d read (%d cached), %d written, %d thought\n      %s\n",
		took.Round(time.Millisecond),
		got.Planner.Model,
		got.Planner.Attempts,
		got.Agreement,
		tokens.Prompt,
		tokens.Cached,
		tokens.Answer,
		tokens.Thoughts,
		strings.Join(got.Explanation, " "),
	)
	return err
}

// event is what is looked at of an event of a turn.
type event struct {
	Author        string
	UsageMetadata struct {
		PromptTokenCount, CachedContentTokenCount, CandidatesTokenCount, ThoughtsTokenCount int64
	}
	Actions struct {
		StateDelta struct {
			Output struct {
				Reply  string
				Action struct{ Type string }
			} `json:"final_output"`
		}
	}
}

// converse plans a goal in a session of its own, which is deleted then.
func (t trial) converse(ctx context.Context, user string) (err error) {
	id := fmt.Sprintf("smoke-%d", t.now().UnixMilli())
	path := "/apps/" + goalApp + "/users/" + url.PathEscape(user) + "/sessions/" + id
	if err := t.session.Send(ctx, http.MethodPost, path, map[string]any{}, &struct{}{}); err != nil {
		return err
	}
	defer func() {
		body, gone := t.session.Open(context.WithoutCancel(ctx), http.MethodDelete, path, "", "", nil)
		if gone == nil {
			gone = body.Close()
		}
		if err == nil {
			err = gone
		}
	}()
	action := ""
	for _, message := range messages {
		began := t.now()
		asked := map[string]any{
			"app_name": goalApp, "user_id": user, "session_id": id,
			"new_message": map[string]any{"role": "user", "parts": []any{map[string]string{"text": message}}},
		}
		var events []event
		if err := t.session.Send(ctx, http.MethodPost, "/run", asked, &events); err != nil {
			return err
		}
		if err := t.tell(events, t.now().Sub(began)); err != nil {
			return err
		}
		action = events[len(events)-1].Actions.StateDelta.Output.Action.Type
	}
	if action != "finalize_goal" {
		return errs.New(
			errs.Unusable,
			"The conversation ended with the action %s; it must make the goal final.",
			action,
		)
	}
	return nil
}

// tell prints what came of a turn. A turn without tokens is one that no model answered.
func (t trial) tell(events []event, took time.Duration) error {
	var read, cached, written, thought int64
	for _, e := range events {
		used := e.UsageMetadata
		read, cached = read+used.PromptTokenCount, cached+used.CachedContentTokenCount
		written, thought = written+used.CandidatesTokenCount, thought+used.ThoughtsTokenCount
	}
	if len(events) == 0 || read == 0 {
		return errs.New(
			errs.Unavailable,
			"The turn was answered without the model after %s: the session function's log says why.",
			took.Round(time.Millisecond),
		)
	}
	last := events[len(events)-1].Actions.StateDelta.Output
	_, err := fmt.Fprintf(
		t.out,
		"turn  %s  %d events, action %s\n      tokens: %d read (%d cached), %d written, %d thought\n      %s\n",
		took.Round(time.Millisecond),
		len(events),
		last.Action.Type,
		read,
		cached,
		written,
		thought,
		last.Reply,
	)
	return err
}
