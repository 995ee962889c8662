package main

import (
	"os"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/bucket/files"
)

// TestATableThatIsEditedLater: where the file system shares blocks, what was read is kept
// as it was, so that verify and undo need nothing else; elsewhere verify says that the
// table was edited. It says which.
func TestATableThatIsEditedLater(t *testing.T) {
	t.Parallel()
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	d.expect(exitDone, "skipped") // of which nothing is kept
	kept, _ := os.ReadDir(files.Kept(d.path("executions.db")))
	verify := func(code int, says string) {
		t.Helper()
		if got, stdout, stderr := cli(t, "verify", "plan_fitness_v1", "--db", d.path("executions.db")); got != code || !strings.Contains(stdout, says) {
			t.Errorf("exit code %d, want %d and %q: %s%s", got, code, says, stdout, stderr)
		}
	}
	if len(kept) == 0 {
		verify(exitDone, "by reference, with its checksum: "+d.path("in.csv"))
	} else {
		verify(exitDone, "as it was kept: "+d.path("in.csv"))
	}
	write(t, d.path("in.csv"), strings.Replace(goodTable, "29.99", "19.99", 1)) // in place
	if len(kept) == 0 {
		verify(exitFailed, "DIFFERS  the input")
		return
	}
	if len(kept) != 1 {
		t.Errorf("kept are %v", kept)
	}
	verify(exitDone, "as it was kept: "+d.path("in.csv"))
	if code, _, stderr := cli(t, "undo", "plan_fitness_v1", "--csv", d.path("out.csv"), "--out", d.path("back.csv"), "--audit", d.path("logs/audit.jsonl"), "--db", d.path("executions.db")); code != exitDone || read(t, d.path("back.csv")) != goodTable {
		t.Errorf("undo: exit code %d: %s", code, stderr)
	}
	if code, stdout, stderr := cli(t, "verify", "--all", "--db", d.path("executions.db")); code != exitDone {
		t.Errorf("verify --all: %s%s", stdout, stderr)
	}
	write(t, d.path("in.csv"), strings.Replace(goodTable, "29.99", "cheap", 1))
	write(t, d.path("plan.json"), strings.ReplaceAll(goodPlan, "plan_fitness_v1", "plan_fitness_v9"))
	d.expect(exitFailed, "cheap", "--out", d.path("other.csv"))
	if kept, _ := os.ReadDir(files.Kept(d.path("executions.db"))); len(kept) != 2 {
		t.Errorf("after a table that was refused, kept are %v", kept)
	}
}
