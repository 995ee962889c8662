package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/planwright/planwright/functions/browsertest"
)

// teamHeader is where the proxy of these tests names people.
const teamHeader = "X-Forwarded-User"

// signedIn is the cookie by which it knows them.
const signedIn = "signed-in"

// team is a server with a proxy that signs people in.
type team struct {
	*server
	public string // the address of the proxy
}

// startForTeam serves a data folder behind such a proxy.
func startForTeam(t *testing.T, data string, variables map[string]string) team {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	public := "http://" + listener.Addr().String()
	s := startWith(t, data, variables, "--public-url", public, "--user-header", teamHeader)
	s.user = "the-owner"
	target, err := url.Parse(s.address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &http.Server{Handler: signIn(target)}
	go func() { _ = proxy.Serve(listener) }()
	t.Cleanup(func() { _ = proxy.Close() })
	return team{s, public}
}

// signIn is the proxy. It signs in whoever asks for it, under any name.
func signIn(target *url.URL) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sign-in", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: signedIn, Value: r.FormValue("as"), Path: "/"})
		http.Redirect(w, r, r.FormValue("to"), http.StatusSeeOther)
	})
	mux.Handle("/", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
		r.Out.Header.Del(teamHeader)
		if cookie, err := r.In.Cookie(signedIn); err == nil {
			r.Out.Header.Set(teamHeader, cookie.Value)
		}
	}})
	return mux
}

// as sends JSON through the proxy in somebody's name, with a header of the sender's own.
func (s team) as(name, method, path, body string) (int, string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.public+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(teamHeader, "ben")
	request.AddCookie(&http.Cookie{Name: signedIn, Value: name})
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

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

// decidedBy is who approved of an execution, as its record and its audit document say.
func (s *server) decidedBy(id string) string {
	s.t.Helper()
	var record struct {
		Approval struct{ By string }
		Audit    []struct {
			Result struct{ Approval struct{ By string } }
		}
	}
	s.get("/planner/v1/executions/"+id, &record)
	if len(record.Audit) == 0 || record.Audit[0].Result.Approval.By != record.Approval.By {
		s.t.Errorf("%s is approved by %q, and its audit says %+v", id, record.Approval.By, record.Audit)
	}
	return record.Approval.By
}

// Behind a proxy the server says who may decide, by the names that the proxy gives.
func TestATeamDecidesBehindItsProxy(t *testing.T) {
	t.Parallel()
	s := startForTeam(t, t.TempDir(), map[string]string{"APPROVERS": "ana,ben", "APPROVAL": "always", "APPROVAL_BY_ANOTHER": "true", "PLANNERS": "ana,carl,the-owner"})
	plan := strings.Replace(goodPlan, "plan_fitness_v1", "plan_team_v1", 1)
	if code, body := s.as("ben", "PUT", "/planner/v1/plans/plan_team_v1", plan); code != http.StatusForbidden {
		t.Errorf("ben, who is no planner: %d %s", code, body)
	}
	if code, body := s.as("ana", "PUT", "/planner/v1/plans/plan_team_v1", plan); code != http.StatusCreated {
		t.Fatalf("ana: %d %s", code, body)
	}
	s.drop("plan_team_v1/products.csv", goodTable)
	s.await("plan_team_v1", "proposed")
	var record struct {
		Proposal struct {
			SHA256 string `json:"proposal_sha256"`
		}
	}
	s.get("/planner/v1/executions/plan_team_v1", &record)
	approve := func(name string) (int, string) {
		return s.as(name, "POST", "/planner/v1/executions/plan_team_v1:approve", `{"proposal_sha256":"`+record.Proposal.SHA256+`"}`)
	}
	for name, want := range map[string]string{"carl": "carl may not decide", "ana": "ana made the plan", "": "Nobody is named"} {
		if code, body := approve(name); code != http.StatusForbidden && code != http.StatusUnauthorized || !strings.Contains(body, want) {
			t.Errorf("%q: %d %s, want %q", name, code, body, want)
		}
	}
	if code, body := approve("Ben"); code != http.StatusOK {
		t.Fatalf("ben: %d %s", code, body)
	}
	s.await("plan_team_v1", "completed")
	if by := s.decidedBy("plan_team_v1"); by != "Ben" {
		t.Errorf("approved by %q", by)
	}
	code, _, stderr := cli(t, "undo", "--db", filepath.Join(s.data, "state.db"), "--execution", "plan_team_v1")
	if code != exitUsage || !strings.Contains(stderr, "on the server's pages") {
		t.Errorf("undo by a command: exit code %d, %s", code, stderr)
	}
}

// A command decides in the records under the policy of its environment, whether or not
// a server uses them; without one its owner decides, and the record says so.
func TestWhoDecidesByCommand(t *testing.T) {
	t.Parallel()
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	s := startWith(t, t.TempDir(), map[string]string{"APPROVAL": "always"})
	db := filepath.Join(s.data, "state.db")
	first, second, third := s.proposed("plan_first_v1"), s.proposed("plan_second_v1"), s.proposed("plan_third_v1")
	decide := func(variables map[string]string, want int, says, verb, id, proposal string, more ...string) {
		t.Helper()
		code, stdout, stderr := cliWith(t, variables, append([]string{verb, "--db", db, "--execution", id, "--proposal", proposal}, more...)...)
		if code != want || !strings.Contains(stdout+stderr, says) {
			t.Errorf("%s: exit code %d, want %d and %q: %s%s", verb, code, want, says, stdout, stderr)
		}
	}
	others, mine := map[string]string{"APPROVERS": "ana,ben"}, map[string]string{"APPROVERS": "ana," + me.Username}
	decide(others, exitFailed, me.Username+" may not decide", "approve", "plan_first_v1", first)
	decide(others, exitFailed, me.Username+" may not decide", "reject", "plan_first_v1", first, "--reason", "no")
	decide(map[string]string{"APPROVAL_BY_ANOTHER": "true"}, exitFailed, me.Username+" made the plan", "approve", "plan_first_v1", first)
	decide(map[string]string{"APPROVAL_BY_ANOTHER": "perhaps"}, exitUsage, "APPROVAL_BY_ANOTHER", "approve", "plan_first_v1", first)
	decide(nil, exitDone, "approved   plan_first_v1 by "+me.Username+", by command\n", "approve", "plan_first_v1", first)
	s.await("plan_first_v1", "completed")
	decide(nil, exitDone, "approved   plan_first_v1 by "+me.Username+", by command\n", "approve", "plan_first_v1", first) // once more
	decide(mine, exitFailed, me.Username+", by command approved this at ", "approve", "plan_first_v1", first)             // under another name
	if by := s.decidedBy("plan_first_v1"); by != me.Username+", by command" {
		t.Errorf("approved by %q", by)
	}

	s.stop()
	decide(mine, exitDone, "approved   plan_second_v1 by "+me.Username+"\n", "approve", "plan_second_v1", second)
	decide(nil, exitDone, "rejected   plan_third_v1 by "+me.Username+", by command\n", "reject", "plan_third_v1", third, "--reason", "not now")
	if code, _, stderr := cli(t, "undo", "--db", db, "--execution", "plan_first_v1"); code != exitUsage || !strings.Contains(stderr, "A server undoes on what it wrote") {
		t.Errorf("undo without the server: exit code %d, %s", code, stderr)
	}
	s = startWith(t, s.data, nil)
	s.await("plan_second_v1", "completed")
	if by := s.decidedBy("plan_second_v1"); by != me.Username {
		t.Errorf("approved by %q", by)
	}
	if notice := s.outbox("plan_third_v1/products.csv.failed-*.txt"); !strings.Contains(notice, "by command: not now") {
		t.Errorf("the notice: %s", notice)
	}
	if code, stdout, stderr := cli(t, "verify", "--db", db, "--all"); code != exitDone {
		t.Errorf("verify: %s%s", stdout, stderr)
	}
	if code, stdout, stderr := cli(t, "undo", "--db", db, "--execution", "plan_first_v1"); code != exitDone {
		t.Errorf("undo through the server: %s%s", stdout, stderr)
	}
}

// Four people look at the same pages, each as the person that the proxy has signed in:
// each has the buttons of their role, and reads why there are no others.
func TestEachHasTheButtonsOfTheirRole(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	s := startForTeam(t, t.TempDir(), map[string]string{
		"VIEWERS": "vera", "PLANNERS": "ana,the-owner", "APPROVERS": "ben,the-owner", "OPERATORS": "ops", "APPROVAL": "always",
	})
	sha := s.proposed("plan_done_v1")
	if code, body := s.call("POST", "/planner/v1/executions/plan_done_v1:approve", "application/json", `{"proposal_sha256":"`+sha+`"}`); code != 200 {
		t.Fatalf("%d %s", code, body)
	}
	s.await("plan_done_v1", "completed")
	s.proposed("plan_waits_v1")
	s.putPlan("plan_asked_v1")
	const asks, takes, waits = "Making them is up to others.", "Undoing them is up to others.", "Waiting for ben or the-owner."
	const imported, another = "I have imported it", "Make another change on this result"
	pages := []struct{ path, shown string }{
		{"/", "Recent changes"}, {"/plans/plan_asked_v1", "What it does"}, {"/executions/plan_waits_v1", "Waiting for approval"}, {"/executions/plan_done_v1", "Done."},
	}
	for name, sees := range map[string][]struct {
		buttons []string // of the page that are theirs
		why     string   // part of why others are not
	}{
		"vera": {{nil, "You can see changes here"}, {nil, asks}, {nil, waits}, {nil, takes}},
		"ana":  {{[]string{"Done", "Upload", "Try with a sample shop"}, "Change prices in bulk, safely"}, {[]string{"Show what would change"}, ""}, {nil, waits}, {[]string{imported, another, "Undo"}, ""}},
		"ben":  {{[]string{"Done"}, "1 is waiting."}, {nil, asks}, {[]string{"Approve"}, "Ask for a change"}, {[]string{imported}, takes}},
		"ops":  {{[]string{"Done"}, "You can see changes here"}, {nil, asks}, {nil, waits}, {[]string{imported, "Undo"}, ""}},
	} {
		for i, page := range pages {
			b.Do(chromedp.Navigate(s.public + "/sign-in?" + url.Values{"as": {name}, "to": {page.path}}.Encode()))
			b.Shows(name, page.shown)
			if sees[i].why != "" {
				b.Shows(sees[i].why)
			}
			const shown = `[...document.querySelectorAll("main form[method=post] button")].filter(e => e.checkVisibility() && !e.closest("details:not([open])")).map(e => e.innerText.trim())`
			if got := browsertest.Eval[[]string](b, shown); !slices.Equal(got, sees[i].buttons) && len(got)+len(sees[i].buttons) > 0 {
				t.Errorf("%s at %s has the buttons %q, want %q", name, page.path, got, sees[i].buttons)
			}
		}
		if mine := browsertest.Eval[bool](b, `!document.querySelector(".mine").hidden`); mine != (name == "ben") {
			t.Errorf("something waits for %s: %v", name, mine)
		}
	}
}

// One person looks at a proposal while another approves of it: the page of the first
// says so by itself, through the proxy, with the other's name.
func TestAPageKeepsItselfUpToDateBehindTheProxy(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	s := startForTeam(t, t.TempDir(), map[string]string{"APPROVERS": "ben", "APPROVAL": "always"})
	sha := s.proposed("plan_asked_v1")
	b.Do(chromedp.Navigate(s.public + "/executions/plan_asked_v1"))
	b.Shows("Nobody is named in the header " + teamHeader)
	b.Do(chromedp.Navigate(s.public + "/sign-in?as=carl&to=/executions/plan_asked_v1"))
	b.Shows("carl", "Waiting for ben.")
	code, body := s.as("ben", "POST", "/planner/v1/executions/plan_asked_v1:approve", `{"proposal_sha256":"`+sha+`"}`)
	if code != http.StatusOK {
		t.Fatalf("%d %s", code, body)
	}
	b.Shows("Approved by ben")
}

// What was before says what is there instead.
func TestWhatServersHadBeforeTheProxy(t *testing.T) {
	for args, want := range map[string]string{
		"token ana":                             "There is no command token. Servers know nobody by tokens",
		"token ana --revoke":                    "There is no --revoke. Servers know nobody by tokens",
		"serve --host 0.0.0.0":                  "There is no --host. The server listens on 127.0.0.1 alone",
		"--host=0.0.0.0":                        "There is no --host. The server listens on 127.0.0.1 alone",
		"serve --allowed-hosts shop.example":    "There is no --allowed-hosts. The server answers to IP addresses, to localhost and to the name in --public-url",
		"serve --user ana":                      "There is no --user. Servers know nobody by tokens",
		"serve --nonsense":                      "unknown flag: --nonsense",
		"nonsense":                              `unknown command "nonsense"`,
		"serve --user-header X-User":            "--user-header: it needs the address of the proxy",
		"serve --user-header=":                  `--user-header: "" cannot be the header`,
		"serve --user-header Cookie":            `--user-header: "Cookie" cannot be the header`,
		"serve --public-url shop --user-header": "flag needs an argument: --user-header",
	} {
		code, stdout, stderr := cli(t, strings.Fields(args)...)
		if code != exitUsage || !strings.Contains(stderr, want) || strings.Count(strings.TrimSpace(stderr), "\n") > 1 {
			t.Errorf("%s: exit code %d, want %q: %s%s", args, code, want, stdout, stderr)
		}
	}
}
