package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/verify"
)

// asJSON reads what a command printed as one JSON value.
func asJSON[T any](t *testing.T, wantCode int, args ...string) (value T) {
	t.Helper()
	code, stdout, stderr := cli(t, append(args, "-o", "json")...)
	if err := json.Unmarshal([]byte(stdout), &value); err != nil || code != wantCode {
		t.Errorf("%s: exit code %d, %v in %q\n%s", args[0], code, err, stdout, stderr)
	}
	return value
}

func TestCommandsAnswerInJSON(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	db, apply := d.path("executions.db"), []string{"apply", "--plan", d.path("plan.json"), "--csv", d.path("in.csv"), "--out", d.path("out.csv"), "--audit", d.path("a.jsonl"), "--db", d.path("executions.db")}
	if dry := asJSON[plannerapi.Summary](t, exitDone, append(apply, "--dry-run")...); dry.RowsChanged != 1 {
		t.Errorf("dry run: %+v", dry)
	}
	for _, status := range []ledger.Status{ledger.Completed, ledger.Skipped} {
		if run := asJSON[ledger.AuditDocument](t, exitDone, apply...); run.Status != status || !run.Intact() {
			t.Errorf("%+v, want %s", run, status)
		}
	}
	subjects := asJSON[[]verify.Subject](t, exitDone, "verify", "plan_fitness_v1", "--db", db)
	if len(subjects) != 1 || subjects[0].Name != "plan_fitness_v1" || len(subjects[0].Findings) == 0 {
		t.Errorf("verify: %+v", subjects)
	}
	undo := []string{"undo", "plan_fitness_v1", "--csv", d.path("out.csv"), "--out", d.path("back.csv"), "--audit", d.path("a.jsonl"), "--db", db}
	if run := asJSON[ledger.AuditDocument](t, exitDone, undo...); run.Undoes != "plan_fitness_v1" {
		t.Errorf("undo: %+v", run)
	}
	if keys := asJSON[map[string]string](t, exitDone, "key"); keys["private_key"] == "" || keys["public_key"] == "" {
		t.Errorf("key: %d of two", len(keys))
	}
	waits := newDesk(t, strings.Replace(goodPlan, `"operations"`, `"approval": "always", "operations"`, 1), goodTable)
	proposal := asJSON[ledger.Proposal](t, exitProposed, "apply", "--plan", waits.path("plan.json"), "--csv", waits.path("in.csv"), "--out", waits.path("out.csv"), "--audit", waits.path("a.jsonl"), "--db", waits.path("x.db"))
	decided := asJSON[map[string]string](t, exitDone, "approve", "plan_fitness_v1", "--proposal", proposal.ProposalSHA256, "--db", waits.path("x.db"))
	if decided["decision"] != "approved" || decided["by"] == "" || decided["proposal_sha256"] != proposal.ProposalSHA256 {
		t.Errorf("approve: %v", decided)
	}
	if code, _, stderr := cli(t, append(apply, "-o", "xml")...); code != exitUsage || !strings.Contains(stderr, "text or json") {
		t.Errorf("another form: exit code %d, %s", code, stderr)
	}
}

// A plan is answered with what it does, and a question with the draft, for
// who asks for JSON too.
func TestPlanAnswersInJSON(t *testing.T) {
	out, db := filepath.Join(t.TempDir(), "plan.json"), filepath.Join(t.TempDir(), "x.db")
	made := asJSON[struct {
		Plan struct {
			ExecutionID string `json:"execution_id"`
		}
		Explanation []string
		Completed   *bool
	}](t, exitDone, "plan", "--instruction", "Discount all yoga products by 5%.", "--plan-out", out, "--db", db)
	if made.Plan.ExecutionID == "" || len(made.Explanation) != 1 || made.Completed == nil || *made.Completed {
		t.Errorf("%+v", made)
	}
	asked := asJSON[struct {
		Questions []string
		Draft     struct {
			Operations []struct{ Sentence string }
			Open       []struct{ Class string }
		}
	}](t, exitAsks, "plan", "--instruction", "Raise fitness prices by 5.", "--plan-out", out, "--db", db)
	if len(asked.Questions) == 0 || len(asked.Draft.Operations) != 1 || len(asked.Draft.Open) != 1 {
		t.Errorf("%+v", asked)
	}
}

func TestTheSequenceAnswersInJSON(t *testing.T) {
	events := asJSON[[]agentEvent](t, exitDone, "sequence")
	if n := len(events); n == 0 || events[n-1].Author != "AgentD" || !strings.Contains(events[n-1].Content.Parts[0].Text, "Agent A failed") {
		t.Errorf("%+v", events)
	}
}

func TestIDsAreArguments(t *testing.T) {
	d := newDesk(t, goodPlan, goodTable)
	d.expect(exitDone, "completed")
	db := d.path("executions.db")
	for _, args := range [][]string{{"plan_fitness_v1"}, {"--execution", "plan_fitness_v1"}} {
		if code, stdout, stderr := cli(t, append([]string{"verify", "--db", db}, args...)...); code != exitDone {
			t.Errorf("%q: %s%s", args, stdout, stderr)
		}
	}
	for _, args := range [][]string{{"plan_fitness_v1", "plan_other_v1"}, {"plan_fitness_v1", "--execution", "plan_fitness_v1"}, {"--all", "plan_fitness_v1"}} {
		if code, _, stderr := cli(t, append([]string{"verify", "--db", db}, args...)...); code != exitUsage {
			t.Errorf("%q: exit code %d, %s", args, code, stderr)
		}
	}
	if _, stdout, _ := cli(t, "__complete", "verify", "--db", db, ""); !strings.HasPrefix(stdout, "plan_fitness_v1\n") {
		t.Errorf("completion: %q", stdout)
	}
	for _, known := range setting.All {
		if known.Values == nil {
			continue
		}
		name, values := known.Name, known.Values()
		if _, stdout, _ := cli(t, "__complete", "apply", "--"+name.FlagName(), ""); !strings.HasPrefix(stdout, strings.Join(values, "\n")+"\n") {
			t.Errorf("completion of %s: %q, want %q", name, stdout, values)
		}
		for _, value := range values {
			if _, err := (table.Settings{}).With(map[string]string{string(name): value}); err != nil {
				t.Errorf("%s=%s is offered: %v", name, value, err)
			}
		}
	}
	if code, stdout, _ := cli(t, "--version"); code != exitDone || !strings.Contains(stdout, "engine build "+pricing.Build) {
		t.Errorf("version: %q", stdout)
	}
}
