package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/planwright/planwright/shared/firestoretest"
)

// TestTheReadmesCommandsWork runs the lines of ../README.md as they stand, in the root of
// the project, with none of the variables that they do without.
func TestTheReadmesCommandsWork(t *testing.T) {
	if testing.Short() {
		t.Skip("links programs")
	}
	needs(t, "bash", "curl", "java", "gcloud")
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	script := regexp.MustCompile("(?s)<!-- tested: functions -->\n```sh\n(.*?)```").FindSubmatch(text)
	if script == nil {
		t.Fatal("../README.md has no tested lines")
	}
	alone(t)
	for port := range strings.FieldsSeq("8686 4443 8081 8082") {
		if listens("127.0.0.1:" + port) {
			t.Fatalf("something else listens on 127.0.0.1:%s, where the README's lines start a server", port)
		}
	}
	out := run(t, string(script[1]))
	for _, want := range []string{
		`"planner":{"model":"grammar"`, "Increase the price by 10% for products in category fitness that are in stock",
		`"status":"completed"`, `"rows_changed":2`, "A101,fitness,32.99,true",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in the output", want)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
}

// needs skips the test where a program is missing, or fails it where it must be there.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv(firestoretest.RequireVariable) == "1" {
				t.Fatal(err)
			}
			t.Skipf("SKIPPED, THE README'S LINES WERE NOT RUN: %v", err)
		}
	}
}

// alone waits for other tests of this page on this machine: its ports are fixed.
func alone(t *testing.T) {
	t.Helper()
	lock, err := os.OpenFile(filepath.Join(os.TempDir(), "planwright-functions-readme.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lock.Close() })
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
}

// endJobs gives each job of a script a process group, as a terminal does, and ends them all
// with the script.
const endJobs = `set -m; trap 'for job in $(jobs -p); do kill -KILL -- -$job; done' EXIT TERM
`

// run runs a script to its end, and ends everything that it has started.
func run(t *testing.T, script string) string {
	t.Helper()
	output, err := os.CreateTemp(t.TempDir(), "output")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", endJobs+script)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Dir, cmd.Stdout, cmd.Stderr = "../..", output, output
	cmd.Env = os.Environ()
	for _, variable := range []string{
		"GOOGLE_CLOUD_PROJECT", "FIRESTORE_EMULATOR_HOST", "STORAGE_EMULATOR_HOST", "INBOX_BUCKET", "OUTBOX_BUCKET", "AUDIT_BUCKET", "TABLES_BUCKET",
		"GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "APPROVAL", "PLANNERS", "AUDIT_KEY",
	} {
		cmd.Env = append(cmd.Env, variable+"=")
	}
	err = cmd.Run()
	text, readErr := os.ReadFile(output.Name())
	if err != nil || readErr != nil {
		t.Fatalf("%v\n%s", errors.Join(err, readErr), text)
	}
	return string(text)
}
