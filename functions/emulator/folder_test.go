package emulator

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/sqlitedb"
)

func TestOneServerPerFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b")
	first, err := hold(t.Context(), path, logging.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{InboxName, OutboxName, AuditName, StateName} {
		if _, err := os.Stat(filepath.Join(path, name)); err != nil {
			t.Errorf("%s is missing: %v", name, err)
		}
	}
	_, err = hold(t.Context(), path, logging.Discard)
	if !errors.Is(err, errs.Conflict) || !strings.Contains(err.Error(), "--data") {
		t.Errorf("a second server: %v, want a Conflict that names --data", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := hold(t.Context(), path, logging.Discard)
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
	if _, err := hold(t.Context(), filepath.Join(file, "below"), logging.Discard); !errors.Is(err, errs.Denied) {
		t.Errorf("below a file: %v, want Denied", err)
	}
}

// modes are the permissions of all that lies directly in a folder.
func modes(t *testing.T, path string) map[string]fs.FileMode {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]fs.FileMode{}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		found[entry.Name()] = info.Mode().Perm()
	}
	return found
}

// What lies in a data folder is for its owner alone, also where it was open to
// others before. The folder itself, which was there, stays as it was.
func TestADataFolderIsItsOwnersAlone(t *testing.T) {
	const file, folder = fs.FileMode(0o600), fs.FileMode(0o700)
	want := map[string]fs.FileMode{
		StateName: file, StateName + "-wal": file, StateName + "-shm": file, lockName: file,
		InboxName: folder, OutboxName: folder, AuditName: folder, TablesName: folder,
	}
	path := t.TempDir()
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, before := range []string{"new", "open to others"} {
		f, err := hold(t.Context(), path, logging.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.state.Exec("CREATE TABLE IF NOT EXISTS t (x)"); err != nil { // so that SQLite makes its other files
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, modes(t, path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", before, diff)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		for name := range modes(t, path) {
			if err := os.Chmod(filepath.Join(path, name), 0o777); err != nil {
				t.Fatal(err)
			}
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the data folder: %v, %v", info.Mode(), err)
	}
	created := filepath.Join(t.TempDir(), "new")
	f, err := hold(t.Context(), created, logging.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if info, err := os.Stat(created); err != nil || info.Mode().Perm() != folder {
		t.Errorf("a data folder that was made: %v, %v", info.Mode(), err)
	}
}

// A server waits for a state file that another program holds, and says so.
func TestAStateFileThatAnotherHoldsIsWaitedFor(t *testing.T) {
	path := t.TempDir()
	other, err := sqlitedb.Open(t.Context(), filepath.Join(path, StateName), sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	held, err := other.BeginTx(t.Context(), nil) // which takes the write lock
	if err != nil {
		t.Fatal(err)
	}
	said, opened := make(logLines, 8), make(chan error, 1)
	go func() {
		f, err := hold(t.Context(), path, slog.New(slog.NewTextHandler(said, nil)))
		if err == nil {
			err = f.Close()
		}
		opened <- err
	}()
	select {
	case line := <-said:
		if !strings.Contains(line, "another program holds the state file") {
			t.Errorf("said %q", line)
		}
	case err := <-opened:
		t.Fatalf("it did not wait: %v", err)
	}
	if err := held.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; err != nil {
		t.Errorf("once it is free: %v", err)
	}
}

// told passes on what is logged.
type logLines chan string

func (l logLines) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}
