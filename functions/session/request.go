package session

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// maxMessage is the most characters of a message.
const maxMessage = 10_000

// turnRequest is one message to a session, however it came in.
type turnRequest struct {
	key       sessions.Key
	messageID string
	seen      time.Time // the session's last change that the client has read; zero is not said
	text      string
	delta     map[string]any // of the state: the client's own and the context of the message
	streaming bool           // send what a model has said so far too
}

// identity is the request in a form that is the same for the same request.
func (t turnRequest) identity() []byte {
	text, err := json.Marshal([]any{t.text, t.delta})
	if err != nil { // the delta was read from JSON
		panic(err)
	}
	return text
}

// readRun reads the body of /run as ADK's clients write it, with names in
// snake_case or camelCase. Names that are not known here are passed over, for
// they differ between ADK's versions.
func (h handler) readRun(data []byte) (turnRequest, error) {
	var request turnRequest
	var named app
	err := web.Problems(strictjson.ReadObject(data, func(o *strictjson.Object) {
		o.AllowUnknown()
		request.key.App, _ = either(o, "app_name", "appName").String()
		request.key.User, _ = either(o, "user_id", "userId").String()
		request.key.Session, _ = either(o, "session_id", "sessionId").String()
		request.messageID, _ = optional(o, "message_id", "messageId").String()
		request.seen = readSeconds(optional(o, "last_update_time", "lastUpdateTime"))
		request.streaming, _ = o.Optional("streaming").Bool()
		named = h.apps[request.key.App]
		request.delta = readState(optional(o, "state_delta", "stateDelta"), named)
		either(o, "new_message", "newMessage").Object(func(message *strictjson.Object) {
			h.readMessage(message, named, &request)
		})
	}))
	if err != nil {
		return turnRequest{}, err
	}
	if _, err := h.app(request.key.App); err != nil {
		return turnRequest{}, err
	}
	return request, request.key.Check()
}

// readSeconds reads a time as seconds writes it.
func readSeconds(field strictjson.Field) time.Time {
	text, ok := field.Number()
	if !ok {
		return time.Time{}
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || number <= 0 {
		field.Problem("is no time in seconds since 1970")
		return time.Time{}
	}
	return time.UnixMicro(int64(math.Round(number * 1e6)))
}

// optional returns the field under one of its two names.
func optional(o *strictjson.Object, snake, camel string) strictjson.Field {
	field, other := o.Optional(snake), o.Optional(camel)
	switch {
	case field.Given() && other.Given():
		other.Problem("is given twice, as %s too", snake)
	case other.Given():
		return other
	}
	return field
}

// either is optional for a field that must be there.
func either(o *strictjson.Object, snake, camel string) strictjson.Field {
	if field := optional(o, snake, camel); field.Given() {
		return field
	}
	return o.Required(snake)
}

func (h handler) readMessage(message *strictjson.Object, named app, request *turnRequest) {
	role := message.Optional("role")
	if text, ok := role.String(); ok && text != genai.RoleUser {
		role.Problem("must be %q", genai.RoleUser)
	}
	var texts []string
	brought := false // context, and perhaps no text
	parts := message.Required("parts")
	parts.Array(func(_ int, part strictjson.Field) {
		part.Object(func(o *strictjson.Object) {
			call := optional(o, "function_call", "functionCall")
			switch {
			case call.Given():
				brought = true
				h.readContext(call, named, request)
			default:
				text, _ := o.Required("text").String()
				texts = append(texts, text)
			}
		})
	})
	request.text = strings.TrimSpace(strings.Join(texts, "\n"))
	if utf8.RuneCountInString(request.text) > maxMessage {
		parts.Problem("hold more than %d characters", maxMessage)
	}
	if request.text == "" && !brought {
		parts.Problem("must hold a text")
	}
}

// readContext reads a function call by which a message brings context: it sets
// a state key and does not reach the model.
func (h handler) readContext(call strictjson.Field, named app, request *turnRequest) {
	call.Object(func(o *strictjson.Object) {
		o.AllowUnknown() // an id, which nothing refers to
		name := o.Required("name")
		text, _ := name.String()
		key, known := named.contexts[text]
		if !known {
			name.Problem("is not a context that this app takes")
		}
		o.Required("args").Object(func(o *strictjson.Object) {
			if !known {
				o.AllowUnknown()
				return
			}
			if request.delta == nil {
				request.delta = map[string]any{}
			}
			value := o.Optional(key)
			named.setState(request.delta, key, value)
			if !value.Given() {
				request.delta[key] = nil // null takes the context back
			}
		})
	})
}

// readState reads state that a client brings. Keys that others share, or that
// end with the turn, are not a client's to set.
func readState(field strictjson.Field, named app) map[string]any {
	var state map[string]any
	field.Object(func(o *strictjson.Object) {
		state = map[string]any{}
		for _, member := range field.Value().Members() {
			value := o.Optional(member.Name)
			for _, prefix := range []string{
				session.KeyPrefixApp, session.KeyPrefixUser, session.KeyPrefixTemp,
			} {
				if strings.HasPrefix(member.Name, prefix) {
					value.Problem("cannot be set here: keys that begin with %s belong to the service", prefix)
				}
			}
			named.setState(state, member.Name, value)
		}
	})
	return state
}

// setState sets a state key to a value that the app accepts. A null sets
// nothing.
func (a app) setState(state map[string]any, key string, value strictjson.Field) {
	if a.own != nil && a.own(key) {
		return
	}
	read := value.Value().Plain
	if a.readState != nil {
		read = func() any { return a.readState(key, value) }
	}
	if kept := read(); value.Given() {
		state[key] = kept
	}
}

// tooLarge gives what is too large to be stored its status.
func tooLarge(err error) error {
	var large *sessions.TooLarge
	if errors.As(err, &large) {
		return web.TooLarge("%s", large.Error())
	}
	return err
}
