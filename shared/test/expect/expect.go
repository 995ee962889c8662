// Package expect says in one line what a conformance suite expects of a call.
package expect

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
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

// AtOnce calls run for each of so many rivals, all at the same moment, and returns
// their errors.
func AtOnce(rivals int, run func(rival int) error) []error {
	results := make([]error, rivals)
	var ready, done sync.WaitGroup
	ready.Add(rivals)
	for i := range rivals {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			results[i] = run(i)
		})
	}
	done.Wait()
	return results
}

// OneWinner is AtOnce where one must succeed, which it returns, and the others must hear
// that they lost.
func OneWinner(t *testing.T, rivals int, lost errs.Kind, run func(rival int) error) int {
	t.Helper()
	winner := -1
	for i, err := range AtOnce(rivals, run) {
		switch {
		case err == nil && winner >= 0:
			t.Errorf("%d and %d both won", winner, i)
		case err == nil:
			winner = i
		case errs.KindOf(err) != lost:
			t.Errorf("%d: got %v, want %s", i, err, lost)
		}
	}
	if winner < 0 {
		t.Fatal("nobody won")
	}
	return winner
}
