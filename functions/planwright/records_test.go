package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

func TestRecordsOfAServer(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	s.putPlan("plan_records_v1")
	s.drop("plan_records_v1/products.csv", read(t, testdata("products.csv")))
	s.await("plan_records_v1", "completed")
	for _, test := range []struct {
		args string
		code int
		want []string
	}{
		{"executions", exitDone, []string{"plan_records_v1  completed  20", "of 7"}},
		{"executions --status failed", exitDone, []string{"execution  status  since  rows changed  stands"}},
		{"show plan_records_v1", exitDone, []string{"completed  plan_records_v1", "rows change: ", "outbox/plan_records_v1/products.csv"}},
		{"show plan_unknown_v1", exitFailed, []string{"plan_unknown_v1"}},
		{"show no", exitUsage, []string{"is not valid"}},
		{"history A101", exitDone, []string{"plan_records_v1  20", "29.99"}},
		{"undo --execution plan_records_v1 --csv in.csv", exitUsage, []string{"leave the table files"}},
		{"undo --execution plan_records_v1", exitDone, []string{"undoing    plan_records_v1", "Undo plan_records_v1: give", "planwright show plan_records_v1_undo"}},
		{"history NONE", exitDone, []string{"No completed execution has changed NONE."}},
	} {
		code, stdout, stderr := cli(t, append(strings.Fields(test.args), "--url", s.address+"/planner")...)
		for _, want := range test.want {
			if code != test.code || !strings.Contains(stdout+stderr, want) {
				t.Errorf("%s: exit code %d, no %q in\n%s%s", test.args, code, want, stdout, stderr)
			}
		}
	}
	s.await("plan_records_v1_undo", "completed")
	if _, stdout, _ := cli(t, "show", "plan_records_v1", "--url", s.address+"/planner"); !strings.Contains(stdout, "It was undone by plan_records_v1_undo.") {
		t.Errorf("show does not say that it was undone:\n%s", stdout)
	}
	if code, _, stderr := cli(t, "executions", "--url", "http://shop.example/planner"); code != exitUsage || !strings.Contains(stderr, "not safe for your token") {
		t.Errorf("over plain HTTP: exit code %d, %s", code, stderr)
	}
	if code, _, stderr := cli(t, "executions", "--url", "http://127.0.0.1:1"); code != exitFailed || !strings.Contains(stderr, "There is no answer at http://127.0.0.1:1.") {
		t.Errorf("without a server: exit code %d, %s", code, stderr)
	}
}

// A list that goes on says so, and where.
func TestALongList(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next := map[string]string{"": "T1"}[r.FormValue("page_token")]
		fmt.Fprintf(w, `{"executions": [{"execution_id": "after_%s"}], "changes": [{"execution_id": "after_%[1]s"}], "next_page_token": %[2]q}`, r.FormValue("page_token"), next)
	}))
	t.Cleanup(s.Close)
	for _, command := range [][]string{{"executions"}, {"history", "A101"}} {
		_, first, _ := cli(t, append(command, "--url", s.URL)...)
		_, last, _ := cli(t, append(command, "--url", s.URL, "--page-token", "T1")...)
		if !strings.Contains(first, "There are more: go on with --page-token T1\n") || !strings.Contains(last, "after_T1") || strings.Contains(last, "There are more") {
			t.Errorf("%s:\n%s\nthen\n%s", command, first, last)
		}
	}
}

// Who finished the rules of a plan over a held table is shown with what it did.
func TestShowSaysWhoFinishedTheRules(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	var held struct{ Table string }
	sent := func(path, contentType, body string, into any) {
		t.Helper()
		code, text := s.call("POST", "/planner"+path, contentType, body)
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%d %s: %v", code, text, err)
		}
	}
	sent("/v1/tables?file=shop.csv", "text/csv", mugs, &held)
	var done map[string]any
	sent("/v1/plans", "application/json", `{"execution_id":"plan_mug_v1","instruction":"drop the camp mug to $12, zork","table":"`+held.Table+
		`","operations":[{"filter":{"name_contains":["camp mug"]},"action":{"type":"set_price","value":12}}],"ignored":["zork"]}`, &done)
	sent("/v1/plans/plan_mug_v1:execute", "application/json", `{"table":"`+held.Table+`"}`, &done)
	s.await("plan_mug_v1", "completed")
	if _, stdout, stderr := cli(t, "show", "plan_mug_v1", "--url", s.address+"/planner"); !strings.Contains(stdout, `ignores of the instruction: "zork"`) {
		t.Errorf("%s%s", stdout, stderr)
	}
}

func TestProposalsOfAServer(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	decided := func(id, verb, status string, said ...string) {
		t.Helper()
		asked := strings.NewReplacer("plan_fitness_v1", id, `"operations"`, `"approval": "always", "operations"`).Replace(goodPlan)
		if code, body := s.call("PUT", "/planner/v1/plans/"+id, "application/json", asked); code != 201 {
			t.Fatalf("%d %s", code, body)
		}
		s.drop(id+"/products.csv", goodTable)
		s.await(id, "proposed")
		var record struct {
			Proposal struct {
				SHA256 string `json:"proposal_sha256"`
			} `json:"proposal"`
		}
		s.get("/planner/v1/executions/"+id, &record)
		if _, shown, _ := cli(t, "show", id, "--url", s.address+"/planner"); !strings.Contains(shown, "planwright approve "+id+" --proposal "+record.Proposal.SHA256) || !strings.Contains(shown, "first changes") {
			t.Errorf("show does not show the proposal:\n%s", shown)
		}
		code, stdout, stderr := cli(t, append([]string{verb, "--url", s.address + "/planner", "--execution", id, "--proposal", record.Proposal.SHA256}, said...)...)
		if code != exitDone {
			t.Fatalf("%s: exit code %d, %s%s", verb, code, stdout, stderr)
		}
		s.await(id, status)
	}
	decided("plan_approved_v1", "approve", "completed", "--note", "as agreed")
	decided("plan_unnoted_v1", "approve", "completed")
	decided("plan_rejected_v1", "reject", "failed", "--reason", "not now")
}

// A dropped table whose category no title tells is proposed, by a server that asks for no
// approvals; it is proven while it waits, once it was approved of, and once it is undone.
func TestADropWhoseColumnIsFoundByWhatStandsInIt(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := start(t, data)
	const id = "plan_fitness_v1"
	planner := s.address + "/planner"
	if code, body := s.call("PUT", "/planner/v1/plans/"+id, "application/json", goodPlan); code != 201 {
		t.Fatalf("%d %s", code, body)
	}
	dropped := strings.Replace(goodTable, "category", "Aisle", 1)
	s.drop(id+"/products.csv", dropped)
	s.await(id, "proposed")
	var record struct {
		Proposal struct {
			SHA256  string   `json:"proposal_sha256"`
			Reasons []string `json:"reasons"`
		} `json:"proposal"`
	}
	s.get("/planner/v1/executions/"+id, &record)
	const found = `category from "Aisle", found by what stands in it`
	if len(record.Proposal.Reasons) != 1 || !strings.Contains(record.Proposal.Reasons[0], found) {
		t.Errorf("the reasons: %q", record.Proposal.Reasons)
	}
	tell := func(says, command string) {
		t.Helper()
		if code, stdout, stderr := cli(t, strings.Fields(command)...); code != exitDone || !strings.Contains(stdout, says) {
			t.Errorf("%s: exit code %d, want %q in\n%s%s", command, code, says, stdout, stderr)
		}
	}
	tell(found, "show "+id+" --url "+planner)
	if _, page := s.call("GET", "/executions/"+id, "", "", "Accept", "text/html"); !strings.Contains(page, "found by what stands in it") {
		t.Errorf("the console does not say why: %s", page)
	}
	tell("verified", "verify --all --db "+filepath.Join(data, "state.db"))
	tell("", "approve --url "+planner+" --execution "+id+" --proposal "+record.Proposal.SHA256)
	s.await(id, "completed")
	if got := read(t, filepath.Join(data, "outbox", id, "products.csv")); got != strings.Replace(dropped, "29.99", "32.99", 1) {
		t.Errorf("the output: %q", got)
	}
	tell("undoing", "undo --execution "+id+" --url "+planner)
	s.await(id+"_undo", "completed")
	if got := read(t, filepath.Join(data, "outbox", id+"_undo", "products.csv")); got != dropped {
		t.Errorf("undone: %q", got)
	}
	tell("verified", "verify --all --db "+filepath.Join(data, "state.db"))
}
