// Package golden holds outward behaviour against files of testdata/golden, which a
// person reads as text. Their lines may change only in a commit that says which of
// them, and why. The package's own tests cover tables, instructions and executions.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the files of testdata/golden")

// Folder is testdata/golden, seen from a package that lies so many folders deep in
// the module: 3 for shared/test/golden.
func Folder(depth int) string {
	return filepath.Join(strings.Repeat("../", depth), "testdata", "golden")
}

// Updating reports whether the files are to be written.
func Updating() bool { return *update }

// Check compares a text with a file. With -update it writes the file instead.
func Check(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		write(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; make golden writes it", err)
	}
	if diff := diff(string(want), got); diff != "" {
		t.Errorf("%s differs (- file, + now); if each line is meant, run make golden:\n%s", file, diff)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Only fails the test for each file of a folder that is none of names, because
// nothing compares it any more. With -update it removes them.
func Only(t *testing.T, folder string, names []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		path := filepath.Join(folder, file.Name())
		switch {
		case slices.Contains(names, file.Name()):
		case !*update:
			t.Errorf("%s is compared with nothing; make golden removes it", path)
		default:
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
}

const maxShown = 40 // lines of a difference

// diff lists the first lines that only one of two texts has, in their order. Texts
// that have the same lines in another order, or other line ends, differ in "order".
func diff(want, got string) string {
	if want == got {
		return ""
	}
	missing, added := without(want, got), without(got, want)
	var text strings.Builder
	for _, side := range []struct {
		sign  string
		lines []string
	}{{"- ", missing}, {"+ ", added}} {
		for _, line := range side.lines[:min(len(side.lines), maxShown)] {
			text.WriteString(side.sign + line + "\n")
		}
		if len(side.lines) > maxShown {
			text.WriteString(side.sign + "...\n")
		}
	}
	if text.Len() == 0 {
		return "the order of lines\n"
	}
	return text.String()
}

// without returns the lines of a text that another text lacks; a line that stands
// more often counts each time.
func without(text, other string) (lines []string) {
	have := map[string]int{}
	for line := range strings.SplitSeq(other, "\n") {
		have[line]++
	}
	for line := range strings.SplitSeq(text, "\n") {
		if have[line]--; have[line] < 0 {
			lines = append(lines, line)
		}
	}
	return lines
}
