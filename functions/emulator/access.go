package emulator

import (
	"context"
	"errors"
	"html/template"
	"log/slog"
	"net"
	"net/http"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/planwright/planwright/functions/emulator/tokens"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/web"
)

var tokenPage = template.Must(template.ParseFS(pages, "pages/token.html"))

// access says who may use a server, and who that is.
type access struct {
	// tokens are asked for; nil: whoever reaches the server is the machine's user.
	tokens *tokens.File
	cookie string
	secure bool // the cookie goes by TLS alone
}

// Admit decides whom the server lets in at a listener, and returns the address
// for a browser. It asks for tokens where some may decide and others not, where
// it can be reached from elsewhere, by itself or behind a proxy under its public
// address, and where its user was named: then the address has a new token of that user.
// It is the public one where there is one.
func (s *Server) Admit(listener net.Listener) (address string, err error) {
	at := listener.Addr().(*net.TCPAddr)
	if at.IP.IsUnspecified() {
		at = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: at.Port}
	}
	address = "http://" + at.String()
	if err := writeHolder(s.folder.lock, address); err != nil {
		return "", errs.Wrap(errs.Unavailable, err, "%s cannot be written: is the disk full?", lockName)
	}
	s.admitted = true
	if !s.settings.decisions.Any() && !s.settings.roles.Any() && s.settings.User == "" && s.settings.publicURL == "" && listener.Addr().(*net.TCPAddr).IP.IsLoopback() {
		return address, nil
	}
	owner, err := MachineUser()
	if err != nil {
		return "", err
	}
	name := s.settings.User
	if name == "" {
		name = owner
	}
	_, port, _ := net.SplitHostPort(address[len("http://"):])
	s.access.tokens, s.access.cookie = tokens.New(filepath.Join(s.folder.path, tokens.FileName)), "planwright-"+port
	token, err := s.access.tokens.Mint(name, owner, time.Now(), true)
	if public := s.settings.publicURL; public != "" {
		address, s.access.secure = strings.TrimSuffix(public, "/"), strings.HasPrefix(public, "https:")
	}
	return address + "/?token=" + token, err
}

// MachineUser is who decides on one machine: the user whose server or command it is.
// A test names another.
var MachineUser = func() (string, error) {
	found, err := user.Current()
	if err != nil {
		return "", errs.Wrap(errs.Internal, err, "The operating system does not say who you are.")
	}
	return found.Username, nil
}

type callerKey struct{}

// caller is who sent a request: whose token it brought, or the machine's user.
func caller(r *http.Request) (string, error) {
	if name, ok := r.Context().Value(callerKey{}).(string); ok {
		return name, nil
	}
	return MachineUser()
}

// open reports whether a path is for everybody: the style of the page that asks
// for a token, and whether the server works.
func open(path string) bool { return path == "/healthz" || strings.HasPrefix(path, "/static/") }

// guard lets in who brings a token, where one is asked for: as a bearer token,
// as the cookie that a browser keeps, or once in the address, for that cookie.
func (a *access) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.tokens == nil || open(r.URL.Path) || r.Context().Value(callerKey{}) != nil { // or asked from within
			next.ServeHTTP(w, r)
			return
		}
		if token := r.URL.Query().Get("token"); token != "" && r.Method == http.MethodGet {
			a.keep(w, r, token)
			return
		}
		name, err := a.name(r)
		if err != nil {
			a.refuse(w, r, err)
			return
		}
		logging.Add(r.Context(), slog.String("caller", name))
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, name)))
	})
}

var errNoToken = errs.New(errs.Unauthenticated, "This server asks who you are. In a browser, open the address that it printed when it was started, which has a token. A program sends one as Authorization: Bearer TOKEN, a command finds it in PLANWRIGHT_TOKEN. Who owns the server makes tokens: planwright token NAME.")

// name is whose token a request brings.
func (a *access) name(r *http.Request) (string, error) {
	token := ""
	if kind, given, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(kind, "Bearer") {
		token = given
	} else if cookie, err := r.Cookie(a.cookie); err == nil {
		token = cookie.Value
	}
	if token == "" {
		return "", errNoToken
	}
	return a.tokens.Name(token)
}

// keep has the browser keep a token, and go to the address without it.
func (a *access) keep(w http.ResponseWriter, r *http.Request, token string) {
	if _, err := a.tokens.Name(token); err != nil {
		a.refuse(w, r, err)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: a.cookie, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: a.secure, MaxAge: 30 * 24 * 60 * 60})
	query := r.URL.Query()
	query.Del("token")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	path, _, _ := strings.Cut(r.RequestURI, "?")
	target := "/" + strings.TrimLeft(path, `/\`) // of this server
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	http.Redirect(w, r, target, http.StatusSeeOther)
}

// refuse tells a browser where a token can be given, and a program what is asked for.
func (a *access) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if !errors.Is(err, errs.Unauthenticated) || !forPeople(r) {
		web.Refuse(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	header.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusUnauthorized)
	_ = tokenPage.Execute(w, errs.Message(err)) // a reader that is gone cannot be told
}
