package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestATableThatIsEditedLater: what was read is in the store, so that verify and undo need
// nothing else. Of tables that were refused or skipped nothing is kept.
func TestATableThatIsEditedLater(t *testing.T) {
	t.Parallel()
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	d.expect(exitDone, "skipped")
	kept := func(want int) {
		t.Helper()
		if found, _ := filepath.Glob(d.path("executions.db.d/inbox/.planwright/drops/*/*.data")); len(found) != want {
			t.Errorf("kept are %v, want %d", found, want)
		}
	}
	kept(1)
	write(t, d.path("in.csv"), strings.Replace(goodTable, "29.99", "19.99", 1)) // in place
	if code, stdout, stderr := cli(t, "verify", "plan_fitness_v1", "--db", d.path("executions.db")); code != exitDone {
		t.Errorf("verify: %s%s", stdout, stderr)
	}
	if code, _, stderr := cli(t, "undo", "plan_fitness_v1", "--csv", d.path("out.csv"), "--out", d.path("back.csv"), "--audit", d.path("logs/audit.jsonl"), "--db", d.path("executions.db")); code != exitDone || read(t, d.path("back.csv")) != goodTable {
		t.Errorf("undo: exit code %d: %s", code, stderr)
	}
	kept(2)
	if code, stdout, stderr := cli(t, "verify", "--all", "--db", d.path("executions.db")); code != exitDone {
		t.Errorf("verify --all: %s%s", stdout, stderr)
	}
	write(t, d.path("in.csv"), strings.Replace(goodTable, "29.99", "cheap", 1))
	write(t, d.path("plan.json"), strings.ReplaceAll(goodPlan, "plan_fitness_v1", "plan_fitness_v9"))
	d.expect(exitFailed, "cheap", "--out", d.path("other.csv"))
	kept(2)
	if _, err := os.Stat(d.path("other.csv")); !os.IsNotExist(err) {
		t.Errorf("an output of a table that was refused: %v", err)
	}
}
