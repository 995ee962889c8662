package emulator

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// Times of the server. A plan may wait for a model and a delivery runs as long
// as it must; a slow or silent client may not.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 2 * time.Minute // of a whole request: 30 MiB at 2 Mbit/s
	idleTimeout   = 2 * time.Minute
	// of one piece of an answer: an answer may take long, a client that reads nothing may not
	writeTimeout = 30 * time.Second
	writePiece   = 64 << 10
	maxHeader    = 64 << 10

	// The server ends within 10 s of being told: running requests get
	// drainTime to end by themselves, then their contexts end.
	drainTime   = 6 * time.Second
	releaseTime = 2 * time.Second
	cutTime     = 1500 * time.Millisecond // for what still runs when its connection is closed
)

// Listen takes a port of this machine that other machines cannot reach. Port 0 is any
// free one.
func Listen(ctx context.Context, port string) (net.Listener, error) {
	address := net.JoinHostPort("127.0.0.1", port)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, errs.Wrap(errs.Unavailable, err, "Cannot listen on %s: another program uses the port, or it is not allowed. Choose another with --port or PORT.", address)
	}
	return listener, nil
}

// Serve serves handler until ctx ends, then lets running requests end. The
// requests' own context ends when their time is up; connections whose clients
// are too slow even then are closed.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	work, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	var running sync.WaitGroup
	server := &http.Server{
		Handler:           counted(patient(handler, writeTimeout), &running),
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
	if shutDown(server, release) {
		return nil
	}
	log.Warn("connections of slow clients are closed")
	return cut(server, &running)
}

// counted is handler with the requests in it counted.
func counted(handler http.Handler, running *sync.WaitGroup) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		running.Add(1)
		defer running.Done()
		handler.ServeHTTP(w, r)
	})
}

// patient is handler, its answers given up where a client takes no piece of one
// for as long as the limit.
func patient(handler http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &limited{ResponseWriter: w, control: http.NewResponseController(w), limit: limit}
		_ = answer.control.SetWriteDeadline(time.Time{}) // that of the request before
		defer answer.extend()                            // for what is still to be sent
		handler.ServeHTTP(answer, r)
	})
}

// limited is an answer each piece of which must be taken in time.
type limited struct {
	http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
}

// extend begins the time for the next piece. A connection without deadlines is
// one of a test.
func (l *limited) extend() { _ = l.control.SetWriteDeadline(time.Now().Add(l.limit)) }

func (l *limited) Write(p []byte) (written int, err error) {
	for piece := range slices.Chunk(p, writePiece) {
		l.extend()
		n, err := l.ResponseWriter.Write(piece)
		if written += n; err != nil {
			return written, err
		}
	}
	return written, nil
}

// FlushError sends what has been written.
func (l *limited) FlushError() error {
	l.extend()
	return l.control.Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (l *limited) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// shutDown reports whether all requests ended in time.
func shutDown(server *http.Server, release context.CancelFunc) bool {
	timer := time.AfterFunc(drainTime, release)
	defer timer.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), drainTime+releaseTime)
	defer cancel()
	return server.Shutdown(ctx) == nil
}

// cut closes the connections that are left. A request that waits for its client
// ends with that: what it worked on was done before, or is given up. One that
// still runs then is an error.
func cut(server *http.Server, running *sync.WaitGroup) error {
	err := server.Close()
	ended := make(chan struct{})
	go func() { running.Wait(); close(ended) }()
	select {
	case <-ended:
		return err
	case <-time.After(cutTime):
		return errors.Join(errs.New(errs.Deadline, "Some requests did not end in time and were cut off; what they did is finished at the next start."), err)
	}
}
