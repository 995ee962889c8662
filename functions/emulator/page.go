package emulator

import (
	"bytes"
	"context"
	"embed"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/planwright/planwright/functions/emulator/devui"
	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

//go:embed pages
var pages embed.FS

var textPage = template.Must(template.ParseFS(pages, "pages/index.txt"))

// page is what / shows to a terminal, and /about to everybody.
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

// routes are all calls: the server's own, and each function's as its description
// lists them.
func routes() []route {
	return slices.Concat([]route{
		{"GET", "/", "the console, in a browser; this text, in a terminal"},
		{"GET", devui.Path, "ADK's web page: talk to the agent apps, see their events and state"},
		{"GET", "/healthz", "200 while the server can work"},
		{"POST", "/executor", "a CloudEvent: an object was uploaded"},
	}, described("/planner", planner.OpenAPI), described("/session", session.OpenAPI))
}

// described lists the calls of an OpenAPI description in its order.
func described(prefix string, openAPI []byte) (list []route) {
	document, _ := strictjson.Parse(openAPI)
	paths, _ := document.Member("paths")
	for _, path := range paths.Members() {
		for _, call := range path.Value.Members() {
			if summary, is := call.Value.Member("summary"); is {
				list = append(list, route{strings.ToUpper(call.Name), prefix + path.Name, summary.Text()})
			}
		}
	}
	return list
}

// nextSteps are the commands that show the product to a person who just started
// it. Past a proxy they name their sender themselves, in its header.
func nextSteps(address, inbox, userHeader string) []step {
	curl := "curl -s "
	if userHeader != "" {
		curl += `-H "` + userHeader + `: $USER" `
	}
	const id = "plan_fitness_price_increase_10pct_v1"
	return []step{
		{"Turn a sentence into a plan. The answer names its execution id.",
			curl + address + `/planner/v1/plans -H 'Content-Type: application/json' -d '{"instruction": "Increase prices by 10% for all in-stock fitness products.", "execution_id": "` + id + `"}'`},
		{"Drop a product table into the plan's folder.", dropCommand(inbox, id, "testdata/products.csv")},
		{"Ask how it went. The result lies in the outbox.",
			curl + address + `/planner/v1/executions/` + id},
	}
}

// dropCommand puts a table into the folder of its plan.
func dropCommand(inbox, executionID, table string) string {
	folder := quoted(filepath.ToSlash(inbox) + "/" + executionID)
	return "mkdir -p " + folder + " && cp " + table + " " + folder + "/"
}

// quoted is text as one word of a shell.
func quoted(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// serve answers with the page as text.
func (p page) serve(w http.ResponseWriter, r *http.Request) (any, error) {
	var body bytes.Buffer
	if err := textPage.Execute(&body, p); err != nil {
		return nil, err
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	return web.Document("text/plain; charset=utf-8", body.Bytes())(w, r)
}

// forPeople reports whether a request is a browser's, for a page or what
// belongs to one. A browser that saves a file accepts anything, and names no page.
func forPeople(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/html") ||
		slices.ContainsFunc([]string{"/live/", "/plans/", "/executions/"},
			func(part string) bool { return strings.HasPrefix(r.URL.Path, part) })
}

// health answers 200 with one word as long as ready returns nil.
func health(ready func(context.Context) error) web.Handler {
	return func(_ http.ResponseWriter, r *http.Request) (any, error) {
		return map[string]string{"status": "ok"}, ready(r.Context())
	}
}
