package folder

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/buckettest"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/test/expect"
)

const (
	victimName = "plan_one_v1/p.csv"
	crashed    = 3 // the exit code of a process that died at its step
)

var victimText = strings.Repeat("sku,price\n", 20_000)

// steps are those that one object or one copy takes; a step taken several
// times is counted from 1.
var steps = []step{stepReserve, stepWrite, stepSync, stepDraft, stepRename, stepLink, stepSyncDir}

const mostTimes = 6

// failAt fails the n-th time the step is taken.
func failAt(s step, n int, fail func() error) func(step) error {
	return func(taken step) error {
		if taken == s {
			if n--; n == 0 {
				return fail()
			}
		}
		return nil
	}
}

// create writes the victim by the port.
func create(t *testing.T, b *Bucket, text string) (bucket.Object, error) {
	t.Helper()
	return writeObject(t.Context(), b, victimName, text)
}

// Whatever step fails, the error has the kind of its cause, and the object is
// there whole or not at all, with nothing beside it.
func TestFaults(t *testing.T) {
	for _, fault := range []struct {
		name  string
		cause error
		want  errs.Kind
	}{
		{"disk full", syscall.ENOSPC, errs.Unavailable},
		{"quota", syscall.EDQUOT, errs.Unavailable},
		{"read-only disk", syscall.EROFS, errs.Denied},
		{"no permission", syscall.EACCES, errs.Denied},
		{"disk error", syscall.EIO, errs.Unavailable},
		{"too many files", syscall.EMFILE, errs.Unavailable},
		{"unknown", errors.New("cosmic ray"), errs.Internal},
	} {
		t.Run(fault.name, func(t *testing.T) {
			for _, s := range steps {
				taken := 0
				for n := 1; n <= mostTimes; n++ {
					dir := t.TempDir()
					b := open(t, dir, Options{})
					b.fault = failAt(s, n, func() error { taken = n; return fault.cause })
					_, err := create(t, b, victimText)
					if taken < n {
						checkWhole(t, dir, victimName)
						break
					}
					if errs.KindOf(err) != fault.want || !errors.Is(err, fault.cause) {
						t.Errorf("%s %d: %v, want kind %q", s, n, err, fault.want)
					}
					if s != stepSyncDir && !strings.HasPrefix(errs.Message(err), victimName+" cannot be written: ") {
						t.Errorf("%s %d: the message begins otherwise: %s", s, n, errs.Message(err))
					}
					if strings.Contains(errs.Message(err), dir) {
						t.Errorf("%s %d: the message names the machine's path: %s", s, n, errs.Message(err))
					}
					expect.Closed(t, dir)
					b.fault = nil
					checkWholeOrNothing(t, dir, b)
				}
				if taken == 0 {
					t.Errorf("the step %s is never taken", s)
				}
			}
		})
	}
}

// A write that does not fit says so at once.
func TestWriteFails(t *testing.T) {
	b := open(t, t.TempDir(), Options{})
	upload, err := b.Create(t.Context(), victimName, createOptions)
	if err != nil {
		t.Fatal(err)
	}
	defer upload.Abandon()
	b.fault = failAt(stepWrite, 1, func() error { return syscall.ENOSPC })
	_, err = upload.Write(make([]byte, 1<<20))
	wantKind(t, "Write", err, errs.Unavailable)
}

// checkWholeOrNothing checks the victim after a failed or a dead writer, and
// that it can be written now.
func checkWholeOrNothing(t *testing.T, dir string, b *Bucket) {
	t.Helper()
	_, err := b.Stat(t.Context(), victimName)
	switch errs.KindOf(err) {
	case errs.NotFound:
		if diff := cmp.Diff([]string(nil), contents(t, dir), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("left behind (-want +got):\n%s", diff)
		}
		if _, err := create(t, b, victimText); err != nil {
			t.Errorf("writing afterwards: %v", err)
		}
	case "":
	default:
		t.Errorf("Stat: %v", err)
	}
	checkWhole(t, dir, victimName)
	if text := read(t, b, victimName); text != victimText {
		t.Errorf("%d bytes are read, want %d", len(text), len(victimText))
	}
}

func checkWhole(t *testing.T, dir string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Errorf("contents (-want +got):\n%s", diff)
	}
	text, err := os.ReadFile(filepath.Join(dir, victimName))
	if err != nil || string(text) != victimText {
		t.Errorf("the visible file has %d bytes, want %d (%v)", len(text), len(victimText), err)
	}
}

const crashVariable = "PLANWRIGHT_FOLDER_CRASH"

// crash is the process that dies: its argument is folder, operation, step, n.
func crash(argument string) error {
	fields := strings.Split(argument, "|")
	var n int
	if _, err := fmt.Sscan(fields[3], &n); err != nil {
		return err
	}
	b, err := Open(fields[0], Options{})
	if err != nil {
		return err
	}
	b.fault = failAt(step(fields[2]), n, func() error { os.Exit(crashed); return nil })
	if fields[1] == "ingest" {
		_, _, err = b.Ingest(background, victimName, IngestOptions{Generation: 7})
		return err
	}
	_, err = writeObject(background, b, victimName, victimText)
	return err
}

// crashes runs an operation once for each moment at which it can die, each in
// a new folder, and calls check after each death.
func crashes(t *testing.T, operation string, prepare, check func(t *testing.T, dir string)) {
	deaths := 0
	for _, s := range steps {
		for n := 1; n <= mostTimes; n++ {
			dir := t.TempDir()
			prepare(t, dir)
			command := exec.CommandContext(t.Context(), os.Args[0])
			command.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s|%s|%d", crashVariable, dir, operation, s, n), buckettest.QuickExit)
			command.Stderr = os.Stderr
			err := command.Run()
			if err == nil {
				break // the step is not taken so often
			}
			if command.ProcessState.ExitCode() != crashed {
				t.Fatalf("%s %d: %v", s, n, err)
			}
			deaths++
			t.Run(fmt.Sprintf("%s %d", s, n), func(t *testing.T) { check(t, dir) })
		}
	}
	if deaths < 8 {
		t.Errorf("the process died at %d moments only", deaths)
	}
}

func TestCrashDuringUpload(t *testing.T) {
	crashes(t, "create", func(*testing.T, string) {}, func(t *testing.T, dir string) {
		// While the dead process may still be alive for all we know, what it
		// left is hidden and in nobody's way.
		shared := open(t, dir, Options{})
		object, err := create(t, shared, "other bytes")
		switch errs.KindOf(err) {
		case "":
			if err := os.RemoveAll(filepath.Join(dir, filepath.Dir(victimName))); err != nil {
				t.Fatal(err)
			}
		case errs.Conflict:
			if object.Size != int64(len(victimText)) {
				t.Errorf("a half-written object of %d bytes was visible", object.Size)
			}
		default:
			t.Errorf("writing beside a dead upload: %v", err)
		}
		checkWholeOrNothing(t, dir, open(t, dir, Options{Exclusive: true}))
	})
}

// What a dead upload left is no replacement of what was written after it, and hides none.
func TestCheckAfterACrash(t *testing.T) {
	crashes(t, "create", func(*testing.T, string) {}, func(t *testing.T, dir string) {
		b := open(t, dir, Options{})
		if _, err := create(t, b, victimText); err != nil && errs.KindOf(err) != errs.Conflict {
			t.Fatal(err)
		}
		if written, err := b.Check(t.Context()); err != nil || !written[victimName] {
			t.Errorf("Check: %v, %v", written, err)
		}
		if err := os.Remove(filepath.Join(dir, victimName)); err != nil {
			t.Fatal(err)
		}
		drop(t, dir, victimName, "another file")
		if _, err := b.Check(t.Context()); errs.KindOf(err) != errs.Internal {
			t.Errorf("Check with another file in its place: %v", err)
		}
	})
}

func TestCrashDuringIngest(t *testing.T) {
	crashes(t, "ingest", func(t *testing.T, dir string) { drop(t, dir, victimName, victimText) }, func(t *testing.T, dir string) {
		b := open(t, dir, Options{Exclusive: true})
		object, err := b.Stat(t.Context(), victimName)
		if err != nil || object.Size != int64(len(victimText)) {
			t.Errorf("Stat = %+v, %v", object, err)
		}
		if text := read(t, b, victimName); text != victimText {
			t.Errorf("%d bytes are read", len(text))
		}
		if _, err := b.Sweep(t.Context(), func(string, int64) bool { return false }); err != nil {
			t.Error(err)
		}
		checkWhole(t, dir, victimName)
		again, _, err := b.Ingest(t.Context(), victimName, IngestOptions{Generation: 7})
		if err != nil || again.Generation != 7 {
			t.Errorf("taking the file again: %+v, %v", again, err)
		}
	})
}
