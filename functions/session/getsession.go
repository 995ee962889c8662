package session

import (
	"net/http"

	adk "google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/web"
)

func (h handler) getSession(w http.ResponseWriter, r *http.Request, key sessions.Key) error {
	count, err := web.WholeNumber(r.URL.Query(), "num_recent_events", sessions.DefaultEvents, sessions.MostEvents)
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
