package sessions_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTheExample builds testdata/example as a module of its own, which
// takes this module as any other program would, and runs it twice.
func TestTheExample(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("testdata/example")); err != nil {
		t.Fatal(err)
	}
	run(t, folder, "go", "mod", "edit", "-replace", "github.com/planwright/planwright="+root)
	run(t, folder, "go", "build", "-o", "greeter", ".")
	got := run(t, folder, "./greeter", "Hello", "Salut") + run(t, folder, "./greeter", "Ciao")
	if diff := cmp.Diff("Hello to you, for the 1. time\nSalut to you, for the 2. time\nCiao to you, for the 3. time\n", got); diff != "" {
		t.Errorf("it says (-want +got):\n%s", diff)
	}
	var ours []string
	for dep := range strings.Lines(run(t, folder, "go", "list", "-deps", ".")) {
		if room, mine := strings.CutPrefix(strings.TrimSpace(dep), "github.com/planwright/planwright/"); mine {
			ours = append(ours, room)
		}
	}
	if diff := cmp.Diff([]string{"shared/errs", "shared/sessions", "shared/sqlitedb", "shared/sessions/sqlite"}, ours); diff != "" {
		t.Errorf("it links of this module (-want +got):\n%s", diff)
	}
}

func run(t *testing.T, folder, name string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	var stderr bytes.Buffer
	command.Dir, command.Env, command.Stderr = folder, append(os.Environ(), "GOWORK=off"), &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, arguments, err, stderr.Bytes())
	}
	return string(out)
}
