package gemini

import (
	"context"
	"errors"
	"net/http"

	"cloud.google.com/go/auth"
	"cloud.google.com/go/auth/credentials"
	"cloud.google.com/go/auth/httptransport"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
)

// Options replace what a client is made of. The zero value is the real thing.
type Options struct {
	// Transport carries each attempt of a call; nil is a clone of
	// http.DefaultTransport.
	Transport http.RoundTripper
	// Credentials replace those of the environment, for Vertex AI.
	Credentials *auth.Credentials
	// Retry says what is tried again and when.
	Retry Retry
}

// NewClient returns a client for c. Its calls end within c.Timeout and are
// retried as options.Retry says; Translate explains their errors.
func NewClient(ctx context.Context, c Config, options Options) (*genai.Client, error) {
	settings, err := ClientConfig(c, options)
	if err != nil {
		return nil, err
	}
	client, err := genai.NewClient(ctx, settings)
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err, "The Gemini client cannot be built from its configuration.")
	}
	return client, nil
}

// ClientConfig returns the settings of such a client, for libraries that build their own.
func ClientConfig(c Config, options Options) (*genai.ClientConfig, error) {
	settings := &genai.ClientConfig{
		HTTPOptions: genai.HTTPOptions{Timeout: &c.Timeout},
	}
	transport := options.Transport
	if transport == nil {
		transport = http.DefaultTransport.(*http.Transport).Clone()
	}
	if c.VertexAI {
		settings.Backend, settings.Project, settings.Location = genai.BackendVertexAI, c.Project, c.Location
		authorized, err := authorize(transport, options.Credentials)
		if err != nil {
			return nil, err
		}
		transport = authorized
	} else {
		settings.Backend, settings.APIKey = genai.BackendGeminiAPI, c.APIKey.Reveal()
	}
	settings.HTTPClient = &http.Client{
		Transport: &retrying{next: transport, retry: options.Retry.withDefaults()},
	}
	return settings, nil
}

// ErrNoCredentials says that the environment has no Google credentials for Vertex AI.
var ErrNoCredentials = errors.New("there are no application default credentials")

// authorize adds the environment's credentials to each request.
func authorize(next http.RoundTripper, given *auth.Credentials) (http.RoundTripper, error) {
	if given == nil {
		found, err := credentials.DetectDefault(&credentials.DetectOptions{
			Scopes: []string{"https://www.googleapis.com/auth/cloud-platform"},
		})
		if err != nil {
			return nil, errs.Wrap(
				errs.Unavailable,
				errors.Join(ErrNoCredentials, err),
				"There are no Google credentials for Vertex AI.",
			)
		}
		given = found
	}
	client, err := httptransport.NewClient(&httptransport.Options{Credentials: given, BaseRoundTripper: next})
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err, "The Google credentials cannot be used for Vertex AI.")
	}
	return client.Transport, nil
}
