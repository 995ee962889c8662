// Command planwright is the whole product on one machine. "planwright serve", also without
// "serve", runs planner, executor and sessions behind one address, over one folder. Each
// other command does one thing for a person without a server, and has a file of its own
// name, but for reject (approve.go) and executions, show and history (records.go).
package main

import (
	"cmp"
	"context"
	"io"
	"log"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"

	"golang.org/x/term"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/config"
)

func main() {
	stopProfile := profile(os.Getenv("PLANWRIGHT_CPUPROFILE"))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	log.SetOutput(io.Discard) // what libraries print; ours is told by errors, warnings and the log of serve
	code := run(ctx, os.Args[1:], environment{
		stdin:  os.Stdin,
		stdout: os.Stdout,
		stderr: os.Stderr,
		asks:   term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stderr.Fd())),
		lookup: os.LookupEnv,
		file:   ".env",
	})
	stop()
	stopProfile()
	os.Exit(code)
}

// profile writes to a file what takes the processor's time until it is stopped: make
// profile collects that, and make build compiles by it.
func profile(path string) (stop func()) {
	if path == "" {
		return func() {}
	}
	file, err := os.Create(path)
	if err == nil {
		err = pprof.StartCPUProfile(file)
	}
	if err != nil {
		log.Fatal("PLANWRIGHT_CPUPROFILE: ", err)
	}
	return pprof.StopCPUProfile
}

// environment is the world a command runs in; a test gives it another.
type environment struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	asks           bool // a person sits at stdin and stderr, who can be asked
	lookup         func(variable string) (string, bool)
	listener       func(ctx context.Context, port string) (net.Listener, error) // nil is emulator.Listen
	// of variables that serve and decisions read; "": none
	file  string
	steps *slog.Logger // hears of each step of apply and undo; nil: nobody does
}

// listen takes the address that a command serves on.
func (e environment) listen(ctx context.Context, port string) (net.Listener, error) {
	if e.listener != nil {
		return e.listener(ctx, port)
	}
	return emulator.Listen(ctx, port)
}

// loadFile sets the variables of the file that the process's environment lacks.
func (e environment) loadFile() error {
	if e.file == "" {
		return nil
	}
	return config.LoadFile(e.file)
}

// port is where serve listens if nothing else is asked for.
func (e environment) port() string {
	port, _ := e.lookup("PORT")
	return cmp.Or(port, "8080")
}
