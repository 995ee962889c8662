package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// undo runs undo on a table of the desk.
func (d *desk) undo(execution, table string, more ...string) (code int, said string) {
	d.t.Helper()
	args := []string{"undo", "--execution", execution, "--csv", d.path(table), "--out", d.path("back.csv"),
		"--audit", d.path("logs/audit.jsonl"), "--db", d.path("executions.db"), "--sync=false"}
	code, stdout, stderr := cli(d.t, append(args, more...)...)
	return code, stdout + stderr
}

func TestUndoGivesTheTableBack(t *testing.T) {
	d := newDesk(t, read(t, testdata("example_plan_mixed_ops.json")), read(t, testdata("products.csv")))
	d.expect(exitDone, "completed")
	code, said := d.undo("plan_mixed_ops_v1", "out.csv")
	if got := read(t, d.path("back.csv")); code != exitDone || got != read(t, testdata("products.csv")) {
		t.Fatalf("exit code %d, %s\n%s", code, said, got)
	}
	if code, said := d.undo("plan_mixed_ops_v1", "out.csv"); code != exitDone || !strings.Contains(said, "skipped    undo_plan_mixed_ops_v1_v1") ||
		!strings.Contains(said, "An execution is undone once.") || strings.Contains(said, "plan it again") {
		t.Errorf("again: exit code %d, %s", code, said)
	}
	if code, said := d.undo("plan_mixed_ops_v1", "out.csv", "--stale", "fail"); code != exitFailed || !strings.Contains(said, "was undone by undo_plan_mixed_ops_v1_v1 already") {
		t.Errorf("by another: exit code %d, %s", code, said)
	}
	if code, said := d.undo("undo_plan_mixed_ops_v1_v1", "back.csv", "--out", d.path("again.csv")); code != exitDone || read(t, d.path("again.csv")) != read(t, d.path("out.csv")) {
		t.Errorf("the undo undone: exit code %d, %s", code, said)
	}
	object := d.path("executions.db.d/outbox/undo_plan_mixed_ops_v1_v1/out.csv")
	remove(t, object)
	write(t, object, read(t, d.path("again.csv")))
	if code, stdout, stderr := cli(t, "verify", "--db", d.path("executions.db"), "--execution", "undo_plan_mixed_ops_v1_v1"); code != exitFailed || !strings.Contains(stdout+stderr, "the output, computed again") {
		t.Errorf("verify, of an output that was replaced: exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestApplySaysHowToUndoWhatNoServerReverts(t *testing.T) {
	d := newDesk(t, strings.Replace(goodPlan, `"operations"`, `"revert_at": "2999-01-01T00:00:00Z", "operations"`, 1), goodTable)
	code, stdout, stderr := d.apply()
	_, command, found := strings.Cut(stdout, "undo it on 2999-01-01T00:00:00Z. Run then, with the name of a new file for FILE:\n  planwright ")
	if code != exitDone || !found {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	args := strings.Fields(strings.Replace(command, "FILE", d.path("back.csv"), 1))
	if code, stdout, stderr := cli(t, args...); code != exitDone || read(t, d.path("back.csv")) != goodTable {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := cli(t, "verify", "--db", d.path("executions.db"), "--all"); code != exitDone {
		t.Errorf("verify: exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestUndoOfAnEditedTable(t *testing.T) {
	table := "sku,category,price,in_stock\nA,fitness,10.00,true\nB,fitness,20.00,true\nC,fitness,30.00,true\nD,fitness,40.00,true\nE,fitness,50,true\n"
	edited := "sku,category,price,in_stock\nA,fitness,11.00,true\nB,fitness,22.50,true\nC,fitness,,true\nE,fitness,55.00,true\n"
	d := newDesk(t, goodPlan, table)
	d.expect(exitDone, "completed")
	write(t, d.path("edited.csv"), edited)
	code, said := d.undo("plan_fitness_v1", "edited.csv", "--dry-run")
	for _, want := range []string{
		"nothing was written", "undo: 2 matched, 2 changed",
		"warning: 3 rows were changed again since, are gone, or share their SKU with others; in its table the first are rows 3, 4, 5. They are left as they are.",
		"B              3    22.00      22.50", "D              5    44.00      no such row",
	} {
		if code != exitDone || !strings.Contains(said, want) {
			t.Errorf("exit code %d, no %q in\n%s", code, want, said)
		}
	}
	if code, said := d.undo("plan_fitness_v1", "edited.csv", "--stale=fail"); code != exitFailed || !strings.Contains(said, "3 rows") || read(t, d.path("back.csv")) != "" {
		t.Errorf("exit code %d, %s", code, said)
	}
	code, said = d.undo("plan_fitness_v1", "edited.csv")
	if !strings.Contains(said, "D              5    44.00      no such row") {
		t.Errorf("the rows that were left alone are not listed:\n%s", said)
	}
	if want := "sku,category,price,in_stock\nA,fitness,10.00,true\nB,fitness,22.50,true\nC,fitness,,true\nE,fitness,50,true\n"; code != exitDone || read(t, d.path("back.csv")) != want {
		t.Errorf("exit code %d, %s\n%s", code, said, read(t, d.path("back.csv")))
	}
}

func TestUndoWithoutWhatItTakes(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	if code, said := d.undo("plan_fitness_v1", "in.csv"); code != exitFailed || !strings.Contains(said, "knows of no execution plan_fitness_v1") {
		t.Errorf("no records: exit code %d, %s", code, said)
	}
	d.expect(exitDone, "completed")
	for flag, want := range map[string]string{"--stale=some": "--stale must be report, fail or overwrite", "--execution=x": "is not valid", "--out=": "--out and --audit are required"} {
		if code, said := d.undo("plan_fitness_v1", "out.csv", flag); code != exitUsage || !strings.Contains(said, want) {
			t.Errorf("%s: exit code %d, %s", flag, code, said)
		}
	}
	if code, said := d.undo("plan_other_v1", "out.csv"); code != exitFailed || !strings.Contains(said, "knows of no execution plan_other_v1") {
		t.Errorf("another id: exit code %d, %s", code, said)
	}
	if err := os.Rename(d.path("executions.db.d/audit/changes/plan_fitness_v1.jsonl"), d.path("moved")); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"--dry-run", "--dry-run=false"} {
		if code, said := d.undo("plan_fitness_v1", "out.csv", more); code != exitFailed || !strings.Contains(said, "The changes of execution plan_fitness_v1") {
			t.Errorf("%s without the changes: exit code %d, %s", more, code, said)
		}
	}
}

func TestDryRun(t *testing.T) {
	d := newDesk(t, read(t, testdata("example_plan_mixed_ops.json")), read(t, testdata("products.csv")))
	dry := func(more ...string) (int, string) {
		code, stdout, stderr := cli(t, append([]string{"apply", "--plan", d.path("plan.json"), "--csv", d.path("in.csv"), "--db", d.path("executions.db"), "--dry-run"}, more...)...)
		return code, stdout + stderr
	}
	code, said := dry()
	for _, want := range []string{
		"dry run    plan_mixed_ops_v1: nothing was written", "4 of 7 rows change: 2 prices rise, 2 go out of stock", "op_01: 2 matched, 2 changed.  Increase the price by 15%",
		"raised   2     10.5", "up 14 to 16%  2", "out of stock  2", "A101           2    29.99   34.49  +15.005%", "C301           7    9.99, in stock   9.99, out of stock   op_02",
	} {
		if code != exitDone || !strings.Contains(said, want) {
			t.Errorf("exit code %d, no %q in\n%s", code, want, said)
		}
	}
	entries, err := os.ReadDir(d.dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("written: %v, %v", entries, err)
	}
	d.expect(exitDone, "completed")
	if code, said := dry(); code != exitDone || !strings.Contains(said, "This plan was carried out on") {
		t.Errorf("of one that was carried out: exit code %d, %s", code, said)
	}
	write(t, d.path("in.csv"), strings.Replace(read(t, d.path("in.csv")), "29.99", "cheap", 1))
	if code, said := dry("--unmatched=allow"); code != exitFailed || !strings.Contains(said, "row 2, column price") {
		t.Errorf("of a table with a fault: exit code %d, %s", code, said)
	}
	if code, said := dry("--dry-run=false"); code != exitUsage || !strings.Contains(said, "--out and --audit are required") {
		t.Errorf("not dry: exit code %d, %s", code, said)
	}
}

// TestUndoGivesNothingToWhatWasNotChanged: where several rows have one SKU, none
// gets what another had, whatever was done to the table since.
func TestUndoGivesNothingToWhatWasNotChanged(t *testing.T) {
	const header = "sku,category,price,in_stock\n"
	before := header + "A1,fitness,10.00,true\nA1,x,11.00,true\nB2,fitness,20.00,true\nC3,x,5.00,true\n"
	for name, test := range map[string]struct {
		edited, want string
		stale        string // as it is said
	}{
		"the row is gone":          {"A1,x,11.00,true\nB2,fitness,22.00,true\nC3,x,5.00,true\n", "A1,x,11.00,true\nB2,fitness,20.00,true\nC3,x,5.00,true\n", "1 row was"},
		"another is in its place":  {"A1,x,11.00,true\nNEW,x,5.00,true\nB2,fitness,22.00,true\nC3,x,5.00,true\n", "A1,x,11.00,true\nNEW,x,5.00,true\nB2,fitness,20.00,true\nC3,x,5.00,true\n", "1 row was"},
		"they were exchanged":      {"A1,x,11.00,true\nA1,fitness,11.00,true\nB2,fitness,22.00,true\nC3,x,5.00,true\n", "A1,x,11.00,true\nA1,fitness,11.00,true\nB2,fitness,20.00,true\nC3,x,5.00,true\n", "1 row was"},
		"others moved":             {"C3,x,5.00,true\nA1,fitness,11.00,true\nA1,x,11.00,true\nB2,new,22.00,true\n", "C3,x,5.00,true\nA1,fitness,11.00,true\nA1,x,11.00,true\nB2,new,20.00,true\n", "1 row was"},
		"nothing but a line's end": {"A1,fitness,11.00,true\nA1,x,11.00,true\nB2,fitness,22.00,true\nC3,x,5.00,true", "A1,fitness,11.00,true\nA1,x,11.00,true\nB2,fitness,20.00,true\nC3,x,5.00,true", "1 row was"},
		"nothing":                  {"A1,fitness,11.00,true\nA1,x,11.00,true\nB2,fitness,22.00,true\nC3,x,5.00,true\n", "A1,fitness,10.00,true\nA1,x,11.00,true\nB2,fitness,20.00,true\nC3,x,5.00,true\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, goodPlan, before)
			d.expect(exitDone, "completed")
			write(t, d.path("out.csv"), header+test.edited) // in its place, as a person would
			code, said := d.undo("plan_fitness_v1", "out.csv")
			if got := read(t, d.path("back.csv")); code != exitDone || got != header+test.want || strings.Contains(said, "changed again since") != (test.stale != "") || !strings.Contains(said, test.stale) {
				t.Errorf("exit code %d, %s\n%s\nwant\n%s", code, said, got, header+test.want)
			}
			if code, stdout, stderr := cli(t, "verify", "--db", d.path("executions.db"), "--execution", "undo_plan_fitness_v1_v1"); code != exitDone {
				t.Errorf("verify: exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}

// TestUndoReadsTheTableAsItWasRead: what was said of a table, or found in it,
// when it was changed holds for its undo.
func TestUndoReadsTheTableAsItWasRead(t *testing.T) {
	const text = "sku,category,price,sale,in_stock\nA,fitness,11.00,10.00,true\n"
	d := newDesk(t, goodPlan, text)
	if code, stdout, stderr := d.apply("--columns", "price=sale"); code != exitDone {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, said := d.undo("plan_fitness_v1", "out.csv", "--columns", "price=price"); code != exitFailed || !strings.Contains(said, "price=sale") || read(t, d.path("back.csv")) != "" {
		t.Errorf("read in another way: exit code %d, %s", code, said)
	}
	if code, said := d.undo("plan_fitness_v1", "out.csv", "--dry-run", "--columns", "price=price"); code != exitFailed || !strings.Contains(said, "price=sale") {
		t.Errorf("read in another way, in a dry run: exit code %d, %s", code, said)
	}
	write(t, d.path("renamed.csv"), strings.Replace(read(t, d.path("out.csv")), "sale", "offer", 1))
	if code, said := d.undo("plan_fitness_v1", "renamed.csv"); code != exitFailed || !strings.Contains(said, "sale") {
		t.Errorf("of a table without the column: exit code %d, %s", code, said)
	}
	if code, said := d.undo("plan_fitness_v1", "out.csv", "--dry-run"); code != exitDone || !strings.Contains(said, "1 changed") {
		t.Errorf("in a dry run: exit code %d, %s", code, said)
	}
	if code, said := d.undo("plan_fitness_v1", "out.csv"); code != exitDone || read(t, d.path("back.csv")) != text {
		t.Errorf("exit code %d, %s\n%s", code, said, read(t, d.path("back.csv")))
	}
}

// TestUndoGivesBackTheVeryBytes also where the changed table does not show its
// encoding any more.
func TestUndoGivesBackTheVeryBytes(t *testing.T) {
	const text = "sku;category;price;in_stock\nA;fitness;1\xa0234,56;yes\n"
	d := newDesk(t, strings.Replace(goodPlan, `{"type": "percent_increase", "value": 10}`, `{"type": "set_price", "value": 5}`, 1), text)
	d.expect(exitDone, "completed")
	if out := read(t, d.path("out.csv")); out != "sku;category;price;in_stock\nA;fitness;5,00;yes\n" {
		t.Fatalf("%q", out)
	}
	write(t, d.path("utf8.csv"), "sku;category;price;in_stock;note\nA;fitness;5,00;yes;é\n")
	if code, said := d.undo("plan_fitness_v1", "utf8.csv"); code != exitFailed || !strings.Contains(said, "windows-1252") {
		t.Errorf("of a table in another encoding: exit code %d, %s\n%q", code, said, read(t, d.path("back.csv")))
	}
	if code, said := d.undo("plan_fitness_v1", "out.csv"); code != exitDone || read(t, d.path("back.csv")) != text {
		t.Errorf("exit code %d, %s\n%q", code, said, read(t, d.path("back.csv")))
	}
}

// TestUndoNeedsTheTableFromBefore to tell rows of one SKU apart, and to do that
// again where there are some.
func TestUndoNeedsTheTableFromBefore(t *testing.T) {
	edited := strings.Replace(goodTable, "29.99,true\n", "32.99,true\nNEW,yoga,5.00,true\n", 1)
	want := strings.Replace(edited, "32.99", "29.99", 1)
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	write(t, d.path("out.csv"), edited)
	outbox, drops := d.path("executions.db.d/outbox"), d.path("executions.db.d/inbox/.planwright/drops")
	if err := errors.Join(os.Rename(outbox, outbox+".moved"), os.Rename(drops, drops+".moved")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.MkdirAll(drops, 0o700), os.MkdirAll(outbox, 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"--dry-run", "--dry-run=false"} {
		if code, said := d.undo("plan_fitness_v1", "out.csv", more); code != exitFailed || !strings.Contains(said, "put inbox/plan_fitness_v1/in.csv back as it was read, or outbox/plan_fitness_v1/in.csv as it was written") {
			t.Errorf("%s without it: exit code %d, %s", more, code, said)
		}
	}
	if err := errors.Join(os.RemoveAll(outbox), os.RemoveAll(drops), os.Rename(outbox+".moved", outbox), os.Rename(drops+".moved", drops)); err != nil {
		t.Fatal(err)
	}
	if code, said := d.undo("plan_fitness_v1", "out.csv", "--out", d.path("in.csv")); code != exitUsage || read(t, d.path("in.csv")) != goodTable {
		t.Errorf("over the table from before: exit code %d, %s", code, said)
	}
	code, said := d.undo("plan_fitness_v1", "out.csv")
	if got := read(t, d.path("back.csv")); code != exitDone || got != want {
		t.Errorf("exit code %d, %s\n%s", code, said, got)
	}
	if code, stdout, stderr := cli(t, "verify", "--db", d.path("executions.db"), "--execution", "undo_plan_fitness_v1_v1"); code != exitDone {
		t.Errorf("verify: exit code %d\n%s%s", code, stdout, stderr)
	}
}

// What an undo left, for its table lacked it, is undone on a table that has it.
func TestUndoOfWhatIsLeft(t *testing.T) {
	d := newDesk(t, read(t, testdata("example_plan_mixed_ops.json")), read(t, testdata("products.csv")))
	d.expect(exitDone, "completed")
	lines := strings.SplitAfter(read(t, d.path("out.csv")), "\n")
	write(t, d.path("part.csv"), lines[0]+lines[1])
	for _, again := range []string{"completed  undo_plan_mixed_ops_v1_v1", "skipped    undo_plan_mixed_ops_v1_v1"} {
		if code, said := d.undo("plan_mixed_ops_v1", "part.csv"); code != exitDone || !strings.Contains(said, again) {
			t.Fatalf("exit code %d, %s", code, said)
		}
	}
	if code, said := d.undo("plan_mixed_ops_v1", "out.csv", "--out", d.path("rest.csv")); code != exitDone || !strings.Contains(said, "completed  undo_plan_mixed_ops_v1_v2") || read(t, d.path("rest.csv")) != read(t, testdata("products.csv")) {
		t.Errorf("exit code %d, %s", code, said)
	}
}

// What would be undone before it is done is neither planned nor applied.
func TestARevertInThePastIsRefused(t *testing.T) {
	t.Parallel()
	d := newDesk(t, strings.Replace(goodPlan, `"operations"`, `"revert_at": "2020-01-01T00:00:00Z", "operations"`, 1), goodTable)
	d.expect(exitFailed, "is 2020-01-01T00:00:00Z, which is past")
	code, _, stderr := cli(t, "plan", "--instruction", "Increase all prices by 10%.", "--plan-out", d.path("made.json"), "--revert-at", "2020-01-01T00:00:00Z")
	if code != exitUsage || !strings.Contains(stderr, "--revert-at 2020-01-01T00:00:00Z is past") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	for _, name := range []string{"out.csv", "made.json"} {
		if _, err := os.Stat(d.path(name)); !os.IsNotExist(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What was proposed in time and is approved of too late is not: it would be undone
// before it is done.
func TestAnApprovalBehindTheRevertIsRefused(t *testing.T) {
	t.Parallel()
	server := newLifeServer(t) // its clock stands before the revert, ours behind it
	p, err := plan.Decode([]byte(strings.Replace(goodPlan, `"operations"`, `"approval": "always", "revert_at": "2026-03-02T00:00:00Z", "operations"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	s := &lifeShop{lifeServer: server, life: &life{t: t}}
	s.must(s.store.CreatePlan(t.Context(), plans.New(p).Record))
	s.must(s.Handle(t.Context(), s.drop(p.ExecutionID, []byte(goodTable), nil)))
	code, _, stderr := cli(t, "approve", p.ExecutionID, "--db", s.path("state.db"), "--proposal", s.record(p.ExecutionID).Proposal.ProposalSHA256)
	if code != exitFailed || !strings.Contains(stderr, "was to be undone on 2026-03-02T00:00:00Z, which is past") || s.record(p.ExecutionID).Approval != nil {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}
