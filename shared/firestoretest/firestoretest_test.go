package firestoretest_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/firestoretest"
)

func TestProject(t *testing.T) {
	first, second := firestoretest.Project(t), firestoretest.Project(t)
	if first == second || !strings.HasPrefix(first, "demo-") {
		t.Errorf("projects %s and %s", first, second)
	}
	response, err := http.Get("http://" + os.Getenv(firestoretest.HostVariable))
	if err != nil {
		t.Fatalf("the emulator does not answer: %v", err)
	}
	response.Body.Close()
}

// TestMissing runs TestProject on a machine without Java: it skips and says
// why, or fails where the emulator is required.
func TestMissing(t *testing.T) {
	for name, c := range map[string]struct {
		required, want string
		fails          bool
	}{
		"optional": {"0", "SKIPPED, NOT TESTED ON FIRESTORE", false},
		"required": {"1", "REQUIRE_FIRESTORE_EMULATOR=1, and the Firestore emulator needs Java", true},
	} {
		t.Run(name, func(t *testing.T) {
			command := exec.Command(os.Args[0], "-test.run=^TestProject$", "-test.v")
			command.Env = []string{"PATH=" + t.TempDir(), firestoretest.RequireVariable + "=" + c.required}
			output, err := command.CombinedOutput()
			if (err != nil) != c.fails || !strings.Contains(string(output), c.want) {
				t.Errorf("failed: %v, output:\n%s", err, output)
			}
		})
	}
}

// TestEmulated runs commands without an emulator, which is enough to see
// that the command gets its input and that its exit code comes through.
func TestEmulated(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "emulated")
	if output, err := exec.Command("go", "build", "-o", binary, "./emulated").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	for name, c := range map[string]struct {
		arguments []string
		path      string
		host      string
		code      int
		want      string
	}{
		"no command":            {nil, "", "", 2, "usage"},
		"the exit code":         {[]string{"/bin/sh", "-c", "exit 7"}, "", "127.0.0.1:1", 7, ""},
		"an emulator is there":  {[]string{"/bin/sh", "-c", "echo host $" + firestoretest.HostVariable}, "", "127.0.0.1:1", 0, "host 127.0.0.1:1"},
		"no emulator, no Java":  {[]string{"/bin/sh", "-c", "echo ran"}, "", "", 0, "THE FIRESTORE SUITES DO NOT RUN"},
		"a command that is not": {[]string{"/no/such/command"}, "", "127.0.0.1:1", 1, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			command := exec.Command(binary, c.arguments...)
			command.Env = []string{"PATH=" + t.TempDir(), firestoretest.HostVariable + "=" + c.host}
			output, _ := command.CombinedOutput()
			if got := command.ProcessState.ExitCode(); got != c.code || !strings.Contains(string(output), c.want) {
				t.Errorf("exit %d, want %d; output:\n%s", got, c.code, output)
			}
		})
	}
}
