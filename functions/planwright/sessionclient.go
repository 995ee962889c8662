package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/web"
)

// sessionClient speaks to the session function as a client of ADK does.
type sessionClient struct {
	base string // with the path under which the function is mounted
	http *http.Client
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
	Error *serviceError `json:"error"` // in the place of an event
}

// serviceError is the form of every error of the service.
type serviceError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// create makes a session.
func (c sessionClient) create(ctx context.Context, app, user, session string, state map[string]any) error {
	body, err := c.post(ctx, sessionPath(app, user, session), map[string]any{"state": state})
	if err != nil {
		return err
	}
	return body.Close()
}

// stream runs one turn and gives each event to show as it comes.
func (c sessionClient) stream(ctx context.Context, app, user, session, message string, show func(agentEvent)) error {
	body, err := c.post(ctx, "/run_sse", map[string]any{
		"app_name": app, "user_id": user, "session_id": session,
		"new_message": map[string]any{"role": "user", "parts": []any{map[string]any{"text": message}}},
	})
	if err != nil {
		return err
	}
	defer body.Close()
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var event agentEvent
		if err := json.Unmarshal([]byte(data), &event); err != nil {
			return unreadable(err)
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

// goalAnswer is the standard output of goal planning.
type goalAnswer struct {
	Reply  string `json:"reply"`
	Action struct {
		Type    string `json:"type"`
		Payload struct {
			GoalDraft *goalDraft `json:"goalDraft"`
		} `json:"payload"`
	} `json:"action"`
}

// message sends one message to goal planning. Under the same id it is answered
// once, however often it is sent.
func (c sessionClient) message(ctx context.Context, user, session, text, id string) (goalAnswer, error) {
	var answer goalAnswer
	body, err := c.post(ctx, "/v1/agent/goal/session:message", map[string]any{
		"user_id": user, "session_id": session, "message": text, "message_id": id,
	})
	if err != nil {
		return answer, err
	}
	return answer, decodeAnswer(body, &answer)
}

// context brings context into a session, as a function call.
func (c sessionClient) context(ctx context.Context, app, user, session, name string, args map[string]any) error {
	body, err := c.post(ctx, "/run", map[string]any{
		"app_name": app, "user_id": user, "session_id": session,
		"new_message": map[string]any{"role": "user", "parts": []any{
			map[string]any{"function_call": map[string]any{"name": name, "args": args}}}},
	})
	if err != nil {
		return err
	}
	return body.Close()
}

// state reads a session's state.
func (c sessionClient) state(ctx context.Context, app, user, session string, into any) error {
	return c.read(ctx, sessionPath(app, user, session)+"?num_recent_events=1", &struct {
		State any `json:"state"`
	}{into})
}

func sessionPath(app, user, session string) string {
	return "/apps/" + url.PathEscape(app) + "/users/" + url.PathEscape(user) + "/sessions/" + url.PathEscape(session)
}

func decodeAnswer(body io.ReadCloser, into any) error {
	defer body.Close()
	if err := json.NewDecoder(body).Decode(into); err != nil {
		return unreadable(err)
	}
	return nil
}

// post sends JSON and returns the body of a 200 or 201.
func (c sessionClient) post(ctx context.Context, path string, body any) (io.ReadCloser, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	return c.do(request)
}

// do sends a request and returns the body of a 200 or 201.
func (c sessionClient) do(request *http.Request) (io.ReadCloser, error) {
	response, err := c.http.Do(request)
	if err != nil {
		return nil, errs.Wrap(errs.Unavailable, err, "There is no answer at %s. Is the server running? (planwright serve)", c.base)
	}
	if response.StatusCode == http.StatusOK || response.StatusCode == http.StatusCreated {
		return response.Body, nil
	}
	defer response.Body.Close()
	var refused struct {
		Error serviceError `json:"error"`
	}
	if err := json.NewDecoder(response.Body).Decode(&refused); err != nil || refused.Error.Message == "" {
		return nil, unreadable(err)
	}
	return nil, errs.New(web.KindOf(response.StatusCode), "%s", refused.Error.Message)
}

func unreadable(err error) error {
	return errs.Wrap(errs.Unusable, err, "The server there is not Planwright.")
}
