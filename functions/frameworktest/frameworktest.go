// Package frameworktest serves a deployed function as the platform does: by
// its name, through the functions framework, on a port of its own.
package frameworktest

import (
	"net"
	"testing"
	"time"

	"github.com/GoogleCloudPlatform/functions-framework-go/funcframework"
)

// Serve serves the function that target names until the process ends, for the
// framework cannot be stopped, and returns its address once it answers.
func Serve(t testing.TB, target string) string {
	t.Helper()
	t.Setenv("FUNCTION_TARGET", target)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	go func() { failed <- funcframework.StartHostPort(host, port) }()
	for tick := time.NewTicker(5 * time.Millisecond); ; <-tick.C {
		select {
		case err := <-failed:
			t.Fatal(err)
		default:
		}
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			return "http://" + address
		}
	}
}
