package web

import (
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/planwright/planwright/shared/logging"
)

const (
	// endWithin is how long requests may go on after SIGTERM. The platform kills the
	// process after ten seconds.
	endWithin = 8 * time.Second
	// lastBytes is how long a server takes at most to send the end of an answer, which
	// it does once the handler has returned.
	lastBytes = 250 * time.Millisecond
)

// process counts what the deployed function of this process is doing.
var process ending

var watched sync.Once

// Begin counts a request to a deployed function until end is called. From the first
// request on, SIGTERM lets those that are under way end before the process does: the
// main of the functions framework does not.
func Begin() (end func()) {
	watched.Do(func() {
		sigterm := make(chan os.Signal, 1)
		signal.Notify(sigterm, syscall.SIGTERM)
		go func() {
			<-sigterm
			if cut := process.wait(time.After(endWithin)); cut > 0 {
				logging.New(os.Stdout, slog.LevelInfo).
					Warn("the process ends before its requests", "requests", cut)
			}
			os.Exit(0)
		}()
	})
	return process.begin()
}

// ending counts requests, and waits until there are none.
type ending struct {
	mu      sync.Mutex
	running int
	quiet   chan struct{} // to be closed once nothing runs; nil: nobody waits
}

func (e *ending) begin() (end func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running++
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.running--; e.running == 0 && e.quiet != nil {
			close(e.quiet)
			e.quiet = nil
		}
	}
}

// wait waits until every request has ended and its answer is sent, and returns how
// many have not when time is up.
func (e *ending) wait(up <-chan time.Time) int {
	for {
		select {
		case <-up:
			e.mu.Lock()
			defer e.mu.Unlock()
			return e.running
		case <-e.untilQuiet():
		}
		time.Sleep(lastBytes)
		if e.isQuiet() { // none has come meanwhile
			return 0
		}
	}
}

func (e *ending) untilQuiet() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	quiet := make(chan struct{})
	if e.running == 0 {
		close(quiet)
	} else {
		e.quiet = quiet
	}
	return quiet
}

func (e *ending) isQuiet() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running == 0
}
