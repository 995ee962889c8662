package inbox

import (
	"os"
	"path/filepath"
	"testing"
)

// A change in the folder is told, and one in a folder below it that was scanned.
func TestWatchChanges(t *testing.T) {
	dir := t.TempDir()
	c, err := WatchChanges(dir)
	if err != nil {
		t.Skipf("NOT TESTED where the system tells of no changes: %v", err)
	}
	defer c.Close()
	told := func(what string) {
		t.Helper()
		select {
		case <-c.happened():
		case <-t.Context().Done():
			t.Fatalf("%s was not told", what)
		}
	}
	below := filepath.Join(dir, "plan_one_v1")
	if err := os.Mkdir(below, 0o755); err != nil {
		t.Fatal(err)
	}
	told("a folder")
	c.watch("plan_one_v1")
	if err := os.WriteFile(filepath.Join(below, "p.csv"), []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	told("a file in it")
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	var none *Changes // where the system tells of none
	none.watch("plan_one_v1")
	if none.happened() != nil || none.Close() != nil {
		t.Error("nobody tells of changes")
	}
}
