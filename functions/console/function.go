package console

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"time"
	_ "time/tzdata" // readers' time zones, wherever the pages run

	"github.com/GoogleCloudPlatform/functions-framework-go/functions"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/identity"
	"github.com/planwright/planwright/shared/messages"
	"github.com/planwright/planwright/shared/web"
)

// pageTimeout is how long an upload or a download through the pages may take: an assertion
// holds for ten minutes.
const pageTimeout = 9 * time.Minute

func init() {
	functions.HTTP("Console", web.DeployedWithin("console", pageTimeout, build).ServeHTTP)
}

// Config is what the deployed pages read from their environment.
type Config struct {
	// Project (GOOGLE_CLOUD_PROJECT) is the project of the log's traces and the buckets.
	Project string
	// PlannerURL (PLANNER_URL) is where the planner is called, and whom the identity
	// tokens of the pages' account are for.
	PlannerURL string
	// SessionURL (SESSION_URL) is where the session function is called, likewise; "":
	// there is no goal planning.
	SessionURL string
	// PublicURL (PUBLIC_URL) is the address of the pages: they answer to no other name.
	PublicURL string
	// IAPAudience (IAP_AUDIENCE) is the service for which Identity-Aware Proxy says who
	// somebody is.
	IAPAudience string
}

// ReadConfig reads the variables named at each field of Config. Its error lists every
// problem.
func ReadConfig(lookup config.Lookup) (Config, error) {
	r := config.Read(lookup)
	c := Config{
		Project:     r.Required("GOOGLE_CLOUD_PROJECT"),
		PlannerURL:  r.Required("PLANNER_URL"),
		SessionURL:  r.String("SESSION_URL", ""),
		PublicURL:   messages.ReadPublicURL(r),
		IAPAudience: r.Required("IAP_AUDIENCE"),
	}
	if c.PublicURL == "" {
		r.Problem("PUBLIC_URL is not set: the pages answer to its name alone")
	}
	return c, r.Err()
}

// build makes the deployed pages: behind Identity-Aware Proxy, in the name of whom it
// has signed in, over the deployed planner.
func build(ctx context.Context, log *slog.Logger) (http.Handler, error) {
	c, err := ReadConfig(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	signedIn, err := identity.NewAssertions(nil, c.IAPAudience)
	if err != nil {
		return nil, err
	}
	planner, err := speakTo(c.PlannerURL)
	if err != nil {
		return nil, err
	}
	sessions, err := speakTo(c.SessionURL)
	if err != nil {
		return nil, err
	}
	storage, err := gcs.NewClient(ctx)
	if err != nil {
		return nil, err
	}
	pages := New(Dependencies{
		Planner: planner, Sessions: sessions,
		Files:   func(name string) bucket.Bucket { return gcs.New(storage, name) },
		Uploads: gcs.Address(), PublicURL: c.PublicURL, Log: log,
	})
	return web.LocalOnly(c.PublicURL, signedIn.Guard(pages, web.Refuse)), nil
}

// speakTo calls a function in the name of whom the proxy has signed in; nil where there
// is none.
func speakTo(address string) (*web.Client, error) {
	if address == "" {
		return nil, nil
	}
	tokens, err := identity.OwnTokens(address)
	return &web.Client{
		Base: address,
		HTTP: identity.Speaker{Tokens: tokens, HTTP: http.DefaultTransport},
	}, err
}
