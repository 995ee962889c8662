package inbox

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestHintsFollowNewFolders(t *testing.T) {
	dir := t.TempDir()
	hints := Hints(t.Context(), dir, slog.New(slog.NewTextHandler(t.Output(), nil)))
	steps := []func() error{
		func() error { return os.Mkdir(filepath.Join(dir, "plan_a_v1"), 0o755) },
		func() error { return os.WriteFile(filepath.Join(dir, "plan_a_v1", "p.csv"), nil, 0o644) },
	}
	for i, step := range steps {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-hints:
		case <-time.After(30 * time.Second):
			t.Fatalf("step %d: no hint", i)
		}
	}
}
