package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// serve and approve read .env where they are started; what the environment has wins, and a
// bad file is one error.
func TestDotEnv(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	serve := []string{"serve", "--port", "0", "--data", "local"}
	approve := []string{"approve", "plan_one_v1", "--db", "local/state.db", "--proposal", strings.Repeat("a", 64)}
	tests := []struct {
		name, file  string
		environment []string
		arguments   []string
		want        string
	}{
		{"a variable of the file", "APPROVAL=sometimes\n", nil, serve, `APPROVAL is "sometimes"`},
		{"the environment wins", "APPROVAL=sometimes\n", []string{"APPROVAL=at times"}, serve, `APPROVAL is "at times"`},
		{"a bad line", "APPROVAL=never\nGOOGLE_API_KEY s3cret\n", nil, serve, ".env, line 2, is not a variable"},
		{"who decides", "APPROVAL_BY_ANOTHER=perhaps\n", nil, approve, `APPROVAL_BY_ANOTHER is "perhaps"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), self, tt.arguments...)
			cmd.Dir = t.TempDir()
			if err := os.WriteFile(filepath.Join(cmd.Dir, ".env"), []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd.Env = slices.DeleteFunc(os.Environ(), func(set string) bool { return strings.HasPrefix(set, "APPROV") })
			cmd.Env = append(append(cmd.Env, asProgram+"=1"), tt.environment...)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), tt.want) || strings.Contains(string(out), "s3cret") {
				t.Errorf("%v, %s; want %q", err, out, tt.want)
			}
		})
	}
}
