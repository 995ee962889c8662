package session

import (
	"time"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/identity"
)

// Whose sessions a caller may use.
const (
	// userNamed: those of any user that it names. The caller is a backend, which
	// knows its users and speaks for all of them.
	userNamed = "named"
	// userVerified: its own. The user is the caller's verified email address.
	userVerified = "verified"
)

// Config is what the deployed function reads from its environment.
type Config struct {
	// Project (GOOGLE_CLOUD_PROJECT) is the project of Firestore and Vertex AI.
	Project string
	// Database (FIRESTORE_DATABASE, default "(default)") is the database of the
	// sessions.
	Database string
	// TTL (SESSION_TTL, default 720h) is how long an idle session is kept.
	TTL time.Duration
	// User (SESSION_USER, default userNamed) says whose sessions a caller may
	// use.
	User string
	// Audiences (TOKEN_AUDIENCES, separated by commas) are those of the identity
	// tokens by which a caller is known who is to be verified: the function's addresses.
	Audiences []string
	// Pages ask for whom Identity-Aware Proxy has signed in, who uses their own
	// sessions alone.
	Pages identity.Pages
	// Gemini is how the model is reached.
	Gemini gemini.Config
}

// ReadConfig reads the variables named at each field of Config. Its error
// lists every problem.
func ReadConfig(lookup config.Lookup) (Config, error) {
	r := config.Read(lookup)
	c := Config{
		Project:   r.Required("GOOGLE_CLOUD_PROJECT"),
		Database:  r.String("FIRESTORE_DATABASE", "(default)"),
		TTL:       r.Duration("SESSION_TTL", 30*24*time.Hour),
		User:      r.OneOf("SESSION_USER", userNamed, userVerified),
		Audiences: r.List("TOKEN_AUDIENCES"),
		Pages:     identity.ReadPages(r),
		Gemini:    gemini.ReadConfig(r),
	}
	if (c.User == userVerified || c.Pages.Account != "") && len(c.Audiences) == 0 {
		r.Problem(
			"TOKEN_AUDIENCES is not set, and SESSION_USER is verified or CONSOLE_ACCOUNT is set: it names whom the callers' tokens are for, the function's address",
		)
	}
	return c, r.Err()
}
