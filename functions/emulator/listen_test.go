package emulator

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
)

// pipes is a listener whose connections are in memory.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if connection, open := <-p; open {
		return connection, nil
	}
	return nil, net.ErrClosed
}
func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// TestStopping tells a server to end while a request runs.
func TestStopping(t *testing.T) {
	const whole = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab"
	work := func(w http.ResponseWriter, r *http.Request) error {
		select {
		case <-time.After(3 * time.Second):
			return nil
		case <-r.Context().Done():
			return r.Context().Err()
		}
	}
	const takesNothing = "a client takes nothing of an answer whose work is done"
	tests := []struct {
		name, sent string
		handle     func(w http.ResponseWriter, r *http.Request) error
		took       time.Duration
		ended      error // of the request
		want       errs.Kind
	}{
		{"the work is done in time", whole, work, 3 * time.Second, nil, ""},
		{"the work is given up", whole, func(_ http.ResponseWriter, r *http.Request) error {
			<-r.Context().Done()
			return r.Context().Err()
		}, drainTime, context.Canceled, ""},
		{"a client sends slowly", strings.TrimSuffix(whole, "b"), func(_ http.ResponseWriter, r *http.Request) error {
			_, err := io.ReadAll(r.Body)
			return err
		}, drainTime + releaseTime, io.ErrClosedPipe, ""},
		{"a client sends slowly and a busy machine notices late", strings.TrimSuffix(whole, "b"), func(_ http.ResponseWriter, r *http.Request) error {
			_, err := io.ReadAll(r.Body)
			time.Sleep(time.Second)
			return err
		}, drainTime + releaseTime + time.Second, io.ErrClosedPipe, ""},
		{takesNothing, whole, func(w http.ResponseWriter, r *http.Request) error {
			err := work(w, r)
			_, _ = w.Write(make([]byte, 1<<20))
			return err
		}, drainTime + releaseTime, nil, ""},
		{"the work does not end", whole, func(http.ResponseWriter, *http.Request) error {
			time.Sleep(time.Minute)
			return nil
		}, drainTime + releaseTime + cutTime, nil, errs.Deadline},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				listener, ended := make(pipes, 1), make(chan error, 1)
				client, server := net.Pipe()
				defer client.Close()
				listener <- server
				ctx, stop := context.WithCancel(t.Context())
				served := make(chan error, 1)
				go func() {
					served <- Serve(ctx, listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { ended <- tt.handle(w, r) }), logging.Discard)
				}()
				if _, err := io.WriteString(client, tt.sent); err != nil {
					t.Fatal(err)
				}
				if tt.name != takesNothing {
					go func() { _, _ = io.Copy(io.Discard, client) }()
				}
				synctest.Wait()
				started := time.Now()
				stop()
				if err := <-served; errs.KindOf(err) != tt.want && (err != nil || tt.want != "") {
					t.Errorf("the server ended with %v, want %q", err, tt.want)
				}
				if took := time.Since(started).Truncate(time.Second / 2); took != tt.took {
					t.Errorf("it took %v, want %v", took, tt.took)
				}
				if err := <-ended; !errors.Is(err, tt.ended) {
					t.Errorf("the request ended with %v, want %v", err, tt.ended)
				}
				time.Sleep(time.Second) // net/http waits half a second before it closes a connection
			})
		})
	}
}

// TestAClientThatTakesNothing leaves an answer lying. One that takes its answer
// slowly gets all of it, however long it takes.
func TestAClientThatTakesNothing(t *testing.T) {
	const body, get = 1 << 20, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, tt := range map[string]struct {
		reads func(client net.Conn) // until the answer has ended
		took  time.Duration
		want  error
	}{
		"nothing": {func(net.Conn) {}, writeTimeout, os.ErrDeadlineExceeded},
		"slowly": {func(client net.Conn) {
			for {
				time.Sleep(writeTimeout / 8)
				if n, err := client.Read(make([]byte, writePiece)); n == 0 || err != nil {
					return
				}
			}
		}, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				listener, ended := make(pipes, 1), make(chan error, 1)
				client, server := net.Pipe()
				listener <- server
				ctx, stop := context.WithCancel(t.Context())
				served := make(chan error, 1)
				go func() {
					served <- Serve(ctx, listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						_, err := w.Write(make([]byte, body))
						ended <- errors.Join(err, http.NewResponseController(w).Flush())
					}), logging.Discard)
				}()
				started := time.Now()
				if _, err := io.WriteString(client, get); err != nil {
					t.Fatal(err)
				}
				var reader sync.WaitGroup
				reader.Go(func() { tt.reads(client) })
				if err := <-ended; !errors.Is(err, tt.want) {
					t.Errorf("the answer ended with %v, want %v", err, tt.want)
				}
				if took := time.Since(started); tt.took != 0 && took != tt.took || took < writeTimeout {
					t.Errorf("it took %v", took)
				}
				client.Close()
				reader.Wait()
				stop()
				if err := <-served; err != nil {
					t.Error(err)
				}
			})
		})
	}
}
