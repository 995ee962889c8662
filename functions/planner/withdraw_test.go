package planner_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/tablestore"
)

func notifying(d *planner.Dependencies) { d.Notifies = true }

func TestTheRequesterWithdraws(t *testing.T) {
	s := openDecided(t, ledger.Decisions{Approvers: []string{"ben"}})
	s.decide(t, "withdraw", `{"proposal_sha256": "x"}`, http.StatusNotFound)
	sha := s.propose(t)
	body := `{"proposal_sha256": "` + sha + `"}`
	s.caller = "ben"
	if got := s.decide(t, "withdraw", body, http.StatusForbidden); !strings.Contains(got.body, "That was ann") {
		t.Errorf("an approver is told: %s", got.body)
	}
	s.caller = "ann"
	s.decide(t, "withdraw", `{}`, http.StatusUnprocessableEntity)
	shown := s.call(t, "GET", "/v1/executions/"+decidedID, "")
	if may := shown.field(t, "may"); !holds(may, "withdraw") || holds(may, "approve") {
		t.Errorf("who asked may %v", may)
	}
	got := s.decide(t, "withdraw", body, http.StatusOK)
	if got.field(t, "error.code") != "withdrawn" || got.field(t, "error.by") != "ann" || got.field(t, "error.message") != "Withdrawn by ann." {
		t.Errorf("the answer: %s", got.body)
	}
	s.caller = "ben"
	late := s.decide(t, "approve", body, http.StatusConflict)
	if late.field(t, "error.code") != "decided_already" || late.field(t, "error.details.decision") != "withdrawn" || late.field(t, "error.details.by") != "ann" {
		t.Errorf("a decision that comes too late: %s", late.body)
	}
}

func TestADecisionBeforeAWithdrawal(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	sha := s.propose(t)
	s.caller = "ben"
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusOK)
	s.caller = "ann"
	late := s.decide(t, "withdraw", `{"proposal_sha256": "`+sha+`"}`, http.StatusConflict)
	if late.field(t, "error.details.decision") != "approved" || late.field(t, "error.details.by") != "ben" || late.field(t, "error.details.at") == "" {
		t.Errorf("the answer: %s", late.body)
	}
	s.decide(t, "withdraw", `{"proposal_sha256": "`+sha+`", "approved_by": "ben", "reason": "the supplier called"}`, http.StatusOK)
}

func TestReminders(t *testing.T) {
	s := openDecided(t, ledger.Decisions{Approvers: []string{"ben"}}, notifying)
	s.propose(t)
	soon := s.decide(t, "remind", "", http.StatusTooManyRequests)
	if soon.header.Get("Retry-After") == "" || soon.field(t, "error.details.again_at") == "" {
		t.Errorf("too soon: %v %s", soon.header, soon.body)
	}
	if shown := s.call(t, "GET", "/v1/executions/"+decidedID, ""); holds(shown.field(t, "may"), "remind") {
		t.Errorf("it may be done too soon: %s", shown.body)
	}
	s.clock.Add(3600)
	s.caller = "ben"
	s.decide(t, "remind", "", http.StatusForbidden)
	s.caller = "ann"
	got := s.decide(t, "remind", "", http.StatusOK)
	if got.field(t, "proposal.reminded_at") == "" {
		t.Errorf("the answer: %s", got.body)
	}
	due, err := s.store.PostsDue(t.Context(), s.now(), paging.Page{})
	if err != nil || len(due.Items) != 1 || len(due.Items[0].Owed) != 2 {
		t.Errorf("what the webhook is owed: %+v, %v", due, err)
	}
	s.decide(t, "remind", "", http.StatusTooManyRequests)
}

func TestNobodyIsRemindedWithoutAWebhook(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	s.propose(t)
	s.clock.Add(7200)
	if got := s.decide(t, "remind", "", http.StatusConflict); !strings.Contains(got.body, "NOTIFY_URL") {
		t.Errorf("it says %s", got.body)
	}
}

func TestWhoImportedIt(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	sha := s.propose(t)
	s.decide(t, "imported", "", http.StatusConflict)
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusOK)
	if _, err := s.x.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if shown := s.call(t, "GET", "/v1/executions/"+decidedID, ""); shown.field(t, "imported") != nil {
		t.Errorf("nobody imported it: %s", shown.body)
	}
	first := s.decide(t, "imported", "", http.StatusOK)
	s.caller = "ben"
	if again := s.decide(t, "imported", "", http.StatusOK); first.field(t, "imported.by") != "ann" || again.field(t, "imported.by") != "ann" {
		t.Errorf("the notes: %s, %s", first.body, again.body)
	}
	list := s.call(t, "GET", "/v1/executions", "")
	describe(t).check(t, "GET", "/v1/executions", list)
	if !strings.Contains(list.body, `"imported":{"by":"ann"`) {
		t.Errorf("the list: %s", list.body)
	}
}

func holds(list any, entry string) bool {
	for _, one := range list.([]any) {
		if one == entry {
			return true
		}
	}
	return false
}

func TestAnOutputIsStored(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	hold := func(id string, want int) answer {
		t.Helper()
		got := s.call(t, "POST", "/v1/tables", `{"output_of": "`+id+`"}`)
		describe(t).check(t, "POST", "/v1/tables", got)
		if got.status != want {
			t.Fatalf("answered %d, want %d: %s", got.status, want, got.body)
		}
		return got
	}
	hold("plan_absent_v1", http.StatusNotFound)
	sha := s.propose(t)
	hold(decidedID, http.StatusConflict)
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusOK)
	if _, err := s.x.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := hold(decidedID, http.StatusCreated)
	if got.field(t, "file") != "p.csv" || got.field(t, "sent_by") != "ann" {
		t.Errorf("it is held as %s", got.body)
	}
	request, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/v1/tables/"+got.field(t, "table").(string)+"/content", nil)
	if err != nil {
		t.Fatal(err)
	}
	content := answerOf(t, request)
	if content.body == products || !strings.HasPrefix(content.body, strings.SplitN(products, "\n", 2)[0]) {
		t.Errorf("the table is %q", content.body)
	}
}

func TestALayoutIsRemembered(t *testing.T) {
	const other = "sku,category,brand,list,in_stock\nA1,Hats,Nike,12.50,true\n"
	c := openCounter(t)
	first := c.as(t, "ana", "POST", "/v1/tables?file=first.csv", "text/csv", other)
	if first.field(t, "read.remembered") != nil {
		t.Errorf("nothing was said yet: %s", first.body)
	}
	said := c.as(t, "ana", "PUT", "/v1/tables/"+first.field(t, "table").(string)+"/settings", "application/json", `{"columns": "price=list", "unmatched": "allow"}`)
	if said.status != http.StatusOK || said.field(t, "read.remembered") != nil {
		t.Fatalf("said: %s", said.body)
	}
	next := c.as(t, "ben", "POST", "/v1/tables?file=next.csv", "text/csv", other+"A2,Hats,Nike,3.00,true\n")
	if next.field(t, "settings.columns") != "price=list" || strings.Contains(next.body, `"unmatched"`) || next.field(t, "price.least") != "3.00" {
		t.Errorf("the next one is read by %s", next.body)
	}
	if next.field(t, "read.remembered.by") != "ana" || next.field(t, "read.remembered.file") != "first.csv" {
		t.Errorf("whose settings: %s", next.body)
	}
	own := c.as(t, "ben", "POST", "/v1/tables?columns=price=list,brand=sku", "text/csv", other)
	if own.field(t, "settings.columns") != "price=list,brand=sku" {
		t.Errorf("what the sender says counts for less: %s", own.body)
	}
	if another := c.as(t, "ben", "POST", "/v1/tables", "text/csv", heldShop); another.field(t, "read.remembered") != nil {
		t.Errorf("another header: %s", another.body)
	}
	c.as(t, "ben", "PUT", "/v1/tables/"+next.field(t, "table").(string)+"/settings", "application/json", `{}`)
	if after := c.as(t, "ana", "POST", "/v1/tables", "text/csv", other); after.field(t, "read.remembered") != nil {
		t.Errorf("it is still remembered: %s", after.body)
	}
}

// A table that is sent past the planner is read by the remembered settings when it is first
// looked at, and by nobody's once somebody said something of it.
func TestALayoutIsRememberedForAnUpload(t *testing.T) {
	const other = "sku,category,brand,list,in_stock\nA1,Hats,Nike,12.50,true\n"
	var tables *tablestore.Tables
	c := openCounter(t, func(d *planner.Dependencies) {
		tables = d.Tables
		tables.OpenUpload = func(ctx context.Context, name string, options bucket.CreateOptions, _ int64, _ string) (string, error) {
			_, err := bucket.Put(ctx, tables.Bucket, name, options, strings.NewReader(other))
			return "https://upload.example", err
		}
	})
	first := c.as(t, "ana", "POST", "/v1/tables", "text/csv", other).field(t, "table").(string)
	c.as(t, "ana", "PUT", "/v1/tables/"+first+"/settings", "application/json", `{"columns": "price=list"}`)
	sent := c.as(t, "ben", "POST", "/v1/tables:upload", "application/json", `{"bytes": 60, "file": "large.csv"}`).field(t, "table").(string)
	for range 2 {
		if got := c.as(t, "ben", "GET", "/v1/tables/"+sent, "", ""); got.field(t, "read.remembered.by") != "ana" || got.field(t, "price.least") != "12.50" {
			t.Errorf("it is read by %s", got.body)
		}
	}
	c.as(t, "ben", "PUT", "/v1/tables/"+sent+"/settings", "application/json", `{}`)
	if got := c.as(t, "ben", "GET", "/v1/tables/"+sent, "", ""); got.field(t, "read.remembered") != nil || got.field(t, "price") != nil {
		t.Errorf("somebody said otherwise: %s", got.body)
	}
}
