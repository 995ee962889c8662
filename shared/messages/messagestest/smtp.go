// Package messagestest is a mail server for tests of who sends mail: go-smtp, which
// keeps what it is given.
package messagestest

import (
	"io"
	"net"
	"net/mail"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Server takes mail.
type Server struct {
	Address string // host:port
	// User and Password sign in, over TLS alone; "": nobody has to.
	User, Password string
	// HangsUp ends the connection once a mail is taken.
	HangsUp bool

	mu   sync.Mutex
	took []Mail
}

// Mail is what was given to a server.
type Mail struct {
	Hello    string // whom the sender said that they are
	By       string // who had signed in; "": nobody
	Secure   bool   // it came over TLS
	From, To string // of the envelope
	Header   mail.Header
	Body     string // as it was sent, without its transfer's dots
}

// Serve starts a server on this machine that ends with the test. Those that change it say
// what it offers.
func Serve(t testing.TB, change ...func(*Server, *smtp.Server)) *Server {
	t.Helper()
	s := &Server{Address: "127.0.0.1:0"}
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &session{server: s, conn: c}, nil }))
	server.Domain = "mail.example"
	for _, apply := range change {
		apply(s, server)
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", s.Address)
	if err != nil {
		t.Fatal(err)
	}
	s.Address = listener.Addr().String()
	go func() { _ = server.Serve(listener) }() // ends when it is closed
	t.Cleanup(func() { server.Close() })
	return s
}

// Mails are those that were taken so far.
func (s *Server) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Mail(nil), s.took...)
}

// session is a connection that sends mail.
type session struct {
	server *Server
	conn   *smtp.Conn
	by     string
	mail   Mail
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != s.server.User || password != s.server.Password {
			return smtp.ErrAuthFailed
		}
		s.by = user
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.by != s.server.User {
		return smtp.ErrAuthRequired
	}
	_, secure := s.conn.TLSConnectionState()
	s.mail = Mail{Hello: s.conn.Hostname(), By: s.by, Secure: secure, From: from}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mail.To = to
	return nil
}

func (s *session) Data(r io.Reader) error {
	read, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(read.Body)
	if err != nil {
		return err
	}
	s.mail.Header, s.mail.Body = read.Header, string(body)
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.took = append(s.server.took, s.mail)
	return nil
}

func (s *session) Reset() {
	if s.server.HangsUp {
		_ = s.conn.Conn().Close()
	}
}

func (s *session) Logout() error { return nil }
