package folder

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
)

// A file that somebody put where a result belongs is in the way, and is told
// by its checksum.
func TestFileByHand(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{Name: "outbox"})
	drop(t, dir, "id_12345/p.csv", "by hand")
	there, err := writeObject(t.Context(), b, "id_12345/p.csv", "by the program")
	wantKind(t, "Commit", err, errs.Conflict)
	if there.Size != 7 || there.Generation <= 0 || there.Bucket != "outbox" {
		t.Errorf("the object there is %+v", there)
	}
	if text := readGeneration(t, b, "id_12345/p.csv", there.Generation); text != "by hand" {
		t.Errorf("it reads %q", text)
	}
	if err := os.Chtimes(filepath.Join(dir, "id_12345/p.csv"), time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	_, _, err = b.Open(t.Context(), "id_12345/p.csv", there.Generation)
	wantKind(t, "Open after the file was changed", err, errs.NotFound)
	if _, err := b.Stat(t.Context(), "id_12345/q.csv"); errs.Message(err) != "There is no id_12345/q.csv in outbox." {
		t.Errorf("Stat of what is not there: %v", err)
	}
}

// A folder that somebody puts in a result's way is named.
func TestFolderByHand(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	upload, err := b.Create(t.Context(), "p.csv", createOptions)
	if err != nil {
		t.Fatal(err)
	}
	drop(t, dir, "p.csv/q.csv", "in a folder")
	_, err = upload.Commit()
	wantKind(t, "Commit", err, errs.Unavailable)
	if !strings.HasPrefix(errs.Message(err), "p.csv cannot be written: its folder keeps changing") {
		t.Errorf("Commit: %s", errs.Message(err))
	}
}

// Deleting or replacing a result by hand deletes the object; its record does
// not speak for the file that takes its place.
func TestObjectDeletedByHand(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	path := filepath.Join(dir, "id_12345", "p.csv")
	first, err := writeObject(t.Context(), b, "id_12345/p.csv", "first")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, err = b.Stat(t.Context(), "id_12345/p.csv")
	wantKind(t, "Stat", err, errs.NotFound)
	_, _, err = b.Open(t.Context(), "id_12345/p.csv", first.Generation)
	wantKind(t, "Open", err, errs.NotFound)

	drop(t, dir, "id_12345/p.csv", "another file")
	replaced, err := b.Stat(t.Context(), "id_12345/p.csv")
	if err != nil || replaced.Size != 12 || replaced.ContentType != "" {
		t.Errorf("Stat of the file in its place = %+v, %v", replaced, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	second, err := writeObject(t.Context(), b, "id_12345/p.csv", "second")
	if err != nil || second.Generation <= first.Generation {
		t.Errorf("writing again: generation %d after %d, %v", second.Generation, first.Generation, err)
	}
	open(t, dir, Options{Exclusive: true}) // removes what is left of the first
	if text := read(t, b, "id_12345/p.csv"); text != "second" {
		t.Errorf("it reads %q", text)
	}
	if got := contents(t, dir); len(got) != 1 {
		t.Errorf("contents %q", got)
	}
}

func TestResultIsAPlainReadOnlyFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := writeObject(t.Context(), open(t, dir, Options{}), "id_12345/p.csv", "text"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(filepath.Join(dir, "id_12345", "p.csv"))
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o222 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// An upload of another process is left alone while it may be alive.
func TestOpenLeavesLiveUploads(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	upload, err := b.Create(t.Context(), "p.csv", createOptions)
	if err != nil {
		t.Fatal(err)
	}
	open(t, dir, Options{})
	open(t, dir, Options{Now: func() time.Time { return time.Now().Add(abandonedAfter - time.Minute) }})
	if _, err := upload.Commit(); err != nil {
		t.Errorf("Commit after the folder was opened again: %v", err)
	}

	old, err := b.Create(t.Context(), "old.csv", createOptions)
	if err != nil {
		t.Fatal(err)
	}
	open(t, dir, Options{Now: func() time.Time { return time.Now().Add(abandonedAfter + time.Minute) }})
	if got := contents(t, dir); len(got) != 1 || got[0] != "p.csv" {
		t.Errorf("contents %q", got)
	}
	_, err = old.Commit()
	wantKind(t, "Commit of an upload that was cleaned away", err, errs.Unavailable)
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	drop(t, dir, "file", "text")
	_, err := Open(filepath.Join(dir, "file"), Options{})
	wantKind(t, "a file", err, errs.Invalid)
	_, err = Open(filepath.Join(dir, "file", "below"), Options{})
	wantKind(t, "below a file", err, errs.Invalid)
	drop(t, dir, "taken/"+Hidden, "text")
	_, err = Open(filepath.Join(dir, "taken"), Options{})
	wantKind(t, "a file in the hidden folder's place", err, errs.Invalid)
	now := time.Unix(1_700_000_000, 0)
	drop(t, dir, "linkless/"+entry{dir: objects.dir("linkless"), generation: now.UnixMicro()}.draft(), "in the way of the link")
	_, err = Open(filepath.Join(dir, "linkless"), Options{Now: func() time.Time { return now }})
	wantKind(t, "a folder without hard links", err, errs.Invalid)
}

// An object whose record a power cut has damaged is told from one without a record.
func TestDamagedRecord(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	drop(t, dir, "dropped.csv", "text")
	if _, _, err := b.Ingest(t.Context(), "dropped.csv", IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := writeObject(t.Context(), b, "created.csv", "text"); err != nil {
		t.Fatal(err)
	}
	records, err := filepath.Glob(filepath.Join(dir, Hidden, "*", "*", "*.json"))
	if err != nil || len(records) != 2 {
		t.Fatalf("records %q, %v", records, err)
	}
	for _, record := range records {
		if err := os.Truncate(record, 10); err != nil {
			t.Fatal(err)
		}
	}
	later := open(t, dir, Options{Now: func() time.Time { return time.Now().Add(2 * abandonedAfter) }}) // nor is it tidied away
	for _, name := range []string{"dropped.csv", "created.csv"} {
		for _, b := range []*Bucket{b, later} {
			_, err := b.Stat(t.Context(), name)
			wantKind(t, "Stat of "+name, err, errs.Internal)
		}
	}
}

// Where records cannot be listed nobody knows whether a file has one.
func TestRecordsThatCannotBeListed(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	drop(t, dir, "p.csv", "text")
	drop(t, dir, objects.dir("p.csv"), "in the way of records")
	_, err := b.Stat(t.Context(), "p.csv")
	wantKind(t, "Stat", err, errs.Invalid)
	drop(t, dir, "q.csv", "text")
	drop(t, dir, drops.dir("q.csv"), "in the way of copies")
	_, _, err = b.Ingest(t.Context(), "q.csv", IngestOptions{})
	if wantKind(t, "Ingest", err, errs.Invalid); !strings.HasPrefix(errs.Message(err), "q.csv cannot be looked up: ") {
		t.Errorf("Ingest: %v", err)
	}
}

// ending is a context that ends when it is asked so often.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// A file by hand is read to its end before it is handed out, and time may run out meanwhile.
func TestOpenByHandEndsInTime(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	drop(t, dir, "p.csv", "text")
	object, err := b.Stat(t.Context(), "p.csv")
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := b.Open(t.Context(), "p.csv", object.Generation)
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
	if _, err := in.Read(make([]byte, 1)); !strings.HasPrefix(errs.Message(err), "p.csv cannot be read: ") {
		t.Errorf("Read of what is closed: %v", err)
	}
	for calls := range 10 {
		in, opened, err := b.Open(&ending{t.Context(), calls}, "p.csv", object.Generation)
		if err == nil {
			in.Close()
			if calls == 0 || opened.Size != object.Size {
				t.Errorf("opened after %d calls: %+v, want %+v", calls, opened, object)
			}
			return
		}
		wantKind(t, "Open", err, errs.Deadline)
	}
	t.Error("never opened")
}

// What the kernel says, rather than what a test pretends.
func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere; TestFaults injects the same error")
	}
	dir := t.TempDir()
	b := open(t, dir, Options{})
	for _, closed := range []string{dir, filepath.Join(dir, string(objects))} {
		if err := os.Chmod(closed, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(closed, 0o755) })
		_, err := writeObject(t.Context(), b, "id_12345/p.csv", "text")
		wantKind(t, "Create", err, errs.Denied)
	}
	if got := contents(t, dir); len(got) != 0 {
		t.Errorf("contents %q", got)
	}
}

// Every byte and every name is on disk before the name that leads to it: the
// bytes, the record and its folders before the link, the link before success.
func TestOrderOfSteps(t *testing.T) {
	synced := []step{
		stepReserve, stepWrite, stepSync, stepDraft, stepSync, stepRename, stepSyncDir, stepSyncDir,
		stepLink, stepSyncDir, stepSyncDir,
	}
	unsynced := []step{stepReserve, stepWrite, stepDraft, stepRename, stepLink}
	for _, test := range []struct {
		name   string
		noSync bool
		want   []step
	}{{"synced", false, synced}, {"unsynced", true, unsynced}} {
		t.Run(test.name, func(t *testing.T) {
			b := open(t, t.TempDir(), Options{NoSync: test.noSync})
			var taken []step
			b.fault = func(s step) error { taken = append(taken, s); return nil }
			if _, err := writeObject(t.Context(), b, "id_12345/p.csv", "text"); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, taken); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
			// A caller that is told that the name is taken may take the object for
			// its own, so it is on disk by then.
			taken = nil
			_, err := writeObject(t.Context(), b, "id_12345/p.csv", "text")
			wantKind(t, "writing it again", err, errs.Conflict)
			if diff := cmp.Diff(test.want, taken); diff != "" {
				t.Errorf("steps of the second writer (-want +got):\n%s", diff)
			}
		})
	}
}

// Network file systems may carry out a link and report that it exists.
func TestLinkWithLostAnswer(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	upload, err := b.Create(t.Context(), victimName, createOptions)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := upload.Write([]byte(victimText)); err != nil {
		t.Fatal(err)
	}
	b.fault = failAt(stepLink, 1, func() error {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(victimName)), 0o755); err != nil {
			return err
		}
		entries, err := b.entries(objects.dir(victimName), "data")
		if err != nil || len(entries) != 1 {
			t.Fatal(entries, err)
		}
		return os.Link(filepath.Join(dir, entries[0].data()), filepath.Join(dir, victimName))
	})
	object, err := upload.Commit()
	if err != nil || object.ContentType != createOptions.ContentType {
		t.Errorf("Commit = %+v, %v", object, err)
	}
	checkWhole(t, dir, victimName)
}

// A copy is looked through without a trace: its files, whole, are what they
// were, objects and copies alike.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, Options{})
	if _, err := writeObject(t.Context(), b, "id_12345/p.csv", "written"); err != nil {
		t.Fatal(err)
	}
	drop(t, dir, "id_12345/q.csv", "dropped")
	taken, _, err := b.Ingest(t.Context(), "id_12345/q.csv", IngestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, dir)
	later := func() time.Time { return time.Now().Add(2 * abandonedAfter) }
	looked := open(t, dir, Options{ReadOnly: true, Now: later})
	if text := read(t, looked, "id_12345/p.csv"); text != "written" {
		t.Errorf("the object reads %q", text)
	}
	if text := readGeneration(t, looked, "id_12345/q.csv", taken.Generation); text != "dropped" {
		t.Errorf("the copy reads %q", text)
	}
	_, err = writeObject(t.Context(), looked, "id_12345/r.csv", "text")
	wantKind(t, "Create", err, errs.Denied)
	_, _, err = looked.Ingest(t.Context(), "id_12345/q.csv", IngestOptions{})
	wantKind(t, "Ingest", err, errs.Denied)
	_, err = looked.Sweep(t.Context(), func(string, int64) bool { return false })
	wantKind(t, "Sweep", err, errs.Denied)
	if want := "Nothing can be removed: " + looked.Name() + " was opened for reading only."; errs.Message(err) != want {
		t.Errorf("Sweep: %s", errs.Message(err))
	}
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Errorf("the folder has changed (-before +after):\n%s", diff)
	}

	plain := t.TempDir()
	drop(t, plain, "p.csv", "never a bucket")
	if text := read(t, open(t, plain, Options{ReadOnly: true}), "p.csv"); text != "never a bucket" {
		t.Errorf("a file in a plain folder reads %q", text)
	}
	_, err = Open(filepath.Join(plain, "missing"), Options{ReadOnly: true})
	wantKind(t, "a missing folder", err, errs.NotFound)
}

// snapshot is the text of every file under dir and the time of every folder.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		found[path] = info.ModTime().String()
		if d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			found[path] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
