package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/logging"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	data string
	host string
	port string
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

SIGTERM or Ctrl-C ends it within ten seconds; what was begun is finished at the
next start. Log lines go to stderr, one JSON object each.`,
		Example: "  planwright serve --data ./local --port 8080",
		Args:    cobra.NoArgs,
		RunE:    action(func(ctx context.Context) error { return serve(ctx, env, given) }),
	}
	flags := cmd.Flags()
	flags.StringVar(&given.data, "data", "./local", "folder that holds everything: inbox/, outbox/, audit/, state.db")
	flags.StringVar(&given.host, "host", "127.0.0.1", "address to listen on")
	flags.StringVar(&given.port, "port", env.port(), "port to listen on, 0 for any that is free; PORT sets the default")
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
	settings, err := emulator.ReadSettings(env.lookup)
	if err != nil {
		return usagef("%s", err)
	}
	server, err := emulator.Open(ctx, given.data, settings, logging.New(env.stderr, slog.LevelInfo))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	listener, err := emulator.Listen(ctx, given.host, given.port)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.stdout, "Planwright serves on http://%s\nOpen it in a browser.\n\n", listener.Addr())
	if err := server.Describe(env.stdout, "http://"+listener.Addr().String(), given.data); err != nil {
		return errors.Join(err, listener.Close())
	}
	begun = true
	return server.Run(ctx, listener)
}
