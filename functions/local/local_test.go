package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/firestoretest"
)

// asProgram has the tests' own binary serve a function, as the command does.
const asProgram = "PLANWRIGHT_LOCAL_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is a process of the command.
func program(ctx context.Context, t *testing.T) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

// command is the program in a folder of its own, with variables beside those that it does without.
func command(t *testing.T, variables ...string) *exec.Cmd {
	t.Helper()
	cmd := program(t.Context(), t)
	cmd.Dir = t.TempDir()
	cmd.Env = append(cmd.Env, "GOOGLE_CLOUD_PROJECT=", "INBOX_BUCKET=", "GOOGLE_API_KEY=", "GEMINI_API_KEY=", "GOOGLE_GENAI_USE_VERTEXAI=")
	cmd.Env = append(cmd.Env, variables...)
	return cmd
}

// serve starts the program on a free port and returns its address.
func serve(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	port := freePort(t)
	cmd.Env = append(cmd.Env, "PORT="+port)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return "http://127.0.0.1:" + port
}

// Each function starts without its buckets and its model and answers: what needs none
// with what it is, and the rest with a plain error.
func TestEachFunctionIsServed(t *testing.T) {
	for target, path := range map[string]string{"Planner": "/v1/executions", "Session": "/list-apps", "Sweeper": "/", "Executor": "/", "Console": "/"} {
		t.Run(target, func(t *testing.T) {
			answer := post(t, serve(t, command(t, "FUNCTION_TARGET="+target, "GOOGLE_CLOUD_PROJECT=shop"))+path, "{}")
			defer answer.Body.Close()
			if answer.StatusCode < 400 || target != "Executor" && !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json") {
				t.Errorf("%d %v, want an error of ours: nothing is configured", answer.StatusCode, answer.Header)
			}
		})
	}
	if out, err := command(t, "FUNCTION_TARGET=").CombinedOutput(); err == nil || !strings.Contains(string(out), "FUNCTION_TARGET is not set") {
		t.Errorf("without a target: %v, %s", err, out)
	}
}

// Without a key and a project the planner plans by the grammar, and says so.
func TestThePlannerPlansWithoutAKey(t *testing.T) {
	firestoretest.Project(t) // sets where the emulator is
	address := serve(t, command(t, "FUNCTION_TARGET=Planner"))
	body := fmt.Sprintf(`{"instruction":"Discount all yoga products by 5%%.","execution_id":"plan_%s_v1"}`, strings.ToLower(rand.Text()))
	answer := post(t, address+"/v1/plans", body)
	defer answer.Body.Close()
	plan, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusCreated || !strings.Contains(string(plan), `"planner":{"model":"grammar"`) {
		t.Fatalf("%v, %d %s", err, answer.StatusCode, plan)
	}
	me, err := http.Get(address + "/v1/me")
	if err != nil {
		t.Fatal(err)
	}
	defer me.Body.Close()
	if text, err := io.ReadAll(me.Body); err != nil || !strings.Contains(string(text), `"planner":"grammar"`) {
		t.Errorf("%v, %s", err, text)
	}
}

// The function is named in .env, which the environment wins over; a bad file is one error.
func TestDotEnv(t *testing.T) {
	write := func(cmd *exec.Cmd, text string) *exec.Cmd {
		t.Helper()
		if err := os.WriteFile(filepath.Join(cmd.Dir, ".env"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	without := func(cmd *exec.Cmd, name string) *exec.Cmd {
		cmd.Env = slices.DeleteFunc(cmd.Env, func(set string) bool { return strings.HasPrefix(set, name+"=") })
		return cmd
	}
	cmd := without(command(t, "GOOGLE_CLOUD_PROJECT=shop"), "FUNCTION_TARGET")
	answer := post(t, serve(t, write(cmd, "FUNCTION_TARGET=Planner\nPORT=1\n"))+"/v1/plans", "{}")
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%d, want the planner, which lacks its bucket", answer.StatusCode)
	}
	out, err := write(command(t), "FUNCTION_TARGET=Planner\nGOOGLE_API_KEY s3cret\n").CombinedOutput()
	const want = ".env, line 2, is not a variable. Write each as NAME=value on a line of its own, as .env.example does.\n"
	if err == nil || string(out) != want {
		t.Errorf("%v, %q; want %q", err, out, want)
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
func post(t *testing.T, address, body string) *http.Response {
	t.Helper()
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		answer, err := http.Post(address, "application/json", strings.NewReader(body))
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
