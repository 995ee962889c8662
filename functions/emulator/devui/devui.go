// Package devui serves ADK's own web page over the session function's calls. A developer
// talks to both apps there, and looks at their events and state.
package devui

import (
	"net/http"

	"github.com/gorilla/mux"
	"google.golang.org/adk/v2/cmd/launcher/web/webui"

	"github.com/planwright/planwright/shared/web"
)

// Path is where the page lies.
const Path = "/dev-ui/"

// launcherPath is where ADK's launcher serves the page.
const launcherPath = "/ui/"

// NewPage returns the page, for requests below Path. It looks for ADK's calls
// below api, a path of the same server.
func NewPage(api string) (http.Handler, error) {
	launcher := webui.NewLauncher()
	if _, err := launcher.Parse([]string{"-api_server_address", api}); err != nil {
		return nil, err
	}
	router := mux.NewRouter()
	if err := launcher.SetupSubrouters(router, nil); err != nil {
		return nil, err
	}
	return moved(Path, launcherPath, router), nil
}

// moved serves paths below one prefix by a handler that expects them below
// another.
func moved(from, to string, next http.Handler) http.Handler {
	return http.StripPrefix(from, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		there := r.Clone(r.Context())
		there.URL.Path, there.URL.RawPath = to+r.URL.Path, ""
		next.ServeHTTP(w, there)
	}))
}

// NewDevCalls answers the calls below /dev/apps that the page makes beside ADK's
// REST API: there are no traces and no recorded tests, and nothing else of it.
func NewDevCalls() http.Handler {
	router := web.NewRouter()
	router.Handle("GET /dev/apps/{app}/debug/trace/session/{session}", nothing)
	router.Handle("GET /dev/apps/{app}/tests", nothing)
	return router
}

func nothing(http.ResponseWriter, *http.Request) (any, error) { return []any{}, nil }
