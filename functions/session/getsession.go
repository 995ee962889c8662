package session

import (
	"net/http"
	"strconv"

	adk "google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/web"
)

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
