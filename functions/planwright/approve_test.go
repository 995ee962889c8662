package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger"
)

func TestApplyWaitsForItsApproval(t *testing.T) {
	d := newDesk(t, strings.Replace(goodPlan, `"operations"`, `"approval": "always", "operations"`, 1), goodTable)
	proposed := func() string {
		t.Helper()
		code, stdout, stderr := d.apply()
		found := regexp.MustCompile(`planwright approve plan_fitness_v1 --proposal ([0-9a-f]{64}) --db \S+`).FindStringSubmatch(stderr)
		if code != exitProposed || stdout != "" || found == nil || !strings.Contains(stderr, "op_01: 1 matched, 1 changed.") || read(t, d.path("out.csv")) != "" {
			t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
		}
		return found[1]
	}
	var variables map[string]string
	approve := func(proposal string) (int, string) {
		t.Helper()
		code, stdout, stderr := cliWith(t, variables, "approve", "--db", d.path("executions.db"), "--execution", "plan_fitness_v1", "--proposal", proposal, "--note", "as agreed")
		return code, stdout + stderr
	}
	first := proposed()
	if again := proposed(); again != first {
		t.Errorf("proposed %s, and then %s of the same table", first, again)
	}
	if code, said := approve(strings.Repeat("0", 64)); code != exitFailed || !strings.Contains(said, first) {
		t.Errorf("another proposal: exit code %d, %s", code, said)
	}
	variables = map[string]string{"APPROVERS": "somebody-else"}
	if code, said := approve(first); code != exitFailed || !strings.Contains(said, "APPROVERS") {
		t.Errorf("who may not: exit code %d, %s", code, said)
	}
	variables = nil
	write(t, d.path("in.csv"), strings.Replace(goodTable, "29.99", "34.99", 1))
	if edited := proposed(); edited == first {
		t.Error("the table was edited and the proposal is the old one")
	}
	write(t, d.path("in.csv"), goodTable)
	first = proposed()
	if code, said := approve(first); code != exitDone || !strings.Contains(said, "approved   plan_fitness_v1 by ") {
		t.Errorf("exit code %d, %s", code, said)
	}
	write(t, d.path("in.csv"), strings.Replace(goodTable, "29.99", "39.99", 1))
	second := proposed() // of another table: the approval is void
	if second == first {
		t.Error("another table has the same proposal")
	}
	if code, said := approve(second); code != exitDone {
		t.Errorf("exit code %d, %s", code, said)
	}
	d.expect(exitDone, "completed")
	if got, want := read(t, d.path("out.csv")), strings.Replace(goodTable, "29.99", "43.99", 1); got != want {
		t.Errorf("output %q, want %q", got, want)
	}
	if statuses, want := d.statuses(), []ledger.Status{ledger.Skipped, ledger.Skipped, ledger.Skipped, ledger.Completed}; !slices.Equal(statuses, want) {
		t.Errorf("audit log: %v, want %v", statuses, want)
	}
	if code, stdout, stderr := cli(t, "verify", "--db", d.path("executions.db"), "--all"); code != exitDone {
		t.Errorf("verify: exit code %d, %s%s", code, stdout, stderr)
	}
}

func TestApplyWaitsForItsTime(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	write(t, d.path("plan.json"), strings.NewReplacer(`"operations"`, `"apply_at": "2999-01-01T00:00:00Z", "operations"`, "plan_fitness_v1", "plan_fitness_v2").Replace(goodPlan))
	d.expect(exitProposed, "It is not to be applied before 2999-01-01 00:00 UTC", "--out", d.path("later.csv"))
	if code, stdout, stderr := cli(t, "verify", "--db", d.path("executions.db"), "--all"); code != exitDone {
		t.Errorf("verify: exit code %d, %s%s", code, stdout, stderr)
	}
	d = newDesk(t, strings.Replace(goodPlan, `"operations"`, `"apply_at": "2020-01-01T00:00:00Z", "operations"`, 1), goodTable)
	d.expect(exitDone, "completed")
}

func TestApproveWithoutRecords(t *testing.T) {
	code, _, stderr := cli(t, "approve", "--db", t.TempDir()+"/none.db", "--execution", "plan_fitness_v1", "--proposal", "x")
	if code != exitFailed || !strings.Contains(stderr, "Is it the --db that apply wrote?") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
