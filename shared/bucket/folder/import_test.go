package folder

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// imported begins to import a file with a text.
func imported(t *testing.T, b *Bucket, text string) (*Import, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	i, err := b.Import(t.Context(), "plan_one_v1/p.csv", 7, file, bucket.CreateOptions{ContentType: "text/csv", Metadata: map[string]string{"a": "b"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	return i, path
}

// An import is there once it was read to its end, with the bytes that were read, whatever
// becomes of the file.
func TestImport(t *testing.T) {
	b := open(t, t.TempDir(), Options{})
	i, path := imported(t, b, "one, two")
	missing := func() {
		t.Helper()
		if _, _, err := b.Open(t.Context(), "plan_one_v1/p.csv", 7); errs.KindOf(err) != errs.NotFound {
			t.Errorf("before it was read to its end: %v", err)
		}
	}
	missing()
	half, object, err := i.Open(t.Context())
	if err != nil || object.Size != 8 || object.Generation != 7 {
		t.Fatalf("%+v, %v", object, err)
	}
	if _, err := io.ReadFull(half, make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	half.Close()
	missing()
	var read bytes.Buffer
	if err := i.ReadAll(t.Context(), &read); err != nil || read.String() != "one, two" || i.Is("plan_one_v1/p.csv", 7) {
		t.Fatalf("%q, %v", &read, err)
	}
	if err := os.WriteFile(path, []byte("edited"), 0o600); err != nil {
		t.Fatal(err)
	}
	i.Close()
	in, object, err := b.Open(t.Context(), "plan_one_v1/p.csv", 7)
	if err != nil || object.ContentType != "text/csv" || object.Metadata["a"] != "b" {
		t.Fatalf("%+v, %v", object, err)
	}
	defer in.Close()
	if text, err := io.ReadAll(in); err != nil || string(text) != "one, two" {
		t.Errorf("%q, %v", text, err)
	}
	if err := b.RemoveImport(t.Context(), "plan_one_v1/p.csv", 7); err != nil {
		t.Error(err)
	}
	missing()
}

// A file that somebody writes to while it is copied is not taken, also where its size and its
// time are as before, and what was copied of it goes with the import.
func TestImportOfAFileThatChanges(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	i, path := imported(t, b, "one, two")
	in, _, err := i.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := io.ReadFull(in, make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(path, []byte("one, six"), 0o600), os.Chtimes(path, before.ModTime(), before.ModTime())); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(in); !i.Shares() && errs.KindOf(err) != errs.Unavailable {
		t.Errorf("got %v, want Unavailable", err)
	}
	i.Close()
	if left, _ := filepath.Glob(filepath.Join(dir, string(drops), "*", "*")); !i.Shares() && len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Two imports cannot have one generation.
func TestImportOfATakenGeneration(t *testing.T) {
	b := open(t, t.TempDir(), Options{})
	_, path := imported(t, b, "one")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := b.Import(t.Context(), "plan_one_v1/p.csv", 7, file, bucket.CreateOptions{}); errs.KindOf(err) != errs.Conflict {
		t.Errorf("got %v, want Conflict", err)
	}
}
