package emulator

import (
	"context"
	"log/slog"
	"net/http"
	"os/user"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/web"
)

// maxName is the longest name of a caller, in bytes: that of an e-mail address.
const maxName = 254

// MachineUser is who acts on one machine: the user whose server or command it is.
// A test names another.
var MachineUser = func() (string, error) {
	found, err := user.Current()
	if err != nil {
		return "", errs.Wrap(errs.Internal, err, "The operating system does not say who you are.")
	}
	return found.Username, nil
}

// secretHeaders never name a person: Go takes Host out of the headers, and the others
// carry secrets, which would stand on record.
var secretHeaders = []string{"Host", "Authorization", "Proxy-Authorization", "Cookie"}

// checkUserHeader refuses what cannot be the header in which a proxy names people.
func checkUserHeader(name string) error {
	const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	if name == "" || strings.Trim(name, characters) != "" ||
		slices.Contains(secretHeaders, http.CanonicalHeaderKey(name)) {
		return errs.New(errs.Invalid, "%q cannot be the header in which a proxy says who somebody is: choose one such as X-Forwarded-User.", name)
	}
	return nil
}

type callerKey struct{}

// caller is who sent a request: whom the proxy named, or the machine's user where there
// is no proxy. Unauthenticated: a request came by the proxy's check.
func (s Settings) caller(r *http.Request) (string, error) {
	name, ok := r.Context().Value(callerKey{}).(string)
	switch {
	case ok:
		return name, nil
	case s.userHeader != "":
		return "", errs.New(errs.Unauthenticated, "Nobody is known to have sent this. Open %s.", s.publicURL)
	}
	return MachineUser()
}

// signedIn lets those requests through to next that name their sender in the header of
// the settings, as the proxy before this server does. Without such a header every sender
// is the machine's user.
func (s Settings) signedIn(next http.Handler) http.Handler {
	if s.userHeader == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, err := s.sender(r)
		if err != nil {
			web.Refuse(w, r, err)
			return
		}
		logging.Add(r.Context(), slog.String("caller", name))
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, name)))
	})
}

// sessionUser is whose sessions alone a request may use; "" is those of all users. Nil
// where there is nobody but the machine's user, who uses all.
func (s Settings) sessionUser() func(*http.Request) (string, error) {
	if s.userHeader == "" {
		return nil
	}
	return func(r *http.Request) (string, error) {
		name, err := s.caller(r)
		if slices.ContainsFunc(s.backends,
			func(backend string) bool { return strings.EqualFold(backend, name) }) {
			return "", err
		}
		return name, err
	}
}

// sender is whom a request names. Unauthenticated: nobody, or more than one.
func (s Settings) sender(r *http.Request) (string, error) {
	names := r.Header.Values(s.userHeader)
	switch {
	case len(names) == 0 || len(names) == 1 && names[0] == "":
		return "", errs.New(errs.Unauthenticated, "Nobody is named in the header %s. The proxy of this server signs people in and names them: open %s.", s.userHeader, s.publicURL)
	case len(names) > 1 || strings.Contains(names[0], ","):
		return "", errs.New(errs.Unauthenticated, "More than one name stands in the header %s. The proxy of this server must remove a client's own before it sets one.", s.userHeader)
	case len(names[0]) > maxName || !printable(names[0]):
		return "", errs.New(errs.Unauthenticated,
			"The name in the header %s is not one: it must be printable UTF-8 of at most %d bytes.",
			s.userHeader, maxName)
	case norm.NFKC.String(names[0]) != names[0]:
		return "", errs.New(errs.Unauthenticated, "The name in the header %s has characters that stand for others, such as full-width letters: it could pass for another's. The proxy must send names in the form NFKC of Unicode.", s.userHeader)
	}
	return names[0], nil
}

func printable(text string) bool {
	return utf8.ValidString(text) &&
		!strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}
