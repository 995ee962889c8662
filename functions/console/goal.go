package console

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning"
	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/web"
)

// goalUser is whose conversations those are that the reader sees.
func (c *Console) goalUser(r *http.Request) string { return cmp.Or(c.me(r).Name, "console") }

// goalPage is a conversation and the plan that it has come to.
type goalPage struct {
	Session    string
	Message    string // the id of the next one, so that sending twice says it once
	Utterances []utterance
	Seen       json.Number // the conversation's last change, which the next message speaks of
	Text       string      // of a message that was not taken
	Problem    string      // why it was not
	Draft      *goal.Draft
	Hours      string // that there are for the goal; "" is no limit
	Done       bool
	Earlier    []earlier // conversations, where this is not one yet
}

// earlier is a conversation that was had, and the plan that it has come to.
type earlier struct {
	Session, Title string
	At             time.Time
	Done           bool
}

// utterance is what one of the two said.
type utterance struct{ By, Text string }

// goal shows a conversation, or the beginning of one.
func (c *Console) goal(w http.ResponseWriter, r *http.Request) error {
	return c.showGoal(w, r, http.StatusOK,
		goalPage{Session: r.URL.Query().Get("session"), Message: rand.Text()})
}

func (c *Console) showGoal(w http.ResponseWriter, r *http.Request, status int, shown goalPage) (err error) {
	if shown.Session != "" {
		err = c.conversation(r, &shown)
	} else {
		shown.Earlier, err = c.earlier(r)
	}
	if err != nil {
		return err
	}
	c.render(w, r, status, "goal", page{Title: "Goal", Here: "goal", Body: shown})
	return nil
}

// maxEarlier is how many conversations are listed.
const maxEarlier = "50"

// earlier lists the reader's conversations that have come to a plan, the newest first.
func (c *Console) earlier(r *http.Request) (all []earlier, err error) {
	var list []struct {
		ID             string
		LastUpdateTime float64
		State          struct {
			GoalPreview *struct{ Title string }
			Step        string
		}
	}
	if err := c.Sessions.Get(r.Context(), sessionPath(c.goalUser(r), "")+"?page_size="+maxEarlier,
		&list); err != nil {
		return nil, err
	}
	for _, had := range list {
		if draft := had.State.GoalPreview; draft != nil {
			all = append(all, earlier{
				had.ID, draft.Title, time.Unix(int64(had.LastUpdateTime), 0), had.State.Step == "finalized",
			})
		}
	}
	return all, nil
}

// conversation reads what was said.
func (c *Console) conversation(r *http.Request, shown *goalPage) error {
	var session struct {
		Events []struct {
			Author  string
			Content struct{ Parts []struct{ Text string } }
			Actions struct {
				StateDelta struct {
					Output *struct{ Reply string } `json:"final_output"`
				}
			}
		}
		State struct {
			GoalPreview        json.RawMessage
			AvailableHoursLeft json.Number
			Step               string
		}
		LastUpdateTime json.Number
	}
	err := c.Sessions.Get(r.Context(), sessionPath(c.goalUser(r), shown.Session), &session)
	if errs.KindOf(err) == errs.NotFound {
		return errs.Wrap(errs.NotFound, err,
			"There is no such conversation of yours. Those that there are stand under Goal.")
	} else if err != nil {
		return err
	}
	for _, event := range session.Events {
		switch output := event.Actions.StateDelta.Output; {
		case event.Author == "user":
			for _, part := range event.Content.Parts {
				if part.Text != "" {
					shown.Utterances = append(shown.Utterances, utterance{"You", part.Text})
				}
			}
		case output != nil:
			shown.Utterances = append(shown.Utterances, utterance{"Planwright", output.Reply})
		}
	}
	shown.Seen = session.LastUpdateTime
	shown.Done, shown.Hours = session.State.Step == "finalized", cmp.Or(
		shown.Hours, session.State.AvailableHoursLeft.String(),
	)
	if len(session.State.GoalPreview) == 0 || string(session.State.GoalPreview) == "null" {
		return nil
	}
	if err := json.Unmarshal(session.State.GoalPreview, &shown.Draft); err != nil {
		return errs.Wrap(errs.Unusable, err, "The plan of this conversation cannot be read.")
	}
	return nil
}

func sessionPath(user, session string) string {
	return strings.TrimSuffix(
		"/apps/"+goalplanning.App+"/users/"+url.PathEscape(user)+"/sessions/"+url.PathEscape(session), "/",
	)
}

// say sends a message, with the hours that there are, and leads back to the
// conversation, which its first message begins. A message that is not taken stays in its
// field, beside the conversation as it is now.
func (c *Console) say(w http.ResponseWriter, r *http.Request) error {
	shown := goalPage{
		Text:    strings.TrimSpace(field(w, r, "message")),
		Message: r.PostFormValue("message_id"),
		Session: r.PostFormValue("session"),
		Hours:   strings.TrimSpace(r.PostFormValue("hours")),
	}
	err := c.sendMessage(r, &shown)
	switch kind := errs.KindOf(err); {
	case err == nil:
		seeOther(w, r, "/goal", url.Values{"session": {shown.Session}})
		return nil
	case kind == errs.Invalid, kind == errs.Conflict:
		shown.Message = rand.Text()
	case !errs.Retryable(err): // otherwise it keeps its id, for it may have been taken
		return err
	}
	shown.Problem = errs.Message(err)
	return c.showGoal(w, r, web.StatusOf(errs.KindOf(err)), shown)
}

// sendMessage sends the message of a form, and begins its conversation where there is none yet.
func (c *Console) sendMessage(r *http.Request, shown *goalPage) error {
	args := map[string]any{}
	if shown.Hours != "" {
		hours, err := strconv.ParseFloat(shown.Hours, 64)
		if err != nil || hours < 0 || math.IsInf(hours, 0) {
			return errs.New(errs.Invalid,
				"%q is no number of hours. Write one such as 20, or leave the field empty for no limit.",
				shown.Hours)
		}
		args["availableHoursLeft"] = hours
	}
	user := c.goalUser(r)
	if shown.Session == "" && shown.Text != "" && shown.Message != "" {
		session := "goal-" + strings.ToLower(shown.Message)
		err := c.Sessions.Send(r.Context(), http.MethodPost,
			sessionPath(user, session), map[string]any{}, &struct{}{})
		if err != nil && errs.KindOf(err) != errs.Conflict { // there already: the message was sent twice
			return err
		}
		shown.Session = session
	}
	message := map[string]any{
		"app_name":   goalplanning.App,
		"user_id":    user,
		"session_id": shown.Session,
		"message_id": shown.Message,
		"new_message": map[string]any{"role": "user", "parts": []any{
			map[string]any{"function_call": map[string]any{"name": "time_context", "args": args}},
			map[string]string{"text": shown.Text},
		}},
	}
	if seen := r.PostFormValue("seen"); seen != "" {
		message["last_update_time"] = json.Number(seen)
	}
	return c.Sessions.Send(r.Context(), http.MethodPost, "/run", message, &[]struct{}{})
}
