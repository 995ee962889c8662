package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// write makes an upload of text and commits it.
func write(t *testing.T, b bucket.Bucket, name, text string) (bucket.Object, error) {
	t.Helper()
	upload, err := b.Create(t.Context(), name, bucket.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer upload.Abandon()
	if _, err := io.WriteString(upload, text); err != nil {
		t.Fatal(err)
	}
	return upload.Commit()
}

// folder returns what lies in a folder: name=content.
func folder(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, entry.Name()+"="+string(text))
	}
	return found
}

func expect(t *testing.T, dir string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, folder(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
}

func TestTheOutputReplacesWhatIsThereInOneStep(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	upload, err := Output.Create(t.Context(), path, bucket.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(upload, "new"); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "old" {
		t.Errorf("before the commit: %q", text)
	}
	object, err := upload.Commit()
	if err != nil {
		t.Fatal(err)
	}
	expect(t, dir, "out.csv=new")
	if size, sum := upload.Sum(); size != 3 || object.Size != 3 || object.CRC32C != sum {
		t.Errorf("object %+v, upload %d bytes %08x", object, size, sum)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v, want those of the file before", info.Mode())
	}
	if _, err := upload.Commit(); !errors.Is(err, errs.Internal) {
		t.Errorf("a second commit: %v, want Internal", err)
	}
}

func TestWhatIsAbandonedLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	for name, end := range map[string]func(bucket.Upload){
		"abandoned": func(u bucket.Upload) { u.Abandon() },
		"cancelled": func(u bucket.Upload) {
			cancel()
			if _, err := u.Commit(); !errors.Is(err, errs.Deadline) {
				t.Errorf("Commit of a cancelled upload: %v, want Deadline", err)
			}
		},
	} {
		path := filepath.Join(dir, "below", name)
		upload, err := Output.Create(ctx, path, bucket.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(upload, "half"); err != nil {
			t.Fatal(err)
		}
		end(upload)
	}
	expect(t, filepath.Join(dir, "below"))
}

func TestAChangesFileIsCreatedOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "changes", "plan_x_v1.jsonl")
	if _, err := Changes.Stat(t.Context(), path); !errors.Is(err, errs.NotFound) {
		t.Errorf("Stat before: %v, want NotFound", err)
	}
	first, err := write(t, Changes, path, "one\n")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]errs.Kind{"one\n": errs.Conflict, "two\n": errs.Conflict} {
		there, err := write(t, Changes, path, text)
		if errs.KindOf(err) != want || there.CRC32C != first.CRC32C {
			t.Errorf("writing %q again: %+v, %v; want Conflict and what is there", text, there, err)
		}
	}
	stat, err := Changes.Stat(t.Context(), path)
	if err != nil || stat.CRC32C != first.CRC32C || stat.Size != 4 {
		t.Errorf("Stat: %+v, %v", stat, err)
	}
	expect(t, filepath.Dir(path), "plan_x_v1.jsonl=one\n")
}

func TestTheLogGrowsByALine(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "logs", "audit.jsonl")
	for _, text := range []string{"{1}\n", "{2}\n", "{1}\n"} { // the last is a repetition
		if _, err := write(t, Bucket{name: Log.name, noSync: true}, log, text); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, filepath.Dir(log), "audit.jsonl={1}\n{2}\n")
	if err := os.WriteFile(log, []byte("{1}\n{torn"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Append(log, []byte("{3}\n"), true); err != nil {
		t.Fatal(err)
	}
	expect(t, filepath.Dir(log), "audit.jsonl={1}\n{torn\n{3}\n")
}

func TestLinesOfManyWritersStayWhole(t *testing.T) {
	log := filepath.Join(t.TempDir(), "audit.jsonl")
	var writers sync.WaitGroup
	for i := range 32 {
		writers.Go(func() {
			if err := Append(log, fmt.Appendf(nil, "{%02d}%s\n", i, strings.Repeat("x", 10_000)), true); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != 32 {
		t.Fatalf("%d lines, want 32", len(lines))
	}
	for _, line := range lines {
		if len(line) != 10_004 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}

func TestDraftsAreUsedAgainAndNeverShared(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	if err := os.WriteFile(filepath.Join(dir, ".out.csv.part"), []byte("left by a run that was killed"), 0o644); err != nil {
		t.Fatal(err)
	}
	var uploads []bucket.Upload
	for _, text := range []string{"first", "second"} {
		upload, err := Output.Create(t.Context(), path, bucket.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(upload, text); err != nil {
			t.Fatal(err)
		}
		uploads = append(uploads, upload)
	}
	for i, want := range []string{"first", "second"} {
		if _, err := uploads[i].Commit(); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Errorf("after commit %d: %q, want %q", i, got, want)
		}
	}
	expect(t, dir, "out.csv=second")
}

// TestALargeFileKeepsNoMoreRoomThanItNeeds writes files on either side of the
// sizes at which room is reserved, in pieces that do not fit them.
func TestALargeFileKeepsNoMoreRoomThanItNeeds(t *testing.T) {
	piece := bytes.Repeat([]byte("sku,price\n"), 10_000)
	for _, pieces := range []int{1, 10, 11, 30, 700} {
		path := filepath.Join(t.TempDir(), "out.csv")
		upload, err := Bucket{name: Output.name, noSync: true}.Create(t.Context(), path, bucket.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer upload.Abandon()
		for range pieces {
			if _, err := upload.Write(piece); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := upload.Commit(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(text, bytes.Repeat(piece, pieces)) {
			t.Errorf("%d pieces: the file has %d bytes (%v)", pieces, len(text), err)
		}
		var stat unix.Stat_t
		if err := unix.Stat(path, &stat); err != nil {
			t.Fatal(err)
		}
		if taken := stat.Blocks * 512; taken > int64(len(text))+smallFile {
			t.Errorf("%d pieces: %d bytes take %d of the disk", pieces, len(text), taken)
		}
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := write(t, Output, sub, "x"); !errors.Is(err, errs.Invalid) {
		t.Errorf("in the place of a folder: %v, want Invalid", err)
	}
	if _, _, err := Tables("", false).Open(t.Context(), filepath.Join(dir, "none.csv"), 1); !errors.Is(err, errs.NotFound) {
		t.Errorf("a missing input: %v, want NotFound", err)
	}
	if _, err := Tables("", false).Create(t.Context(), "x.csv", bucket.CreateOptions{}); !errors.Is(err, errs.Denied) {
		t.Errorf("writing an input: %v, want Denied", err)
	}
	expect(t, sub)
}
