package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/functions/emulator/userfile"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

// endsAt has a process of the program kill itself, or stop itself until it is woken, at a step
// of an apply: "kill sealed" behind that line of the executor's log, "kill sync 3" as a file of
// the command line is brought to the disk for the third time.
const endsAt = "PLANWRIGHT_TEST_ENDS_AT"

// runTo is main for a process that ends at a step.
func runTo(at string) int {
	how, step, _ := strings.Cut(at, " ")
	signal := map[string]syscall.Signal{"kill": syscall.SIGKILL, "stop": syscall.SIGSTOP}[how]
	var nth int
	if _, err := fmt.Sscanf(step, "sync %d", &nth); err == nil {
		endAtSync(nth, signal)
	}
	return run(context.Background(), os.Args[1:], environment{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, lookup: os.LookupEnv, steps: slog.New(&ender{step, signal, sync.Once{}}),
	})
}

// endAtSync ends this process at the nth sync of a file that a command line names.
func endAtSync(nth int, signal syscall.Signal) {
	before := userfile.Sync
	userfile.Sync = func(file *os.File) error {
		if nth--; nth == 0 {
			end(signal)
		}
		return before(file)
	}
}

// end sends this very thread a signal, so that it does not go one step further.
func end(signal syscall.Signal) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_ = unix.Tgkill(os.Getpid(), unix.Gettid(), signal)
}

// ender is a log that ends its process behind the first line of a message.
type ender struct {
	message string
	signal  syscall.Signal
	once    sync.Once
}

func (e *ender) Enabled(context.Context, slog.Level) bool { return true }
func (e *ender) WithAttrs([]slog.Attr) slog.Handler       { return e }
func (e *ender) WithGroup(string) slog.Handler            { return e }

func (e *ender) Handle(_ context.Context, line slog.Record) error {
	if line.Message == e.message {
		e.once.Do(func() { end(e.signal) })
	}
	return nil
}

// applySteps are the steps of an apply at which one is killed. It syncs its own files some
// nine times: log, changes and output with their folders, and the log again.
func applySteps() []string {
	steps := []string{"claim", "applying", "sealed", "published", "completed"}
	for n := range 12 {
		steps = append(steps, fmt.Sprintf("sync %d", n+1))
	}
	return steps
}

// TestApplyKilledAtEachStep kills apply with SIGKILL at each of its steps. The output is not
// there then, or whole. Whoever comes next, a server or the same command, finishes it: it is
// done once, has its one line in the log, and is verified.
func TestApplyKilledAtEachStep(t *testing.T) {
	t.Parallel()
	killed := map[bool]int{}
	for i, step := range applySteps() {
		byServer := i%2 == 0
		d := newDesk(t, goodPlan, goodTable)
		if i%3 == 0 {
			write(t, d.path("out.csv"), "")
		}
		if d.killAt(step) {
			killed[byServer]++
			d.finish(step, byServer)
		}
	}
	if killed[true] < 6 || killed[false] < 6 {
		t.Errorf("it was killed before a server %d times, before a command %d times", killed[true], killed[false])
	}
}

func (d *desk) killedState() string { return d.path("local/state.db") }

// killAt kills an apply at a step, and reports whether it had that step.
func (d *desk) killAt(step string) bool {
	d.t.Helper()
	cmd := program(d.t.Context(), d.t, d.args("--db", d.killedState())...)
	cmd.Env = append(cmd.Env, endsAt+"=kill "+step)
	out, err := cmd.CombinedOutput()
	if !killedBySignal(err) {
		if err != nil {
			d.t.Fatalf("%s: %v\n%s", step, err, out)
		}
		return false
	}
	want := strings.Replace(goodTable, "29.99", "32.99", 1)
	if got := read(d.t, d.path("out.csv")); got != "" && got != want {
		d.t.Errorf("killed at %s: half an output is visible: %q", step, got)
	}
	return true
}

// finish has a server or the same command finish what was killed, and checks what is there.
func (d *desk) finish(step string, byServer bool) {
	d.t.Helper()
	if byServer {
		s := start(d.t, filepath.Dir(d.killedState()))
		if d.isSealed() {
			eventually(d.t, "the line of the killed run is in its log", func() bool { return d.lines(ledger.Completed) == 1 })
		}
		s.stop()
	}
	code, stdout, stderr := d.apply("--db", d.killedState())
	if code != exitDone {
		d.t.Fatalf("after a kill at %s: exit code %d\n%s%s", step, code, stdout, stderr)
	}
	if got, want := read(d.t, d.path("out.csv")), strings.Replace(goodTable, "29.99", "32.99", 1); got != want {
		d.t.Errorf("after a kill at %s: output %q, want %q", step, got, want)
	}
	if n := d.lines(ledger.Completed); n != 1 {
		d.t.Errorf("after a kill at %s: %d completed lines in the audit log, want 1", step, n)
	}
	if code, stdout, stderr := cli(d.t, "verify", "--all", "--db", d.killedState()); code != exitDone {
		d.t.Errorf("after a kill at %s: verify: %s%s", step, stdout, stderr)
	}
	if left, _ := filepath.Glob(d.path("*/.*.part")); len(left) > 0 {
		d.t.Errorf("after a kill at %s: left behind: %v", step, left)
	}
}

// isSealed reports whether what was killed can only complete.
func (d *desk) isSealed() bool {
	d.t.Helper()
	store, err := sqlite.Open(d.t.Context(), d.killedState(), sqlite.Options{})
	if err != nil {
		d.t.Fatal(err)
	}
	defer store.Close()
	record, err := store.Execution(d.t.Context(), "plan_fitness_v1")
	if err != nil && errs.KindOf(err) != errs.NotFound {
		d.t.Fatal(err)
	}
	return record.Seal != nil
}

// lines counts the lines of a status in the log.
func (d *desk) lines(of ledger.Status) (n int) {
	d.t.Helper()
	if !isFile(d.path("logs/audit.jsonl")) {
		return 0
	}
	for _, status := range d.statuses() {
		if status == of {
			n++
		}
	}
	return n
}
