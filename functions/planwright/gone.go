package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const noTokens = "Servers know nobody by tokens any more: put a proxy that signs people in before the server, and start it with --user-header."

// gone are the command and the flags of serve that there were, with what is there instead.
var gone = map[string]string{
	"token":           noTokens,
	"--revoke":        noTokens,
	"--user":          noTokens,
	"--host":          "The server listens on 127.0.0.1 alone: for other machines put a proxy that signs people in before it, and start it with --public-url and --user-header.",
	"--allowed-hosts": "The server answers to IP addresses, to localhost and to the name in --public-url: give that.",
}

// noArgs refuses arguments of the program itself, which are commands that it does not have.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && gone[args[0]] != "" {
		return usagef("There is no command %s. %s", args[0], gone[args[0]])
	}
	return cobra.NoArgs(cmd, args)
}

// flagError says of a flag that serve had what is there instead.
func flagError(cmd *cobra.Command, err error) error {
	unknown, is := errors.AsType[*pflag.NotExistError](err)
	if !is || cmd.Flags().Lookup("user-header") == nil {
		return err
	}
	flag := "--" + unknown.GetSpecifiedName()
	if instead := gone[flag]; instead != "" {
		return usagef("There is no %s. %s", flag, instead)
	}
	return err
}
