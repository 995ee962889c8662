package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/tree"
)

// cli runs one command line in this process.
func cli(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return cliWith(t, nil, args...)
}

func cliWith(t *testing.T, variables map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), args, environment{
		stdin: strings.NewReader(""), stdout: &out, stderr: &err,
		lookup: func(name string) (string, bool) { value, ok := variables[name]; return value, ok },
	})
	return code, out.String(), err.String()
}

// read returns a file's content, and "" where there is none.
func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data)
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// testdata returns the path of a file that several packages share.
func testdata(name string) string { return filepath.Join("..", "..", "testdata", name) }

// auditLines reads an audit log.
func auditLines(t *testing.T, path string) []ledger.AuditDocument {
	t.Helper()
	var documents []ledger.AuditDocument
	for line := range strings.Lines(read(t, path)) {
		var document ledger.AuditDocument
		if err := json.Unmarshal([]byte(line), &document); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		documents = append(documents, document)
	}
	return documents
}

func TestHelpNamesEveryCommand(t *testing.T) {
	code, stdout, _ := cli(t, "--help")
	if code != exitDone {
		t.Fatalf("exit code %d", code)
	}
	for _, command := range newRoot(environment{lookup: os.LookupEnv}).Commands() {
		if command.Short == "" || !strings.Contains(stdout, command.Name()) {
			t.Errorf("the help does not tell about %s", command.Name())
		}
		code, help, _ := cli(t, command.Name(), "--help")
		if code != exitDone || !strings.Contains(help, "Usage:") {
			t.Errorf("%s --help: exit code %d, %s", command.Name(), code, help)
		}
	}
}

func TestAKeyIsMadeForTheCloud(t *testing.T) {
	code, stdout, stderr := cli(t, "key")
	public, err := tree.PublicKey(stdout)
	if code != exitDone || err != nil || !strings.Contains(stderr, public) {
		t.Errorf("exit code %d, %v\n%s", code, err, stderr)
	}
}

func TestWrongCommandLines(t *testing.T) {
	for name, args := range map[string][]string{
		"unknown command":    {"nonsense"},
		"unknown topic":      {"help", "nonsense"},
		"unknown, below one": {"help", "apply", "nonsense"},
		"unknown flag":       {"apply", "--nonsense"},
		"missing flags":      {"apply"},
		"too many arguments": {"serve", "here"},
		"a bad id":           {"verify", "--execution", "../../x"},
		"a missing database": {"verify", "--db", "none.db", "--execution", "plan_fitness_v1"},
	} {
		t.Run(name, func(t *testing.T) {
			help := "See: planwright " + args[0] + " --help"
			if name == "unknown command" {
				help = "See: planwright --help"
			}
			code, stdout, stderr := cli(t, args...)
			if code != exitUsage || stdout != "" || !strings.Contains(stderr, help) {
				t.Errorf("exit code %d, stdout %q, stderr %q; want %d and a hint", code, stdout, stderr, exitUsage)
			}
		})
	}
}

func TestCancelledContextFails(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	dir := t.TempDir()
	code := run(ctx, []string{"apply", "--plan", testdata("example_plan.json"), "--csv", testdata("products.csv"),
		"--out", filepath.Join(dir, "out.csv"), "--audit", filepath.Join(dir, "audit.jsonl"), "--db", filepath.Join(dir, "x.db")},
		environment{stdin: strings.NewReader(""), stdout: &out, stderr: &out, lookup: os.LookupEnv})
	if code != exitFailed || read(t, filepath.Join(dir, "out.csv")) != "" {
		t.Errorf("exit code %d, %s; want %d and no output", code, &out, exitFailed)
	}
}
