// Command emulated runs a command, such as go test ./..., with one Firestore
// emulator for all the tests in it, and answers with the command's exit code.
// Where there is no emulator it says so before and after, and the tests skip.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/planwright/planwright/shared/firestoretest"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: emulated command [argument...]")
		os.Exit(2)
	}
	os.Exit(run(os.Args[1:]))
}

func run(arguments []string) int {
	// An interrupt reaches the command too: it ends, and then we do.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM)
	command := exec.Command(arguments[0], arguments[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	if firestoretest.Configured() == "" {
		host, stop := start()
		defer stop()
		command.Env = append(os.Environ(), firestoretest.SharedVariable+"="+host)
	}
	return exitCode(command.Run())
}

// start starts the emulator, or answers "" and says so, now and at the end.
func start() (host string, stop func()) {
	ctx, cancel := context.WithTimeout(context.Background(), firestoretest.StartTimeout)
	defer cancel()
	emulator, err := firestoretest.Start(ctx)
	if err == nil {
		return emulator.Host, emulator.Stop
	}
	notice := func() { fmt.Fprintf(os.Stderr, "*** THE FIRESTORE SUITES DO NOT RUN: %v\n", err) }
	notice()
	return "", notice
}

func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode()
	default:
		fmt.Fprintln(os.Stderr, "emulated:", err)
		return 1
	}
}
