package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	data, port, publicURL, userHeader string
	behindProxy                       bool // userHeader was given, be it empty
}

func serveCommand(env environment) *cobra.Command {
	var given serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve everything on this machine, and watch the inbox",
		Long: `Serves the planner, the executor and the agents' sessions on one address and
watches the inbox: a CSV copied into inbox/{execution_id}/ is changed by its plan
once, the result lies in outbox/{execution_id}/, the record in audit/. Open the
address in a browser for the routes and the next command to type.

Other machines do not reach it: it listens on 127.0.0.1, and you are who does what it
is asked to do. For a team put a proxy that signs people in before it: --user-header
names the header in which that proxy says who somebody is, by names of which APPROVERS,
PLANNERS, OPERATORS, VIEWERS and UPLOADERS say who may do what. The proxy must remove
that header from what clients send.

The variables of .env in the folder where it is started are set, where the
environment does not have them already; .env.example explains each.

SIGTERM or Ctrl-C ends it within ten seconds; what was begun is finished at the
next start. Log lines go to stderr, one JSON object each.`,
		Example: `  planwright serve --data ./local --port 8080
  APPROVERS=ana,ben planwright serve --public-url https://shop.example --user-header X-Forwarded-User`,
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	cmd.RunE = action(func(ctx context.Context) error {
		if err := env.loadFile(); err != nil {
			return usagef("%s", errs.Message(err))
		}
		if !flags.Changed("port") {
			given.port = env.port()
		}
		given.behindProxy = flags.Changed("user-header")
		return serve(ctx, env, given)
	})
	flags.StringVar(
		&given.data,
		"data",
		"./local",
		"folder that holds everything: inbox/, outbox/, audit/, state.db",
	)
	flags.StringVar(
		&given.port,
		"port",
		env.port(),
		"port to listen on, 0 for any that is free; PORT sets the default",
	)
	flags.StringVar(
		&given.publicURL,
		"public-url",
		"",
		"address of the proxy before the server, such as https://shop.example: the server answers to its name, beside IP addresses and localhost, and links lead there; PUBLIC_URL sets the default",
	)
	flags.StringVar(
		&given.userHeader,
		"user-header",
		"",
		"header in which that proxy says who somebody is, such as X-Forwarded-User: a request without exactly one is refused (default: it is always you)",
	)
	return cmd
}

// serve runs everything until ctx ends or a part of it fails. To be told to
// end before it has begun to answer is no failure either.
func serve(ctx context.Context, env environment, given serveFlags) (err error) {
	if err := env.checkZone(); err != nil {
		return err
	}
	begun := false
	defer func() {
		if !begun && ctx.Err() != nil {
			err = nil
		}
	}()
	settings, err := emulator.ReadSettings(func(name string) (string, bool) {
		if name == "PUBLIC_URL" && given.publicURL != "" {
			return given.publicURL, true
		}
		return env.lookup(name)
	})
	if err != nil {
		return usagef("%s", err)
	}
	if given.behindProxy {
		if settings, err = settings.BehindProxy(given.userHeader); err != nil {
			return usagef("--user-header: %s", errs.Message(err))
		}
	}
	server, err := emulator.Open(ctx, given.data, settings, logging.New(env.stderr, slog.LevelInfo))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	listener, err := env.listen(ctx, given.port)
	if err != nil {
		return err
	}
	address, err := server.Announce(listener)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	pages := "it"
	if proxy := settings.Proxy(); proxy != "" {
		pages += " at " + proxy
	}
	fmt.Fprintf(env.stdout, "Planwright serves on %s\nOpen %s in a browser.\n\n", address, pages)
	if err := server.Describe(env.stdout, address, given.data); err != nil {
		return errors.Join(err, listener.Close())
	}
	begun = true
	return server.Run(ctx, listener)
}

// checkZone refuses a TZ that is no time zone: Go would take it for UTC, and the pages' times with it.
func (e environment) checkZone() error {
	zone, _ := e.lookup("TZ")
	if zone = strings.TrimPrefix(zone, ":"); strings.HasPrefix(zone, "/") {
		return nil // a file of the system's
	}
	if _, err := time.LoadLocation(zone); err != nil {
		return usagef(
			"TZ=%s is no time zone that is known here: write one such as TZ=Europe/Berlin, or unset it.",
			zone,
		)
	}
	return nil
}
