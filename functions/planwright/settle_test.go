package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os/user"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/gemini/geminitest"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/plan"
)

// ask runs plan for a person who types an answer.
func (d *desk) ask(answer, instruction string, more ...string) (code int, stdout, stderr string) {
	d.t.Helper()
	var out, err bytes.Buffer
	code = run(d.t.Context(), append([]string{"plan", "--instruction", instruction, "--plan-out", d.path("plan.json"), "--db", d.path("executions.db")}, more...), environment{
		stdin: strings.NewReader(answer), stdout: &out, stderr: &err, asks: true,
		lookup: func(string) (string, bool) { return "", false },
	})
	return code, out.String(), err.String()
}

const byNumber = "The rules were finished by "

// An open part is settled by the number of a choice, and who did that is told and kept, also
// once the plan was applied.
func TestAnOpenPartIsSettledByANumber(t *testing.T) {
	d := newDesk(t, "", goodTable)
	by, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := d.ask("2\n", "Raise fitness by 10")
	for _, want := range []string{"understood\n  Change the price by, or to, 10 for products in category fitness.", `open       "Raise fitness by 10"`, "  1  Increase by 10%\n  2  Increase by 10\n"} {
		if code != exitDone || !strings.Contains(stderr, want) {
			t.Fatalf("exit code %d, no %s in\n%s%s", code, want, stdout, stderr)
		}
	}
	d.expect(exitDone, byNumber+by.Username+".")
	store, err := sqlite.Open(t.Context(), d.path("executions.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	stored, err := plans.Load(t.Context(), store, "plan_raise_fitness_10_v1")
	if err != nil || stored.Planner.Confirmed == nil || stored.CreatedBy != by.Username || stored.Plan.Operations[0].Action.Type != plan.FixedIncrease {
		t.Errorf("stored %+v, %v", stored, err)
	}
}

// --choose settles open parts without a terminal; 0 ignores words, which is kept.
func TestChooseSettlesOpenParts(t *testing.T) {
	for choose, want := range map[string]struct {
		code int
		said string
	}{
		"1,0": {exitDone, `who ignores of the instruction: "zork"`},
		"1":   {exitUsage, `--choose has no answer for "zork"`},
		"9,0": {exitFailed, `"9" is no number from 0 to 2`},
	} {
		d := newDesk(t, "", goodTable)
		code, stdout, stderr := d.plan("Raise fitness by 10, zork", "--choose", choose)
		if code != want.code || !strings.Contains(stdout+stderr, want.said) {
			t.Errorf("--choose %s: exit code %d\n%s%s, want %d and %s", choose, code, stdout, stderr, want.code, want.said)
		}
	}
}

// Times of the instruction are the plan's once a person has confirmed them.
func TestTimesOfTheInstructionAreConfirmed(t *testing.T) {
	d := newDesk(t, "", goodTable)
	code, stdout, stderr := d.plan("Raise fitness by 10% on 1 March 2090 at 9", "--choose", "1")
	if code != exitDone || !strings.Contains(stdout, "Apply this on Wednesday, 1 March 2090, 09:00") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

const mugs = "sku,category,name,price,in_stock\nM1,Kitchen,Adventure Camp Mug 12oz,14.00,true\nH1,Hats,Bobble Hat,20.00,true\n"

// Whoever settles nothing, or cannot be asked, has no plan, and nothing is written.
func TestNothingIsSettledForAnybody(t *testing.T) {
	for answer, want := range map[string]string{
		"": "No plan was made.", "\n": "No plan was made.", "3\n": `"3" is no number from 0 to 2`, "yes\n": `"yes" is no number`, "0\n": "rules are not finished",
	} {
		d := newDesk(t, "", goodTable)
		code, stdout, stderr := d.ask(answer, "Raise fitness by 10")
		if code != exitFailed || !strings.Contains(stderr, want) || stdout != "" || read(t, d.path("plan.json")) != "" {
			t.Errorf("%q: exit code %d\n%s%s", answer, code, stdout, stderr)
		}
	}
	d := newDesk(t, "", goodTable)
	if code, stdout, stderr := d.plan("Raise fitness by 10"); code != exitAsks || stdout != "" || !strings.Contains(stderr, "1  Increase by 10%") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// With --plan-out - the plan is all that standard output has.
func TestThePlanGoesToStandardOutput(t *testing.T) {
	d := newDesk(t, "", goodTable)
	code, stdout, stderr := d.plan("Raise fitness by 10%", "--plan-out", "-", "--explain")
	made, err := plan.Decode([]byte(stdout))
	if code != exitDone || err != nil || made.ExecutionID != "plan_raise_fitness_10pct_v1" || !strings.Contains(stderr, "planned    "+made.ExecutionID+", by grammar\n") {
		t.Errorf("exit code %d, %v\n%s\n%s", code, err, stdout, stderr)
	}
}

// plan says which planners made the plan and what that cost, and no line of a log
// stands beside it.
func TestPlanSaysWhoPlanned(t *testing.T) {
	operations := `{"operations":[{"operation_id":"op_01","filter":{"categories":["fitness"]},"action":{"type":"percent_increase","value":10}}]}`
	good := geminitest.JSON(http.StatusOK, geminitest.Object{
		"candidates":    []any{geminitest.Object{"finishReason": "STOP", "content": geminitest.Object{"role": "model", "parts": []any{geminitest.Object{"text": operations}}}}},
		"usageMetadata": geminitest.Object{"promptTokenCount": 900, "candidatesTokenCount": 80, "cachedContentTokenCount": 512, "thoughtsTokenCount": 220},
	})
	for name, tc := range map[string]struct {
		answer      geminitest.Answer
		instruction string
		want        string
	}{
		"both":              {good, "Raise fitness by 10%", "by gemini-3.8-flash and grammar\n"},
		"what it cost":      {good, "Raise fitness by 10%", "tokens   900 read (512 of them cached), 80 written, 220 thought\n"},
		"the model alone":   {good, "Flurb the fitness stuff by a tenth", "by gemini-3.8-flash alone\n"},
		"without the model": {geminitest.Refusal(http.StatusForbidden), "Raise fitness by 10%", "by grammar\n"},
		"and why":           {geminitest.Refusal(http.StatusForbidden), "Raise fitness by 10%", "warning: The model gave no plan (credentials_refused)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOOGLE_GEMINI_BASE_URL", geminitest.Serve(t, tc.answer))
			d := newDesk(t, "", goodTable)
			code, stdout, stderr := cliWith(t, map[string]string{"GEMINI_API_KEY": "k"}, "plan", "--instruction", tc.instruction, "--plan-out", d.path("plan.json"), "--db", d.path("executions.db"))
			if code != exitDone || !strings.Contains(stdout, tc.want) || stderr != "" {
				t.Errorf("exit code %d\n%s%s, want %q and nothing on standard error", code, stdout, stderr, tc.want)
			}
		})
	}
}

// A plan that was carried out is skipped, whether or not its table is still there.
func TestACompletedPlanIsSkippedWithoutItsTable(t *testing.T) {
	d := newDesk(t, "", goodTable)
	d.planned("Raise fitness by 10%")
	d.expect(exitUsage, "cannot be read", "--csv", d.path("gone.csv"))
	d.expect(exitDone, "completed")
	output := read(t, d.path("out.csv"))
	d.expect(exitDone, "skipped", "--csv", d.path("gone.csv"))
	if read(t, d.path("out.csv")) != output {
		t.Error("the output was touched")
	}
	d.expect(exitUsage, "cannot be read", "--csv", d.path("gone.csv"), "--dry-run")
	lines := strings.Split(strings.TrimSpace(read(t, d.path("logs/audit.jsonl"))), "\n")
	var last struct{ Status ledger.Status }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || len(lines) != 2 || last.Status != ledger.Skipped {
		t.Errorf("%d lines, the last %+v, %v", len(lines), last, err)
	}
}
