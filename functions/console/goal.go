package console

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/planwright/planwright/shared/errs"
)

const (
	goalApp  = "goal_planning_agent"
	goalUser = "console"
)

// goalPage is a conversation and the plan that it has come to.
type goalPage struct {
	Session string
	Message string // the id of the next one, so that sending twice says it once
	Said    []said
	Draft   *goalDraft
	Done    bool
}

// said is what one of the two said.
type said struct{ By, Text string }

// goalDraft is what is shown of a plan for a goal.
type goalDraft struct {
	Title       string
	Description string
	Milestones  []struct {
		Title string
		Tasks []struct {
			Title          string
			Date           string
			EstimatedHours float64
		}
	}
}

// goal shows a conversation, or the beginning of one.
func (c *Console) goal(w http.ResponseWriter, r *http.Request) error {
	shown := goalPage{Session: r.URL.Query().Get("session"), Message: rand.Text()}
	if shown.Session != "" {
		if err := c.conversation(r, &shown); err != nil {
			return err
		}
	}
	c.render(w, http.StatusOK, "goal", page{Title: "Goal", Here: "goal", Body: shown})
	return nil
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
			GoalPreview json.RawMessage
			Step        string
		}
	}
	path := "/apps/" + goalApp + "/users/" + goalUser + "/sessions/" + url.PathEscape(shown.Session)
	if err := c.Sessions.read(r.Context(), path, nil, &session); err != nil {
		return err
	}
	for _, event := range session.Events {
		switch output := event.Actions.StateDelta.Output; {
		case event.Author == "user":
			for _, part := range event.Content.Parts {
				shown.Said = append(shown.Said, said{"You", part.Text})
			}
		case output != nil:
			shown.Said = append(shown.Said, said{"Planwright", output.Reply})
		}
	}
	shown.Done = session.State.Step == "finalized"
	if len(session.State.GoalPreview) == 0 || string(session.State.GoalPreview) == "null" {
		return nil
	}
	if err := json.Unmarshal(session.State.GoalPreview, &shown.Draft); err != nil {
		return errs.Wrap(errs.Unusable, err, "The plan of this conversation cannot be read.")
	}
	return nil
}

// say sends a message and leads back to the conversation.
func (c *Console) say(w http.ResponseWriter, r *http.Request) error {
	text := strings.TrimSpace(field(w, r, "message"))
	session := r.PostFormValue("session")
	if session == "" {
		session = "goal-" + strings.ToLower(rand.Text()[:10])
	}
	err := c.Sessions.write(r.Context(), http.MethodPost, "/v1/agent/goal/session:message", map[string]string{
		"user_id": goalUser, "session_id": session, "message": text, "message_id": r.PostFormValue("message_id"),
	}, &struct{}{})
	if err != nil {
		return err
	}
	seeOther(w, r, "/goal", "session", session)
	return nil
}
