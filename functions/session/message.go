package session

import (
	"net/http"
	"strings"
	"unicode/utf8"

	adk "google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/agents/goalplanning"
	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// message runs one turn of goal planning and answers with the standard output
// alone. A session that is not there yet is created.
func (h handler) message(w http.ResponseWriter, r *http.Request) (any, error) {
	request := turnRequest{key: sessions.Key{App: goalplanning.App}}
	err := web.ReadObject(w, r, func(o *strictjson.Object) {
		request.key.User, _ = either(o, "user_id", "userId").String()
		request.key.Session, _ = either(o, "session_id", "sessionId").String()
		request.messageID, _ = optional(o, "message_id", "messageId").String()
		request.seen = readSeconds(optional(o, "last_update_time", "lastUpdateTime"))
		text := o.Required("message")
		request.text, _ = text.String()
		request.text = strings.TrimSpace(request.text)
		switch {
		case text.Given() && request.text == "":
			text.Problem("must not be empty")
		case utf8.RuneCountInString(request.text) > maxMessage:
			text.Problem("is longer than %d characters", maxMessage)
		}
	})
	if err != nil {
		return nil, err
	}
	if err := h.admit(r, request.key.User); err != nil {
		return nil, err
	}
	turn, err := h.begin(r.Context(), request)
	if errs.KindOf(err) == errs.NotFound {
		turn, err = h.createAndBegin(r, request)
	}
	if err != nil {
		return nil, err
	}
	list, err := h.finish(r.Context(), turn, request, func(*adk.Event) {})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || list[len(list)-1].Actions.StateDelta[goal.KeyOutput] == nil {
		return nil, errs.New(errs.Internal, "The turn ended without an answer.")
	}
	return list[len(list)-1].Actions.StateDelta[goal.KeyOutput], nil
}

// createAndBegin begins a turn in a new session. One that another message
// created meanwhile will do.
func (h handler) createAndBegin(r *http.Request, request turnRequest) (*sessions.OpenTurn, error) {
	key := request.key
	_, err := h.service.Create(
		r.Context(),
		&adk.CreateRequest{AppName: key.App, UserID: key.User, SessionID: key.Session},
	)
	if err != nil && errs.KindOf(err) != errs.Conflict {
		return nil, err
	}
	return h.begin(r.Context(), request)
}
