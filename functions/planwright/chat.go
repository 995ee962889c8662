package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/shared/agents/goalplanning"
	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/web"
)

// chatOptions are the flags of chat.
type chatOptions struct {
	form
	server, user, session, language, zone string
}

func chatCommand(env environment) *cobra.Command {
	var o chatOptions
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "Plan a goal in a conversation with the running server",
		Long: `Talks to the goal planner of a running server (planwright serve), one message a
line, and shows the plan after each. Say what you want to achieve, change the
plan in words, and approve it: "looks good, save it". /quit leaves; --session goes
on with it later.`,
		Args: cobra.NoArgs,
		RunE: action(func(ctx context.Context) error { return runChat(ctx, env, o) }),
	}
	o.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&o.server, "server", "http://127.0.0.1:"+env.port(), "address of the server")
	flags.StringVar(&o.user, "user", "local", "whose conversation it is")
	flags.StringVar(&o.session, "session", "", "a conversation to go on with (default: a new one)")
	flags.StringVar(&o.language, "language", "", "language of the replies")
	flags.StringVar(&o.zone, "time-zone", "", "your time zone, such as Europe/Berlin (default UTC)")
	return cmd
}

// runChat holds the conversation until its input ends.
func runChat(ctx context.Context, env environment, o chatOptions) error {
	client := &web.Client{Base: strings.TrimSuffix(o.server, "/") + "/session", HTTP: network}
	c := chat{
		out:          env.stdout,
		options:      o,
		conversation: conversation{client, goalplanning.App, o.user, o.session},
	}
	if err := c.open(ctx); err != nil {
		return err
	}
	typed := bufio.NewScanner(env.stdin)
	typed.Buffer(nil, 64<<10)
	for c.prompt(); typed.Scan(); c.prompt() {
		line := strings.TrimSpace(typed.Text())
		if line == "/quit" {
			return nil
		}
		if err := c.handle(ctx, line); err != nil {
			if err := c.refused(ctx, err); err != nil {
				return err
			}
		}
	}
	if o.form != "json" {
		fmt.Fprintln(c.out)
	}
	return typed.Err()
}

// chat is a conversation about a goal.
type chat struct {
	conversation
	out     io.Writer
	options chatOptions
	plan    *goal.Draft
	updated json.Number // when the conversation was changed last, as far as it was read
}

func (c *chat) prompt() {
	if c.options.form != "json" {
		fmt.Fprint(c.out, "> ")
	}
}

// answer says something, with the plan as it stands.
func (c *chat) answer(name, said, text string) error {
	if printed, err := c.options.print(c.out, map[string]any{name: said, "plan": c.plan}); printed ||
		err != nil {
		return err
	}
	fmt.Fprintln(c.out, text)
	printDraft(c.out, c.plan)
	return nil
}

// refused says why a line was not taken: it is wrong, or another changed the
// conversation meanwhile, whose plan is shown then. Any other reason is returned.
func (c *chat) refused(ctx context.Context, why error) error {
	message := errs.Message(why)
	switch errs.KindOf(why) {
	case errs.Invalid:
		if printed, err := c.options.print(c.out, map[string]string{"error": message}); printed ||
			err != nil {
			return err
		}
		fmt.Fprintln(c.out, message)
		return nil
	case errs.Conflict:
		if err := c.read(ctx); err != nil {
			return err
		}
		return c.answer("error", message, message)
	default:
		return why
	}
}

// open begins the session, or finds what was said in it before.
func (c *chat) open(ctx context.Context) error {
	if c.session == "" {
		c.session = "chat-" + strings.ToLower(rand.Text()[:8])
	}
	state := map[string]any{}
	if c.options.language != "" {
		state["preferred_language"] = c.options.language
	}
	if c.options.zone != "" {
		state["time_zone"] = c.options.zone
	}
	if err := c.create(ctx, state); err != nil && errs.KindOf(err) != errs.Conflict {
		return err
	}
	if err := c.read(ctx); err != nil {
		return err
	}
	return c.answer(
		"session",
		c.session,
		"Session "+c.session+". What is your goal? /quit leaves, planwright chat --help says more.",
	)
}

// read reads the plan as it stands, and when the conversation was changed last.
func (c *chat) read(ctx context.Context) error {
	var session struct {
		LastUpdateTime json.Number `json:"lastUpdateTime"`
		State          struct {
			GoalPreview *goal.Draft `json:"goalPreview"`
		} `json:"state"`
	}
	if err := c.Get(ctx, c.path()+"?num_recent_events=1", &session); err != nil {
		return err
	}
	c.plan, c.updated = session.State.GoalPreview, session.LastUpdateTime
	return nil
}

// handle sends what a line says. One that begins as a command is none of ours.
func (c *chat) handle(ctx context.Context, line string) error {
	if line == "" {
		return nil
	}
	if word, _, _ := strings.Cut(line, " "); strings.HasPrefix(word, "/") {
		return errs.New(
			errs.Invalid,
			"There is no command %s; there is /quit. Say in words what you want, such as \"keep the total within 20 hours\".",
			word,
		)
	}
	return c.say(ctx, line)
}

// say sends a message about the conversation as it was read, and shows the answer.
func (c *chat) say(ctx context.Context, message string) error {
	var answer struct{ Reply string }
	err := c.Send(ctx, http.MethodPost, "/v1/agent/goal/session:message", map[string]any{
		"user_id":          c.user,
		"session_id":       c.session,
		"message":          message,
		"message_id":       rand.Text(),
		"last_update_time": c.updated,
	}, &answer)
	if err != nil {
		return err
	}
	if err := c.read(ctx); err != nil {
		return err
	}
	return c.answer("reply", answer.Reply, lines(answer.Reply))
}
