package session

import (
	"maps"
	"net/http"
	"strconv"
	"time"

	adk "google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

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
		ID: s.ID(), AppName: s.AppName(), UserID: s.UserID(),
		State: maps.Collect(s.State().All()), Events: []eventAnswer{}, LastUpdateTime: seconds(s.LastUpdateTime()),
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

func (h handler) createSession(w http.ResponseWriter, r *http.Request, key sessions.Key) error {
	state, err := h.initialState(w, r, key.App)
	if err != nil {
		return err
	}
	created, err := h.service.Create(r.Context(), &adk.CreateRequest{
		AppName: key.App, UserID: key.User, SessionID: key.Session, State: state,
	})
	if err != nil {
		return tooLarge(err)
	}
	web.WriteJSON(w, http.StatusOK, show(created.Session))
	return nil
}

// initialState reads the body of a creation: none, {"state": {...}} or the
// state itself.
func (h handler) initialState(w http.ResponseWriter, r *http.Request, appName string) (map[string]any, error) {
	if r.ContentLength == 0 {
		return nil, nil
	}
	data, err := web.ReadJSON(w, r)
	if err != nil {
		return nil, err
	}
	value, problems := strictjson.Parse(data)
	list := &strictjson.List{}
	field := strictjson.FieldOf(value, nil, list)
	for _, member := range value.Members() {
		if member.Name == "state" && member.Value.Kind() == strictjson.KindObject {
			var body *strictjson.Path
			field = strictjson.FieldOf(member.Value, body.Name("state"), list)
		}
	}
	state := readState(field, h.apps[appName])
	return state, web.Problems(append(problems, list.Problems()...))
}

func (h handler) getSession(w http.ResponseWriter, r *http.Request, key sessions.Key) error {
	count, err := recentEvents(r)
	if err != nil {
		return err
	}
	found, err := h.service.Get(r.Context(), &adk.GetRequest{
		AppName: key.App, UserID: key.User, SessionID: key.Session, NumRecentEvents: count,
	})
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, show(found.Session))
	return nil
}

// recentEvents reads num_recent_events, how many of the newest events to show.
func recentEvents(r *http.Request) (int, error) {
	text := r.URL.Query().Get("num_recent_events")
	if text == "" {
		return sessions.DefaultEvents, nil
	}
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 || count > sessions.MostEvents {
		return 0, errs.New(errs.Invalid, "num_recent_events must be a whole number from 1 to %d.", sessions.MostEvents)
	}
	return count, nil
}

// deleteSession answers null, as ADK does.
func (h handler) deleteSession(w http.ResponseWriter, r *http.Request, key sessions.Key) error {
	if err := h.service.Find(r.Context(), key); err != nil {
		return err
	}
	err := h.service.Delete(r.Context(), &adk.DeleteRequest{AppName: key.App, UserID: key.User, SessionID: key.Session})
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, nil)
	return nil
}
