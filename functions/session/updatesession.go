package session

import (
	"net/http"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// updateSession changes a session's state without a turn, and answers with the
// session. The body is ADK's: {"state_delta": {...}}.
func (h handler) updateSession(w http.ResponseWriter, r *http.Request, key sessions.Key) error {
	var delta map[string]any
	if err := web.ReadObject(w, r, func(o *strictjson.Object) {
		o.AllowUnknown()
		delta = readState(either(o, "state_delta", "stateDelta"), h.apps[key.App])
	}); err != nil {
		return err
	}
	if err := h.service.UpdateState(r.Context(), key, delta); err != nil {
		return tooLarge(err)
	}
	return h.getSession(w, r, key)
}
