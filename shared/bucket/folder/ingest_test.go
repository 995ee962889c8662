package folder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/test/expect"
)

var background = context.Background()

func writeObject(ctx context.Context, b *Bucket, name, text string) (bucket.Object, error) {
	upload, err := b.Create(ctx, name, createOptions)
	if err != nil {
		return bucket.Object{}, err
	}
	defer upload.Abandon()
	if _, err := io.WriteString(upload, text); err != nil {
		return bucket.Object{}, err
	}
	return upload.Commit()
}

// read returns the bytes of the live generation.
func read(t *testing.T, b *Bucket, name string) string {
	t.Helper()
	object, err := b.Stat(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return readGeneration(t, b, name, object.Generation)
}

func readGeneration(t *testing.T, b *Bucket, name string, generation int64) string {
	t.Helper()
	r, _, err := b.Open(t.Context(), name, generation)
	if err != nil {
		t.Fatalf("Open(%q, %d): %v", name, generation, err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func wantKind(t *testing.T, what string, err error, want errs.Kind) {
	t.Helper()
	if errs.KindOf(err) != want {
		t.Errorf("%s: %v, want kind %q", what, err, want)
	}
}

func TestIngestOutlivesTheFile(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{Name: "inbox"})
	drop(t, dir, "id_12345/p.csv", "one")
	first, info, err := b.Ingest(t.Context(), "id_12345/p.csv", IngestOptions{Generation: 41})
	if err != nil {
		t.Fatal(err)
	}
	onDisk, err := os.Stat(filepath.Join(dir, "id_12345/p.csv"))
	if err != nil || !os.SameFile(info, onDisk) || first.Generation != 41 {
		t.Errorf("object %+v, info %v, %v", first, info, err)
	}
	drop(t, dir, "id_12345/p.csv", "two, not taken yet")
	if live, err := b.Stat(t.Context(), "id_12345/p.csv"); err != nil || live.Generation != 41 {
		t.Errorf("Stat before the new file is taken = %+v, %v", live, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "id_12345")); err != nil {
		t.Fatal(err)
	}
	_, err = b.Stat(t.Context(), "id_12345/p.csv")
	wantKind(t, "Stat of a deleted file", err, errs.NotFound)

	reopened := open(t, dir, Options{Name: "inbox", Exclusive: true})
	if text := readGeneration(t, reopened, "id_12345/p.csv", 41); text != "one" {
		t.Errorf("generation 41 is %q", text)
	}
}

// A file that Create wrote is copied with what Create was told of it; one that
// was written over it by hand is not.
func TestIngestOfWhatWasCreated(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{Name: "inbox"})
	upload, err := b.Create(t.Context(), "id_12345/p.csv", bucket.CreateOptions{Metadata: map[string]string{"intent": "propose"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(upload, "created"); err != nil {
		t.Fatal(err)
	}
	if _, err := upload.Commit(); err != nil {
		t.Fatal(err)
	}
	object, _, err := b.Ingest(t.Context(), "id_12345/p.csv", IngestOptions{ContentType: "text/csv"})
	if err != nil || object.Metadata["intent"] != "propose" || object.ContentType != "text/csv" {
		t.Errorf("what was created: %+v, %v", object, err)
	}
	drop(t, dir, "id_12345/p.csv", "by hand")
	if object, _, err = b.Ingest(t.Context(), "id_12345/p.csv", IngestOptions{}); err != nil || len(object.Metadata) != 0 {
		t.Errorf("by hand: %+v, %v", object, err)
	}
}

func TestIngestGenerations(t *testing.T) {
	dir := t.TempDir()
	clock := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	b := open(t, dir, Options{Now: func() time.Time { return clock }})
	drop(t, dir, "p.csv", "text")
	ingest := func(generation int64) (int64, error) {
		object, _, err := b.Ingest(t.Context(), "p.csv", IngestOptions{Generation: generation})
		return object.Generation, err
	}
	last, err := ingest(0)
	if err != nil || last < clock.UnixMicro() {
		t.Fatalf("generation %d, %v", last, err)
	}
	for _, generation := range []int64{last, last - 1, 1, -5} {
		_, err := ingest(generation)
		wantKind(t, "a generation that does not rise", err, errs.Conflict)
		if want := fmt.Sprintf("p.csv has generation %d already, so %d is not a new one.", last, generation); errs.Message(err) != want {
			t.Errorf("%q, want %q", errs.Message(err), want)
		}
	}
	clock = clock.Add(-time.Hour)
	b = open(t, dir, Options{Now: func() time.Time { return clock }})
	for _, asked := range []int64{0, last + 10, 0} {
		got, err := ingest(asked)
		if err != nil || got <= last || asked > 0 && got != asked {
			t.Errorf("generation %d after %d, asked for %d, %v", got, last, asked, err)
		}
		last = got
	}
}

func TestIngestRefuses(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	b := open(t, dir, Options{})
	drop(t, outside, "secret.csv", "secret")
	drop(t, dir, "id_12345/p.csv", "text")
	link := func(target, name string) {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(filepath.Join(outside, "secret.csv"), "absolute.csv")
	link("id_12345/p.csv", "inside.csv")
	link(outside, "folder")
	link("id_12345", "folder_inside")
	link("nowhere", "dangling.csv")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.csv"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]errs.Kind{
		"absolute.csv":               errs.Invalid,
		"inside.csv":                 errs.Invalid,
		"folder":                     errs.Invalid,
		"folder/secret.csv":          errs.Invalid,
		"folder_inside/p.csv":        errs.Invalid,
		"dangling.csv":               errs.Invalid,
		"pipe.csv":                   errs.Invalid,
		"id_12345/p.csv/q.csv":       errs.Invalid,
		Hidden + "/objects":          errs.Invalid,
		".PLANWRIGHT/x.csv":          errs.Invalid,
		"../" + filepath.Base(dir):   errs.Invalid,
		"id_12345":                   errs.NotFound,
		"id_12345/q.csv":             errs.NotFound,
		"nothing_here/at/all/to.csv": errs.NotFound,
	} {
		_, _, err := b.Ingest(t.Context(), name, IngestOptions{})
		wantKind(t, "Ingest of "+name, err, want)
		_, err = b.Stat(t.Context(), name)
		wantKind(t, "Stat of "+name, err, want)
		_, _, err = b.Open(t.Context(), name, 1)
		wantKind(t, "Open of "+name, err, want)
		if want == errs.Invalid {
			_, err = writeObject(t.Context(), b, name, "overwritten")
			wantKind(t, "Create of "+name, err, errs.Invalid)
		}
	}
	if text, err := os.ReadFile(filepath.Join(outside, "secret.csv")); err != nil || string(text) != "secret" {
		t.Errorf("outside the folder: %q, %v", text, err)
	}
}

func TestIngestOfAChangingFile(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"grows":       func(path string) error { return appendTo(path, "more") },
		"is cut":      func(path string) error { return os.Truncate(path, 3) },
		"is touched":  func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(1, 0)) },
		"disappears":  os.Remove,
		"is replaced": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o644)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			b := open(t, dir, Options{})
			drop(t, dir, victimName, victimText)
			b.fault = failAt(stepWrite, 1, func() error { return change(filepath.Join(dir, victimName)) })
			object, _, err := b.Ingest(t.Context(), victimName, IngestOptions{})
			if name == "disappears" || name == "is replaced" {
				// The file that was opened is whole all the same.
				if text := readGeneration(t, b, victimName, object.Generation); err != nil || text != victimText {
					t.Errorf("%d bytes, %v", len(text), err)
				}
				return
			}
			wantKind(t, "Ingest", err, errs.Stale)
			if got := contents(t, dir); len(got) != 1 {
				t.Errorf("contents %q", got)
			}
		})
	}
}

func appendTo(path, text string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

func TestIngestCancelled(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	drop(t, dir, victimName, victimText)
	ctx, cancel := context.WithCancel(t.Context())
	b.fault = failAt(stepWrite, 1, func() error { cancel(); return nil })
	_, _, err := b.Ingest(ctx, victimName, IngestOptions{})
	wantKind(t, "Ingest", err, errs.Deadline)
	checkWhole(t, dir, victimName)
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{Name: "inbox"})
	for _, name := range []string{"a.csv", "b.csv"} {
		drop(t, dir, name, name)
		for generation := range int64(3) {
			if _, _, err := b.Ingest(t.Context(), name, IngestOptions{Generation: generation + 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := writeObject(t.Context(), b, "c.csv", "an object, no copy"); err != nil {
		t.Fatal(err)
	}
	unfinished, _, err := b.reserve(drops, "a.csv", 9)
	if err != nil {
		t.Fatal(err)
	}
	unfinished.Close()
	removed, err := b.Sweep(t.Context(), func(name string, generation int64) bool { return name == "a.csv" && generation != 2 })
	if err != nil || removed != 5 {
		t.Errorf("Sweep = %d, %v, want 5", removed, err)
	}
	for _, generation := range []int64{1, 3} {
		if text := readGeneration(t, b, "a.csv", generation); text != "a.csv" {
			t.Errorf("generation %d is %q", generation, text)
		}
	}
	_, _, err = b.Open(t.Context(), "a.csv", 2)
	wantKind(t, "Open of a generation that was swept", err, errs.NotFound)
	if text := read(t, b, "c.csv"); text != "an object, no copy" {
		t.Errorf("c.csv is %q", text)
	}
	nothing := func(string, int64) bool { return false }
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = b.Sweep(ctx, nothing)
	wantKind(t, "Sweep without time", err, errs.Deadline)
	shelf := filepath.Join(dir, string(drops))
	if err := os.Mkdir(filepath.Join(shelf, "of a copy that was not begun"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, entry{dir: drops.dir("a.csv"), generation: 1}.record()), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if removed, err = b.Sweep(t.Context(), nothing); err != nil || removed != 2 {
		t.Errorf("Sweep = %d, %v, want 2", removed, err)
	}
	if left, err := os.ReadDir(shelf); err != nil || len(left) > 0 {
		t.Errorf("left after a sweep: %v, %v", left, err)
	}
	if err := os.Remove(shelf); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Sweep(t.Context(), nothing); !strings.HasPrefix(errs.Message(err), "The copies in inbox cannot be looked through") {
		t.Errorf("Sweep of a folder that is gone: %v", err)
	}
}

// A list that cannot be read to its end ends with an error.
func TestListFails(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	drop(t, dir, "p.csv", "text")
	for range 2 {
		if _, _, err := b.Ingest(t.Context(), "p.csv", IngestOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	copying, _, err := b.reserve(drops, "p.csv", 9)
	if err != nil {
		t.Fatal(err)
	}
	copying.Close()
	for object, err := range b.List(t.Context(), "") {
		if err != nil {
			t.Errorf("List beside a copy that has no record yet: %v, %v", object, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, last = range b.List(ctx, "") {
		cancel()
	}
	wantKind(t, "List", last, errs.Deadline)

	if err := os.WriteFile(filepath.Join(dir, string(drops), "a file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, last = range b.List(t.Context(), "") {
	}
	wantKind(t, "List of a folder with a file in it", last, errs.Invalid)
	if err := os.RemoveAll(filepath.Join(dir, string(drops))); err != nil {
		t.Fatal(err)
	}
	for _, last = range b.List(t.Context(), "") {
	}
	wantKind(t, "List of a folder that is gone", last, errs.Unavailable)
}

// Files that were written, read or found to be others are closed.
func TestFilesAreClosed(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	if _, err := create(t, b, "text"); err != nil {
		t.Fatal(err)
	}
	drop(t, dir, "p.csv", "by hand")
	if text := read(t, b, victimName) + read(t, b, "p.csv"); text != "textby hand" {
		t.Errorf("it reads %q", text)
	}
	_, _, err := b.Open(t.Context(), "p.csv", 1)
	wantKind(t, "Open of another generation", err, errs.NotFound)
	expect.Closed(t, dir)
}
