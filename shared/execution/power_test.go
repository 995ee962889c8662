package execution_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/test/powercut"
)

// A power cut leaves of the folders what was synced, or also names that were
// not, and of the records each commit that was confirmed. Wherever it comes, the
// next delivery of the same event completes the execution with the sealed bytes.
func TestAPowerCutAnywhereLosesNothing(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	buckets := filepath.Join(t.TempDir(), "buckets")
	copyTree(t, s.dir, buckets, func(name string) bool { return filepath.Dir(name) == "." && filepath.Ext(name) != "" })
	var found []string
	disk := powercut.Watch(t, buckets)
	cut := func() {
		for _, left := range disk.Cut() {
			for _, suffix := range []string{"", "-wal"} {
				text, err := os.ReadFile(filepath.Join(s.dir, "state.db"+suffix))
				if err == nil {
					err = os.WriteFile(filepath.Join(left, "state.db"+suffix), text, 0o600)
				}
				if err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			}
			found = append(found, left)
		}
	}
	powered := s.executor()
	for name, to := range map[string]*bucket.Bucket{"inbox": &powered.Inbox, "outbox": &powered.Outbox, "audit": &powered.Audit} {
		b, err := folder.Open(filepath.Join(buckets, name), folder.Options{Now: s.clock.Now, Sync: func(file *os.File) error {
			cut()
			err := disk.Sync(file)
			cut()
			return err
		}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		*to = b
	}
	found = nil // what opening the folders synced
	if err := powered.Handle(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	cut() // and once it is acknowledged
	if len(found) < 50 {
		t.Fatalf("%d states after a cut; want many", len(found))
	}
	for i, left := range found {
		after := reopen(t, left, s.clock.Now().Add(time.Hour))
		if i >= len(found)-2 {
			after.completed() // no delivery need come any more
		}
		after.handle(event)
		after.completed()
		if n := len(after.files("outbox")); n != 1 || t.Failed() {
			t.Fatalf("cut %d of %d leaves %d files in the outbox", i, len(found), n)
		}
	}
}

// reopen is a shop over what a power cut has left.
func reopen(t *testing.T, dir string, now time.Time) *shop {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "state.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s := &shop{t: t, dir: dir, store: store, clock: &clock{now: now}}
	for name, b := range map[string]**folder.Bucket{"inbox": &s.inbox, "outbox": &s.outbox, "audit": &s.audit} {
		*b = openFolder(t, dir, name, s.clock)
	}
	s.Executor = s.executor()
	return s
}

// copyTree copies a folder with its hard links' content, but for what is left
// out.
func copyTree(t *testing.T, from, to string, leaveOut func(name string) bool) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(from, path)
		switch {
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case leaveOut(name):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
