package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"time"

	"cloud.google.com/go/auth"
	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/console"
	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/web"
)

// consoleFlags are the flags of console.
type consoleFlags struct{ planner, sessions, inbox, port string }

func consoleCommand(env environment) *cobra.Command {
	var given consoleFlags
	cmd := &cobra.Command{
		Use:   "console",
		Short: "Open the pages here, over deployed functions",
		Long: `Serves the console on this machine, over functions that are deployed. It acts with
your own rights: calls carry the identity token of gcloud auth print-identity-token,
tables are uploaded with your application default credentials, and what you approve
of is recorded under your name. Nothing becomes public.

Sign in first: gcloud auth login, and gcloud auth application-default login.`,
		Example: "  planwright console --planner-url https://shop-planner-abc.a.run.app --inbox shop-inbox",
		Args:    cobra.NoArgs,
		RunE:    action(func(ctx context.Context) error { return serveConsole(ctx, env, given) }),
	}
	flags := cmd.Flags()
	flags.StringVar(&given.planner, "planner-url", "", "address of the planner")
	flags.StringVar(
		&given.sessions,
		"session-url",
		"",
		"address of the session function; without it there is no goal planning",
	)
	flags.StringVar(&given.inbox, "inbox", "", "the bucket that tables are uploaded to")
	flags.StringVar(&given.port, "port", "8081", "port to listen on, 0 for any that is free")
	require(cmd, "planner-url", "inbox")
	return cmd
}

// serveConsole serves the pages until ctx ends.
func serveConsole(ctx context.Context, env environment, given consoleFlags) (err error) {
	planner, err := remote(given.planner)
	if err != nil {
		return err
	}
	var sessions *web.Client
	if given.sessions != "" {
		if sessions, err = remote(given.sessions); err != nil {
			return err
		}
	}
	storage, err := gcs.NewClient(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, storage.Close()) }()
	open := func(name string) bucket.Bucket { return gcs.New(storage, name) }
	pages := console.New(console.Dependencies{
		Planner: planner, Sessions: sessions,
		OwnRights: true,
		Inbox:     open(strings.TrimSuffix(strings.TrimPrefix(given.inbox, "gs://"), "/")), Files: open,
	})
	listener, err := env.listen(ctx, given.port)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.stdout, "The console is on http://%s\n", listener.Addr())
	log := logging.New(env.stderr, slog.LevelInfo)
	return emulator.Serve(
		ctx,
		listener,
		web.Service{Name: "console", Log: log}.Serve(web.LocalOnly("", pages)),
		log,
	)
}

// network waits a little longer for an answer than a function may take.
var network = func() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = 2 * time.Minute
	return transport
}()

// remote speaks to a function: elsewhere with the token of gcloud.
func remote(address string) (*web.Client, error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return nil, usagef("%q is no address of a function: write https://...", address)
	}
	client := &web.Client{Base: strings.TrimSuffix(address, "/"), HTTP: network}
	switch local := parsed.Hostname() == "127.0.0.1" || parsed.Hostname() == "localhost"; {
	case parsed.Scheme == "https":
		client.HTTP = signed{auth.NewCachedTokenProvider(gcloud{}, nil)}
	case parsed.Scheme != "http" || !local:
		return nil, usagef("%q is not safe for your token: write https://...", address)
	}
	return client, nil
}

// tokenLife is how long a token is used. Google's last an hour.
const tokenLife = 45 * time.Minute

// signed sends every request with a token, in both headers: Cloud Run takes the
// signature off the one in Authorization where it is the only one, and then nobody
// could tell who approves.
type signed struct{ tokens auth.TokenProvider }

func (s signed) RoundTrip(r *http.Request) (*http.Response, error) {
	token, err := s.tokens.Token(r.Context())
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	for _, header := range []string{"Authorization", "X-Serverless-Authorization"} {
		r.Header.Set(header, "Bearer "+token.Value)
	}
	return network.RoundTrip(r)
}

// gcloud gives the identity token of who is signed in with gcloud.
type gcloud struct{}

func (gcloud) Token(ctx context.Context) (*auth.Token, error) {
	out, err := exec.CommandContext(ctx, "gcloud", "auth", "print-identity-token").Output()
	if err != nil {
		return nil, errs.Wrap(errs.Denied, err, "gcloud gives no identity token. Sign in: gcloud auth login")
	}
	return &auth.Token{Value: string(bytes.TrimSpace(out)), Expiry: time.Now().Add(tokenLife)}, nil
}
