package identity

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"cloud.google.com/go/auth"
	"cloud.google.com/go/auth/credentials/idtoken"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
)

// The headers of a person who comes through Identity-Aware Proxy: in IAPHeader the
// proxy says who it is, in AssertionHeader the pages hand that on to the planner.
const (
	IAPHeader       = "X-Goog-Iap-Jwt-Assertion"
	AssertionHeader = "X-Planwright-Assertion"
)

// iapIssuer is who signs the proxy's assertions.
const iapIssuer = "https://cloud.google.com/iap"

// Assertions verify what Identity-Aware Proxy says of a person, by Google's public keys.
type Assertions struct {
	validator *idtoken.Validator
	audience  string
}

// NewAssertions returns what verifies assertions for one audience, the service that the
// proxy stands before: /projects/NUMBER/locations/REGION/services/NAME. It fetches the
// keys by client; nil is one of its own.
func NewAssertions(client *http.Client, audience string) (*Assertions, error) {
	validator, err := idtoken.NewValidator(&idtoken.ValidatorOptions{Client: client})
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err, "Assertions cannot be verified here.")
	}
	return &Assertions{validator, audience}, nil
}

// Person returns the email address, in small letters, of whom an assertion is about:
// the same that the person's identity token has. Denied: it is missing, forged, over,
// for another service, or names nobody.
func (a *Assertions) Person(ctx context.Context, assertion string) (string, error) {
	if assertion == "" {
		return "", errs.New(
			errs.Denied,
			"This is reached through Identity-Aware Proxy alone: open the address of the pages and sign in.",
		)
	}
	email, err := a.validate(ctx, assertion)
	if err != nil {
		return "", errs.Wrap(
			errs.Denied,
			err,
			"What Identity-Aware Proxy is to have said of you was not accepted: it must be signed by it, for this service, and not be over. Reload the page.",
		)
	}
	return email, nil
}

func (a *Assertions) validate(ctx context.Context, assertion string) (string, error) {
	// The library takes a signature of its length for granted.
	signature := assertion[strings.LastIndexByte(assertion, '.')+1:]
	if raw, err := base64.RawURLEncoding.DecodeString(signature); err != nil || len(raw) != 64 {
		return "", errs.New(errs.Denied, "the signature is not one of ES256")
	}
	payload, err := a.validator.Validate(ctx, assertion, a.audience)
	if err != nil {
		return "", err
	}
	email, _ := payload.Claims["email"].(string)
	if payload.Issuer != iapIssuer || a.audience == "" || !strings.Contains(email, "@") ||
		strings.Contains(email, ":") {
		return "", errs.New(errs.Denied, "the assertion of %s names no address of an account", payload.Issuer)
	}
	return strings.ToLower(email), nil
}

// Behind tells who sends a request, by what direct says, where some send theirs through
// the pages: the pages' own account is nobody, and speaks for whom Identity-Aware Proxy
// has signed in. From anybody else such an assertion is refused, for they have it from
// somewhere.
func (a *Assertions) Behind(
	pages string,
	direct func(*http.Request) (string, error),
) func(*http.Request) (string, error) {
	return func(r *http.Request) (string, error) {
		name, err := direct(r)
		given := r.Header.Values(AssertionHeader)
		switch {
		case err != nil:
			return "", err
		case strings.EqualFold(name, pages) && len(given) == 1:
			return a.Person(r.Context(), given[0])
		case strings.EqualFold(name, pages):
			return "", errs.New(
				errs.Denied,
				"The pages ask for nobody: the header %s must have one assertion.",
				AssertionHeader,
			)
		case len(given) > 0:
			return "", errs.New(
				errs.Denied,
				"The header %s is taken from the account of the pages alone.",
				AssertionHeader,
			)
		}
		return name, nil
	}
}

// Pages are those that people reach through Identity-Aware Proxy, as the functions behind
// them know them. The zero value is none.
type Pages struct {
	// Account (CONSOLE_ACCOUNT) is the account of the pages, which asks for whom the proxy
	// has signed in before the service Audience (IAP_AUDIENCE).
	Account, Audience string
}

// ReadPages reads the variables named at each field of Pages.
func ReadPages(r *config.Reader) Pages {
	p := Pages{r.String("CONSOLE_ACCOUNT", ""), r.String("IAP_AUDIENCE", "")}
	if (p.Account == "") != (p.Audience == "") {
		r.Problem(
			"CONSOLE_ACCOUNT and IAP_AUDIENCE belong together: the pages' account asks for whom the proxy before them has signed in",
		)
	}
	return p
}

// Behind tells who sends a request, through the pages or, as direct says, itself. It
// fetches Google's keys by client; nil is one of its own.
func (p Pages) Behind(
	client *http.Client,
	direct func(*http.Request) (string, error),
) (func(*http.Request) (string, error), error) {
	if p == (Pages{}) {
		return direct, nil
	}
	signedIn, err := NewAssertions(client, p.Audience)
	if err != nil {
		return nil, err
	}
	return signedIn.Behind(p.Account, direct), nil
}

type personKey struct{}

// person is whom the proxy has signed in, and its word for that.
type person struct{ name, assertion string }

// SignedIn is who looks at a page through Identity-Aware Proxy; "" where no proxy is.
func SignedIn(ctx context.Context) string {
	p, _ := ctx.Value(personKey{}).(person)
	return p.name
}

// named are the headers that say who somebody is, or is to be let in as: of a browser's
// request none of them is believed, and none is handed on.
var named = []string{
	"Authorization",
	"Proxy-Authorization",
	"X-Serverless-Authorization",
	AssertionHeader,
	IAPHeader,
	"X-Goog-Authenticated-User-Email",
	"X-Goog-Authenticated-User-Id",
}

// Guard lets in whom Identity-Aware Proxy has signed in, and nobody past it. It refuses
// by fail.
func (a *Assertions) Guard(
	next http.Handler,
	fail func(http.ResponseWriter, *http.Request, error),
) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var assertion string
		if given := r.Header.Values(IAPHeader); len(given) == 1 {
			assertion = given[0]
		}
		name, err := a.Person(r.Context(), assertion)
		if err != nil {
			fail(w, r, err)
			return
		}
		r = r.Clone(context.WithValue(r.Context(), personKey{}, person{name, assertion}))
		for header := range r.Header {
			if slices.Contains(named, header) {
				r.Header.Del(header)
			}
		}
		next.ServeHTTP(w, r)
	})
}

// Speaker calls a function as the pages' own account, for whoever looks at the page.
// It calls for nobody else.
type Speaker struct {
	Tokens auth.TokenProvider // of the own account, for the function that is called
	HTTP   http.RoundTripper
}

// RoundTrip implements http.RoundTripper. Denied: nobody is signed in.
func (s Speaker) RoundTrip(r *http.Request) (*http.Response, error) {
	asks, known := r.Context().Value(personKey{}).(person)
	if !known {
		return nil, errs.New(errs.Denied, "Nobody is signed in whom this could be asked for.")
	}
	token, err := s.Tokens.Token(r.Context())
	if err != nil {
		return nil, errs.Wrap(errs.Unavailable, err, "The pages get no identity token of their own.")
	}
	r = r.Clone(r.Context())
	// see the package's comment
	for _, header := range []string{"Authorization", "X-Serverless-Authorization"} {
		r.Header.Set(header, "Bearer "+token.Value)
	}
	r.Header.Set(AssertionHeader, asks.assertion)
	return s.HTTP.RoundTrip(r)
}

// Own calls a function in the name of the account that this program runs as, and of
// nobody else.
type Own struct {
	Tokens auth.TokenProvider // for the function that is called
	HTTP   http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (o Own) RoundTrip(r *http.Request) (*http.Response, error) {
	token, err := o.Tokens.Token(r.Context())
	if err != nil {
		return nil, errs.Wrap(errs.Unavailable, err,
			"There is no identity token for the function that is called.")
	}
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token.Value)
	return o.HTTP.RoundTrip(r)
}

// OwnTokens gives identity tokens of the account that this program runs as, for one
// audience.
func OwnTokens(audience string) (auth.TokenProvider, error) {
	own, err := idtoken.NewCredentials(&idtoken.Options{Audience: audience})
	if err != nil {
		return nil, errs.Wrap(
			errs.Unavailable,
			err,
			"There is no account here whose identity tokens the functions would take.",
		)
	}
	return own, nil
}
