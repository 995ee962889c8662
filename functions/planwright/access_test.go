package main

import (
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/planwright/planwright/functions/browsertest"
)

var twoApprovers = map[string]string{"APPROVERS": "ana,ben", "APPROVAL": "always"}

// proposed has a table proposed on a server, and returns the hash.
func (s *server) proposed(id string) string {
	s.t.Helper()
	s.putPlan(id)
	s.drop(id+"/products.csv", goodTable)
	s.await(id, "proposed")
	var record struct {
		Proposal struct {
			SHA256 string `json:"proposal_sha256"`
		}
	}
	s.get("/planner/v1/executions/"+id, &record)
	return record.Proposal.SHA256
}

// tokenOf makes a token for somebody.
func (s *server) tokenOf(t *testing.T, name string) map[string]string {
	t.Helper()
	code, token, stderr := cli(t, "token", name, "--data", s.data)
	if code != exitDone {
		t.Fatal(stderr)
	}
	return map[string]string{tokenVariable: strings.TrimSpace(token)}
}

// Who may decide is the server's to say, whichever way a decision comes: over
// HTTP, by the database of a server that runs, or of one that does not.
func TestWhoDecides(t *testing.T) {
	t.Parallel()
	s := startWith(t, t.TempDir(), twoApprovers)
	db := filepath.Join(s.data, "state.db")
	first, second, third := s.proposed("plan_first_v1"), s.proposed("plan_second_v1"), s.proposed("plan_third_v1")
	fourth := s.proposed("plan_fourth_v1")
	ben, carl := s.tokenOf(t, "ben"), s.tokenOf(t, "carl")
	decide := func(token map[string]string, want int, says, verb, id, proposal string, more ...string) {
		t.Helper()
		code, stdout, stderr := cliWith(t, token, append([]string{verb, "--db", db, "--execution", id, "--proposal", proposal}, more...)...)
		if code != want || !strings.Contains(stdout+stderr, says) {
			t.Errorf("%s: exit code %d, want %d and %q: %s%s", verb, code, want, says, stdout, stderr)
		}
	}
	decide(nil, exitFailed, "asks who you are", "approve", "plan_first_v1", first)
	decide(carl, exitFailed, "carl may not decide", "approve", "plan_first_v1", first)
	decide(carl, exitFailed, "carl may not decide", "reject", "plan_first_v1", first, "--reason", "no")
	decide(ben, exitDone, "approved", "approve", "plan_first_v1", first, "--note", "fine")
	s.await("plan_first_v1", "completed")
	var record struct {
		Approval struct {
			By     string
			Policy struct{ Approvers []string }
		}
		Audit []struct{ Approval struct{ By string } }
	}
	if s.get("/planner/v1/executions/plan_first_v1", &record); record.Approval.By != "ben" || strings.Join(record.Approval.Policy.Approvers, ",") != "ana,ben" || record.Audit[0].Approval.By != "ben" {
		t.Errorf("on record: %+v", record)
	}
	if code, stdout, stderr := cliWith(t, ben, "undo", "--db", db, "--execution", "plan_first_v1"); code != exitDone {
		t.Errorf("undo through the server: %s%s", stdout, stderr)
	}
	s.await("plan_first_v1_undo", "proposed")

	s.stop()
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	decide(nil, exitFailed, me.Username+" may not decide", "approve", "plan_second_v1", second)
	decide(map[string]string{"APPROVERS": me.Username}, exitFailed, "may not decide", "approve", "plan_second_v1", second)
	decide(carl, exitFailed, "carl may not decide", "approve", "plan_second_v1", second)
	decide(map[string]string{tokenVariable: "made-up"}, exitFailed, "not one of this server", "approve", "plan_second_v1", second)
	decide(ben, exitDone, "approved   plan_second_v1 by ben", "approve", "plan_second_v1", second)
	decide(ben, exitDone, "rejected   plan_third_v1 by ben", "reject", "plan_third_v1", third, "--reason", "not now")
	if code, _, stderr := cliWith(t, ben, "undo", "--db", db, "--execution", "plan_first_v1"); code != exitUsage || !strings.Contains(stderr, "it does not run") {
		t.Errorf("undo without the server: exit code %d, %s", code, stderr)
	}

	s = startWith(t, s.data, twoApprovers)
	s.await("plan_second_v1", "completed")
	s.outbox("plan_third_v1/products.csv.failed-*.txt")
	if code, stdout, stderr := cli(t, "verify", "--db", db, "--all"); code != exitDone {
		t.Errorf("verify: %s%s", stdout, stderr)
	}
	s.stop()
	startWith(t, s.data, map[string]string{"APPROVERS": "zoe", "APPROVAL": "always"}).stop() // from now on others decide
	decide(ben, exitFailed, "ben may not decide", "approve", "plan_fourth_v1", fourth)
	if code, stdout, stderr := cli(t, "verify", "--db", db, "--all"); code != exitDone {
		t.Errorf("verify, though others decide by now: %s%s", stdout, stderr)
	}
}

// Two people with a browser each: the one who may not is told so, and the name
// of the other is on record.
func TestTokensInABrowser(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	s := startWith(t, t.TempDir(), twoApprovers)
	s.proposed("plan_asked_v1")
	page := s.address + "/executions/plan_asked_v1"
	press := func(text string) {
		b.Until(`(() => { const found = [...document.querySelectorAll("button")].find(e => e.innerText.trim() === "` + text + `"); if (found) found.click(); return Boolean(found); })()`)
	}
	b.Do(chromedp.Navigate(page))
	b.Shows("Who are you?")
	carl := s.tokenOf(t, "carl")[tokenVariable]
	b.Until(`(() => { const field = document.getElementById("token"); if (field) field.value = "` + carl + `"; return Boolean(field); })()`)
	press("Go on")
	b.Shows("Approve it?")
	if address := browsertest.Eval[string](b, "location.href"); address != page {
		t.Errorf("the token stays in the address: %s", address)
	}
	b.Shows("carl may not decide")
	b.Until(`![...document.querySelectorAll("button")].some(e => e.innerText.trim() === "Approve")`)
	b.Do(chromedp.Navigate(page + "?token=" + s.tokenOf(t, "ben")[tokenVariable]))
	b.Shows("Approve it?")
	press("Approve")
	b.Shows("Approved by ben")
}
