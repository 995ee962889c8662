// Package session is the deployed function Session: ADK's REST API over transactional
// sessions, and one call that answers with the standard output of goal planning alone.
//
// NewHandler holds every call; the deployed function wires it to Firestore and Gemini on
// its first request.
package session

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	_ "time/tzdata" // users' time zones, wherever the function runs

	"github.com/GoogleCloudPlatform/functions-framework-go/functions"

	"github.com/planwright/planwright/shared/agents"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/identity"
	"github.com/planwright/planwright/shared/sessions/firestore"
	"github.com/planwright/planwright/shared/web"
)

func init() { functions.HTTP("Session", web.Deployed("session", build).ServeHTTP) }

// build makes the deployed function: sessions in Firestore, and Gemini behind
// every agent.
func build(ctx context.Context, log *slog.Logger) (http.Handler, error) {
	c, err := ReadConfig(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	store, err := firestore.Open(ctx, c.Project, c.Database)
	if err != nil {
		return nil, err
	}
	model, err := agents.NewModel(ctx, c.Gemini, gemini.Options{})
	if err != nil {
		return nil, err
	}
	caller, err := callerOf(c)
	if err != nil {
		return nil, err
	}
	return NewHandler(Dependencies{Store: store, Model: model, SessionTTL: c.TTL, Caller: caller, Log: log})
}

// callerOf returns how the caller's user is verified, nil where nobody's is.
func callerOf(settings Config) (func(*http.Request) (string, error), error) {
	if settings.User != userVerified && settings.Pages.Account == "" {
		return nil, nil
	}
	verifier, err := identity.NewVerifier(nil, settings.Audiences...)
	if err != nil {
		return nil, err
	}
	caller, err := settings.Pages.Behind(nil, verifier.Caller)
	if err != nil || settings.User == userVerified {
		return caller, err
	}
	return func(r *http.Request) (string, error) {
		if len(r.Header.Values(identity.AssertionHeader)) == 0 {
			return "", nil // a backend, which speaks for all its users
		}
		return caller(r)
	}, nil
}
