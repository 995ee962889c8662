// Command planwright is the whole product on one machine: the planner, the
// executor and the agents' sessions behind one address, over one folder.
//
// serve is what runs without a subcommand; demo, plan, apply, verify, sequence
// and chat do one thing each for a person without a server. Each command has a
// file of its own name.
package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], environment{
		stdin:  os.Stdin,
		stdout: os.Stdout,
		stderr: os.Stderr,
		lookup: os.LookupEnv,
	})
	stop()
	os.Exit(code)
}

// environment is the world a command runs in; a test gives it another.
type environment struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	lookup         func(variable string) (string, bool)
}

// port is where serve listens if nothing else is asked for.
func (e environment) port() string {
	port, _ := e.lookup("PORT")
	return cmp.Or(port, "8080")
}
