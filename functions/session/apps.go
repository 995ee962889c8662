package session

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/runner"

	"github.com/planwright/planwright/shared/agents/failuresequence"
	sequenceoffline "github.com/planwright/planwright/shared/agents/failuresequence/offline"
	"github.com/planwright/planwright/shared/agents/goalplanning"
	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	goaloffline "github.com/planwright/planwright/shared/agents/goalplanning/offline"
	"github.com/planwright/planwright/shared/agents/offline"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/strictjson"
)

// app is one of the apps that clients may name.
type app struct {
	build func(Dependencies) (agent.Agent, error)
	// offline answers for the agents where there is no model.
	offline offline.Model
	// history is what a turn is shown of the turns before it; zero: the newest
	// events whole.
	history sessions.History
	// contexts maps the names of function calls by which a message brings
	// context to the state key, and argument, that each sets.
	contexts map[string]string
	// readState returns what is kept of a value that a client brings for a state
	// key, and notes what is wrong with it; nil keeps everything.
	readState func(key string, value strictjson.Field) any
	// own reports whether a state key is the session's alone: what a client says of it is passed over.
	own func(key string) bool

	runner *runner.Runner
}

// apps are all of them, by name.
var apps = map[string]app{
	goalplanning.App: {
		build: func(d Dependencies) (agent.Agent, error) {
			return goalplanning.New(goalplanning.Config{Model: d.Model, Now: d.Now, Log: d.Log})
		},
		offline:   goaloffline.Model,
		history:   sessions.History{Keep: goalplanning.KeepEvent, MaxEvents: goalplanning.MaxHistory},
		contexts:  goalplanning.Contexts,
		readState: goal.ReadState,
		own:       goal.Own,
	},
	failuresequence.App: {
		build: func(d Dependencies) (agent.Agent, error) {
			return failuresequence.New(failuresequence.Config{Model: d.Model, Log: d.Log})
		},
		offline: sequenceoffline.Model,
	},
}

// Offline answers for the agents of every app, by rules.
func Offline() offline.Model {
	all := offline.Model{}
	for _, a := range apps {
		maps.Copy(all, a.offline)
	}
	return all
}

// newHandler builds every app over one service of sessions.
func newHandler(d Dependencies) (handler, error) {
	d = d.withDefaults()
	histories := map[string]sessions.History{}
	for name, a := range apps {
		if a.history.Keep != nil {
			histories[name] = a.history
		}
	}
	h := handler{
		d,
		sessions.NewService(
			d.Store,
			sessions.Options{TTL: d.SessionTTL, Now: d.Now, Wait: d.Wait, Histories: histories},
		),
		map[string]app{},
	}
	for name, a := range apps {
		root, err := a.build(d)
		if err != nil {
			return h, err
		}
		a.runner, err = runner.New(runner.Config{AppName: name, Agent: root, SessionService: h.service})
		if err != nil {
			return h, err
		}
		h.apps[name] = a
	}
	return h, nil
}

// app returns the app of that name. NotFound: there is none.
func (h handler) app(name string) (app, error) {
	found, ok := h.apps[name]
	if !ok {
		return app{}, errs.New(
			errs.NotFound,
			"There is no app %s; there are %s.",
			strictjson.Quote(name),
			strings.Join(h.appNames(), " and "),
		)
	}
	return found, nil
}

func (h handler) appNames() []string { return slices.Sorted(maps.Keys(h.apps)) }

// listApps answers with the names of the apps.
func (h handler) listApps(http.ResponseWriter, *http.Request) (any, error) { return h.appNames(), nil }
