package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/emulator/tokens"
	"github.com/planwright/planwright/shared/errs"
)

func tokenCommand(env environment) *cobra.Command {
	var data string
	var revoke bool
	var as form
	cmd := &cobra.Command{
		Use:   "token NAME",
		Short: "Make a token by which a server knows somebody",
		Long: `Makes a token for a server that asks who you are, prints it once, and keeps its hash
in the data folder. What is done with it is on record under its name, and APPROVERS
lists such names. A browser opens ADDRESS/?token=TOKEN, a program sends
Authorization: Bearer TOKEN, a command finds it in PLANWRIGHT_TOKEN.

Who can write to the data folder can make a token of any name: its owner is trusted.
Who made which, and when, is recorded. It holds until --revoke ends all that the
name has; a server that runs knows both at once.`,
		Example: `  planwright token ana --data ./local
  planwright token ana --revoke`,
		Args: cobra.ExactArgs(1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return action(func(context.Context) error { return makeToken(env, as, data, args[0], revoke) })(cmd, args)
	}
	cmd.Flags().StringVar(&data, "data", "./local", "the data folder of the server")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "end all tokens of the name")
	as.add(cmd)
	return cmd
}

func makeToken(env environment, as form, data, name string, revoke bool) error {
	if err := tokens.CheckName(name); err != nil {
		return usagef("%s", errs.Message(err))
	}
	if !emulator.IsState(filepath.Join(data, emulator.StateName)) {
		return usagef("--data %s is no server's data folder yet. Start the server once: planwright serve --data %s", data, data)
	}
	by, err := emulator.MachineUser()
	if err != nil {
		return err
	}
	kept := tokens.New(filepath.Join(data, tokens.FileName))
	if revoke {
		if err := kept.Revoke(name, by, time.Now()); err != nil {
			return err
		}
		printed, err := as.print(env.stdout, map[string]any{"name": name, "revoked": true})
		if !printed {
			fmt.Fprintf(env.stdout, "revoked    every token of %s\n", name)
		}
		return err
	}
	token, err := kept.Mint(name, by, time.Now(), false)
	if err != nil {
		return err
	}
	printed, err := as.print(env.stdout, map[string]any{"name": name, "token": token})
	if !printed {
		fmt.Fprintln(env.stdout, token)
	}
	return err
}
