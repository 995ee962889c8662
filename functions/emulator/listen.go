package emulator

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// Times of the server. A plan may wait for a model and a delivery runs as long
// as it must; a slow or silent client may not.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 2 * time.Minute // of a whole request: 30 MiB at 2 Mbit/s
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10

	// The server ends within 10 s of being told: running requests get
	// drainTime to end by themselves, then their contexts end.
	drainTime   = 6 * time.Second
	releaseTime = 3 * time.Second
)

// Listen takes the address. Port 0 is any free one.
func Listen(ctx context.Context, host, port string) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, errs.Wrap(errs.Unavailable, err, "Cannot listen on %s: another program uses the port, or it is not allowed. Choose another with --port or PORT.", net.JoinHostPort(host, port))
	}
	return listener, nil
}

// Serve serves handler until ctx ends, then lets running requests end. The
// requests' own context ends when their time is up.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	work, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return work },
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return errs.Wrap(errs.Unavailable, err, "The server stopped by itself.")
	case <-ctx.Done():
	}
	return shutDown(server, release)
}

func shutDown(server *http.Server, release context.CancelFunc) error {
	timer := time.AfterFunc(drainTime, release)
	defer timer.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), drainTime+releaseTime)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(errs.Wrap(errs.Deadline, err, "Some requests did not end in time and were cut off; what they did is finished at the next start."), server.Close())
	}
	return nil
}
