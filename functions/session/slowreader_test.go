package session

import (
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// one is a listener of one connection.
type oneConn chan net.Conn

func (o oneConn) Accept() (net.Conn, error) {
	if connection, open := <-o; open {
		return connection, nil
	}
	return nil, net.ErrClosed
}
func (o oneConn) Close() error   { close(o); return nil }
func (o oneConn) Addr() net.Addr { return &net.TCPAddr{} }

// A reader who takes nothing of a stream holds its turn up for a while and no
// longer.
func TestASlowReaderIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, connection := net.Pipe()
		defer client.Close()
		listener, took := make(oneConn, 1), make(chan time.Duration, 1)
		listener <- connection
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			started := time.Now()
			s := startStream(w, time.Hour)
			for range 3 {
				s.send(map[string]string{"author": "AgentA"})
			}
			s.stop()
			took <- time.Since(started)
		})}
		go func() { _ = server.Serve(listener) }()
		defer server.Close()
		if _, err := io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if got := <-took; got != writeTimeout {
			t.Errorf("the stream was held up for %v, want %v", got, writeTimeout)
		}
	})
}
