package web

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
)

// deployedTimeout is below the two minutes after which the platform ends a
// request, so that the caller gets an answer and what was done is stored.
const deployedTimeout = 110 * time.Second

// Deployed is a function as the platform runs it: named on its log lines, which
// go to stdout, and built by its first request. SIGTERM lets its requests end.
func Deployed(name string, build func(context.Context, *slog.Logger) (http.Handler, error)) http.Handler {
	return DeployedWithin(name, deployedTimeout, build)
}

// DeployedWithin is Deployed for requests that may take longer.
func DeployedWithin(
	name string,
	timeout time.Duration,
	build func(context.Context, *slog.Logger) (http.Handler, error),
) http.Handler {
	log := logging.New(os.Stdout, slog.LevelInfo)
	service := Service{Name: name, Project: os.Getenv("GOOGLE_CLOUD_PROJECT"), Log: log, Timeout: timeout}
	served := service.Serve(Lazy(func(ctx context.Context) (http.Handler, error) { return build(ctx, log) }))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer Begin()()
		served.ServeHTTP(w, r)
	})
}

// Lazy is a handler that is built by the first request. A failed build answers
// 503 and is tried again by the next request; a good one is kept. Requests
// that arrive meanwhile wait for the one build.
func Lazy(build func(context.Context) (http.Handler, error)) http.Handler {
	handler := Once[http.Handler]{Build: build}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		built, err := handler.Get(r.Context())
		if err != nil {
			fail(
				w,
				r,
				errs.Wrap(
					errs.Unavailable,
					err,
					"The service cannot start. Its log says why, under this request's id.",
				),
			)
			return
		}
		built.ServeHTTP(w, r)
	})
}

// Once builds a value when it is first needed and keeps it. A failure is not
// kept: the next Get builds again. Those that come meanwhile wait for the one build.
type Once[T any] struct {
	Build func(context.Context) (T, error)

	mu    sync.Mutex
	done  bool
	built T
}

// Get returns the value. It is built without the caller's cancellation, for it
// outlives the caller.
func (o *Once[T]) Get(ctx context.Context) (T, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return o.built, nil
	}
	built, err := o.Build(context.WithoutCancel(ctx))
	if err != nil {
		var none T
		return none, err
	}
	o.built, o.done = built, true
	return built, nil
}
