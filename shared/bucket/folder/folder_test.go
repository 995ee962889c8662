package folder

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/buckettest"
)

var createOptions = bucket.CreateOptions{ContentType: "text/csv"}

func TestMain(m *testing.M) {
	if argument := os.Getenv(crashVariable); argument != "" {
		if err := crash(argument); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	buckettest.Main(m, func(address string) (bucket.Bucket, error) { return Open(address, Options{Name: "box"}) })
}

func TestBucket(t *testing.T) {
	for _, test := range []struct {
		name    string
		options Options
	}{
		{"synced", Options{Name: "box"}},
		{"unsynced", Options{Name: "box", NoSync: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			buckettest.Run(t, func(t *testing.T) buckettest.Subject { return subject(t, test.options) })
		})
	}
}

func subject(t *testing.T, options Options) buckettest.Subject {
	dir := t.TempDir()
	b := open(t, dir, options)
	return buckettest.Subject{
		Bucket: b, Address: dir, Large: 64 << 20, LargeHeap: 8 << 20,
		Contents: func(t *testing.T) []string { return contents(t, dir) },
		Put: func(t *testing.T, name string, data []byte, metadata map[string]string) bucket.Object {
			drop(t, dir, name, string(data))
			object, _, err := b.Ingest(t.Context(), name, IngestOptions{Metadata: metadata})
			if err != nil {
				t.Fatal(err)
			}
			return object
		},
		Damage: func(t *testing.T, object bucket.Object) {
			path := filepath.Join(dir, object.Name)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			data[len(data)/2] ^= 1
			if err := os.Chmod(path, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		},
	}
}

func open(t *testing.T, dir string, options Options) *Bucket {
	t.Helper()
	b, err := Open(dir, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// drop puts a file into the folder as a person would.
func drop(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// contents lists the visible files and folders without a file, and each hidden
// file that is no part of an object or a copy.
func contents(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(name, Hidden):
			if d.IsDir() && strings.Count(name, "/") < 2 {
				return nil // the shelves
			}
			if d.IsDir() && !isEmpty(t, path) || !d.IsDir() && belongs(t, dir, path) {
				return nil
			}
		case d.IsDir() && !isEmpty(t, path):
			return nil
		}
		names = append(names, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

func isEmpty(t *testing.T, dir string) bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries) == 0
}

// belongs reports whether the hidden file is half of a copy that has a record,
// or of an object whose bytes are linked to a visible file.
func belongs(t *testing.T, dir, path string) bool {
	t.Helper()
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	data, err := os.Stat(stem + ".data")
	if err != nil || filepath.Ext(path) == ".tmp" {
		return false
	}
	if _, err := os.Stat(stem + ".json"); err != nil {
		return false
	}
	if strings.HasPrefix(path, filepath.Join(dir, string(drops))) {
		return true
	}
	linked := false
	filepath.WalkDir(dir, func(other string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.Contains(other, Hidden) {
			info, err := d.Info()
			linked = linked || err == nil && os.SameFile(info, data)
		}
		return nil
	})
	return linked
}

// Where the clock stands still, generations rise all the same.
func TestGenerationsRise(t *testing.T) {
	b := open(t, t.TempDir(), Options{Now: func() time.Time { return time.UnixMicro(1000) }})
	last := b.nextGeneration()
	for range 3 {
		next := b.nextGeneration()
		if next != last+1 {
			t.Errorf("%d comes after %d", next, last)
		}
		last = next
	}
}

func TestEmptyFoldersArePruned(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	if err := os.MkdirAll(filepath.Join(dir, "a", "b", "c"), 0o755); err != nil {
		t.Fatal(err)
	}
	drop(t, dir, "a/file", "text")
	b.prune("a/b/c")
	if _, err := os.Stat(filepath.Join(dir, "a", "b")); !os.IsNotExist(err) {
		t.Errorf("a/b: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a", "file")); err != nil {
		t.Error(err)
	}
}
