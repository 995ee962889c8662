package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/web"
)

// conversation is a session of the session function, as a client of ADK has it.
type conversation struct {
	*web.Client
	app, user, session string
}

// agentEvent is what is read of an event.
type agentEvent struct {
	Author  string `json:"author"`
	Content struct {
		Parts []struct {
			Text         string `json:"text"`
			FunctionCall *struct {
				Name string `json:"name"`
			} `json:"functionCall"`
			FunctionResponse *struct {
				Name     string         `json:"name"`
				Response map[string]any `json:"response"`
			} `json:"functionResponse"`
		} `json:"parts"`
	} `json:"content"`
	Actions struct {
		StateDelta map[string]any `json:"stateDelta"`
	} `json:"actions"`
	Error *web.Failure `json:"error"` // in the place of an event
}

func (c conversation) path() string {
	return "/apps/" + url.PathEscape(c.app) + "/users/" + url.PathEscape(c.user) +
		"/sessions/" + url.PathEscape(c.session)
}

// create makes the session.
func (c conversation) create(ctx context.Context, state map[string]any) error {
	return c.Send(ctx, http.MethodPost, c.path(), map[string]any{"state": state}, &struct{}{})
}

// stream runs one turn and gives each event to show as it comes.
func (c conversation) stream(ctx context.Context, message string, show func(agentEvent)) error {
	body, err := json.Marshal(map[string]any{
		"app_name": c.app, "user_id": c.user, "session_id": c.session,
		"new_message": map[string]any{"role": "user", "parts": []any{map[string]any{"text": message}}},
	})
	if err != nil {
		return err
	}
	answer, err := c.Open(ctx, http.MethodPost, "/run_sse", "", "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer answer.Close()
	lines := bufio.NewScanner(answer)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var event agentEvent
		if err := json.Unmarshal([]byte(data), &event); err != nil {
			return errs.Wrap(errs.Unusable, err, "An event of the answer cannot be read.")
		}
		if event.Error != nil {
			return errs.New(errs.Unavailable, "%s", event.Error.Message)
		}
		show(event)
	}
	if err := lines.Err(); err != nil {
		return errs.Wrap(errs.Unavailable, err, "The answer broke off.")
	}
	return nil
}
