package session

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"time"

	adk "google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// createSession makes a session of the id in the path.
func (h handler) createSession(w http.ResponseWriter, r *http.Request, key sessions.Key) (any, error) {
	state, err := h.initialState(w, r, key.App)
	if err != nil {
		return nil, err
	}
	return h.create(r, key, state)
}

func (h handler) create(r *http.Request, key sessions.Key, state map[string]any) (any, error) {
	created, err := h.service.Create(r.Context(), &adk.CreateRequest{
		AppName: key.App, UserID: key.User, SessionID: key.Session, State: state,
	})
	if err != nil {
		return nil, tooLarge(err)
	}
	return show(created.Session), nil
}

// newSession makes a session of an id of ours, or of the one in the body. The
// body is ADK's: none, or {"session_id", "state", "events"}.
func (h handler) newSession(w http.ResponseWriter, r *http.Request) (any, error) {
	key := sessions.Key{App: r.PathValue("app"), User: r.PathValue("user")}
	named, err := h.app(key.App)
	if err != nil {
		return nil, err
	}
	if err := h.admit(r, key.User); err != nil {
		return nil, err
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
			return nil, err
		}
	}
	return h.create(r, key, state)
}

// initialState reads the body of a creation: none, {"state": {...}} or the
// state itself.
func (h handler) initialState(
	w http.ResponseWriter,
	r *http.Request,
	appName string,
) (state map[string]any, err error) {
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

// How many events a session is shown with where the client does not say, and the most.
const (
	defaultEvents = 500
	mostEvents    = 5_000
)

func (h handler) getSession(_ http.ResponseWriter, r *http.Request, key sessions.Key) (any, error) {
	var count int
	err := web.ReadQuery(r, func(q *web.Query) {
		q.AllowUnknown()
		count = q.WholeNumber("num_recent_events", defaultEvents, mostEvents)
	})
	if err != nil {
		return nil, err
	}
	found, err := h.service.Get(r.Context(), &adk.GetRequest{
		AppName: key.App, UserID: key.User, SessionID: key.Session, NumRecentEvents: count,
	})
	if err != nil {
		return nil, err
	}
	return show(found.Session), nil
}

// updateSession changes a session's state without a turn, and answers with the
// session. The body is ADK's: {"state_delta": {...}}.
func (h handler) updateSession(w http.ResponseWriter, r *http.Request, key sessions.Key) (any, error) {
	var delta map[string]any
	if err := web.ReadObject(w, r, func(o *strictjson.Object) {
		o.AllowUnknown()
		delta = readState(either(o, "state_delta", "stateDelta"), h.apps[key.App])
	}); err != nil {
		return nil, err
	}
	if err := h.service.UpdateState(r.Context(), key, delta); err != nil {
		return nil, tooLarge(err)
	}
	return h.getSession(w, r, key)
}

// deleteSession answers null, as ADK does.
func (h handler) deleteSession(_ http.ResponseWriter, r *http.Request, key sessions.Key) (any, error) {
	if err := h.service.Find(r.Context(), key); err != nil {
		return nil, err
	}
	err := h.service.Delete(
		r.Context(),
		&adk.DeleteRequest{AppName: key.App, UserID: key.User, SessionID: key.Session},
	)
	return web.Reply{Status: http.StatusOK}, err
}

// listSessions answers with a page of a user's sessions, the last used first.
// ADK's clients expect the bare array, so the next page is named in a Link
// header.
func (h handler) listSessions(w http.ResponseWriter, r *http.Request) (any, error) {
	name, user := r.PathValue("app"), r.PathValue("user")
	if _, err := h.app(name); err != nil {
		return nil, err
	}
	if err := sessions.CheckID("user id", user); err != nil {
		return nil, err
	}
	if err := h.admit(r, user); err != nil {
		return nil, err
	}
	var after sessions.Place
	var size int
	if err := web.ReadQuery(r, func(q *web.Query) { after, size = readPage(q, user) }); err != nil {
		return nil, err
	}
	page, last, err := h.service.ListPage(r.Context(), name, user, after, size)
	if err != nil {
		return nil, err
	}
	if last != (sessions.Place{}) {
		next := url.Values{"page_size": {strconv.Itoa(size)}, "page_token": {pageToken(last)}}
		w.Header().Set("Link", "<?"+next.Encode()+`>; rel="next"`)
	}
	answers := make([]sessionAnswer, len(page))
	for i, found := range page {
		answers[i] = show(found)
	}
	return answers, nil
}

func pageToken(last sessions.Place) string {
	text, err := json.Marshal(last)
	if err != nil { // a year beyond 9999
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// readPage reads page_size and page_token of a list of the user's sessions.
func readPage(q *web.Query, user string) (after sessions.Place, size int) {
	q.AllowUnknown()
	size = q.WholeNumber("page_size", sessions.MaxPage, sessions.MaxPage)
	token, _ := q.Text("page_token")
	if token == "" {
		return after, size
	}
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil {
		err = json.Unmarshal(text, &after)
	}
	if err != nil || after.UpdatedAt.IsZero() || sessions.CheckID("session id", after.Session) != nil {
		q.Problem("page_token", "is not one that a list gave")
	}
	after.UpdatedAt, after.User = after.UpdatedAt.UTC(), user
	return after, size
}

// sessionAnswer is a session as ADK's REST API shows it.
type sessionAnswer struct {
	ID             string         `json:"id"`
	AppName        string         `json:"appName"`
	UserID         string         `json:"userId"`
	State          map[string]any `json:"state"`
	Events         []eventAnswer  `json:"events"`
	LastUpdateTime float64        `json:"lastUpdateTime"` // seconds since 1970
}

// eventAnswer is an event as ADK's REST API shows it, its time in seconds
// since 1970.
type eventAnswer struct {
	*adk.Event
	Timestamp float64 `json:"timestamp"`
}

func show(s adk.Session) sessionAnswer {
	answer := sessionAnswer{
		ID:             s.ID(),
		AppName:        s.AppName(),
		UserID:         s.UserID(),
		State:          maps.Collect(s.State().All()),
		Events:         []eventAnswer{},
		LastUpdateTime: seconds(s.LastUpdateTime()),
	}
	for event := range s.Events().All() {
		answer.Events = append(answer.Events, showEvent(event))
	}
	return answer
}

func showEvent(event *adk.Event) eventAnswer {
	return eventAnswer{event, seconds(event.Timestamp)}
}

func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }
