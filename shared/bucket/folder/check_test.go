package folder

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// Whatever is edited of an object, or of its description, is found; nothing is
// where nothing was edited, also in a copy without links and in what an older
// version wrote.
func TestCheckFindsEveryEdit(t *testing.T) {
	replace := func(old, now string) func(string) string {
		return func(text string) string { return strings.Replace(text, old, now, 1) }
	}
	for _, test := range []struct {
		name, file string
		edit       func(text string) string // nil: the file is removed
		found      bool
	}{
		{"nothing", "notice.txt", replace("", ""), false},
		{"a visible file", "notice.txt", replace("not", "now"), true},
		{"another in the place of a visible file", "notice.txt", another, true},
		{"a visible file that is gone", "notice.txt", nil, false},
		{"a dropped file", "drop.csv", replace("A1", "A2"), false},
		{"the copy of a dropped file", ".planwright/drops/*/*.data", replace("A1", "A2"), true},
		{"the end of a copy", ".planwright/drops/*/*.data", replace("\n", ""), true},
		{"a copy that is gone", ".planwright/drops/*/*.data", nil, true},
		{"an object's bytes", ".planwright/objects/*/*.data", replace("not", "now"), true},
		{"an object's bytes that are gone", ".planwright/objects/*/*.data", nil, true},
		{"a type", ".planwright/objects/*/*.json", replace("text/plain", "text/html"), true},
		{"metadata", ".planwright/objects/*/*.json", replace("ann", "ben"), true},
		{"a time", ".planwright/objects/*/*.json", replace("created_at\": \"2", "created_at\": \"1"), true},
		{"a name", ".planwright/drops/*/*.json", replace("drop.csv", "drip.csv"), true},
		{"a generation", ".planwright/drops/*/*.json", replace("generation\": \"", "generation\": \"1"), true},
		{"a checksum", ".planwright/drops/*/*.json", replace("crc32c\": ", "crc32c\": 1"), true},
		{"the case of a field", ".planwright/drops/*/*.json", replace("size", "Size"), true},
		{"what is no JSON", ".planwright/drops/*/*.json", replace("{", ""), true},
		{"a description without its sum", ".planwright/objects/*/*.json", func(text string) string {
			before, _, _ := strings.Cut(text, ",\n  \"check\"")
			return before + "\n}\n"
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			b, err := Open(dir, Options{NoSync: true})
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			options := bucket.CreateOptions{ContentType: "text/plain", Metadata: map[string]string{"by": "ann"}}
			if _, err := bucket.Put(t.Context(), b, "notice.txt", options, strings.NewReader("It was not applied.\n")); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "drop.csv"), "sku\nA1\n")
			if _, _, err := b.Ingest(t.Context(), "drop.csv", IngestOptions{}); err != nil {
				t.Fatal(err)
			}
			edit(t, filepath.Join(dir, test.file), test.edit)
			copied := filepath.Join(t.TempDir(), "copy")
			if out, err := exec.Command("cp", "-r", dir, copied).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for _, place := range []string{dir, copied} {
				b, err := Open(place, Options{ReadOnly: true})
				if err != nil {
					t.Fatal(err)
				}
				defer b.Close()
				written, err := b.Check(t.Context())
				if test.found != (errs.KindOf(err) == errs.Internal) || !test.found && (err != nil || !written["notice.txt"] || written["drop.csv"]) {
					t.Errorf("in %s: %v, %v", place, written, err)
				}
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// edit changes a file in place, as who may write to it can.
func edit(t *testing.T, pattern string, change func(string) string) {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v", pattern, found, err)
	}
	if change == nil {
		if err := os.Remove(found[0]); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	now := change(string(text))
	switch {
	case now == string(text):
		return
	case now == anotherText:
		err = os.Remove(found[0])
	default:
		err = os.Chmod(found[0], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	write(t, found[0], now)
}

const anotherText = "It was applied.\n"

func another(string) string { return anotherText }
