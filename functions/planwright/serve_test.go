package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
)

const (
	raised = "sku,category,price,in_stock\nA101,fitness,32.99,true\n" // goodTable under goodPlan
	badRow = "sku,category,price,in_stock\nA101,fitness,29.99,true\nA102,fitness,cheap,true\n"
)

func TestServeFromDropToHistory(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	s.putPlan("plan_drop_v1")
	s.drop("plan_drop_v1/Prices.CSV", goodTable)
	s.await("plan_drop_v1", "completed")
	if got := s.outbox("plan_drop_v1/Prices.CSV"); got != raised {
		t.Errorf("output %q, want %q", got, raised)
	}

	// A restart forgets nothing and announces nothing twice; what was dropped
	// meanwhile is taken.
	s.stop()
	s.drop("plan_down_v1/p.csv", goodTable)
	s = start(t, s.data)
	if got := s.status("plan_drop_v1"); got != "completed" {
		t.Errorf("after a restart the execution is %q", got)
	}
	s.putPlan("plan_down_v1")
	s.await("plan_down_v1", "completed")

	// The same bytes again are a new upload, which is skipped.
	s.drop("plan_drop_v1/Prices.CSV", goodTable)
	if got := s.outbox("plan_drop_v1/Prices.CSV.skipped-*.txt"); !strings.Contains(got, "carried out already") {
		t.Errorf("the notice: %s", got)
	}
	var history struct{ Changes []changelog.SKUChange }
	s.get("/planner/v1/skus/A101/changes", &history)
	if len(history.Changes) != 2 || history.Changes[0].ExecutionID != "plan_down_v1" || *history.Changes[1].After.Price != "32.99" {
		t.Errorf("history of A101: %+v", history.Changes)
	}
	var stands struct {
		Audit []ledger.AuditDocument `json:"audit"`
	}
	// The notice is there before the outcome that it speaks of is committed.
	eventually(t, "there are a completed and a skipped audit document", func() bool {
		s.get("/planner/v1/executions/plan_drop_v1", &stands)
		return len(stands.Audit) == 2
	})
	code, stdout, stderr := cli(t, "verify", "--db", filepath.Join(s.data, emulator.StateName), "--execution", "plan_drop_v1")
	if code != exitDone || !strings.Contains(stdout, "change documents") {
		t.Errorf("verify beside the server: exit code %d\n%s%s", code, stdout, stderr)
	}
	s.stop()
}

// A TZ that Go takes for UTC is said.
func TestServeRefusesAnUnknownTimeZone(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"Europe/Berln", ":Nowhere", "CET-1CEST"} {
		code, _, stderr := cliWith(t, map[string]string{"TZ": zone}, "serve", "--data", t.TempDir(), "--port", "0")
		if code != exitUsage || !strings.Contains(stderr, "is no time zone that is known here") {
			t.Errorf("TZ=%s: %d, %s", zone, code, stderr)
		}
	}
}

func TestServeTellsWhoDroppedABadFile(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	s.putPlan("plan_bad_v1")
	s.drop("plan_bad_v1/p.csv", badRow)
	notice := s.outbox("plan_bad_v1/p.csv.failed-*.txt")
	for _, part := range []string{"row 3", "price", "cheap", "drop the file"} {
		if !strings.Contains(notice, part) {
			t.Errorf("the notice does not say %q:\n%s", part, notice)
		}
	}
	if got := s.status("plan_bad_v1"); got != "failed" {
		t.Errorf("the execution is %q", got)
	}
	s.drop("lost.csv", goodTable)
	if got := s.outbox("_unclaimed/lost.csv-*.txt"); !strings.Contains(got, "execution id") {
		t.Errorf("the notice: %s", got)
	}
	s.drop("a b/deep/er.csv", goodTable)
	s.outbox("_unclaimed/er.csv-*.txt")
	s.drop("plan_other_v1/plan.json", goodPlan)
	if got := s.outbox("plan_other_v1/plan.json.failed-*.txt"); !strings.Contains(got, "plan_fitness_v1") {
		t.Errorf("the notice: %s", got)
	}

	// Mended and dropped again, the same plan is applied.
	s.drop("plan_bad_v1/p.csv", goodTable)
	s.await("plan_bad_v1", "completed")
	if got := s.outbox("plan_bad_v1/p.csv"); got != raised {
		t.Errorf("output %q", got)
	}
}

// Files of every kind are dropped: tables are applied as what they are, names
// that no row has and other files are answered in the outbox.
func TestServeTakesEveryKindOfFile(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	s.putPlan("plan_tabs_v1")
	s.drop("plan_tabs_v1/Prices.TSV", strings.ReplaceAll(goodTable, ",", "\t"))
	s.await("plan_tabs_v1", "completed")
	if got := s.outbox("plan_tabs_v1/Prices.TSV"); got != strings.ReplaceAll(raised, ",", "\t") {
		t.Errorf("output %q", got)
	}
	s.drop("plan_tabs_v1/Prices.xlsx", "PK")
	if got := s.outbox("plan_tabs_v1/Prices.xlsx.failed-*.txt"); !strings.Contains(got, "as CSV") {
		t.Errorf("the notice: %s", got)
	}
	s.drop("Prices.numbers", "PK")
	s.outbox("_unclaimed/Prices.numbers-*.txt")

	except := strings.NewReplacer(`{"categories": ["fitness"]}`, `{"exclude_categories": ["Fitness"]}`, "plan_fitness_v1", "plan_except_v1")
	s.drop("plan_except_v1/plan.json", except.Replace(goodPlan))
	s.drop("plan_except_v1/p.csv", goodTable)
	got := s.outbox("plan_except_v1/p.csv.failed-*.txt")
	for _, part := range []string{`category "Fitness", left out by op_01: this table has "fitness"`, "the server's variable UNMATCHED=reprice Fitness too", "Make a new plan"} {
		if !strings.Contains(got, part) {
			t.Errorf("the notice lacks %q:\n%s", part, got)
		}
	}
	if output := read(t, filepath.Join(s.data, emulator.OutboxName, "plan_except_v1", "p.csv")); output != "" {
		t.Errorf("something was written: %q", output)
	}
}

func TestServeTakesAPlanWrittenByHand(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	s.drop("plan_fitness_v1/p.csv", goodTable)
	s.drop("plan_fitness_v1/plan.json", goodPlan)
	s.await("plan_fitness_v1", "completed")
	if got := s.outbox("plan_fitness_v1/p.csv"); got != raised {
		t.Errorf("output %q", got)
	}
}

func TestEndedAtWorkItLosesNothing(t *testing.T) {
	t.Parallel()
	table := "sku,category,price,in_stock\n" + strings.Repeat("A101,fitness,29.99,true\n", 20_000)
	for name, end := range map[string]func(*server){"by SIGKILL": (*server).kill, "by SIGTERM": (*server).stop} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			s := start(t, data)
			s.putPlan("plan_ended_v1")
			s.drop("plan_ended_v1/p.csv", table)
			eventually(t, "the execution has begun", func() bool { return s.status("plan_ended_v1") != "" })
			end(s)
			s = start(t, data) // leases of the dead are expired at once
			s.await("plan_ended_v1", "completed")
			if got, want := s.outbox("plan_ended_v1/p.csv"), strings.ReplaceAll(table, "29.99", "32.99"); got != want {
				t.Errorf("output of %d bytes, want %d", len(got), len(want))
			}
			code, stdout, stderr := cli(t, "verify", "--db", filepath.Join(data, emulator.StateName), "--execution", "plan_ended_v1")
			if code != exitDone {
				t.Errorf("verify: exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}

func TestASecondServerOfAFolderIsRefused(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	out, err := program(t.Context(), t, "serve", "--data", s.data, "--port", "0").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "--data") {
		t.Errorf("a second server: %v\n%s", err, out)
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(s.address, "http://"), ":")
	out, err = program(t.Context(), t, "serve", "--data", t.TempDir(), "--port", port).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "--port") {
		t.Errorf("a second server on the port: %v\n%s", err, out)
	}
}

func TestServeRefusesPathTricks(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	for _, id := range []string{"..%2F..%2Fx", "%2e%2e%2fstate", "a%00bcdefgh", "plan.v1.json", strings.Repeat("x", 65)} {
		status, body := s.call(http.MethodGet, "/planner/v1/executions/"+id, "", "")
		if status != http.StatusUnprocessableEntity && status != http.StatusNotFound {
			t.Errorf("GET of %s: %d %s", id, status, body)
		}
		status, body = s.call(http.MethodPut, "/planner/v1/plans/"+id, "application/json", goodPlan)
		if status != http.StatusUnprocessableEntity && status != http.StatusNotFound {
			t.Errorf("PUT of %s: %d %s", id, status, body)
		}
	}
	status, body := s.call(http.MethodPost, "/planner/v1/plans", "application/json", `{"instruction": "Discount all yoga products by 5%.", "execution_id": "../../x"}`)
	if status != http.StatusUnprocessableEntity {
		t.Errorf("POST of ../../x: %d %s", status, body)
	}
	event := `{"bucket": "inbox", "name": "../../etc/passwd.csv", "generation": "1", "size": "1", "timeCreated": "2026-03-01T10:00:00Z", "metadata": {"execution-id": "plan_trick_v1"}}`
	s.putPlan("plan_trick_v1")
	status, _ = s.call(http.MethodPost, "/executor", "application/json", event, "Ce-Id", "1", "Ce-Source", "x", "Ce-Type", "google.cloud.storage.object.v1.finalized", "Ce-Specversion", "1.0")
	if found, _ := filepath.Glob(filepath.Join(s.data, emulator.OutboxName, "plan_trick_v1", "passwd.csv")); len(found) > 0 {
		t.Errorf("an object outside the inbox was read (%d)", status)
	}
}

func TestThePageSaysWhatToDo(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	_, text := s.call(http.MethodGet, "/", "", "")
	_, html := s.call(http.MethodGet, "/", "", "", "Accept", "text/html,application/xhtml+xml")
	_, about := s.call(http.MethodGet, "/about", "", "", "Accept", "text/html,application/xhtml+xml")
	for _, part := range []string{"/planner/v1/plans", "/executor", "/session/run", "/healthz", s.data, "curl"} {
		if !strings.Contains(text, part) || !strings.Contains(about, part) {
			t.Errorf("%s is not on the page for a terminal, or not on the one that the console leads to", part)
		}
	}
	if !strings.HasPrefix(html, "<!DOCTYPE html>") || !strings.Contains(html, `href="/about"`) || strings.Contains(text, "<") {
		t.Error("text and HTML are mixed up")
	}
	if status, body := s.call(http.MethodGet, "/healthz", "", ""); status != http.StatusOK {
		t.Errorf("/healthz: %d %s", status, body)
	}
	status, body := s.call(http.MethodGet, "/nowhere", "", "")
	var failure struct{ Error struct{ Code string } }
	if err := json.Unmarshal([]byte(body), &failure); err != nil || status != http.StatusNotFound || failure.Error.Code != "not_found" {
		t.Errorf("/nowhere: %d %s", status, body)
	}
}

// A server's records are its own while it runs, and are missed when they are gone.
func TestAServersRecords(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := start(t, data)
	write(t, filepath.Join(data, "inbox", "plan_fitness_v1", "plan.json"), goodPlan)
	write(t, filepath.Join(data, "inbox", "plan_fitness_v1", "p.csv"), goodTable)
	s.waitFor("audit/executions/plan_fitness_v1.jsonl")
	d := newDesk(t, strings.Replace(goodPlan, "plan_fitness_v1", "plan_fitness_v2", 1), goodTable)
	state := filepath.Join(data, "state.db")
	refused := "--db " + state + " is a server's, which runs at " + s.address
	d.expect(exitUsage, refused, "--db", state)
	if got := read(t, d.path("out.csv")); got != "" {
		t.Error("something was written")
	}
	s.stop()
	d.expect(exitDone, "completed", "--db", state)
	remove(t, state, state+"-wal", state+"-shm")
	const gone = "state.db has 0 audit documents, and the signed tree beside it has 2"
	d.expect(exitFailed, gone, "--db", state)
	code, _, stderr := cli(t, "serve", "--data", data, "--port", "0")
	if code != exitFailed || !strings.Contains(stderr, gone) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if code, _, stderr := cli(t, "verify", "--all", "--db", state); code != exitFailed || !strings.Contains(stderr, "Put the newest copy of state.db back") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// A folder that is deleted or replaced under a running server is used as it is
// then, and the log says so.
func TestFoldersThatAreReplaced(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	run := func(id string) {
		s.putPlan(id)
		s.drop(id+"/p.csv", goodTable)
		s.await(id, "completed")
		s.waitFor("outbox/" + id + "/p.csv")
	}
	told := func(folder string) {
		eventually(t, "the log of "+folder, func() bool {
			return strings.Contains(s.log.String(), `"message":"a folder was deleted or replaced under the running server; the one that is there now is used","folder":"`+folder+`"`)
		})
	}
	run("plan_before_v1")
	if err := os.RemoveAll(filepath.Join(s.data, "outbox")); err != nil {
		t.Fatal(err)
	}
	told("outbox")
	run("plan_outbox_v1")
	if err := os.Rename(filepath.Join(s.data, "inbox"), filepath.Join(s.data, "inbox.old")); err != nil {
		t.Fatal(err)
	}
	told("inbox")
	run("plan_inbox_v1")
	if err := os.Rename(s.data, s.data+".moved"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-s.ended:
		s.ended <- err
		if err == nil || !strings.Contains(s.log.String(), "The data folder was moved or deleted") {
			t.Errorf("it ended with %v\n%s", err, s.log)
		}
	case <-time.After(20 * time.Second):
		t.Error("the server goes on without its folder")
	}
}
