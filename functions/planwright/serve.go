package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/emulator/tokens"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	data, host, port string
	hosts            []string
	user, publicURL  string
}

func serveCommand(env environment) *cobra.Command {
	var given serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve planner, executor and sessions, and watch the inbox",
		Long: `Serves the planner, the executor and the agents' sessions on one address and
watches the inbox: a CSV copied into inbox/{execution_id}/ is changed by its plan
once, the result lies in outbox/{execution_id}/, the record in audit/. Open the
address in a browser for the routes and the next command to type.

Where APPROVERS, PLANNERS, OPERATORS, VIEWERS or APPROVAL_BY_ANOTHER says who may
do what, and wherever --host is more than this machine or --public-url leads here,
it asks everybody for a token: the address that it prints has one of --user, which
the browser keeps, and planwright token NAME makes others.

SIGTERM or Ctrl-C ends it within ten seconds; what was begun is finished at the
next start. Log lines go to stderr, one JSON object each.`,
		Example: `  planwright serve --data ./local --port 8080
  APPROVERS=ana,ben planwright serve --user ana
  planwright serve --host 0.0.0.0 --allowed-hosts shop.example --user ana
  planwright serve --public-url https://shop.example --user ana`,
		Args: cobra.NoArgs,
		RunE: action(func(ctx context.Context) error { return serve(ctx, env, given) }),
	}
	flags := cmd.Flags()
	flags.StringVar(&given.data, "data", "./local", "folder that holds everything: inbox/, outbox/, audit/, state.db")
	flags.StringVar(&given.host, "host", "127.0.0.1", "address to listen on")
	flags.StringVar(&given.port, "port", env.port(), "port to listen on, 0 for any that is free; PORT sets the default")
	flags.StringSliceVar(&given.hosts, "allowed-hosts", nil, "names that the server is reached by, beside IP addresses and localhost; requests for others are refused")
	flags.StringVar(&given.publicURL, "public-url", "", "address by which others reach the server, such as https://shop.example behind a proxy that speaks TLS: its name is allowed, and links lead there; PUBLIC_URL sets the default")
	flags.StringVar(&given.user, "user", "", "who the printed token is for (default: you, where a token is asked for); naming somebody asks for one")
	return cmd
}

// serve runs everything until ctx ends or a part of it fails. To be told to
// end before it has begun to answer is no failure either.
func serve(ctx context.Context, env environment, given serveFlags) (err error) {
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
	if settings.Hosts, settings.User = append(settings.Hosts, given.hosts...), given.user; given.user != "" {
		if err := tokens.CheckName(given.user); err != nil {
			return usagef("--user: %s", errs.Message(err))
		}
	}
	server, err := emulator.Open(ctx, given.data, settings, logging.New(env.stderr, slog.LevelInfo))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	listener, err := env.listen(ctx, given.host, given.port)
	if err != nil {
		return err
	}
	address, err := server.Admit(listener)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(env.stdout, "Planwright serves on %s\nOpen it in a browser.\n\n", address)
	base, _, _ := strings.Cut(address, "/?")
	if err := server.Describe(env.stdout, base, given.data); err != nil {
		return errors.Join(err, listener.Close())
	}
	begun = true
	return server.Run(ctx, listener)
}
