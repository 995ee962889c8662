package main

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Each function starts without configuration and answers: what needs none with what it
// is, and the rest with a plain error.
func TestEachFunctionIsServed(t *testing.T) {
	if testing.Short() {
		t.Skip("links a program")
	}
	program := filepath.Join(t.TempDir(), "local")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for target, path := range map[string]string{"Planner": "/v1/executions", "Session": "/list-apps", "Sweeper": "/", "Executor": "/", "Console": "/"} {
		t.Run(target, func(t *testing.T) {
			port := freePort(t)
			started := exec.CommandContext(t.Context(), program)
			started.Env = append(os.Environ(), "FUNCTION_TARGET="+target, "PORT="+port, "GOOGLE_CLOUD_PROJECT=", "GOOGLE_API_KEY=", "GEMINI_API_KEY=", "GOOGLE_GENAI_USE_VERTEXAI=")
			if err := started.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = started.Process.Kill()
				_ = started.Wait()
			})
			answer := post(t, "http://127.0.0.1:"+port+path)
			defer answer.Body.Close()
			if answer.StatusCode < 400 || target != "Executor" && !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json") {
				t.Errorf("%d %v, want an error of ours: nothing is configured", answer.StatusCode, answer.Header)
			}
		})
	}
	started := exec.CommandContext(t.Context(), program)
	if out, err := started.CombinedOutput(); err == nil || !strings.Contains(string(out), "FUNCTION_TARGET is not set") {
		t.Errorf("without a target: %v, %s", err, out)
	}
}

func freePort(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// post sends a request once there is somebody to answer it.
func post(t *testing.T, address string) *http.Response {
	t.Helper()
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		answer, err := http.Post(address, "application/json", strings.NewReader("{}"))
		if err == nil {
			return answer
		}
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatal(err)
		}
	}
}
