// Package expect says in one line what a conformance suite expects of a call.
package expect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
)

// NoError ends the test where there is an error.
func NoError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error of kind %s: %v", errs.KindOf(err), err)
	}
}

// Result returns what a call gave, which must have had no error.
func Result[T any](given T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		NoError(t, err)
		return given
	}
}

// ErrorOf returns a call's error without what it gave.
func ErrorOf[T any](_ T, err error) error { return err }

// ErrorIf reports what is wrong, if it is.
func ErrorIf(t *testing.T, wrong bool, format string, args ...any) {
	t.Helper()
	if wrong {
		t.Errorf(format, args...)
	}
}

// Closed reports files of a folder that are open, where the system shows them.
func Closed(t *testing.T, dir string) {
	t.Helper()
	const opened = "/proc/self/fd"
	links, _ := os.ReadDir(opened)
	for _, link := range links {
		if path, _ := os.Readlink(filepath.Join(opened, link.Name())); strings.HasPrefix(path, dir+"/") {
			t.Errorf("%s is open", path)
		}
	}
}

// Equal reports how what was got differs from what was wanted.
func Equal(t *testing.T, what string, want, got any, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
