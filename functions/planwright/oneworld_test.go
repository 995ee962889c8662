package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// What a command did in a data folder a server shows, follows product by product
// and undoes, and all of it is proven together.
func TestApplyThenServe(t *testing.T) {
	t.Parallel()
	d := newDesk(t, goodPlan, goodTable)
	data := filepath.Join(d.dir, "local")
	state := filepath.Join(data, "state.db")
	d.expect(exitDone, "completed", "--db", state)
	d.expect(exitDone, "skipped", "--db", state)
	verified := func() {
		t.Helper()
		if code, stdout, stderr := cli(t, "verify", "--all", "--db", state); code != exitDone {
			t.Errorf("verify: %s%s", stdout, stderr)
		}
	}
	verified()
	s := start(t, data)
	d.expect(exitUsage, "--db "+state+" is a server's, which runs at "+s.address, "--db", state)
	tell := func(want int, says, command string) {
		t.Helper()
		code, stdout, stderr := cli(t, append(strings.Fields(command), "--url", s.address+"/planner")...)
		if code != want || !strings.Contains(stdout+stderr, says) {
			t.Errorf("%s: exit code %d, want %d and %q in\n%s%s", command, code, want, says, stdout, stderr)
		}
	}
	tell(exitDone, "plan_fitness_v1  20", "history A101")
	tell(exitDone, "outbox/plan_fitness_v1/in.csv", "show plan_fitness_v1")
	if status, body := s.call("GET", "/executions/plan_fitness_v1/files/output", "", "", "Accept", "text/html"); status != 200 || body != read(t, d.path("out.csv")) {
		t.Errorf("the output in the console: %d %q", status, body)
	}
	tell(exitDone, "undoing", "undo --execution plan_fitness_v1")
	s.await("plan_fitness_v1_undo", "completed")
	if got := read(t, filepath.Join(data, "outbox/plan_fitness_v1_undo/in.csv")); got != goodTable {
		t.Errorf("undone: %q", got)
	}
	tell(exitDone, "plan_fitness_v1_undo", "history A101")
	verified()
	s.stop()
	verified()
}

// An undo of what a server did goes to files that are named, while it does not run.
func TestServeThenUndoFiles(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := start(t, data)
	write(t, filepath.Join(data, "inbox", "plan_fitness_v1", "plan.json"), goodPlan)
	write(t, filepath.Join(data, "inbox", "plan_fitness_v1", "p.csv"), goodTable)
	s.waitFor("audit/executions/plan_fitness_v1.jsonl")
	s.stop()
	d := newDesk(t, goodPlan, goodTable)
	state := filepath.Join(data, "state.db")
	code, stdout, stderr := cli(t, "undo", "--execution", "plan_fitness_v1", "--csv", filepath.Join(data, "outbox/plan_fitness_v1/p.csv"),
		"--out", d.path("back.csv"), "--audit", d.path("a.jsonl"), "--db", state)
	if code != exitDone || read(t, d.path("back.csv")) != goodTable {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := cli(t, "verify", "--all", "--db", state); code != exitDone {
		t.Errorf("verify: %s%s", stdout, stderr)
	}
}
