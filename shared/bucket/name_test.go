package bucket_test

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

func TestTheLongestName(t *testing.T) {
	longest := strings.Repeat("x", bucket.MaxNameBytes)
	if err := bucket.ValidateName(longest); err != nil {
		t.Error(err)
	}
	if err := bucket.ValidateName(longest + "x"); errs.KindOf(err) != errs.Invalid {
		t.Errorf("a byte more: %v", err)
	}
}

func TestWhatIsWrongWithAName(t *testing.T) {
	for name, want := range map[string]string{
		"a//b":   `The object name "a//b" begins or ends with a slash or has two in a row.`,
		"a/../b": `The object name "a/../b" has the segment "..".`,
	} {
		if got := errs.Message(bucket.ValidateName(name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// What is accepted stays where it is when it is joined to a folder, on every
// operating system; what is refused says so with kind Invalid.
func FuzzValidateName(f *testing.F) {
	for _, name := range []string{
		"plan_one_v1/p.csv", "../x", "/abs", "a//b", "a/./b", "a/", `a\..\b`, "a\x00b", "...", "a..b", "..", "\xff", "\u2028", "",
		strings.Repeat("x/", 600),
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		err := bucket.ValidateName(name)
		if err != nil {
			if errs.KindOf(err) != errs.Invalid {
				t.Errorf("%q is refused with kind %q", name, errs.KindOf(err))
			}
			return
		}
		if !fs.ValidPath(name) || !filepath.IsLocal(name) || path.Clean(name) != name || name == "." {
			t.Errorf("%q is accepted", name)
		}
		if strings.ContainsAny(name, "\x00\r\n\\") || len(name) > bucket.MaxNameBytes {
			t.Errorf("%q is accepted", name)
		}
	})
}
