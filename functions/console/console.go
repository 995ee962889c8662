// Package console serves the pages of a shop's manager: say what changes, check every
// price, apply, undo. It renders them here, and they work without script.
//
// It stores nothing and decides nothing. It calls the planner's and the sessions' API
// through web.Client, and hands tables in through the bucket port. A console that a person
// starts acts with that person's rights.
package console

import (
	"context"
	"embed"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/web"
)

//go:embed static
var static embed.FS

// Dependencies are what the pages work with.
type Dependencies struct {
	Planner  *web.Client
	Sessions *web.Client // nil where there is no goal planning
	// OwnRights says that the inbox may be written to with the rights of whoever reads
	// the pages, where the planner lets them not hand in.
	OwnRights bool
	Inbox     bucket.Bucket // with OwnRights
	// Files opens a bucket that executions read or write.
	Files func(name string) bucket.Bucket
	// Uploads is the address to which a browser sends tables itself, from pages of
	// PublicURL. The planner alone then holds them, and hands them in. "": they come
	// through the pages.
	Uploads, PublicURL string
	// AnySize says that the planner takes a table of any size as it comes through the pages.
	AnySize bool
	Log     *slog.Logger
	// Waiting names the tables, each behind its plan's folder, that are taken once there is room
	// on the disk; nil where there is no such folder.
	Waiting func() []string
	// About is where the server tells of itself; "" where it does not.
	About string
}

// Console is the pages. They keep nothing: tables are held by the planner.
type Console struct {
	Dependencies
	looks chan struct{} // those that run at this moment
	mu    sync.Mutex
	seen  map[viewer]*seen
	pages map[string]seenPage // by proposal and what is asked for
	mux   *http.ServeMux
	// drafts are what was understood of the sentences of New change.
	drafts *lru.Cache[string, draft]
	looked *lru.Cache[string, *plannerapi.Preview]
}

// New returns the pages.
func New(d Dependencies) *Console {
	if d.Log == nil {
		d.Log = logging.Discard
	}
	c := &Console{
		Dependencies: d,
		looks:        make(chan struct{}, maxLooks),
		seen:         map[viewer]*seen{},
		pages:        map[string]seenPage{},
		mux:          http.NewServeMux(),
	}
	c.drafts, c.looked = newStore[draft](maxDrafts), newStore[*plannerapi.Preview](maxLooked)
	c.route()
	return c
}

// newStore is a store of so many values: those that were not asked for longest go first.
func newStore[V any](size int) *lru.Cache[string, V] {
	store, err := lru.New[string, V](size)
	if err != nil {
		panic(err) // of a size that is none
	}
	return store
}

func (c *Console) route() {
	for pattern, handle := range map[string]handler{
		"GET /{$}":                          c.start,
		"POST /tables":                      c.dropTable,
		"POST /tables/sample":               c.holdSample,
		"GET /tables/{id}":                  c.sentTable,
		"POST /tables/{id}/settings":        c.readSo,
		"GET /new":                          c.newChange,
		"POST /new":                         c.pressed,
		"POST /new/result":                  c.newResult,
		"POST /new/names":                   c.newNames,
		"POST /new/changes.csv":             c.newCSV,
		"GET /plans/{id}":                   c.savedPlan,
		"POST /plans/{id}/table":            c.dropTable,
		"GET /executions":                   c.executions,
		"GET /executions/{id}":              c.change,
		"POST /executions/{id}/approve":     c.approve,
		"POST /executions/{id}/reject":      c.reject,
		"POST /executions/{id}/withdraw":    c.withdraw,
		"POST /executions/{id}/remind":      c.note(":remind", "reminded"),
		"POST /executions/{id}/imported":    c.note(":imported", "imported"),
		"POST /executions/{id}/time":        c.reschedule,
		"POST /executions/{id}/undo":        c.undo,
		"POST /executions/{id}/undo-file":   c.undoInFile,
		"GET /executions/{id}/files/{file}": c.download,
		"GET /executions/{id}/changes.csv":  c.changesCSV,
		"POST /shop/fetch":                  c.fetchShop,
		"GET /postings/{id}":                c.posting,
		"POST /postings/{id}/retry":         c.retryPosting,
		"GET /products":                     c.products,
		"GET /people":                       c.people,
		"GET /tables/{id}/check":            c.check,
		"GET /favicon.ico":                  favicon,
		"GET /live/start":                   c.liveStart,
		"GET /live/executions":              c.liveExecutions,
		"GET /live/executions/{id}":         c.liveExecution,
		"/":                                 nowhere,
	} {
		c.mux.HandleFunc(pattern, c.page(handle))
	}
	if c.Sessions != nil {
		c.mux.HandleFunc("GET /goal", c.page(c.goal))
		c.mux.HandleFunc("POST /goal", c.page(c.say))
	}
	if c.Uploads != "" {
		c.mux.HandleFunc("POST /tables/upload", c.openUpload)
	}
	c.mux.HandleFunc("GET /static/{file}", serveAsset)
}

// policy allows the page its own stylesheet, module and answers, the bucket where
// tables are sent to it, and nothing else: no script in a page, no other site.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self' %s; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// ServeHTTP answers with a page. It belongs inside web.LocalOnly, which keeps
// other sites' pages from it.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", fmt.Sprintf(policy, c.Uploads))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.mux.ServeHTTP(w, r)
}

// handler answers with a page, or returns why there is none.
type handler func(w http.ResponseWriter, r *http.Request) error

// page makes a handler answer its error with a page too.
func (c *Console) page(handle handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if err := handle(w, r); err != nil {
			c.fail(w, r, err)
		}
	}
}

func nowhere(_ http.ResponseWriter, _ *http.Request) error {
	return errs.New(errs.NotFound, "There is no page here.")
}

// problem is what a page says of an error.
type problem struct {
	Message   string
	Retry     bool
	Ours      bool // not for the reader to mend
	Missing   bool
	RequestID string
	Again     string // an address to try again at
}

// Title says what kind of problem it is.
func (p problem) Title() string {
	switch {
	case p.Missing:
		return "Not found"
	case p.Retry:
		return "Not now"
	case p.Ours:
		return "Something went wrong"
	}
	return "This was not done"
}

func (c *Console) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == context.Canceled {
		return // the reader has gone
	}
	status := web.StatusOf(errs.KindOf(err))
	if status >= http.StatusInternalServerError {
		web.Log(r.Context()).ErrorContext(r.Context(), "page failed", "error", err)
	}
	shown := problem{
		Message:   errs.Message(err),
		Retry:     errs.Retryable(err),
		Ours:      status >= http.StatusInternalServerError,
		Missing:   status == http.StatusNotFound,
		RequestID: web.RequestID(r.Context()),
		Again:     "/",
	}
	switch id := r.PathValue("id"); {
	case r.Method == http.MethodGet && shown.Retry:
		shown.Again = r.URL.RequestURI()
	case r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/executions/"):
		shown.Again = "/executions"
	case id != "" && strings.HasPrefix(r.URL.Path, "/executions/"):
		shown.Again = "/executions/" + id
	case r.URL.Path == "/goal":
		shown.Again = "/goal"
	case id != "" && strings.HasPrefix(r.URL.Path, "/tables/"):
		shown.Again = "/?table=" + id
	case id != "" && r.Method == http.MethodPost:
		shown.Again = "/plans/" + id
	}
	c.render(w, r, status, "problem", page{Title: shown.Title(), Body: shown})
}
