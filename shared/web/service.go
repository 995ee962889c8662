// Package web is everything about HTTP that the functions share: limits on bodies, strict
// JSON, one form of an error, one table from kinds of errors to status codes, request ids,
// deadlines, recovery from panics, and one log line a request.
//
//	router := web.NewRouter()
//	router.Handle("GET /v1/plans/{execution_id}", handler.getPlan)
//	return web.Service{Name: "planner", Log: log, Timeout: time.Minute}.Serve(router)
//
// A Handler returns its error and never writes one. People see the error's message
// (errs.Message); the log has its cause under the request's id.
package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
)

// Service is what surrounds every request to a function.
type Service struct {
	Name    string           // on every log line as "service"
	Project string           // the cloud project, to tie log lines to traces; may be ""
	Log     *slog.Logger     // nil discards
	Timeout time.Duration    // of a whole request; 0 means none of ours
	NewID   func() string    // of a request that brings none; nil is random
	Now     func() time.Time // nil is time.Now
}

// RequestIDHeader carries a request's id both ways.
const RequestIDHeader = "X-Request-Id"

// Of these characters a request's id has at most 64.
const idCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

// request is what a service knows of the request it is serving.
type request struct {
	id  string
	log *slog.Logger
	err error // the one that was answered, for the log line
}

type requestKey struct{}

func requestOf(ctx context.Context) *request {
	if known, ok := ctx.Value(requestKey{}).(*request); ok {
		return known
	}
	return &request{log: logging.Discard}
}

// RequestID returns the id of the request that ctx belongs to.
func RequestID(ctx context.Context) string { return requestOf(ctx).id }

// Log returns the logger of the request that ctx belongs to.
func Log(ctx context.Context) *slog.Logger { return requestOf(ctx).log }

// Serve surrounds next with what every request gets.
func (s Service) Serve(next http.Handler) http.Handler {
	s = s.withDefaults()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := s.Now()
		known := &request{id: s.requestID(r), log: s.Log.With("service", s.Name)}
		ctx := context.WithValue(r.Context(), requestKey{}, known)
		ctx = logging.Scope(
			ctx,
			append(logging.Trace(s.Project, r.Header), slog.String("request_id", known.id))...)
		if s.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, s.Timeout)
			defer cancel()
		}
		w.Header().Set(RequestIDHeader, known.id)
		seen := &observed{ResponseWriter: w}
		serve(seen, r.WithContext(ctx), next)
		s.report(ctx, r, seen, known, s.Now().Sub(started))
	})
}

func (s Service) withDefaults() Service {
	s.Log = cmp.Or(s.Log, logging.Discard)
	if s.NewID == nil {
		s.NewID = rand.Text
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	return s
}

func (s Service) requestID(r *http.Request) string {
	if id := r.Header.Get(RequestIDHeader); id != "" && len(id) <= 64 &&
		strings.Trim(id, idCharacters) == "" {
		return id
	}
	return s.NewID()
}

// serve runs next and turns a panic into a 500, or, where the answer has
// begun, into a connection that breaks off: half an answer must not look whole.
func serve(w *observed, r *http.Request, next http.Handler) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if cause == http.ErrAbortHandler {
			panic(cause)
		}
		requestOf(r.Context()).log.ErrorContext(r.Context(), "panic",
			"cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
		if w.status != 0 {
			panic(http.ErrAbortHandler)
		}
		fail(w, r, fmt.Errorf("panic: %v", cause))
	}()
	if err := checkEncoding(r); err != nil {
		Refuse(w, r, err)
		return
	}
	next.ServeHTTP(w, r)
}

// Refuse answers with err, once the request's body was read.
func Refuse(w http.ResponseWriter, r *http.Request, err error) { fail(w, r, drained(w, r, err)) }

// fail answers with err and keeps it for the request's log line.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	requestOf(r.Context()).err = err
	WriteError(w, r, err)
}

// report writes the request's one log line.
func (s Service) report(
	ctx context.Context,
	r *http.Request,
	w *observed,
	known *request,
	took time.Duration,
) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("method", r.Method), slog.String("path", r.URL.Path),
		slog.Int(
			"status",
			w.statusSent(),
		), slog.Int64("bytes", w.bytes), slog.Float64("took_ms", float64(took.Microseconds())/1000),
	}
	if known.err != nil {
		attrs = append(
			attrs,
			slog.String("kind", string(errs.KindOf(known.err))),
			slog.String("error", shorten(known.err.Error())),
		)
	}
	if w.statusSent() >= 500 {
		level = slog.LevelError
	}
	known.log.LogAttrs(ctx, level, "request", attrs...)
}

// shorten bounds what is logged of an error: some carry what they read.
func shorten(text string) string {
	const most = 4 << 10
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// observed remembers what was answered.
type observed struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (o *observed) WriteHeader(status int) {
	if o.status == 0 && status >= 200 {
		o.status = status
	}
	o.ResponseWriter.WriteHeader(status)
}

func (o *observed) Write(data []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	n, err := o.ResponseWriter.Write(data)
	o.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController flush a stream.
func (o *observed) Unwrap() http.ResponseWriter { return o.ResponseWriter }

func (o *observed) statusSent() int { return cmp.Or(o.status, http.StatusOK) }
