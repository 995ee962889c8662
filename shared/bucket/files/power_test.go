package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/test/powercut"
)

// cutting takes the power away before and after every sync.
func cutting(t *testing.T, dir string) (*powercut.Disk, *[]string) {
	t.Helper()
	disk, found := powercut.Watch(t, dir), &[]string{}
	real := fsync
	fsync = func(file *os.File) error {
		*found = append(*found, disk.Cut()...)
		if err := disk.Sync(file); err != nil {
			return err
		}
		*found = append(*found, disk.Cut()...)
		return nil
	}
	t.Cleanup(func() { fsync = real })
	return disk, found
}

// After a power cut an output is the older or the newer one, whole, and once it
// was said to be written it is the newer.
func TestAPowerCutLeavesOneOutputWhole(t *testing.T) {
	const older, newer = "the older output\n", "the newer one, which is longer than the older output\n"
	for name, test := range map[string]struct {
		to     bucket.Bucket
		before string
	}{
		"an output in the place of another": {Output, older},
		"the first output":                  {Output, ""},
		"changes, which are created":        {Changes, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "new", "below", "out.csv")
			if test.before != "" {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(test.before), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			disk, found := cutting(t, dir)
			upload, err := test.to.Create(t.Context(), path, bucket.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(upload, newer); err != nil {
				t.Fatal(err)
			}
			if _, err := upload.Commit(); err != nil {
				t.Fatal(err)
			}
			if len(*found) < 8 {
				t.Fatalf("%d folders after a cut: file and folder are not both synced", len(*found))
			}
			for i, left := range *found {
				if text := readOr(t, filepath.Join(left, "new", "below", "out.csv"), ""); text != test.before && text != newer {
					t.Errorf("cut %d leaves %q", i, text)
				}
			}
			for _, left := range disk.Cut() {
				if text := readOr(t, filepath.Join(left, "new", "below", "out.csv"), ""); text != newer {
					t.Errorf("it was said to be written, and %q is left", text)
				}
			}
		})
	}
}

// A line that was said to be in the log is there after a power cut, and those
// before it are whole.
func TestAPowerCutLeavesTheLogsLines(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "logs", "audit.jsonl")
	disk, found := cutting(t, dir)
	var written string
	for n := range 4 {
		*found = nil
		line := fmt.Sprintf("{%d}\n", n)
		if err := Append(log, []byte(line), false); err != nil {
			t.Fatal(err)
		}
		for i, left := range *found {
			text := readOr(t, filepath.Join(left, "logs", "audit.jsonl"), "")
			if !strings.HasPrefix(text, written) {
				t.Errorf("line %d, cut %d leaves %q, want what was there before", n, i, text)
			}
		}
		written += line
		for _, left := range disk.Cut() {
			if text := readOr(t, filepath.Join(left, "logs", "audit.jsonl"), ""); text != written {
				t.Errorf("line %d was said to be written, and %q is left", n, text)
			}
		}
	}
}

// What a run wrote that died before it was durable is made so by the next, which
// finds it there.
func TestWhatIsFoundIsMadeDurable(t *testing.T) {
	dir := t.TempDir()
	log, changes := filepath.Join(dir, "audit.jsonl"), filepath.Join(dir, "changes.jsonl")
	disk, _ := cutting(t, dir)
	for _, noSync := range []bool{true, false} {
		if err := Append(log, []byte("{1}\n"), noSync); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(changes+".draft", []byte("{2}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	draft, err := os.Open(changes + ".draft")
	if err != nil {
		t.Fatal(err)
	}
	defer draft.Close()
	if err := errors.Join(fsync(draft), os.Link(changes+".draft", changes)); err != nil { // and no more
		t.Fatal(err)
	}
	if _, err := write(t, Changes, changes, "{2}\n"); !errors.Is(err, errs.Conflict) {
		t.Fatalf("writing it again: %v, want Conflict", err)
	}
	for _, left := range disk.Cut() {
		if text := readOr(t, filepath.Join(left, "audit.jsonl"), ""); text != "{1}\n" {
			t.Errorf("of the line %q is left", text)
		}
		if text := readOr(t, filepath.Join(left, "changes.jsonl"), ""); text != "{2}\n" {
			t.Errorf("of the changes %q is left", text)
		}
	}
}

func readOr(t *testing.T, path, missing string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return missing
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
