// Package emulatortest runs the emulator for tests of what it serves.
package emulatortest

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/logging"
)

// Serve runs the emulator over a fresh folder and returns its address and what
// stops it, which the end of the test does too.
func Serve(t *testing.T, variables map[string]string) (address string, stop func()) {
	t.Helper()
	settings, err := emulator.ReadSettings(config.Map(variables))
	if err != nil {
		t.Fatal(err)
	}
	return ServeWith(t, settings)
}

// ServeWith is Serve with settings.
func ServeWith(t *testing.T, settings emulator.Settings) (address string, stop func()) {
	t.Helper()
	return ServeIn(t, filepath.Join(t.TempDir(), "local"), settings)
}

// ServeIn is ServeWith over a folder.
func ServeIn(t *testing.T, data string, settings emulator.Settings) (address string, stop func()) {
	t.Helper()
	server, err := emulator.Open(t.Context(), data, settings, logging.Discard)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := emulator.Listen(t.Context(), "0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, listener) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return "http://" + listener.Addr().String(), stop
}
