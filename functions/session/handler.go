package session

import (
	"cmp"
	"context"
	_ "embed" // the description of the calls
	"log/slog"
	"net/http"
	"time"

	"google.golang.org/adk/v2/model"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/web"
)

// OpenAPI describes every call in OpenAPI 3.1.
//
//go:embed openapi.json
var OpenAPI []byte

// Model answers for the agents.
type Model = model.LLM

// Dependencies are what the handler works with.
type Dependencies struct {
	Store sessions.Store
	Model Model
	// Caller returns the user that a request's sender is, who may use no other's
	// sessions; "" may name any user. nil lets all senders name any.
	Caller func(*http.Request) (string, error)
	// SessionTTL is how long an idle session is kept; 0 is 30 days.
	SessionTTL time.Duration
	// TurnTimeout bounds the agents' part of a turn; 0 is 100 s. It must be
	// shorter than the request's own time, so that the turn can be stored.
	TurnTimeout time.Duration
	// KeepAlive is how often a stream without events shows that it lives; 0 is
	// 15 s.
	KeepAlive time.Duration
	Log       *slog.Logger     // nil discards
	Now       func() time.Time // nil is time.Now
	// Wait lets time pass while another delivery of a message works on it; nil is a timer.
	Wait func(context.Context, time.Duration) error
}

func (d Dependencies) withDefaults() Dependencies {
	d.TurnTimeout = cmp.Or(d.TurnTimeout, 100*time.Second)
	d.KeepAlive = cmp.Or(d.KeepAlive, 15*time.Second)
	d.Log = cmp.Or(d.Log, logging.Discard)
	if d.Now == nil {
		d.Now = time.Now
	}
	return d
}

// handler answers the session's calls.
type handler struct {
	Dependencies
	service *sessions.Service
	apps    map[string]app
}

// NewHandler returns the session's calls. It belongs inside a web.Service,
// which gives requests their ids, deadlines and log lines.
func NewHandler(d Dependencies) (http.Handler, error) {
	h, err := newHandler(d)
	if err != nil {
		return nil, err
	}
	return h.routes(), nil
}

func (h handler) routes() *web.Router {
	const all = "/apps/{app}/users/{user}/sessions"
	const session = all + "/{session}"
	router := web.NewRouter()
	router.Handle("GET /list-apps", h.listApps)
	router.Handle("GET "+all, h.listSessions)
	router.Handle("POST "+all, h.newSession)
	router.Handle("POST "+session, h.withKey(h.createSession))
	router.Handle("GET "+session, h.withKey(h.getSession))
	router.Handle("PATCH "+session, h.withKey(h.updateSession))
	router.Handle("DELETE "+session, h.withKey(h.deleteSession))
	router.Handle("POST /run", h.run)
	router.Handle("POST /run_sse", h.runSSE)
	router.Handle("POST /v1/agent/goal/session:message", h.message)
	router.Handle("GET /version", version)
	for _, pattern := range []string{
		"GET " + session + "/artifacts", "POST " + session + "/artifacts",
		"GET " + session + "/artifacts/{artifact}", "DELETE " + session + "/artifacts/{artifact}",
		"GET " + session + "/artifacts/{artifact}/versions",
		"GET " + session + "/artifacts/{artifact}/versions/{version}",
	} {
		router.Handle(pattern, absent("Artifacts are not kept here: these agents make none."))
	}
	router.Handle(
		"PATCH /apps/{app}/users/{user}/memory",
		absent("There is no memory across sessions here: a session's state is all that is kept."),
	)
	router.Handle(
		"GET /run_live",
		absent("Live conversation, with audio or video, is not served here. Use /run or /run_sse."),
	)
	router.Handle("GET /openapi.json", web.Document("application/json", OpenAPI))
	return router
}

// absent answers for a call of ADK's REST API that is not served.
func absent(why string) web.Handler {
	return func(http.ResponseWriter, *http.Request) (any, error) { return nil, web.NotImplemented("%s", why) }
}

// withKey gives a handler the key of the path, once its app is known to exist.
func (h handler) withKey(
	handle func(w http.ResponseWriter, r *http.Request, key sessions.Key) (any, error),
) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) (any, error) {
		key := sessions.Key{
			App:     r.PathValue("app"),
			User:    r.PathValue("user"),
			Session: r.PathValue("session"),
		}
		if _, err := h.app(key.App); err != nil {
			return nil, err
		}
		if err := key.Check(); err != nil {
			return nil, err
		}
		if err := h.admit(r, key.User); err != nil {
			return nil, err
		}
		return handle(w, r, key)
	}
}

// admit refuses a request about the sessions of another user than its sender.
func (h handler) admit(r *http.Request, user string) error {
	if h.Caller == nil {
		return nil
	}
	caller, err := h.Caller(r)
	if err == nil && caller != "" && user != caller {
		err = errs.New(errs.Denied, "You are %s and can use only the sessions of that user id.", caller)
	}
	return err
}
