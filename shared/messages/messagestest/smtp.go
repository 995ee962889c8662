// Package messagestest is a mail server for tests of who sends mail: it speaks SMTP
// and keeps what it is given.
package messagestest

import (
	"bufio"
	"io"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
)

// Server takes mail on this machine.
type Server struct {
	Address string // host:port

	mu   sync.Mutex
	took []Mail
}

// Mail is what was given to a server.
type Mail struct {
	From, To string // of the envelope
	Header   mail.Header
	Body     string // as it was sent, without its transfer's dots
}

// Serve starts a server that ends with the test.
func Serve(t testing.TB) *Server {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	s := &Server{Address: listener.Addr().String()}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go s.talk(connection)
		}
	}()
	return s
}

// Mails are those that were taken so far.
func (s *Server) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Mail(nil), s.took...)
}

func (s *Server) talk(connection net.Conn) {
	defer connection.Close()
	in := bufio.NewReader(connection)
	say := func(line string) { _, _ = io.WriteString(connection, line+"\r\n") }
	say("220 here")
	var m Mail
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		switch verb, rest, _ := strings.Cut(line, " "); strings.ToUpper(verb) {
		case "EHLO", "HELO":
			say("250 here")
		case "MAIL":
			m = Mail{From: address(rest)}
			say("250 ok")
		case "RCPT":
			m.To = address(rest)
			say("250 ok")
		case "DATA":
			say("354 go on")
			if !s.take(in, m) {
				say("554 that is no mail")
				continue
			}
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("502 what?")
		}
	}
}

func address(rest string) string {
	_, after, _ := strings.Cut(rest, "<")
	inside, _, _ := strings.Cut(after, ">")
	return inside
}

func (s *Server) take(in *bufio.Reader, m Mail) bool {
	var text strings.Builder
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return false
		}
		if line == ".\r\n" {
			break
		}
		text.WriteString(strings.TrimPrefix(line, "."))
	}
	read, err := mail.ReadMessage(strings.NewReader(text.String()))
	if err != nil {
		return false
	}
	body, err := io.ReadAll(read.Body)
	if err != nil {
		return false
	}
	m.Header, m.Body = read.Header, string(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.took = append(s.took, m)
	return true
}
