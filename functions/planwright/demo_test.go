package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
)

func TestDemoTellsTheWholeStory(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	// Whatever cloud the environment names, the demo stays on this machine.
	cloud := map[string]string{"FIRESTORE_EMULATOR_HOST": "127.0.0.1:1", "STORAGE_EMULATOR_HOST": "127.0.0.1:1", "GOOGLE_API_KEY": "x", "PORT": "1"}
	code, stdout, stderr := cliWith(t, cloud, "demo", "--in", parent)
	if code != exitDone {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	at := 0
	for _, part := range []string{demoInstruction, `"percent_increase"`, "In plain English", "completed", "A101", "32.99", "A102", "43.99", "C302", "2 of 7 rows changed", "audit", "skipped", "Look further"} {
		next := strings.Index(stdout[at:], part)
		if next < 0 {
			t.Fatalf("%q does not follow; the story is:\n%s", part, stdout)
		}
		at += next
	}
	outputs, err := filepath.Glob(filepath.Join(parent, "demo-*", emulator.OutboxName, "*", demoFile))
	if err != nil || len(outputs) != 1 {
		t.Fatalf("outputs %v, %v", outputs, err)
	}
	if read(t, outputs[0]) != read(t, testdata("products_updated.csv")) {
		t.Errorf("the output is not testdata/products_updated.csv:\n%s", read(t, outputs[0]))
	}
	second := asJSON[struct {
		Folder    string
		Plan      json.RawMessage
		Execution struct{ Status ledger.Status }
	}](t, exitDone, "demo", "--in", parent)
	if second.Execution.Status != ledger.Completed || filepath.Dir(second.Folder) != parent || len(second.Plan) == 0 {
		t.Errorf("a second demo, in a fresh folder, as JSON: %+v", second)
	}
	folders, _ := filepath.Glob(filepath.Join(parent, "demo-*"))
	if len(folders) != 2 {
		t.Errorf("%d demo folders, want one each", len(folders))
	}
}

func TestTheDemosTableIsTheSharedOne(t *testing.T) {
	if string(demoTable) != read(t, testdata("products.csv")) {
		t.Error("products.csv is not testdata/products.csv")
	}
}

func TestPlan(t *testing.T) {
	tests := []struct {
		name, instruction string
		wantCode          int
		want              string // of what is said
		operations        int
	}{
		{"one rule", "Discount all yoga products by 5%.", exitDone, "Decrease the price by 5%", 1},
		{"set a price", "Set all yoga products to $15.", exitDone, "15", 1},
		{"two rules", "Increase in-stock fitness prices by 15% and mark all accessories as out-of-stock.", exitDone, "accessories", 2},
		{"unclear", "Make everything a bit cheaper please.", exitAsks, "?", 0},
		{"either of two", "Raise mugs by 10.", exitAsks, "1  Increase by 10%\n", 0},
		{"too short", "up", exitUsage, "5 to 2000", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "plans", "plan.json")
			code, stdout, stderr := cli(t, "plan", "--instruction", test.instruction, "--plan-out", path)
			if code != test.wantCode || !strings.Contains(stdout+stderr, test.want) {
				t.Fatalf("exit code %d\n%s%s\nwant %d and %q", code, stdout, stderr, test.wantCode, test.want)
			}
			if test.wantCode != exitDone {
				if _, err := os.Stat(path); err == nil {
					t.Error("a plan was written")
				}
				return
			}
			p, err := plan.Decode([]byte(read(t, path)))
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Operations) != test.operations || p.SourceInstruction != test.instruction {
				t.Errorf("the plan has %d operations for %q", len(p.Operations), p.SourceInstruction)
			}
		})
	}
}

func TestPlanThenApply(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if code, _, stderr := cli(t, "plan", "--instruction", "Set all yoga products to $15.", "--plan-out", at("plan.json")); code != exitDone {
		t.Fatal(stderr)
	}
	code, _, stderr := cli(t, "apply", "--plan", at("plan.json"), "--csv", testdata("products.csv"), "--out", at("out.csv"), "--audit", at("audit.jsonl"), "--db", at("x.db"))
	if code != exitDone {
		t.Fatal(stderr)
	}
	want := strings.NewReplacer("19.99,false", "15.00,false", "24.99,true", "15.00,true").Replace(read(t, testdata("products.csv")))
	if got := read(t, at("out.csv")); got != want {
		t.Errorf("output:\n%s\nwant:\n%s", got, want)
	}
	var line struct{ Status string }
	if err := json.Unmarshal([]byte(read(t, at("audit.jsonl"))), &line); err != nil || line.Status != "completed" {
		t.Errorf("audit line %+v, %v", line, err)
	}
}
