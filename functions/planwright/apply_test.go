package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

const (
	goodTable = "sku,category,price,in_stock\nA101,fitness,29.99,true\n"
	goodPlan  = `{"execution_id": "plan_fitness_v1", "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Increase fitness prices by 10%.",
		"operations": [{"operation_id": "op_01", "filter": {"categories": ["fitness"]}, "action": {"type": "percent_increase", "value": 10}}]}`
)

// desk is a folder with a plan and a table in it.
type desk struct {
	t   *testing.T
	dir string
}

func newDesk(t *testing.T, plan, table string) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir()}
	write(t, d.path("plan.json"), plan)
	write(t, d.path("in.csv"), table)
	return d
}

func (d *desk) path(name string) string { return filepath.Join(d.dir, name) }

// apply runs apply with the desk's files; more flags win.
func (d *desk) apply(more ...string) (code int, stdout, stderr string) {
	d.t.Helper()
	return cli(d.t, d.args(append([]string{"--sync=false"}, more...)...)...)
}

// args are those of an apply of the desk's plan.
func (d *desk) args(more ...string) []string {
	args := []string{"apply", "--plan", d.path("plan.json"), "--csv", d.path("in.csv"), "--out", d.path("out.csv"),
		"--audit", d.path("logs/audit.jsonl"), "--db", d.path("executions.db")}
	return append(args, more...)
}

// expect runs apply and compares the exit code and part of what it says.
func (d *desk) expect(wantCode int, wantText string, more ...string) {
	d.t.Helper()
	code, stdout, stderr := d.apply(more...)
	if code != wantCode || !strings.Contains(stdout+stderr, wantText) {
		d.t.Errorf("exit code %d, stdout:\n%s\nstderr:\n%s\nwant %d and %q", code, stdout, stderr, wantCode, wantText)
	}
}

// statuses returns what the audit log says of each run.
func (d *desk) statuses() []ledger.Status {
	d.t.Helper()
	var statuses []ledger.Status
	for _, document := range auditLines(d.t, d.path("logs/audit.jsonl")) {
		statuses = append(statuses, document.Status)
	}
	return statuses
}

func TestApplyIsTheExample(t *testing.T) {
	d := newDesk(t, read(t, testdata("example_plan.json")), read(t, testdata("products.csv")))
	d.expect(exitDone, "completed")
	if diff := cmp.Diff(read(t, testdata("products_updated.csv")), read(t, d.path("out.csv"))); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
	got := auditLines(t, d.path("logs/audit.jsonl"))
	if len(got) != 1 || got[0].RowsChanged != 2 || got[0].RowsTotal != 7 || !got[0].Intact() {
		t.Errorf("audit log: %+v", got)
	}
	if diff := cmp.Diff([]string{"A101", "A102"}, got[0].SKUsChanged); diff != "" {
		t.Errorf("SKUs changed (-want +got):\n%s", diff)
	}
	id := got[0].ExecutionID
	if changes := read(t, d.path("logs/changes/"+id+".jsonl")); strings.Count(changes, "\n") != 2 {
		t.Errorf("changes file:\n%s", changes)
	}
	for _, field := range []string{"execution_id", "source_instruction", "executed_at", "status", "error", "operations_count", "rows_total", "rows_changed",
		"skus_changed", "changes", "plan_snapshot", "result", "attempt", "upload", "output", "operations", "effect", "plan_sha256", "previous_sha256", "sha256"} {
		if !strings.Contains(read(t, d.path("logs/audit.jsonl")), `"`+field+`":`) {
			t.Errorf("the audit line has no %s", field)
		}
	}
	if code, stdout, stderr := cli(t, "verify", "--db", d.path("executions.db"), "--execution", id); code != exitDone {
		t.Errorf("verify: exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestApplyOnce(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	write(t, d.path("in.csv"), strings.Replace(goodTable, "29.99", "99.99", 1))
	d.expect(exitDone, "skipped")
	d.expect(exitDone, "carried out on 2")
	d.expect(exitDone, "changed 1 of 1 row;")
	write(t, d.path("plan.json"), strings.Replace(goodPlan, "2026-03-01T10", "2026-03-02T11", 1)) // planned again
	d.expect(exitDone, "skipped")
	if got, want := read(t, d.path("out.csv")), strings.Replace(goodTable, "29.99", "32.99", 1); got != want {
		t.Errorf("output %q, want %q", got, want)
	}
	if diff := cmp.Diff([]ledger.Status{ledger.Completed, ledger.Skipped, ledger.Skipped, ledger.Skipped, ledger.Skipped}, d.statuses()); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
}

// A second plan on a table is without what the first one changed, and says so.
func TestApplySaysThatAnotherPlanWasAppliedToTheTable(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	write(t, d.path("plan.json"), strings.Replace(goodPlan, "plan_fitness_v1", "plan_second_v1", 1))
	const warning = "warning: The plan plan_fitness_v1 was carried out on this very table."
	d.expect(exitDone, warning, "--dry-run", "--out", d.path("second.csv"))
	d.expect(exitDone, warning, "--out", d.path("second.csv"))
	write(t, d.path("plan.json"), strings.Replace(goodPlan, "plan_fitness_v1", "plan_third_v1", 1))
	if code, _, stderr := d.apply("--csv", d.path("second.csv"), "--out", d.path("third.csv")); code != exitDone || strings.Contains(stderr, "very table") {
		t.Errorf("on what the second wrote: %d, %s", code, stderr)
	}
}

func TestApplyFailsWhole(t *testing.T) {
	tests := []struct {
		name, table, want string
		flags             []string
	}{
		{"a missing column", "sku,category,Betrag\nA,fitness,1.00\n", "--columns price=TITLE", nil},
		{"a header that is shown whole", "sku,category,Betrag,Notiz\nA,fitness,1.00,\n", "sku: sku\n  category: category\n  Betrag (1.00): not known\n  Notiz: not known", nil},
		{"two columns of one name", "sku,category,price,Price\nA,fitness,1.00,1.00\n", "name another with --columns", nil},
		{"a workbook", "PK\x03\x04\x14\x00", "save it as CSV", nil},
		{"an empty price", "sku,category,price\nA,fitness,\n", "row 2, column price, an empty cell: the price is empty: fill it in, or leave such rows alone with --blank-price keep", []string{"--blank-price", "error"}},
		{"two readings of a price", "sku;category;price\nA;fitness;1,299\n", "--price-form", nil},
		{"a stray quote", "sku,category,price,in_stock\n\"A\",fitn\"ess,1.00,true\n", "row 2", nil},
		{"a sign", "sku,category,price,in_stock\nA,fitness,-1.00,true\n", "-1.00", []string{"--blank-price", "error"}},
		{"an empty file", "", "empty", nil},
		{"a bad price in row 1,000,000", "sku,category,price,in_stock\n" + strings.Repeat("A,fitness,1.00,true\n", 999_998) + "A,fitness,1.OO,true\n", "row 1000000", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t, goodPlan, test.table)
			d.expect(exitFailed, test.want, test.flags...)
			if got := read(t, d.path("out.csv")); got != "" {
				t.Errorf("there is an output: %.80q", got)
			}
			if entries, _ := filepath.Glob(d.path("logs/changes/*")); len(entries) > 0 {
				t.Errorf("left behind: %v", entries)
			}
			if entries, _ := filepath.Glob(d.path(".*.part")); len(entries) > 0 {
				t.Errorf("left behind: %v", entries)
			}
			write(t, d.path("in.csv"), goodTable) // mended: the same plan is applied
			d.expect(exitDone, "completed")
			if diff := cmp.Diff([]ledger.Status{ledger.Failed, ledger.Completed}, d.statuses()); diff != "" {
				t.Errorf("audit log (-want +got):\n%s", diff)
			}
			lines := auditLines(t, d.path("logs/audit.jsonl"))
			if lines[1].PreviousSHA256 != lines[0].SHA256 || lines[1].Attempt != 2 {
				t.Errorf("the second line does not follow the first: attempt %d", lines[1].Attempt)
			}
		})
	}
}

func TestApplyRefusesAnotherPlanUnderTheSameID(t *testing.T) {
	d := newDesk(t, goodPlan, "broken")
	d.expect(exitFailed, "failed")
	write(t, d.path("in.csv"), goodTable)
	write(t, d.path("plan.json"), strings.Replace(goodPlan, `"value": 10`, `"value": 20`, 1))
	d.expect(exitFailed, "plan_fitness_v2")
	write(t, d.path("plan.json"), strings.Replace(goodPlan, "plan_fitness_v1", "plan_fitness_v2", 1))
	d.expect(exitDone, "completed")
	if diff := cmp.Diff([]ledger.Status{ledger.Failed, ledger.Failed, ledger.Completed}, d.statuses()); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
}

// A completed id is skipped whatever the plan file says, and the plan that was not carried
// out is not said to have been.
func TestApplySkipsAnotherPlanUnderAnIDThatWasCarriedOut(t *testing.T) {
	for _, other := range []string{
		strings.Replace(goodPlan, `"value": 10`, `"value": 20`, 1),
		strings.Replace(goodPlan, `["fitness"]`, `["Fitness Equipment"]`, 1),
		strings.Replace(goodPlan, `"categories"`, `"exclude_skus": ["A101"], "categories"`, 1),
		strings.Replace(goodPlan, `"categories"`, `"price_lte": 20, "categories"`, 1),
	} {
		d := newDesk(t, goodPlan, goodTable)
		d.expect(exitDone, "completed")
		write(t, d.path("plan.json"), other)
		before := read(t, d.path("out.csv"))
		d.expect(exitDone, "warning: There is another plan with the id plan_fitness_v1 already")
		if code, stdout, _ := d.apply(); code != exitDone || !strings.Contains(stdout, "skipped") || read(t, d.path("out.csv")) != before {
			t.Errorf("exit code %d, stdout %q", code, stdout)
		}
	}
}

func TestApplySaysPlainlyThatItChangedNothing(t *testing.T) {
	d := newDesk(t, goodPlan, "sku,category,price,in_stock\nA101,fitness,0.00,true\n")
	d.expect(exitDone, "No row was changed")
	d.expect(exitDone, "changed 0 of 1 row;")
}

func TestApplyRefusesBadPlans(t *testing.T) {
	for name, test := range map[string]struct{ old, new, want string }{
		"an unknown field":     {`"filter": {`, `"filter": {"colour": "red", `, "operations[0].filter.colour"},
		"a negative price":     {`"value": 10`, `"value": -10`, "operations[0].action.value"},
		"bounds the wrong way": {`"filter": {`, `"filter": {"price_gte": 5, "price_lte": 1, `, "price_gte"},
		"a boolean":            {`"value": 10`, `"value": true`, "operations[0].action.value"},
		"a path as an id":      {`plan_fitness_v1`, `../../x-plan`, "execution_id"},
		"no JSON":              {`{"execution_id"`, `execution_id`, "not valid"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, strings.Replace(goodPlan, test.old, test.new, 1), goodTable)
			d.expect(exitFailed, test.want)
			if got := read(t, d.path("out.csv")) + read(t, d.path("executions.db")); got != "" {
				t.Error("something was written")
			}
		})
	}
}

func TestApplyRefusesFilesThatAreOne(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	if err := os.Symlink(d.path("in.csv"), d.path("link.csv")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(d.path("in.csv"), d.path("hard.csv")); err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]string{
		{"--out", d.path("in.csv")}, {"--out", d.path("./x/../in.csv")}, {"--out", d.path("link.csv")}, {"--out", d.path("hard.csv")},
		{"--audit", d.path("out.csv")}, {"--changes", d.path("out.csv")}, {"--db", d.path("in.csv")}, {"--out", d.path("plan.json")},
	} {
		d.expect(exitUsage, "the same file", more...)
	}
	for _, more := range [][]string{{"--csv", d.path("none.csv")}, {"--csv", d.dir}, {"--out", d.dir}, {"--changes", d.dir}, {"--db", d.dir}, {"--csv", d.path("plan.json")}, {"--plan", d.path("none.json")}, {"--columns", "nonsense"}, {"--blank-price", "nonsense"}} {
		d.expect(exitUsage, strings.TrimPrefix(more[0], "no such flag"), more...)
	}
	if got := read(t, d.path("in.csv")); got != goodTable {
		t.Errorf("the input was touched: %q", got)
	}
}

// What is known of what was carried out is never written over.
func TestApplyRefusesToReplaceItsOwnFiles(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	write(t, d.path("plan.json"), strings.Replace(goodPlan, "plan_fitness_v1", "plan_fitness_v2", 1))
	if err := os.Link(d.path("executions.db.d/state.key"), d.path("hard.csv")); err != nil {
		t.Fatal(err)
	}
	other := []string{"--db", d.path("other.db"), "--audit", d.path("other.jsonl"), "--changes", d.path("other-changes.jsonl")}
	for _, refused := range [][]string{
		{"--out", d.path("executions.db.d/state.key")}, {"--out", d.path("executions.db-wal")}, {"--out", d.path("hard.csv")},
		{"--out", d.path("executions.db.d/audit/log/key")}, {"--out", d.path("executions.db.d/audit/x/p.csv")},
		{"--changes", d.path("executions.db.d/state.key")}, {"--audit", d.path("executions.db.d/state.key")},
		append(other, "--out", d.path("executions.db")), append(other, "--out", d.path("executions.db.d/state.key")),
		append(other, "--out", d.path("executions.db.d/audit/log/key")), append(other, "--out", d.path("logs/audit.jsonl")),
		append(other, "--out", d.path("logs/changes/plan_fitness_v1.jsonl")),
	} {
		d.expect(exitUsage, " Choose another.", refused...)
	}
	for _, refused := range []string{"executions.db.d/state.key", "executions.db", "executions.db.d/audit/log/key"} {
		code, _, stderr := cli(t, "plan", "--instruction", "Increase all prices by 10%.", "--db", d.path("other.db"), "--plan-out", d.path(refused))
		if code != exitUsage || !strings.Contains(stderr, " Choose another.") {
			t.Errorf("a plan into %s: exit code %d, %s", refused, code, stderr)
		}
	}
	if got := read(t, d.path("other.db")); got != "" {
		t.Error("something was written")
	}
	d.expect(exitDone, "completed", "--out", d.path("out2.csv"))
}

// What was carried out is not forgotten with its records.
func TestApplyMissesItsRecords(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	before := read(t, d.path("executions.db"))
	remove(t, d.path("executions.db"))
	const told = "executions.db has 0 audit documents, and the signed tree beside it has 1"
	d.expect(exitFailed, told, "--out", d.path("again.csv"))
	d.expect(exitFailed, told, "--dry-run")
	for _, command := range [][]string{
		{"verify", "--all", "--db", d.path("executions.db")},
		{"undo", "--execution", "plan_fitness_v1", "--csv", d.path("out.csv"), "--out", d.path("again.csv"), "--audit", d.path("a.jsonl"), "--db", d.path("executions.db")},
		{"plan", "--instruction", "Increase all prices by 10%.", "--plan-out", d.path("again.json"), "--db", d.path("executions.db")},
	} {
		if code, _, stderr := cli(t, command...); code != exitFailed || !strings.Contains(stderr, told) {
			t.Errorf("%s: exit code %d, %s", command[0], code, stderr)
		}
	}
	if got := read(t, d.path("again.csv")) + read(t, d.path("again.json")) + read(t, d.path("executions.db")); got != "" {
		t.Error("something was written")
	}
	write(t, d.path("executions.db"), before)
	d.expect(exitDone, "skipped")
	write(t, d.path("executions.db"), before)
	remove(t, d.path("executions.db-wal"), d.path("executions.db-shm"))
	d.expect(exitFailed, "executions.db has 1 audit documents, and the signed tree beside it has 2")
}

// remove deletes files, as far as they are there.
func remove(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

func TestApplyMapsColumns(t *testing.T) {
	d := newDesk(t, goodPlan, "Variant SKU,Type,Variant Price,Live\nA101,fitness,29.99,yes\n")
	d.expect(exitDone, "1 changed", "--columns", "sku=Variant SKU,category=Type,price=Variant Price,in_stock=Live")
	if got, want := read(t, d.path("out.csv")), "Variant SKU,Type,Variant Price,Live\nA101,fitness,32.99,yes\n"; got != want {
		t.Errorf("output %q, want %q", got, want)
	}
}

func TestApplyLeavesRowsWithoutAPriceAlone(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable+"A102,fitness,,true\n")
	d.expect(exitFailed, "row 3", "--blank-price", "error")
	d.expect(exitDone, "1 row has no price, and is left alone by op_01: row 3.")
	if got, want := read(t, d.path("out.csv")), raised+"A102,fitness,,true\n"; got != want {
		t.Errorf("output %q, want %q", got, want)
	}
}

// A plan that leaves out a category under another name would raise what was to
// be left alone.
func TestApplyRefusesNamesThatNoRowHas(t *testing.T) {
	for name, test := range map[string]struct{ filter, want, words string }{
		"another case, left out":  {`{"exclude_categories": ["Fitness"]}`, `category "Fitness", left out by op_01: this table has "fitness"`, "reprice Fitness too"},
		"another case, asked for": {`{"categories": ["FITNESS"]}`, `category "FITNESS", asked for by op_01: this table has "fitness"`, "allow"},
		"a SKU, left out":         {`{"exclude_skus": ["a101"]}`, `SKU "a101", left out by op_01: this table has "A101"`, "reprice a101 too"},
		"nothing like it":         {`{"exclude_categories": ["gardening"]}`, `category "gardening", left out by op_01: nothing like it was found`, "reprice gardening too"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, strings.Replace(goodPlan, `{"categories": ["fitness"]}`, test.filter, 1), goodTable)
			d.expect(exitFailed, test.want)
			told := test.words
			if told != "allow" {
				told = "'" + told + "'"
				d.expect(exitFailed, test.want, "--unmatched=allow") // no flag drops an exclusion
			}
			d.expect(exitFailed, "--unmatched "+told)
			if got := read(t, d.path("out.csv")); got != "" {
				t.Errorf("something was written: %q", got)
			}
			if lines := auditLines(t, d.path("logs/audit.jsonl")); len(lines) < 2 || lines[0].Code() != "unknown_names" {
				t.Errorf("audit log: %+v", lines)
			}
			flags := []string{"--unmatched=" + test.words}
			if test.words == "allow" { // the table has the name in another case, and both are asked about
				flags = append(flags, "--near-names=exact")
			}
			d.expect(exitDone, "warning: No row has the ", flags...)
		})
	}
}

// A plan for all but a category would raise the rows that write it otherwise.
func TestApplyAsksAboutAlikeNames(t *testing.T) {
	d := newDesk(t, strings.Replace(goodPlan, `{"categories": ["fitness"]}`, `{"exclude_categories": ["fitness"]}`, 1), goodTable+"A102,Fitness\u00a0,10.00,true\n")
	d.expect(exitFailed, `category "fitness", left out by op_01: this table has "Fitness\u00a0" in 1 row, "fitness" in 1 row`)
	d.expect(exitFailed, "--near-names exact", "--unmatched=allow")
	if got := read(t, d.path("out.csv")); got != "" {
		t.Errorf("something was written: %q", got)
	}
	d.expect(exitDone, "1 changed", "--near-names=exact")
}

// Every kind of table is taken, and what it was taken for is said.
func TestApplyTakesEveryKindOfTable(t *testing.T) {
	for name, test := range map[string]struct{ table, want, says string }{
		"p.CSV": {goodTable, raised, "table: plain; comma, LF, UTF-8"},
		"p.tsv": {strings.ReplaceAll(goodTable, ",", "\t"), strings.ReplaceAll(raised, ",", "\t"), "table: plain; tab, LF, UTF-8"},
		"p.Tab": {strings.ReplaceAll(goodTable, "\n", "\r\n"), strings.ReplaceAll(raised, "\n", "\r\n"), "table: plain; comma, CRLF, UTF-8"},
		"p.txt": {"sep=;\n" + strings.ReplaceAll(goodTable, ",", ";"), "sep=;\n" + strings.ReplaceAll(raised, ",", ";"), "table: plain; semicolon, LF, UTF-8, a sep= line"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, goodPlan, "")
			write(t, d.path(name), test.table)
			d.expect(exitDone, test.says, "--csv", d.path(name))
			if got := read(t, d.path("out.csv")); got != test.want {
				t.Errorf("output %q, want %q", got, test.want)
			}
		})
	}
	d := newDesk(t, goodPlan, goodTable)
	write(t, d.path("p.xlsx"), "PK")
	d.expect(exitUsage, "is a workbook (.xlsx), and no table of text: open it and save it as CSV", "--csv", d.path("p.xlsx"))
	if code, _, stderr := cli(t, "plan", "Raise prices by 5%", "--csv", d.path("p.xlsx")); code != exitUsage || !strings.Contains(stderr, "save it as CSV") {
		t.Errorf("plan with a workbook: %d, %s", code, stderr)
	}
}

// Flags win over the environment, and every setting can be given by either.
func TestApplyReadsSettings(t *testing.T) {
	d := newDesk(t, goodPlan, "Nr|Gruppe|Preis\nA101|fitness|1.000\n")
	args := []string{"apply", "--plan", d.path("plan.json"), "--csv", d.path("in.csv"), "--out", d.path("out.csv"),
		"--audit", d.path("logs/audit.jsonl"), "--db", d.path("executions.db"), "--sync=false", "--price-form", "1.234,56"}
	variables := map[string]string{"CSV_COLUMNS": "sku=Nr,category=Gruppe,price=Preis", "PRICE_FORM": "1,234.56", "CSV_DELIMITER": "|"}
	code, stdout, stderr := cliWith(t, variables, args...)
	if got, want := read(t, d.path("out.csv")), "Nr|Gruppe|Preis\nA101|fitness|1.100,00\n"; code != exitDone || got != want {
		t.Errorf("exit code %d, %s%s, output %q, want %q", code, stdout, stderr, got, want)
	}
	for _, flag := range []string{"--columns", "--profile", "--delimiter", "--line-end", "--encoding", "--price-form", "--blank-price", "--in-stock-quantity", "--unmatched", "--near-names", "--sale-dates"} {
		d.expect(exitUsage, flag+`: "nonsense`, flag, "nonsense")
	}
	variables["UNMATCHED"] = "nonsense"
	if code, _, stderr := cliWith(t, variables, args...); code != exitUsage || !strings.Contains(stderr, "UNMATCHED") {
		t.Errorf("a variable that is none: exit code %d, %s", code, stderr)
	}
}

func TestApplyThatCannotWriteItsOutput(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	write(t, d.path("file"), "")
	d.expect(exitFailed, "out.csv", "--out", d.path("file/out.csv"))
	if diff := cmp.Diff([]ledger.Status{ledger.Failed}, d.statuses()); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
	d.expect(exitFailed, "audit.jsonl", "--audit", d.path("file/audit.jsonl"))
	d.expect(exitDone, "completed")
}

func TestVerifyFindsOneFlippedByte(t *testing.T) {
	for _, name := range []string{
		"executions.db.d/outbox/plan_fitness_v1/in.csv", "executions.db.d/audit/changes/plan_fitness_v1.jsonl", "executions.db.d/audit/executions/plan_fitness_v1.jsonl",
		"logs/audit.jsonl", "executions.db",
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, goodPlan, goodTable)
			d.expect(exitDone, "completed")
			verify := func() int {
				code, _, _ := cli(t, "verify", "--db", d.path("executions.db"), "--execution", "plan_fitness_v1")
				return code
			}
			if verify() != exitDone {
				t.Fatal("not verified before anything was flipped")
			}
			data := []byte(read(t, d.path(name)))
			at := flippable(t, data)
			data[at] ^= 1
			if err := errors.Join(os.Chmod(d.path(name), 0o644), os.WriteFile(d.path(name), data, 0o644)); err != nil {
				t.Fatal(err)
			}
			if verify() != exitFailed {
				t.Errorf("byte %d of %s was flipped and not found", at, name)
			}
		})
	}
}

// flippable is a byte that says something: the price in a table, a document's
// hash in the database.
func flippable(t *testing.T, data []byte) int {
	t.Helper()
	for _, mark := range []string{"2.99", "9.99"} {
		if at := bytes.Index(data, []byte(mark)); at >= 0 {
			return at
		}
	}
	t.Fatalf("nothing to flip in %.80q", data)
	return 0
}

// expireLease ends the lease of a process that was killed, which the next run
// would otherwise wait for.
func (d *desk) expireLease() {
	d.t.Helper()
	store, err := sqlite.Open(d.t.Context(), d.path("executions.db"), sqlite.Options{})
	if err != nil {
		d.t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.ExpireLeases(d.t.Context(), time.Now()); err != nil {
		d.t.Fatal(err)
	}
}

// writerFunc is a writer.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestSignedBeforeItIsReported: who reads the report may end the process with its first line,
// and nothing is to be unsigned then.
func TestSignedBeforeItIsReported(t *testing.T) {
	t.Parallel()
	d := newDesk(t, goodPlan, goodTable)
	for _, want := range []int{1, 2} { // carried out, and skipped
		signed := -1
		out := writerFunc(func(p []byte) (int, error) {
			if signed < 0 {
				heads, _ := filepath.Glob(filepath.Join(d.path("executions.db.d/audit"), "log/heads/*"))
				signed = len(heads)
			}
			return len(p), nil
		})
		run(t.Context(), []string{"apply", "--plan", d.path("plan.json"), "--csv", d.path("in.csv"), "--out", d.path("out.csv"),
			"--audit", d.path("logs/audit.jsonl"), "--db", d.path("executions.db"), "--sync=false"},
			environment{stdin: strings.NewReader(""), stdout: out, stderr: out, lookup: os.LookupEnv})
		if signed != want {
			t.Errorf("%d heads are signed as the first line is told, want %d", signed, want)
		}
	}
}

// A run that was killed between its outcome and the line of it gets that line from the next.
func TestALineThatWasCutOff(t *testing.T) {
	d := newDesk(t, read(t, testdata("example_plan.json")), read(t, testdata("products.csv")))
	d.expect(exitDone, "completed")
	d.expect(exitDone, "skipped")
	store, err := sqlite.Open(t.Context(), d.path("executions.db"), sqlite.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	documents, err := store.Logged(t.Context())
	if err != nil || len(documents) != 2 {
		t.Fatalf("%d documents: %v", len(documents), err)
	}
	killed := documents[slices.IndexFunc(documents, func(d ledger.AuditDocument) bool { return d.Status == ledger.Skipped })]
	killed.Upload.Generation++
	killed.Upload.ID = killed.Upload.Upload.ID()
	killed = killed.Chained(killed.PreviousSHA256)
	err = errors.Join(store.NoteRun(t.Context(), killed.ExecutionID, killed.Upload.Upload, killed.Upload.Log), store.CreateOutcome(t.Context(), killed))
	store.Close()
	outbox, openErr := folder.Open(d.path("executions.db.d/outbox"), folder.Options{})
	if openErr != nil {
		t.Fatal(openErr)
	}
	defer outbox.Close()
	name, notice := execution.Notice(killed) // which is there before the outcome
	if _, err := bucket.Put(t.Context(), outbox, name, bucket.CreateOptions{}, strings.NewReader(notice)); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.expect(exitDone, "skipped")
	d.expect(exitDone, "skipped")
	if got := d.statuses(); len(got) != 5 {
		t.Errorf("the log has %v", got)
	}
	if code, stdout, stderr := cli(t, "verify", "--all", "--db", d.path("executions.db")); code != exitDone {
		t.Errorf("verify: exit code %d\n%s%s", code, stdout, stderr)
	}
}

// Paths in errors are as a person in this folder would write them, and stand alone.
func TestPathsInErrors(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	t.Chdir(d.dir)
	d.expect(exitDone, "completed")
	write(t, d.path("in.csv"), strings.Replace(goodTable, "29.99", "19.99", 1))
	code, _, stderr := d.apply("--db", d.path("other.db"), "--audit", d.path("logs/other.jsonl"), "--out", d.path("other.csv"))
	if code != exitFailed || !strings.Contains(stderr, "\nlogs/changes/plan_fitness_v1.jsonl exists already with other content") || strings.Contains(stderr, d.dir) {
		t.Errorf("exit code %d:\n%s", code, stderr)
	}
}
