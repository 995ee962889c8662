package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger/plans"
)

// plan runs plan over the desk's database, into plan.json.
func (d *desk) plan(instruction string, more ...string) (code int, stdout, stderr string) {
	d.t.Helper()
	args := []string{"plan", "--instruction", instruction, "--plan-out", d.path("plan.json"), "--db", d.path("executions.db")}
	return cli(d.t, append(args, more...)...)
}

// planned runs plan and returns the id of the plan made.
func (d *desk) planned(instruction string, more ...string) string {
	d.t.Helper()
	code, stdout, stderr := d.plan(instruction, more...)
	_, rest, _ := strings.Cut(stdout, "planned    ")
	id, _, found := strings.Cut(rest, ",")
	if code != exitDone || !found {
		d.t.Fatalf("plan %q: exit code %d\n%s%s", instruction, code, stdout, stderr)
	}
	return id
}

// Instructions that share a name get plans of their own, each carried out.
func TestPlanGivesNoIDThatAnotherInstructionHasUsed(t *testing.T) {
	d := newDesk(t, "", "sku,category,price,in_stock\nA101,fitness,10.00,true\nA102,yoga,20.00,true\nA103,fitness,30.00,true\n")
	seen := map[string]string{}
	for _, instruction := range []string{
		"Increase prices by 10% for all in-stock fitness products.",
		"Increase prices by 10% for all in-stock fitness products below 20.",
		"Increase prices by 10% for all in-stock fitness products except A101.",
		"Increase prices by 10% for all in-stock fitness products over 20.",
	} {
		id := d.planned(instruction)
		if other, used := seen[id]; used {
			t.Errorf("%q and %q are both %s", instruction, other, id)
		}
		seen[id] = instruction
		d.expect(exitDone, "completed", "--out", d.path(id+".csv"))
	}
	if len(seen) != 4 {
		t.Errorf("%d ids for 4 instructions: %v", len(seen), seen)
	}
}

// Planning again does not carry anything out twice.
func TestPlanOfTheSameInstructionIsTheSamePlan(t *testing.T) {
	const instruction = "Increase prices by 10% for fitness."
	d := newDesk(t, "", goodTable)
	id := d.planned(instruction)
	d.expect(exitDone, "completed")
	before := read(t, d.path("plan.json"))
	_, stdout, _ := d.plan(instruction)
	if !strings.Contains(stdout, "carried out on") || !strings.Contains(stdout, "--execution-id "+strings.TrimSuffix(id, "1")+"2") {
		t.Errorf("plan does not say that it was carried out:\n%s", stdout)
	}
	if after := read(t, d.path("plan.json")); after != before {
		t.Errorf("the plan changed from\n%s\nto\n%s", before, after)
	}
	d.expect(exitDone, "skipped")
	if again := d.planned(instruction, "--execution-id", "plan_again_v1"); again != "plan_again_v1" {
		t.Errorf("the id asked for is %s", again)
	}
	d.expect(exitDone, "completed", "--out", d.path("again.csv"))
	code, _, stderr := d.plan("Discount fitness by 5%.", "--execution-id", id)
	if code != exitFailed || !strings.Contains(stderr, "which is free") {
		t.Errorf("another instruction under %s: exit code %d, %s", id, code, stderr)
	}
}

func TestPlanRefusesADatabaseThatIsNone(t *testing.T) {
	d := newDesk(t, "", goodTable)
	code, _, stderr := d.plan("Discount fitness by 5%.", "--db", d.path("in.csv"))
	if code != exitUsage || !strings.Contains(stderr, "in.csv is there already, and holds no records") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

func TestPlanHasItsTerms(t *testing.T) {
	d := newDesk(t, "", goodTable)
	id := d.planned("Discount fitness by 5%.", "--apply-at", "2999-01-01T00:00:00Z", "--revert-at", "2999-01-02T00:00:00Z", "--approval", "always")
	for _, want := range []string{`"apply_at": "2999-01-01T00:00:00Z"`, `"revert_at": "2999-01-02T00:00:00Z"`, `"approval": "always"`} {
		if text := read(t, d.path("plan.json")); !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	d.expect(exitProposed, "proposed")
	if other := d.planned("Discount fitness by 5%."); other == id {
		t.Errorf("without terms it is the plan %s, too", other)
	}
	if code, _, stderr := d.plan("Discount fitness by 5%.", "--apply-at", "Friday"); code != exitUsage || !strings.Contains(stderr, "apply_at") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

func TestPlanRefusesATimeThatIsPast(t *testing.T) {
	d := newDesk(t, "", goodTable)
	if code, _, stderr := d.plan("Raise fitness prices by 1000%.", "--apply-at", "2020-01-01T00:00:00Z"); code != exitUsage || !strings.Contains(stderr, "leave it out to apply at once") {
		t.Errorf("a time that is past: exit code %d\n%s", code, stderr)
	}
}

func TestAModelsPlanThatNobodyVouchesForWaitsForAnApproval(t *testing.T) {
	answer := `{"candidates":[{"content":{"role":"model","parts":[{"text":"{\"operations\":[{\"operation_id\":\"op_01\",\"filter\":{\"categories\":[\"fitness\"]},\"action\":{\"type\":\"percent_increase\",\"value\":10}}]}"}]},"finishReason":"STOP"}]}`
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, answer) }))
	t.Cleanup(service.Close)
	t.Setenv("GOOGLE_GEMINI_BASE_URL", service.URL)
	d := newDesk(t, "", goodTable)
	code, stdout, stderr := cliWith(t, map[string]string{"GOOGLE_API_KEY": "k"}, "plan", "--instruction", "Flurb the fitness stuff by a tenth", "--plan-out", d.path("plan.json"), "--db", d.path("executions.db"))
	if code != exitDone || !strings.Contains(stdout, plans.NotVouchedFor) || !strings.Contains(read(t, d.path("plan.json")), `"approval": "always"`) {
		t.Fatalf("exit code %d\n%s%s\n%s", code, stdout, stderr, read(t, d.path("plan.json")))
	}
	d.expect(exitProposed, "proposed")
}
