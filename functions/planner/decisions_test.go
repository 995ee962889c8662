package planner_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/tablestore"
	"github.com/planwright/planwright/shared/web"
)

// decided is a shop whose executions need an approval, with the executor that
// carries them out.
type decided struct {
	*shop
	x      *execution.Executor
	inbox  *folder.Bucket
	dir    string
	caller string
}

func openDecided(t *testing.T, d ledger.Decisions, change ...func(*planner.Dependencies)) *decided {
	t.Helper()
	s := &decided{shop: open(t), caller: "ann", dir: t.TempDir()}
	box := func(name string) *folder.Bucket {
		b, err := folder.Open(filepath.Join(s.dir, name), folder.Options{NoSync: true, Now: s.now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
	s.inbox = box("inbox")
	s.x = &execution.Executor{
		Ledger: s.store, Buckets: execution.Buckets{Inbox: s.inbox, Outbox: box("outbox"), Audit: box("audit")}, Engine: execution.Pricing{},
		Limits: execution.DefaultLimits, Policy: ledger.Policy{Approval: ledger.ApproveAlways},
		Now: s.now, NewHolder: func() string { return s.now().String() }, Log: logging.Discard,
	}
	tables := tablestore.New(box("tables"))
	tables.Now = s.now
	dependencies := planner.Dependencies{
		Store: s.store, Planner: s.planner, InboxBucket: "shop-inbox", Now: s.now, Decisions: d, Tables: tables, Buckets: s.x.Buckets,
		Caller: func(*http.Request) (string, error) {
			if s.caller == "" {
				return "", errs.New(errs.Denied, "The caller cannot be verified.")
			}
			return s.caller, nil
		},
	}
	for _, apply := range change {
		apply(&dependencies)
	}
	s.Config.Handler = web.Service{NewID: func() string { return "r1" }}.Serve(planner.NewHandler(dependencies))
	return s
}

const decidedID = "plan_decided_v1"

// propose has a table proposed for a plan that the caller made, and returns
// the hash of the proposal.
func (s *decided) propose(t *testing.T) string {
	t.Helper()
	s.call(t, "POST", "/v1/plans", `{"instruction": "`+raise+`", "execution_id": "`+decidedID+`"}`)
	s.drop(t, decidedID, products)
	status := s.call(t, "GET", "/v1/executions/"+decidedID, "")
	if status.field(t, "status") != "proposed" {
		t.Fatalf("the execution: %s", status.body)
	}
	return status.field(t, "proposal.proposal_sha256").(string)
}

func (s *decided) drop(t *testing.T, id, table string) {
	t.Helper()
	name := id + "/p.csv"
	path := filepath.Join(s.dir, "inbox", name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(table), 0o644)); err != nil {
		t.Fatal(err)
	}
	object, _, err := s.inbox.Ingest(t.Context(), name, folder.IngestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	event := execution.Event{Bucket: "inbox", Object: object.Name, Generation: object.Generation, CreatedAt: s.now()}
	if err := s.x.Handle(t.Context(), event); err != nil {
		t.Fatal(err)
	}
}

func (s *decided) decide(t *testing.T, verb, body string, want int) answer {
	t.Helper()
	got := s.call(t, "POST", "/v1/executions/"+decidedID+":"+verb, body)
	if got.status != want {
		t.Errorf("%s answered %d, want %d: %s", verb, got.status, want, got.body)
	}
	describe(t).check(t, "POST", "/v1/executions/{execution_id}:"+verb, got)
	return got
}

func TestApproveOverHTTP(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	s.decide(t, "approve", `{"proposal_sha256": "x"}`, http.StatusNotFound)
	sha := s.propose(t)
	s.decide(t, "approve", `{}`, http.StatusUnprocessableEntity)
	s.decide(t, "approve", `{"proposal_sha256": "other"}`, http.StatusConflict)
	s.caller = ""
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusForbidden)
	s.caller = "ben"
	got := s.decide(t, "approve", `{"proposal_sha256": "`+sha+`", "note": "as agreed"}`, http.StatusOK)
	if got.field(t, "approval.by") != "ben" || got.field(t, "approval.note") != "as agreed" {
		t.Errorf("the answer: %s", got.body)
	}
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusOK) // the same person once more
	second := func() {
		t.Helper()
		s.caller = "ann"
		if late := s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusConflict); !strings.Contains(late.body, "ben approved this at ") {
			t.Errorf("a second person is not told who was first: %s", late.body)
		}
	}
	second()
	if failed, err := s.x.Sweep(t.Context()); failed != 0 || err != nil {
		t.Fatalf("the sweep: %d, %v", failed, err)
	}
	done := s.call(t, "GET", "/v1/executions/"+decidedID, "")
	if done.field(t, "status") != "completed" || done.field(t, "approval.by") != "ben" || done.field(t, "proposal") != nil {
		t.Errorf("the execution: %s", done.body)
	}
	describe(t).check(t, "GET", "/v1/executions/{execution_id}", done)
	second()
	s.decide(t, "reject", `{"proposal_sha256": "`+sha+`", "reason": "too late"}`, http.StatusConflict)
	s.decide(t, "propose", ``, http.StatusConflict)
}

func TestRejectOverHTTP(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	sha := s.propose(t)
	s.decide(t, "reject", `{"proposal_sha256": "`+sha+`"}`, http.StatusUnprocessableEntity)
	s.decide(t, "reject", `{"proposal_sha256": "other", "reason": "no"}`, http.StatusConflict)
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusOK)
	if late := s.decide(t, "reject", `{"proposal_sha256": "`+sha+`", "reason": "10% is too much"}`, http.StatusConflict); !strings.Contains(late.body, "ann approved this at ") {
		t.Errorf("who rejects it meanwhile is not told who was quicker: %s", late.body)
	}
	got := s.decide(t, "reject", `{"proposal_sha256": "`+sha+`", "reason": "10% is too much", "approved_by": "ann"}`, http.StatusOK)
	if got.field(t, "error.code") != "rejected" || !strings.HasPrefix(got.field(t, "error.message").(string), "Rejected by ann, after ann had approved of it at ") || !strings.HasSuffix(got.field(t, "error.message").(string), ": 10% is too much") {
		t.Errorf("the answer: %s", got.body)
	}
	if late := s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusConflict); !strings.Contains(late.body, "Rejected by ann, after") {
		t.Errorf("who approves of it meanwhile is not told who was quicker: %s", late.body)
	}
	s.drop(t, decidedID, products) // and the plan stands
	sha = s.call(t, "GET", "/v1/executions/"+decidedID, "").field(t, "proposal.proposal_sha256").(string)
	s.decide(t, "reject", `{"proposal_sha256": "`+sha+`", "reason": "later", "replaced_by": "?"}`, http.StatusUnprocessableEntity)
	replaced := s.decide(t, "reject", `{"proposal_sha256": "`+sha+`", "reason": "later", "replaced_by": "plan_decided_v2"}`, http.StatusOK)
	if replaced.field(t, "error.replaced_by") != "plan_decided_v2" || replaced.field(t, "error.message") != "Replaced with plan_decided_v2 by ann: later" {
		t.Errorf("the answer: %s", replaced.body)
	}
	s.drop(t, decidedID, products)
	if again := s.call(t, "GET", "/v1/executions?status=proposed", ""); !strings.Contains(again.body, decidedID) {
		t.Errorf("what is proposed: %s", again.body)
	}
}

func TestWhoMayApprove(t *testing.T) {
	s := openDecided(t, ledger.Decisions{Approvers: []string{"ann", "ben"}, ByAnother: true})
	sha := s.propose(t)
	for caller, want := range map[string]int{"eve": http.StatusForbidden, "ann": http.StatusForbidden} {
		s.caller = caller
		s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, want)
	}
	s.caller = "ben"
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusOK)
}

// TestAPlanOfNobodys would be one that nobody may approve: it is not stored.
func TestAPlanOfNobodys(t *testing.T) {
	s := openDecided(t, ledger.Decisions{ByAnother: true})
	s.caller = ""
	for method, path := range map[string]string{"POST": "/v1/plans", "PUT": "/v1/plans/" + decidedID} {
		body := map[string]string{
			"POST": `{"instruction": "` + raise + `", "execution_id": "` + decidedID + `"}`,
			"PUT":  `{"execution_id": "` + decidedID + `", "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Set every price to 5.", "operations": [{"operation_id": "op_01", "filter": {}, "action": {"type": "set_price", "value": 5}}]}`,
		}[method]
		if got := s.call(t, method, path, body); got.status != http.StatusForbidden {
			t.Errorf("%s %s: %d %s", method, path, got.status, got.body)
		}
	}
	s.caller = "ann"
	if got := s.call(t, "GET", "/v1/plans/"+decidedID, ""); got.status != http.StatusNotFound {
		t.Errorf("it was stored: %s", got.body)
	}
}

func TestProposeOverHTTP(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	s.decide(t, "propose", ``, http.StatusNotFound)
	s.x.Policy = ledger.Policy{}
	at := s.now().Add(time.Hour)
	s.call(t, "POST", "/v1/plans", `{"instruction": "`+raise+`", "execution_id": "`+decidedID+`", "apply_at": "`+at.Format(time.RFC3339)+`"}`)
	s.drop(t, decidedID, products)
	if got := s.decide(t, "propose", ``, http.StatusOK); got.field(t, "proposal.approval_due") != true {
		t.Errorf("the answer: %s", got.body)
	}
}

func TestUndoOverHTTP(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	s.decide(t, "undo", `{"table": "output"}`, http.StatusNotFound)
	sha := s.propose(t)
	s.decide(t, "undo", `{"table": "output"}`, http.StatusConflict)
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusOK)
	if _, err := s.x.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{`{}`, `{"table": "other"}`, `{"table": "output", "stale": "x"}`, `{"table": "output", "execution_id": "plan_other_undo"}`} {
		s.decide(t, "undo", body, http.StatusUnprocessableEntity)
	}
	first := s.decide(t, "undo", `{"table": "output"}`, http.StatusCreated)
	if first.field(t, "plan.execution_id") != decidedID+"_undo" || first.field(t, "plan.undo.execution_id") != decidedID {
		t.Errorf("the plan: %s", first.body)
	}
	s.decide(t, "undo", `{"table": "output"}`, http.StatusOK)
	another := s.decide(t, "undo", `{"table": "upload", "stale": "fail"}`, http.StatusCreated)
	if by, to := first.field(t, "upload.command"), another.field(t, "upload.command"); by != "" || to == "" {
		t.Errorf("what goes by itself says to drop a table with %q, and the other with %q", by, to)
	}
	if id := another.field(t, "plan.execution_id"); id == decidedID+"_undo" || id == nil {
		t.Errorf("another plan under %v", id)
	}
	status := s.call(t, "GET", "/v1/executions/"+decidedID, "")
	if due := status.field(t, "undo_due").([]any); len(due) != 1 {
		t.Errorf("due: %s", status.body)
	}
	if _, err := s.store.Plan(t.Context(), decidedID+"_undo"); err != nil {
		t.Error(err)
	}
	if got := s.call(t, "PUT", "/v1/plans/plan_mine_undo", `{"execution_id": "plan_mine_undo", "created_at": "2026-01-02T03:00:00Z", "source_instruction": "Mine.", "operations": [{"operation_id": "op_01", "filter": {}, "action": {"type": "set_price", "value": 1}}]}`); got.status != http.StatusUnprocessableEntity {
		t.Errorf("a plan of one's own under an undo's id: %d %s", got.status, got.body)
	}
}

// openReverted has a plan carried out that is undone an hour later, at the time returned.
func openReverted(t *testing.T) (s *decided, at string) {
	t.Helper()
	s = openDecided(t, ledger.Decisions{})
	s.x.Policy = ledger.Policy{}
	at = time.Unix(s.clock.Load(), 0).UTC().Add(time.Hour).Format(time.RFC3339)
	s.call(t, "POST", "/v1/plans", `{"instruction": "`+raise+`", "execution_id": "`+decidedID+`", "revert_at": "`+at+`"}`)
	s.drop(t, decidedID, products)
	return s, at
}

// What is to be undone later can be undone before: then the later undo does nothing, and
// says why.
func TestUndoneBeforeItsTime(t *testing.T) {
	s, at := openReverted(t)
	if got := s.call(t, "GET", "/v1/executions/"+decidedID+"_undo", ""); got.status != http.StatusNotFound || !strings.Contains(got.body, "is carried out on what "+decidedID+" wrote, at "+at) {
		t.Errorf("before its time: %d %s", got.status, got.body)
	}
	sweep := func() {
		t.Helper()
		if _, err := s.x.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	made := s.decide(t, "undo", `{"table": "output"}`, http.StatusCreated).field(t, "plan.execution_id").(string)
	sweep()
	if got := s.call(t, "GET", "/v1/executions?status=completed", ""); !strings.Contains(got.body, `"undone_by":"`+made+`"`) || !strings.Contains(got.body, `"undo_due":[{"execution_id":"`+decidedID+`_undo","at":"`+at+`"}]`) {
		t.Errorf("undone by %s: %s", made, got.body)
	}
	s.clock.Add(3600)
	sweep()
	if got := s.call(t, "GET", "/v1/executions/"+decidedID+"_undo", ""); got.field(t, "error.code") != "undone_already" || !strings.Contains(got.body, "was undone by "+made+" already") {
		t.Errorf("at its time: %s", got.body)
	}
	if due := s.call(t, "GET", "/v1/executions/"+decidedID, "").field(t, "undo_due").([]any); len(due) != 0 {
		t.Errorf("still due: %v", due)
	}
}

// What is still to come by itself is listed, whatever was carried out since.
func TestWhatIsDueIsListed(t *testing.T) {
	s, _ := openReverted(t)
	s.call(t, "POST", "/v1/plans", `{"instruction": "`+raise+`", "execution_id": "plan_without_v1"}`)
	s.drop(t, "plan_without_v1", products)
	for query, want := range map[string]string{"due=true": decidedID, "due=true&status=completed": decidedID, "due=true&status=proposed": "", "": decidedID + " plan_without_v1"} {
		var ids []string
		for _, one := range s.call(t, "GET", "/v1/executions?"+query, "").field(t, "executions").([]any) {
			ids = append(ids, one.(map[string]any)["execution_id"].(string))
		}
		if slices.Sort(ids); strings.Join(ids, " ") != want {
			t.Errorf("%s: %v, want %s", query, ids, want)
		}
	}
	if got := s.call(t, "GET", "/v1/executions?due=no", ""); got.status != http.StatusUnprocessableEntity {
		t.Errorf("%d: %s", got.status, got.body)
	}
}

// Who reads the notice about a proposal is told what else was carried out on its table.
func TestTheNoticeTellsOfTheSameTable(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	s.x.Policy = ledger.Policy{}
	s.call(t, "POST", "/v1/plans", `{"instruction": "`+raise+`", "execution_id": "plan_before_v1"}`)
	s.drop(t, "plan_before_v1", products)
	s.x.Policy.Approval = ledger.ApproveAlways
	s.propose(t)
	notices, _ := filepath.Glob(filepath.Join(s.dir, "outbox", decidedID, "*.txt"))
	if len(notices) != 1 {
		t.Fatalf("notices: %q", notices)
	}
	if text, err := os.ReadFile(notices[0]); err != nil || !strings.Contains(string(text), "The plan plan_before_v1 was carried out on this very table.") {
		t.Errorf("%v in\n%s", err, text)
	}
}

// Who would undo on an output that others went on with is told of them.
func TestUndoOfAnOutputThatWasUsed(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	s.x.Policy = ledger.Policy{}
	s.call(t, "POST", "/v1/plans", `{"instruction": "`+raise+`", "execution_id": "`+decidedID+`"}`)
	s.drop(t, decidedID, products)
	output, err := os.ReadFile(filepath.Join(s.dir, "outbox", decidedID, "p.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.call(t, "GET", "/v1/executions/"+decidedID, ""); strings.Contains(got.body, "output_used") {
		t.Errorf("nobody went on with it: %s", got.body)
	}
	s.call(t, "POST", "/v1/plans", `{"instruction": "Set the price of A101 to 77.", "execution_id": "plan_goes_on_v1"}`)
	s.drop(t, "plan_goes_on_v1", string(output))
	for _, got := range []answer{s.call(t, "GET", "/v1/executions/"+decidedID, ""), s.decide(t, "undo", `{"table": "output"}`, http.StatusCreated)} {
		if !strings.Contains(got.body, `"code":"output_used"`) || !strings.Contains(got.body, "undo plan_goes_on_v1 first") {
			t.Errorf("the undo would drop what plan_goes_on_v1 did: %s", got.body)
		}
	}
	if got := s.decide(t, "undo", `{"table": "upload"}`, http.StatusOK); strings.Contains(got.body, "output_used") {
		t.Errorf("of a table that is exported now: %s", got.body)
	}
	if _, err := s.x.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{decidedID, decidedID + "_undo"} { // who imports what it wrote is told as well
		got := s.call(t, "GET", "/v1/executions/"+id, "")
		if got.field(t, "status") != "completed" || strings.Count(got.body, `"code":"output_used"`) != 1 || strings.Contains(got.body, "same_table") ||
			!strings.Contains(got.body, "without what plan_goes_on_v1 changed") {
			t.Errorf("%s was undone without what plan_goes_on_v1 did: %s", id, got.body)
		}
	}
}

// An undo that was rejected is not that which another request gets: it is proposed anew,
// once, under an id of its own.
func TestUndoAgainAfterARejection(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	sha := s.propose(t)
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusOK)
	sweep := func() {
		t.Helper()
		for range 2 {
			if _, err := s.x.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	sweep()
	for n, id := range []string{decidedID + "_undo", decidedID + "_undo_v2", decidedID + "_undo_v3"} {
		for _, status := range []int{http.StatusCreated, http.StatusOK} {
			if made := s.decide(t, "undo", `{"table": "output"}`, status); made.field(t, "plan.execution_id") != id {
				t.Fatalf("%d: %s, want %s", n, made.body, id)
			}
			sweep()
		}
		proposed := s.call(t, "GET", "/v1/executions/"+id, "")
		if proposed.field(t, "status") != "proposed" {
			t.Fatalf("%s: %s", id, proposed.body)
		}
		got := s.call(t, "POST", "/v1/executions/"+id+":reject", `{"proposal_sha256": "`+proposed.field(t, "proposal.proposal_sha256").(string)+`", "reason": "no"}`)
		if got.status != http.StatusOK {
			t.Fatal(got.body)
		}
	}
	if got := s.decide(t, "undo", `{"table": "output", "execution_id": "`+decidedID+`_undo_v2"}`, http.StatusConflict); !strings.Contains(got.body, "nothing more comes of it") {
		t.Error(got.body)
	}
}

// changesAs asks for what an execution would change, in some form.
func (s *decided) changesAs(t *testing.T, accept, id, query string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/v1/executions/"+id+"/changes?"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", accept)
	got := answerOf(t, request)
	if accept == "" {
		describe(t).check(t, "GET", "/v1/executions/{execution_id}/changes", got)
	}
	return got
}

// All that an undo would change is looked at as a plan's is; what an undo leaves alone
// is no change.
func TestAllRowsOfAnUndosProposal(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	sha := s.propose(t)
	s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusOK)
	if _, err := s.x.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.decide(t, "undo", `{"table": "upload"}`, http.StatusCreated)
	const id = decidedID + "_undo"
	today := strings.NewReplacer("29.99", "32.99", "39.99", "41.00", "49.99", "54.99").Replace(products)
	s.drop(t, id, "sku,category,price,in_stock\nNEW,fitness,1.00,true\n"+strings.TrimPrefix(today, "sku,category,price,in_stock\n"))
	status := s.call(t, "GET", "/v1/executions/"+id, "")
	if changed := status.field(t, "proposal.summary.rows_changed"); changed != 1.0 {
		t.Fatalf("%s", status.body)
	}
	got := s.changesAs(t, "", id, "sort=fall&moved_to=-5")
	for _, want := range []string{`"rows_found":1`, `"row":3,"sku":"A101"`, `"moved_percent":"-9.0936"`} {
		if got.status != 200 || !strings.Contains(got.body, want) {
			t.Errorf("no %s: %d %s", want, got.status, got.body)
		}
	}
	if none := s.changesAs(t, "", id, "moved_from=0"); none.field(t, "rows_found") != 0.0 {
		t.Errorf("%s", none.body)
	}
	const table = "row,sku,name,price_before,price_after,moved_percent,sale_price_before,sale_price_after,compare_at_before,compare_at_after,stock_before,stock_after,quantity_before,quantity_after,picture\n3,A101,,32.99,29.99,-9.0936,,,,,,,,,\n"
	if got := s.changesAs(t, "text/csv", id, ""); got.body != table {
		t.Errorf("%s", got.body)
	}
}

// unread is an inbox that the planner may put tables into, and not read.
type unread struct{ bucket.Bucket }

func (unread) Open(context.Context, string, int64) (io.ReadCloser, bucket.Object, error) {
	return nil, bucket.Object{}, errs.New(errs.Denied, "storage.objects.get")
}

// Where the planner may not read what an undo's proposal is of, it says so, and what lets it.
func TestAnUndosProposalThatCannotBeRead(t *testing.T) {
	for want, buckets := range map[string]func(execution.Buckets) execution.Buckets{
		"may not read the table":         func(b execution.Buckets) execution.Buckets { b.Inbox = unread{b.Inbox}; return b },
		"OUTBOX_BUCKET and AUDIT_BUCKET": func(b execution.Buckets) execution.Buckets { b.Audit = nil; return b },
	} {
		s := openDecided(t, ledger.Decisions{}, func(d *planner.Dependencies) { d.Buckets = buckets(d.Buckets) })
		s.decide(t, "approve", `{"proposal_sha256": "`+s.propose(t)+`"}`, http.StatusOK)
		if _, err := s.x.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.decide(t, "undo", `{"table": "upload"}`, http.StatusCreated)
		s.drop(t, decidedID+"_undo", strings.NewReplacer("29.99", "32.99", "39.99", "41.00", "49.99", "54.99").Replace(products))
		got := s.changesAs(t, "", decidedID+"_undo", "")
		if (got.status != http.StatusForbidden && got.status != http.StatusNotImplemented) || !strings.Contains(got.body, want) || !strings.Contains(got.body, "first rows") {
			t.Errorf("no %q: %d %s", want, got.status, got.body)
		}
	}
}

// Where the planner may not read the inbox, what is proposed can be looked at as long as
// its table is held: from then on it is said why, and what to do.
func TestAProposalIsOlderThanItsTable(t *testing.T) {
	s := openDecided(t, ledger.Decisions{}, func(d *planner.Dependencies) { d.Buckets = execution.Buckets{Inbox: unread{d.Inbox}} })
	s.call(t, "POST", "/v1/plans", `{"instruction": "`+raise+`", "execution_id": "`+decidedID+`"}`)
	sent := s.call(t, "POST", "/v1/tables?file=shop.csv", products)
	if done := s.call(t, "POST", "/v1/plans/"+decidedID+":execute", `{"table":"`+sent.field(t, "table").(string)+`"}`); done.status != http.StatusAccepted {
		t.Fatalf("%d %s", done.status, done.body)
	}
	for object, err := range bucket.Under(t.Context(), s.inbox, "held/") {
		if err != nil {
			t.Fatal(err)
		}
		if err := s.x.Handle(t.Context(), execution.Event{Bucket: "inbox", Object: object.Name, Generation: object.Generation, CreatedAt: s.now(), Metadata: object.Metadata}); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.changesAs(t, "", decidedID, ""); got.status != 200 {
		t.Fatalf("within its day: %d %s", got.status, got.body)
	}
	s.clock.Add(25 * 60 * 60)
	got := s.changesAs(t, "", decidedID, "")
	for _, want := range []string{"handed in more than a day ago", "first rows alone", "drop the table on the plan " + decidedID + " again"} {
		if got.status != http.StatusForbidden || !strings.Contains(got.body, want) {
			t.Errorf("no %q: %d %s", want, got.status, got.body)
		}
	}
}

func TestWhereNobodyIsKnownNobodyDecides(t *testing.T) {
	s := open(t)
	body := `{"proposal_sha256": "x"}`
	if got := s.call(t, "POST", "/v1/executions/"+decidedID+":approve", body); got.status != http.StatusForbidden {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// What somebody edits in the database is neither shown nor approved, and can be
// rejected all the same.
func TestWhatWasEditedIsNotShown(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	sha := s.propose(t)
	record, err := s.store.Execution(t.Context(), decidedID)
	if err != nil {
		t.Fatal(err)
	}
	edited := *record.Proposal
	edited.Effect.LargestRises[0].After, edited.Summary.RowsChanged = "10.00", 1
	record.Proposal = &edited
	if _, err := s.store.UpdateExecution(t.Context(), record, ledger.Settlement{}); err != nil {
		t.Fatal(err)
	}
	for _, got := range []answer{s.call(t, "GET", "/v1/executions/"+decidedID, ""), s.decide(t, "approve", `{"proposal_sha256": "`+sha+`"}`, http.StatusInternalServerError)} {
		if got.status != http.StatusInternalServerError || !strings.Contains(got.body, "is not what was computed") || strings.Contains(got.body, "10.00") {
			t.Errorf("%d: %s", got.status, got.body)
		}
	}
	s.decide(t, "reject", `{"proposal_sha256": "`+sha+`", "reason": "edited"}`, http.StatusOK)
}

// What an undo leaves can be undone by another. An undo is undone as any execution is.
func TestUndosOfWhatIsLeft(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	s.x.Policy = ledger.Policy{}
	s.call(t, "POST", "/v1/plans", `{"instruction": "`+raise+`", "execution_id": "`+decidedID+`"}`)
	s.drop(t, decidedID, "sku,category,price,in_stock\nA,fitness,10.00,true\nB,fitness,20.00,true\nC,fitness,30.00,true\n")
	stands := func(by string, stale float64) {
		t.Helper()
		got := s.call(t, "GET", "/v1/executions/"+decidedID, "")
		if got.field(t, "undone_by") != by || got.field(t, "undone_stale") != stale {
			t.Errorf("undone by %v but for %v rows, want %q, %v", got.field(t, "undone_by"), got.field(t, "undone_stale"), by, stale)
		}
	}
	undo := func(id, on, as string) {
		t.Helper()
		if got := s.call(t, "POST", "/v1/executions/"+id+":undo", `{"table": "`+on+`"}`); got.status != http.StatusCreated || got.field(t, "plan.execution_id") != as {
			t.Fatalf("%d, want %s: %s", got.status, as, got.body)
		}
	}
	swept := func() {
		t.Helper()
		if _, err := s.x.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	undo(decidedID, "upload", decidedID+"_undo")
	s.drop(t, decidedID+"_undo", "sku,category,price,in_stock\nB,fitness,22.00,true\n")
	stands(decidedID+"_undo", 2)
	undo(decidedID, "upload", decidedID+"_undo_v2")
	s.drop(t, decidedID+"_undo_v2", "sku,category,price,in_stock\nA,fitness,11.00,true\nB,fitness,20.00,true\nC,fitness,33.00,true\n")
	stands(decidedID+"_undo_v2", 0)
	s.decide(t, "undo", `{"table": "upload"}`, http.StatusConflict)

	undo(decidedID+"_undo_v2", "output", decidedID+"_undo_v2_undo")
	swept()
	stands(decidedID+"_undo_v2", 0)
	inForce := func(force, text string) {
		t.Helper()
		got := s.call(t, "GET", "/v1/executions/"+decidedID, "")
		listed := s.call(t, "GET", "/v1/executions", "")
		if got.field(t, "undos.force") != force || !strings.Contains(listed.body, `"force":"`+force+`"`) {
			t.Errorf("want %s in force: %s\nin the list: %s", force, got.body, listed.body)
		}
		for path, method := range map[string]string{"/changes?format=import": "GET", ":undo": "POST"} {
			if got := s.call(t, method, "/v1/executions/"+decidedID+path, `{"table": "output"}`); got.status != http.StatusConflict || !strings.Contains(got.body, text) {
				t.Errorf("%s: %d %s", path, got.status, got.body)
			}
		}
	}
	inForce("some", decidedID+"_undo_v2_undo") // what the first undo took back stays so
	undo(decidedID+"_undo_v2_undo", "output", decidedID+"_undo_v2_undo_undo")
	swept()
	inForce("none", decidedID+"_undo_v2")
	if got := s.call(t, "GET", "/v1/executions/"+decidedID+"_undo_v2_undo", ""); got.field(t, "undone_by") != decidedID+"_undo_v2_undo_undo" {
		t.Errorf("the undo of the undo: %s", got.body)
	}
}

// An undo that is due says so, and one that is asked for again under its own id is not
// refused for what it did itself.
func TestAnUndoRequestedAgain(t *testing.T) {
	s := openDecided(t, ledger.Decisions{})
	s.x.Policy = ledger.Policy{}
	s.call(t, "POST", "/v1/plans", `{"instruction": "`+raise+`", "execution_id": "`+decidedID+`"}`)
	s.drop(t, decidedID, products)
	const request = `{"table": "output", "execution_id": "plan_back_v1"}`
	s.decide(t, "undo", request, http.StatusCreated)
	if got := s.call(t, "GET", "/v1/executions/plan_back_v1", ""); got.status != http.StatusNotFound || !strings.Contains(got.body, "is carried out on what "+decidedID+" wrote") {
		t.Errorf("before it begins: %d %s", got.status, got.body)
	}
	if _, err := s.x.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.decide(t, "undo", request, http.StatusOK); got.field(t, "plan.execution_id") != "plan_back_v1" {
		t.Errorf("afterwards: %s", got.body)
	}
	s.decide(t, "undo", `{"table": "output", "execution_id": "plan_back_v1", "stale": "fail"}`, http.StatusConflict)
	s.decide(t, "undo", `{"table": "output", "execution_id": "plan_back_v2"}`, http.StatusConflict)
}
