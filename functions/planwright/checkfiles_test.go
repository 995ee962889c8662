package main

import (
	"os"
	"strings"
	"testing"
)

// verify looks at the files that a command line named: one that was written must be as it was,
// while the table is its owner's to change, and each file is its owner's to take away. A file
// that another execution has written since is that one's.
func TestVerifyReadsTheFilesOfTheCommandLine(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	verified := func(want int, says ...string) {
		t.Helper()
		code, stdout, stderr := cli(t, "verify", "plan_fitness_v1", "--db", d.path("executions.db"))
		for _, text := range says {
			if !strings.Contains(stdout, text) {
				t.Errorf("does not say %q:\n%s%s", text, stdout, stderr)
			}
		}
		if code != want {
			t.Errorf("exit code %d, want %d:\n%s%s", code, want, stdout, stderr)
		}
	}
	changes := d.path("logs/changes/plan_fitness_v1.jsonl")
	out, changed := read(t, d.path("out.csv")), read(t, changes)
	verified(exitDone, "  ok       the files of the command line\n")
	write(t, d.path("out.csv"), strings.Replace(out, "32.99", "23.99", 1))
	verified(exitFailed, "DIFFERS  the files of the command line: --out "+d.path("out.csv")+" is not as it was written")
	write(t, d.path("out.csv"), out)
	write(t, changes, changed+"\n")
	verified(exitFailed, "--changes "+changes+" is not as it was written")
	write(t, changes, changed)
	write(t, d.path("in.csv"), goodTable+goodTable)
	verified(exitDone, "--csv "+d.path("in.csv")+" is another table by now")
	if err := os.Remove(d.path("out.csv")); err != nil {
		t.Fatal(err)
	}
	verified(exitDone, "--out "+d.path("out.csv")+" is not there any more")
	write(t, d.path("in.csv"), goodTable)
	write(t, d.path("plan.json"), strings.ReplaceAll(goodPlan, "plan_fitness_v1", "plan_fitness_v2"))
	d.expect(exitDone, "completed")
	verified(exitDone)
}
