package userfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/test/powercut"
)

// cutting takes the power away before and after every sync.
func cutting(t *testing.T, dir string) (*powercut.Disk, *[]string) {
	t.Helper()
	disk, found := powercut.Watch(t, dir), &[]string{}
	before := Sync
	Sync = func(file *os.File) error {
		*found = append(*found, disk.Cut()...)
		if err := disk.Sync(file); err != nil {
			return err
		}
		*found = append(*found, disk.Cut()...)
		return nil
	}
	t.Cleanup(func() { Sync = before })
	return disk, found
}

// After a power cut an output is the older or the newer one, whole, and once it
// was said to be written it is the newer.
func TestAPowerCutLeavesOneOutputWhole(t *testing.T) {
	const newer = "the newer one, which is longer than the older output\n"
	for _, older := range []string{"the older output\n", ""} {
		dir := t.TempDir()
		path := filepath.Join(dir, "new", "below", "out.csv")
		if older != "" {
			write(t, path, older)
		}
		disk, found := cutting(t, dir)
		if err := Write(path, strings.NewReader(newer), false); err != nil {
			t.Fatal(err)
		}
		if len(*found) < 8 {
			t.Fatalf("%d folders after a cut: file and folder are not both synced", len(*found))
		}
		for i, left := range *found {
			if text := readOr(t, filepath.Join(left, "new", "below", "out.csv"), ""); text != older && text != newer {
				t.Errorf("cut %d leaves %q", i, text)
			}
		}
		for _, left := range disk.Cut() {
			if text := readOr(t, filepath.Join(left, "new", "below", "out.csv"), ""); text != newer {
				t.Errorf("it was said to be written, and %q is left", text)
			}
		}
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
		if err := AppendLine(log, []byte(line), false); err != nil {
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

// A line that a run wrote which died before it was durable is made so by the next, which
// finds it there.
func TestALineThatIsFoundIsMadeDurable(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "audit.jsonl")
	disk, _ := cutting(t, dir)
	for _, noSync := range []bool{true, false} {
		if err := AppendLine(log, []byte("{1}\n"), noSync); err != nil {
			t.Fatal(err)
		}
	}
	for _, left := range disk.Cut() {
		if text := readOr(t, filepath.Join(left, "audit.jsonl"), ""); text != "{1}\n" {
			t.Errorf("of the line %q is left", text)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func readOr(t *testing.T, path, missing string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return missing
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A line is added whole, once, and behind one that was cut off.
func TestAppendLine(t *testing.T) {
	log := filepath.Join(t.TempDir(), "audit.jsonl")
	write(t, log, "{1}\n{2")
	for range 2 {
		if err := AppendLine(log, []byte("{3}\n"), true); err != nil {
			t.Fatal(err)
		}
	}
	if got := readOr(t, log, ""); got != "{1}\n{2\n{3}\n" {
		t.Errorf("%q", got)
	}
}

// A draft that a killed run left is used again, and one that another run writes is let alone.
func TestDraftsAreUsedAgain(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	write(t, filepath.Join(dir, ".out.csv.part"), "what a killed run left")
	first, err := Create(path, true)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Create(path, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*Draft{first, second} {
		if _, err := d.Write([]byte("text")); err != nil {
			t.Fatal(err)
		}
	}
	second.Drop()
	if err := first.Place(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || readOr(t, path, "") != "text" {
		t.Errorf("%v, %v, %q", entries, err, readOr(t, path, ""))
	}
}
