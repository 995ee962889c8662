package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/planwright/planwright/shared/ledger"
)

// TestTablesAreKept keeps a table as it was read where the file system shares blocks, be
// it the one of this folder or one that is made up, and leaves nothing behind elsewhere.
func TestTablesAreKept(t *testing.T) {
	real := clone
	defer func() { clone = real }()
	can := func() bool {
		dir := t.TempDir()
		return os.WriteFile(filepath.Join(dir, "a"), []byte("a"), 0o600) == nil && real(filepath.Join(dir, "a"), filepath.Join(dir, "b")) == nil
	}()
	t.Logf("this file system shares blocks: %t", can)
	for name, test := range map[string]struct {
		clone func(from, to string) error
		keeps bool
	}{
		"this file system": {real, can},
		"one that does": {func(from, to string) error {
			text, err := os.ReadFile(from)
			return errors.Join(err, os.WriteFile(to, text, 0o600))
		}, true},
		"one that does not": {func(_, _ string) error { return errors.ErrUnsupported }, false},
		"one that is broken": {func(_, to string) error {
			return errors.Join(errors.ErrUnsupported, os.WriteFile(to, []byte("torn"), 0o600))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			clone = test.clone
			dir := t.TempDir()
			table, db := filepath.Join(dir, "in.csv"), filepath.Join(dir, "executions.db")
			put := func(text string) {
				t.Helper()
				if err := os.WriteFile(table, []byte(text), 0o600); err != nil { // in place
					t.Fatal(err)
				}
			}
			b := Tables(db, false)
			read := func(generation int64, want string) {
				t.Helper()
				file, object, err := b.Open(t.Context(), table, generation)
				if err != nil {
					t.Fatal(err)
				}
				defer file.Close()
				if text, err := io.ReadAll(file); err != nil || string(text) != want || (object.Name != table) != (want != "third") {
					t.Errorf("generation %d is %q in %s, %v; want %q", generation, text, object.Name, err, want)
				}
			}
			upload := func(generation int64) ledger.Upload {
				return ledger.Upload{Bucket: b.Name(), Object: table, Generation: generation}
			}
			put("first")
			b.Keep("plan_one_v1", upload(1))
			put("second")
			b.Keep("plan_one_v1", upload(1)) // it is there
			b.Keep("plan_one_v1", upload(2))
			b.Keep("plan_one", upload(3))
			put("third")
			if !test.keeps {
				read(1, "third")
				if _, err := os.Stat(Kept(db)); !os.IsNotExist(err) {
					t.Errorf("something is left behind: %v", err)
				}
				return
			}
			read(1, "first")
			read(2, "second")
			b.Forget("plan_one", ledger.Upload{})
			read(3, "third")
			b.Forget("plan_one_v1", upload(2))
			read(1, "third")
			read(2, "second")
			b.Forget("plan_one_v1", ledger.Upload{})
			if _, err := os.Stat(Kept(db)); !os.IsNotExist(err) {
				t.Errorf("something is left behind: %v", err)
			}
		})
	}
}
