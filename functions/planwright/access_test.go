package main

import (
	"os/user"
	"path/filepath"
	"slices"
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

// Four people look at the same pages, each as the person that their token is of: each
// has the buttons of their role, and reads why there are no others.
func TestEachHasTheButtonsOfTheirRole(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	s := startWith(t, t.TempDir(), map[string]string{
		"VIEWERS": "vera", "PLANNERS": "ana," + me.Username, "APPROVERS": "ben," + me.Username, "OPERATORS": "ops", "APPROVAL": "always",
	})
	sha := s.proposed("plan_done_v1")
	if code, body := s.call("POST", "/planner/v1/executions/plan_done_v1:approve", "application/json", `{"proposal_sha256":"`+sha+`"}`); code != 200 {
		t.Fatalf("%d %s", code, body)
	}
	s.await("plan_done_v1", "completed")
	s.proposed("plan_waits_v1")
	s.putPlan("plan_asked_v1")
	const asks, takes, decides = "ask for changes here", "take anything back here", "may not decide about proposals"
	pages := []struct{ path, shown string }{
		{"/", "Begin with your table"}, {"/plans/plan_asked_v1", "What it will do"}, {"/executions/plan_waits_v1", "Approve it?"}, {"/executions/plan_done_v1", "Take it back"},
	}
	for name, sees := range map[string][]struct {
		buttons []string // of the page that are theirs
		why     string   // part of why others are not
	}{
		"vera": {{nil, "vera may not " + asks}, {nil, "vera may not " + asks}, {nil, "vera may not approve or reject here"}, {nil, "vera may not " + takes}},
		"ana":  {{[]string{"See what is in it", "Make a plan"}, ""}, {[]string{"Show what would change"}, ""}, {nil, "ana " + decides}, {[]string{"Undo on its own output", "Undo on today's table"}, ""}},
		"ben":  {{nil, "ben may not " + asks}, {nil, "ben may not " + asks}, {[]string{"Approve", "Reject"}, ""}, {nil, "ben may not " + takes}},
		"ops":  {{nil, "ops may not " + asks}, {nil, "ops may not " + asks}, {nil, "ops " + decides}, {[]string{"Undo on its own output", "Undo on today's table"}, ""}},
	} {
		token := s.tokenOf(t, name)[tokenVariable]
		for i, page := range pages {
			b.Do(chromedp.Navigate(s.address + page.path + "?token=" + token))
			b.Shows("Signed in as "+name, page.shown)
			if sees[i].why != "" {
				b.Shows(sees[i].why)
			}
			const shown = `[...document.querySelectorAll("main form[method=post] button")].filter(e => e.checkVisibility() && !e.closest("details:not([open])")).map(e => e.innerText.trim())`
			if got := browsertest.Eval[[]string](b, shown); !slices.Equal(got, sees[i].buttons) && len(got)+len(sees[i].buttons) > 0 {
				t.Errorf("%s at %s has the buttons %q, want %q", name, page.path, got, sees[i].buttons)
			}
		}
		if waits := browsertest.Eval[bool](b, `!document.querySelector(".mine").hidden`); waits != (name == "ben") {
			t.Errorf("something waits for %s: %v", name, waits)
		}
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
