package main

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/web"
)

//go:embed products.csv
var demoTable []byte

const (
	demoInstruction = "Increase prices by 10% for all in-stock fitness products. Do not change prices for out-of-stock items."
	demoFile        = "products.csv"
)

func demoCommand(env environment) *cobra.Command {
	var parent string
	var f form
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "See everything once in a fresh folder",
		Long: `Starts everything in a fresh folder, turns an instruction into a plan over HTTP,
drops a product table into the inbox, shows what changed and where the record
lies, and drops the same table again to show that a plan is carried out once.
It uses no network and no credentials.`,
		Args: cobra.NoArgs,
		RunE: action(func(ctx context.Context) error { return demo(ctx, env, parent, f) }),
	}
	cmd.Flags().StringVar(&parent, "in", ".", "where the fresh folder is made")
	f.add(cmd)
	return cmd
}

// demo serves a fresh folder for as long as the walkthrough takes.
func demo(ctx context.Context, env environment, parent string, f form) (err error) {
	data, err := os.MkdirTemp(parent, "demo-")
	if err != nil {
		return errs.Wrap(errs.Denied, err,
			"No folder can be made in %s. Choose another place with --in.", parent)
	}
	data = filepath.Clean(data)
	logFile, err := os.Create(filepath.Join(data, "server.log"))
	if err != nil {
		return errs.Wrap(errs.Unavailable, err, "The log of the demo cannot be written in %s.", data)
	}
	defer logFile.Close()
	log := logging.New(logFile, slog.LevelInfo)
	// The demo takes nothing of the cloud, whatever is set.
	settings, err := emulator.ReadSettings(func(string) (string, bool) { return "", false })
	if err != nil {
		return err
	}
	server, err := emulator.Open(ctx, data, settings, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	listener, err := env.listen(ctx, "0")
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ran := make(chan error, 1)
	go func() {
		ran <- server.Run(ctx, listener)
		stop() // a server that failed ends the walk too
	}()
	shown := walkthrough{
		out:    env.stdout,
		data:   data,
		client: &web.Client{Base: "http://" + listener.Addr().String(), HTTP: network},
	}
	if f == "json" {
		shown.out = io.Discard
	}
	err = shown.run(ctx)
	if stop(); err == nil {
		_, err = f.print(
			env.stdout,
			map[string]any{"folder": data, "plan": shown.stored.Plan, "execution": shown.stands},
		)
	}
	return errors.Join(<-ran, err)
}
