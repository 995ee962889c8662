package emulator

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/errs"
)

func TestOneServerPerFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b")
	first, err := openFolder(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{InboxName, OutboxName, AuditName, StateName} {
		if _, err := os.Stat(filepath.Join(path, name)); err != nil {
			t.Errorf("%s is missing: %v", name, err)
		}
	}
	_, err = openFolder(t.Context(), path)
	if !errors.Is(err, errs.Conflict) || !strings.Contains(err.Error(), "--data") {
		t.Errorf("a second server: %v, want a Conflict that names --data", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := openFolder(t.Context(), path)
	if err != nil {
		t.Fatalf("after the first has gone: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAFolderThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := openFolder(t.Context(), filepath.Join(file, "below")); !errors.Is(err, errs.Denied) {
		t.Errorf("below a file: %v, want Denied", err)
	}
}
