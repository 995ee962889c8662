package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

// TestAStoppedRunThatWakesChangesNothing stops one apply in the middle with
// SIGSTOP, before its seal or after it. Another waits until its lease has run
// out, and does the work, or finishes it. The first wakes and finds that it has
// lost: it touches nothing.
func TestAStoppedRunThatWakesChangesNothing(t *testing.T) {
	t.Parallel()
	t.Run("before the seal", func(t *testing.T) {
		t.Parallel()
		wakeStopped(t, "applying", "completed", "skipped")
	})
	t.Run("after the seal", func(t *testing.T) {
		t.Parallel()
		wakeStopped(t, "sealed", "skipped", "completed")
	})
}

// wakeStopped stops a run at a step, another takes over, and the first wakes. Whose table
// it was that was sealed says completed, the other skipped.
func wakeStopped(t *testing.T, step, second, first string) {
	t.Helper()
	want := strings.ReplaceAll(goodTable, "29.99", "32.99")
	d := newDesk(t, goodPlan, goodTable)
	args := d.args()
	zombie := program(t.Context(), t, args...)
	zombie.Env = append(zombie.Env, endsAt+"=stop "+step)
	said := &logBuffer{}
	zombie.Stdout, zombie.Stderr = said, said
	if err := zombie.Start(); err != nil {
		t.Fatal(err)
	}
	awaitStop(t, zombie.Process)
	if record := d.record(); record.Status != ledger.Running || (record.Seal != nil) != (step == "sealed") {
		t.Fatalf("the first run was not stopped behind %q: %+v", step, record)
	}

	out, err := program(t.Context(), t, args...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "waiting") || !strings.Contains(string(out), second) {
		t.Fatalf("the second run: %v\n%s", err, out)
	}
	before := d.traces()
	send(t, zombie.Process, syscall.SIGCONT)
	if err := zombie.Wait(); err != nil || !strings.Contains(said.String(), first) {
		t.Errorf("the zombie ended with %v, want %s\n%s", err, first, said)
	}
	after := d.traces()
	if diff := cmp.Diff(before.files, after.files); diff != "" {
		t.Errorf("the zombie changed files (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(before.record, after.record); diff != "" {
		t.Errorf("the zombie changed the record (-before +after):\n%s", diff)
	}
	if got := read(t, d.path("out.csv")); got != want {
		t.Errorf("output of %d bytes, want %d", len(got), len(want))
	}
	if diff := cmp.Diff([]ledger.Status{ledger.Completed, ledger.Skipped}, d.statuses()); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
	if code, stdout, stderr := cli(t, "verify", "--db", d.path("executions.db"), "--execution", "plan_fitness_v1"); code != exitDone {
		t.Errorf("verify: %s%s", stdout, stderr)
	}
}

func send(t *testing.T, process *os.Process, which os.Signal) {
	t.Helper()
	if err := process.Signal(which); err != nil {
		t.Fatal(err)
	}
}

// stop stops a process and waits until all of its threads stand still: one that
// waits for a lock could still be given it.
func stop(t *testing.T, process *os.Process) {
	t.Helper()
	send(t, process, syscall.SIGSTOP)
	awaitStop(t, process)
}

// awaitStop waits until a process stands still.
func awaitStop(t *testing.T, process *os.Process) {
	t.Helper()
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the process was not stopped: %v %v", status, err)
	}
}

// record reads how the desk's execution stands.
func (d *desk) record() ledger.Execution {
	d.t.Helper()
	store, err := sqlite.Open(d.t.Context(), d.path("executions.db"), sqlite.Options{})
	if err != nil {
		d.t.Fatal(err)
	}
	defer store.Close()
	record, err := store.Execution(d.t.Context(), "plan_fitness_v1")
	if err != nil {
		d.t.Fatal(err)
	}
	return record
}

// traces are the record and when each file was last written: what a run that
// does nothing leaves as it was. The audit log gets its line all the same.
type traces struct {
	record ledger.Execution
	files  map[string]time.Time
}

func (d *desk) traces() traces {
	d.t.Helper()
	found := traces{record: d.record(), files: map[string]time.Time{}}
	for _, name := range []string{"in.csv", "out.csv", "logs/changes/plan_fitness_v1.jsonl"} {
		info, err := os.Stat(d.path(name))
		if err != nil {
			d.t.Fatal(err)
		}
		found.files[name] = info.ModTime()
	}
	return found
}

// TestAServerThatSlept stops a server with SIGSTOP at work. No other server
// gets at its folder meanwhile, though its leases are over; it wakes and
// completes the execution once.
func TestAServerThatSlept(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	table := "sku,category,price,in_stock\n" + strings.Repeat("A101,fitness,29.99,true\n", 400_000)
	s.putPlan("plan_slept_v1")
	s.drop("plan_slept_v1/p.csv", table)
	eventually(t, "the execution has begun", func() bool { return strings.Contains(s.log.String(), `"decision":"granted"`) })
	stop(t, s.cmd.Process)
	store, err := sqlite.Open(t.Context(), filepath.Join(s.data, emulator.StateName), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.ExpireLeases(t.Context(), time.Now()); err != nil { // as time would
		t.Fatal(err)
	}
	if out, err := program(t.Context(), t, "serve", "--data", s.data, "--port", "0").CombinedOutput(); err == nil {
		t.Errorf("a second server took the folder of one that sleeps\n%s", out)
	}
	send(t, s.cmd.Process, syscall.SIGCONT)
	s.await("plan_slept_v1", "completed")
	if got, want := s.outbox("plan_slept_v1/p.csv"), strings.ReplaceAll(table, "29.99", "32.99"); got != want {
		t.Errorf("output of %d bytes, want %d", len(got), len(want))
	}
	audit, err := store.Audit(t.Context(), "plan_slept_v1", 0)
	if err != nil || len(audit) != 1 {
		t.Errorf("%d audit documents, %v; want one", len(audit), err)
	}
}

// TestOnSIGTERMItFinishesOrReleases sends SIGTERM while a table is at work that
// takes longer than the ten seconds there are, and while a client sends its
// body slowly. The server ends in time; the next one finishes the work.
func TestOnSIGTERMItFinishesOrReleases(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	s.putPlan("plan_long_v1")
	s.drop("plan_long_v1/p.csv", "sku,category,price,in_stock\n"+strings.Repeat("B202,yoga,19.99,true\n", 3_000_000)+strings.Repeat("A101,fitness,29.99,true\n", 50_000))
	eventually(t, "the execution has begun", func() bool { return strings.Contains(s.log.String(), `"decision":"granted"`) })
	body, sender := io.Pipe()
	defer sender.Close()
	slow, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodPost, s.address+"/planner/v1/plans", body)
	if err != nil {
		t.Fatal(err)
	}
	slow.Header.Set("Content-Type", "application/json")
	go func() {
		if answer, err := http.DefaultClient.Do(slow); err == nil {
			answer.Body.Close()
		}
	}()
	if _, err := sender.Write([]byte("{")); err != nil {
		t.Fatal(err)
	}

	send(t, s.cmd.Process, syscall.SIGTERM)
	select {
	case err := <-s.ended:
		if err != nil {
			t.Errorf("the server ended with %v\n%s", err, s.log)
		}
		s.ended <- nil
	case <-time.After(10 * time.Second):
		t.Fatalf("the server did not end within 10 s of SIGTERM\n%s", s.log)
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(s.data, emulator.StateName), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	record, err := store.Execution(t.Context(), "plan_long_v1")
	store.Close()
	if err != nil || record.Status == ledger.Running && record.Seal == nil && time.Now().Before(record.LeaseUntil) {
		t.Errorf("the lease was neither used nor released: %+v, %v", record, err)
	}
	s = start(t, s.data)
	s.await("plan_long_v1", "completed")
	s.stop()
}
