package session

import (
	"net/http"

	adk "google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// createSession makes a session of the id in the path.
func (h handler) createSession(w http.ResponseWriter, r *http.Request, key sessions.Key) error {
	state, err := h.initialState(w, r, key.App)
	if err != nil {
		return err
	}
	return h.create(w, r, key, state)
}

func (h handler) create(w http.ResponseWriter, r *http.Request, key sessions.Key, state map[string]any) error {
	created, err := h.service.Create(r.Context(), &adk.CreateRequest{
		AppName: key.App, UserID: key.User, SessionID: key.Session, State: state,
	})
	if err != nil {
		return tooLarge(err)
	}
	web.WriteJSON(w, http.StatusOK, show(created.Session))
	return nil
}

// newSession makes a session of an id of ours, or of the one in the body. The
// body is ADK's: none, or {"session_id", "state", "events"}.
func (h handler) newSession(w http.ResponseWriter, r *http.Request) error {
	key := sessions.Key{App: r.PathValue("app"), User: r.PathValue("user")}
	named, err := h.app(key.App)
	if err != nil {
		return err
	}
	if err := h.admit(r, key.User); err != nil {
		return err
	}
	var state map[string]any
	if r.ContentLength != 0 {
		if err := web.ReadObject(w, r, func(o *strictjson.Object) {
			o.AllowUnknown()
			key.Session, _ = optional(o, "session_id", "sessionId").String()
			state = readState(o.Optional("state"), named)
			if events := o.Optional("events"); len(events.Value().Items()) > 0 {
				events.Problem("cannot be imported: a session begins without any")
			}
		}); err != nil {
			return err
		}
	}
	return h.create(w, r, key, state)
}

// initialState reads the body of a creation: none, {"state": {...}} or the
// state itself.
func (h handler) initialState(w http.ResponseWriter, r *http.Request, appName string) (state map[string]any, err error) {
	if r.ContentLength == 0 {
		return nil, nil
	}
	err = web.ReadJSON(w, r, func(data []byte) error {
		value, problems := strictjson.Parse(data)
		list := &strictjson.List{}
		field := strictjson.FieldOf(value, nil, list)
		for _, member := range value.Members() {
			if member.Name == "state" && member.Value.Kind() == strictjson.KindObject {
				var body *strictjson.Path
				field = strictjson.FieldOf(member.Value, body.Name("state"), list)
			}
		}
		state = readState(field, h.apps[appName])
		return web.Problems(append(problems, list.Problems()...))
	})
	return state, err
}
