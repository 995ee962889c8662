package emulator

import (
	"bytes"
	"context"
	"embed"
	htmltemplate "html/template"
	"net/http"
	"path/filepath"
	"strings"
	texttemplate "text/template"

	"github.com/planwright/planwright/shared/web"
)

//go:embed pages
var pages embed.FS

var (
	htmlPage = htmltemplate.Must(htmltemplate.ParseFS(pages, "pages/index.html"))
	textPage = texttemplate.Must(texttemplate.ParseFS(pages, "pages/index.txt"))
)

// page is what / shows.
type page struct {
	Data    string // the folder
	Planner string // who plans
	Agents  string // who answers for the agents
	Ledger  string // where records lie
	Objects string // where objects lie
	Next    []step
	Routes  []route
}

// step is a command to type, and why.
type step struct{ Why, Command string }

// route is one call that the server answers.
type route struct{ Method, Path, What string }

// Link reports whether a browser can simply open the route.
func (r route) Link() bool { return r.Method == http.MethodGet && !strings.Contains(r.Path, "{") }

// routes are listed in the order in which a newcomer meets them.
var routes = []route{
	{"POST", "/planner/v1/plans", "an instruction becomes a stored plan"},
	{"PUT", "/planner/v1/plans/{execution_id}", "store a plan written by hand"},
	{"POST", "/planner/v1/plans:validate", "check a plan, store nothing"},
	{"GET", "/planner/v1/plans/{execution_id}", "a stored plan"},
	{"POST", "/planner/v1/plans/{execution_id}:preview", "what the plan would change in a CSV"},
	{"GET", "/planner/v1/executions", "executions, newest first"},
	{"GET", "/planner/v1/executions/{execution_id}", "how an execution stands, and its record"},
	{"GET", "/planner/v1/executions/{execution_id}/changes", "every row it changed"},
	{"GET", "/planner/v1/skus/{sku}/changes", "the history of one SKU"},
	{"GET", "/planner/v1/schema/execution_plan.json", "the JSON Schema of a plan"},
	{"GET", "/planner/openapi.json", "the planner's calls in full"},
	{"POST", "/executor", "a CloudEvent: an object was uploaded"},
	{"GET", "/dev-ui/", "ADK's web page: talk to the agent apps, see their events and state"},
	{"GET", "/session/list-apps", "the agent apps"},
	{"POST", "/session/apps/{app}/users/{user}/sessions/{session}", "begin a session"},
	{"POST", "/session/run", "one turn, all of its events"},
	{"POST", "/session/run_sse", "one turn, its events as they come"},
	{"POST", "/session/v1/agent/goal/session:message", "one turn of goal planning, the answer alone"},
	{"GET", "/session/openapi.json", "the session's calls in full"},
	{"GET", "/healthz", "200 while the server can work"},
}

// nextSteps are the commands that show the product to whoever just started it.
func nextSteps(address, inbox string) []step {
	const id = "plan_fitness_price_increase_10pct_v1"
	return []step{
		{"Turn a sentence into a plan. The answer names its execution id.",
			`curl -s ` + address + `/planner/v1/plans -H 'Content-Type: application/json' -d '{"instruction": "Increase prices by 10% for all in-stock fitness products.", "execution_id": "` + id + `"}'`},
		{"Drop a product table into the plan's folder.", dropCommand(inbox, id)},
		{"Ask how it went. The result lies in the outbox.",
			`curl -s ` + address + `/planner/v1/executions/` + id},
	}
}

// dropCommand puts a table into the folder of its plan.
func dropCommand(inbox, executionID string) string {
	folder := quoted(filepath.ToSlash(inbox) + "/" + executionID)
	return "mkdir -p " + folder + " && cp testdata/products.csv " + folder + "/"
}

// quoted is text as one word of a shell.
func quoted(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// serve answers with the page as HTML to browsers and as text to all others.
func (p page) serve(w http.ResponseWriter, r *http.Request) error {
	var body bytes.Buffer
	contentType := "text/plain; charset=utf-8"
	render := textPage.Execute
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		contentType, render = "text/html; charset=utf-8", htmlPage.Execute
	}
	if err := render(&body, p); err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	_, _ = w.Write(body.Bytes()) // a reader that is gone cannot be told
	return nil
}

// health answers 200 with one word as long as ready returns nil.
func health(ready func(context.Context) error) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := ready(r.Context()); err != nil {
			return err
		}
		web.WriteJSON(w, http.StatusOK, map[string]string{"status": "ok"})
		return nil
	}
}
