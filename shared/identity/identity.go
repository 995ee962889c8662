// Package identity says who sent a request, proven by an identity token that
// Google signed. It stores nothing.
//
// Cloud Run lets a caller in by the token in X-Serverless-Authorization, or
// else by that in Authorization, from which it then removes the signature. Who
// is to be verified here sends the token in both, so that one arrives whole:
// what arrives without a signature anybody could have written.
package identity

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"cloud.google.com/go/auth/credentials/idtoken"

	"github.com/planwright/planwright/shared/errs"
)

// issuers of Google's identity tokens.
var issuers = []string{"https://accounts.google.com", "accounts.google.com"}

// GcloudAudience is the audience of the tokens that gcloud auth
// print-identity-token gives people, who cannot choose another.
const GcloudAudience = "32555940559.apps.googleusercontent.com"

// Verifier verifies tokens by Google's public keys.
type Verifier struct {
	validator *idtoken.Validator
	audiences []string
}

// NewVerifier returns a verifier that fetches the keys by client; nil is one of
// its own. It takes tokens for these audiences: a request cannot say whom its
// token is for, for the host that it names is the sender's to choose.
func NewVerifier(client *http.Client, audiences ...string) (*Verifier, error) {
	validator, err := idtoken.NewValidator(&idtoken.ValidatorOptions{Client: client})
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err, "Identity tokens cannot be verified here.")
	}
	return &Verifier{validator, audiences}, nil
}

// Caller returns the verified email address, in small letters, of whoever sent
// the request. Denied: the token is missing, without its signature, not Google's,
// over, or for another audience.
func (v *Verifier) Caller(r *http.Request) (string, error) {
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	signature := token[strings.LastIndexByte(token, '.')+1:]
	if !strings.EqualFold(kind, "Bearer") || token == "" || signature == "SIGNATURE_REMOVED_BY_GOOGLE" {
		return "", errs.New(
			errs.Denied,
			"The caller cannot be verified: send the identity token in the header X-Serverless-Authorization and again, for this check, in Authorization, each as Bearer TOKEN.",
		)
	}
	payload, err := v.validate(r.Context(), token)
	if err != nil {
		return "", errs.Wrap(
			errs.Denied,
			err,
			"The identity token in Authorization was not accepted: it must be Google's, for the audience %s, no older than an hour, and name a verified email address.",
			strings.Join(v.audiences, " or "),
		)
	}
	return payload, nil
}

func (v *Verifier) validate(ctx context.Context, token string) (string, error) {
	payload, err := v.validator.Validate(ctx, token, "") // any audience, for now
	if err != nil {
		return "", err
	}
	if !slices.Contains(v.audiences, payload.Audience) {
		return "", errs.New(errs.Denied, "The token is for the audience %s.", payload.Audience)
	}
	email, _ := payload.Claims["email"].(string)
	if verified, _ := payload.Claims["email_verified"].(bool); !verified || email == "" ||
		!slices.Contains(issuers, payload.Issuer) {
		return "", errs.New(errs.Denied, "The token of %s names no verified email address.", payload.Issuer)
	}
	return strings.ToLower(email), nil
}
