package session

import (
	"net/http"

	adk "google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/web"
)

// How many events a session is shown with where the client does not say, and the most.
const (
	defaultEvents = 500
	mostEvents    = 5_000
)

func (h handler) getSession(w http.ResponseWriter, r *http.Request, key sessions.Key) error {
	count, err := web.WholeNumber(r.URL.Query(), "num_recent_events", defaultEvents, mostEvents)
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
