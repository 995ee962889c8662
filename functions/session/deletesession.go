package session

import (
	"net/http"

	adk "google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/web"
)

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
