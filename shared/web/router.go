package web

import (
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/logging"
)

// Handler returns the answer to a request, which the router sends as JSON, or why there
// is none. An answer that is no Reply is a 200, and nil is one that the handler has
// written itself: once it has begun to, it must return no error.
type Handler func(w http.ResponseWriter, r *http.Request) (any, error)

// Reply is an answer with a status of its own.
type Reply struct {
	Status int
	Value  any
}

// Router finds the handler of a request. It is a http.ServeMux that answers
// 404 and 405 in our own form and knows custom methods: a pattern such as
//
//	POST /v1/plans/{execution_id}:preview
//
// whose last segment ends in a colon and a verb. Path values named in
// loggedValues go on every log line of the request.
type Router struct {
	mux      *http.ServeMux
	verbs    []string
	patterns []string
}

// loggedValues are the path values that identify a piece of work.
var loggedValues = []string{"execution_id", "app", "user", "session"}

// NewRouter returns a router without routes.
func NewRouter() *Router { return &Router{mux: http.NewServeMux()} }

// Handle adds a route. It panics where the pattern is wrong or taken.
func (rt *Router) Handle(pattern string, handle Handler) {
	rt.patterns = append(rt.patterns, pattern)
	pattern, verb := splitVerb(pattern)
	if verb != "" && !slices.Contains(rt.verbs, verb) {
		rt.verbs = append(rt.verbs, verb)
	}
	rt.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		annotate(r)
		answer, err := handle(w, r)
		if body, kept := r.Body.(*ErrorReader); kept && answer != nil && err == nil {
			err = body.Err // of half a body no answer is right
		}
		if err != nil {
			Refuse(w, r, err)
			return
		}
		switch answer := answer.(type) {
		case nil:
		case Reply:
			WriteJSON(w, answer.Status, answer.Value)
		default:
			WriteJSON(w, http.StatusOK, answer)
		}
	})
}

// Patterns returns the routes as they were added.
func (rt *Router) Patterns() []string { return slices.Clone(rt.patterns) }

// ServeHTTP answers the request.
func (rt *Router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !clean(r.URL.EscapedPath()) {
		rt.nothing(w, r)
		return
	}
	if _, err := url.ParseQuery(r.URL.RawQuery); err != nil {
		fail(
			w,
			r,
			Malformed(
				"The parameters behind the path cannot be read: write a semicolon in them as %%3B, and a percent sign as %%25.",
			),
		)
		return
	}
	routed := rt.withVerb(r)
	handler, pattern := rt.mux.Handler(routed)
	if pattern != "" {
		rt.mux.ServeHTTP(w, routed)
		return
	}
	probe := &head{header: http.Header{}} // what ServeMux would answer
	handler.ServeHTTP(probe, routed)
	_, verb := splitVerb(r.URL.EscapedPath())
	if unknown := verb != "" && routed == r; probe.status == http.StatusMethodNotAllowed && !unknown {
		fail(w, r, wrongMethod(r.Method, probe.header.Get("Allow")))
		return
	}
	rt.nothing(w, r)
}

// head is the beginning of an answer, whose rest is of no use.
type head struct {
	header http.Header
	status int
}

func (h *head) Header() http.Header            { return h.header }
func (h *head) WriteHeader(status int)         { h.status = status }
func (h *head) Write(data []byte) (int, error) { return len(data), nil }

// nothing answers 404 with the path as the caller wrote it, also where the
// router is mounted under a prefix.
func (rt *Router) nothing(w http.ResponseWriter, r *http.Request) {
	path, _, _ := strings.Cut(r.RequestURI, "?")
	fail(w, r, noRoute(path, slices.Contains(rt.patterns, "GET /openapi.json")))
}

// clean reports whether a path is as a caller should write it. ServeMux would
// redirect another one, and lose the prefix under which it is mounted.
func clean(escaped string) bool {
	return escaped == "/" || path.Clean(escaped) == strings.TrimSuffix(escaped, "/")
}

// withVerb gives a custom method a path segment of its own, for ServeMux
// matches whole segments only. A colon that is part of a name can be sent as %3A.
func (rt *Router) withVerb(r *http.Request) *http.Request {
	split, verb := splitVerb(r.URL.EscapedPath())
	if verb == "" || !slices.Contains(rt.verbs, verb) {
		return r
	}
	routed, at := r.WithContext(r.Context()), *r.URL
	at.Path, at.RawPath = strings.TrimSuffix(r.URL.Path, ":"+verb)+"/:/"+verb, ""
	if r.URL.RawPath != "" {
		at.RawPath = split
	}
	routed.URL = &at
	return routed
}

// splitVerb turns "x/y:verb" into "x/y/:/verb" and the verb. Two segments, so
// that no wildcard of one segment takes them.
func splitVerb(p string) (split, verb string) {
	at := strings.LastIndexByte(p, ':')
	if at < strings.LastIndexByte(p, '/') || at < 0 {
		return p, ""
	}
	return p[:at] + "/:/" + p[at+1:], p[at+1:]
}

func annotate(r *http.Request) {
	for _, name := range loggedValues {
		if value := r.PathValue(name); value != "" {
			logging.Add(r.Context(), slog.String(name, value[:min(len(value), 200)]))
		}
	}
}
