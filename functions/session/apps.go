package session

import (
	"net/http"
	"slices"
	"strings"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"

	"github.com/planwright/planwright/shared/agents/failuresequence"
	"github.com/planwright/planwright/shared/agents/goalplanning"
	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// app is one of the apps that clients may name.
type app struct {
	runner *runner.Runner
	// contexts maps the names of function calls by which a message brings
	// context to the state key, and argument, that each sets.
	contexts map[string]string
	// readState returns what is kept of a value that a client brings for a state
	// key, and notes what is wrong with it; nil keeps everything.
	readState func(key string, value strictjson.Field) any
}

// histories are what the turns of the apps are shown of the turns before them.
var histories = map[string]sessions.History{
	goalplanning.App: {Keep: goalplanning.KeepEvent, MaxEvents: goalplanning.MaxHistory},
}

// Models answer for the agents, by the names of their apps.
type Models map[string]model.LLM

// OneModel answers for the agents of every app.
func OneModel(llm model.LLM) Models {
	return Models{failuresequence.App: llm, goalplanning.App: llm}
}

// apps builds every app.
func (d Dependencies) apps(service *sessions.Service) (map[string]app, error) {
	sequence, err := failuresequence.New(failuresequence.Config{Model: d.Models[failuresequence.App], Log: d.Log})
	if err != nil {
		return nil, err
	}
	workflow, err := goalplanning.New(goalplanning.Config{Model: d.Models[goalplanning.App], Now: d.Now, Log: d.Log})
	if err != nil {
		return nil, err
	}
	apps := map[string]app{}
	for name, built := range map[string]struct {
		root agent.Agent
		app
	}{
		failuresequence.App: {root: sequence},
		goalplanning.App:    {workflow, app{contexts: goalplanning.Contexts, readState: goal.ReadState}},
	} {
		r, err := runner.New(runner.Config{AppName: name, Agent: built.root, SessionService: service})
		if err != nil {
			return nil, err
		}
		built.app.runner = r
		apps[name] = built.app
	}
	return apps, nil
}

// app returns the app of that name. NotFound: there is none.
func (h handler) app(name string) (app, error) {
	found, ok := h.apps[name]
	if !ok {
		return app{}, errs.New(errs.NotFound, "There is no app %s; there are %s.", strictjson.Quote(name), strings.Join(h.appNames(), " and "))
	}
	return found, nil
}

func (h handler) appNames() []string {
	names := make([]string, 0, len(h.apps))
	for name := range h.apps {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// listApps answers with the names of the apps.
func (h handler) listApps(w http.ResponseWriter, _ *http.Request) error {
	web.WriteJSON(w, http.StatusOK, h.appNames())
	return nil
}
