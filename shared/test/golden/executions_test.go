package golden_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/test/golden"
)

const executed = "plan_golden_v1"

const (
	planText = `{"execution_id": "plan_golden_v1", "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Raise cups by 10%.",
		"operations": [{"operation_id": "op_01", "filter": {"categories": ["Cups"]}, "action": {"type": "percent_increase", "value": 10}}]}`
	otherPlan = `{"execution_id": "plan_golden_v1", "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Raise all by 10%.",
		"operations": [{"operation_id": "op_01", "filter": {}, "action": {"type": "percent_increase", "value": 10}}]}`
	products = "sku,category,price,in_stock\nA1,Cups,10.00,true\nA2,Cups,20.50,false\nA3,Pots,30.00,true\n"
	edited   = "sku,category,price,in_stock\nA1,Cups,11.00,true\nA2,Cups,19.00,false\nA3,Pots,30.00,true\n"
	unread   = "sku,category,price,in_stock\nA1,Cups,10.00,true\nA2,Cups,cheap,false\n"
	noCups   = "sku,category,price,in_stock\nA3,Pots,30.00,true\n"
)

// TestGoldenExecutions goes through one whole execution of each kind, over a real
// store and real folders, with a clock that moves a minute at a time.
func TestGoldenExecutions(t *testing.T) {
	kinds := []struct {
		name string
		live func(*world)
	}{
		{"completed", func(w *world) {
			w.drop("plan.json", planText)
			w.drop("p.csv", products)
		}},
		{"completed-nothing-changed", func(w *world) {
			w.drop("plan.json", strings.Replace(planText, `"categories": ["Cups"]`, `"price_gte": 500`, 1))
			w.drop("p.csv", products)
		}},
		{"failed", func(w *world) {
			w.drop("plan.json", planText)
			w.drop("p.csv", unread)
		}},
		{"failed-by-a-name", func(w *world) {
			w.drop("plan.json", planText)
			w.drop("p.csv", noCups)
		}},
		{"failed-without-a-plan", func(w *world) {
			w.drop("p.csv", products)
			w.pass(time.Hour)
			w.deliver("p.csv")
		}},
		{"failed-then-completed", func(w *world) {
			w.drop("plan.json", planText)
			w.drop("p.csv", unread)
			w.drop("p.csv", products)
		}},
		{"skipped", func(w *world) {
			w.drop("plan.json", planText)
			w.drop("p.csv", products)
			w.drop("again.csv", products)
		}},
		{"another-plan-for-the-id", func(w *world) {
			w.drop("plan.json", planText)
			w.drop("plan.json", otherPlan)
		}},
		{"plan-that-is-none", func(w *world) { w.drop("plan.json", `{"execution_id": "plan_golden_v1"}`) }},
		{"file-of-another-kind", func(w *world) { w.drop("p.xlsx", "PK") }},
		{"proposed", func(w *world) {
			w.Policy = ledger.Policy{Approval: ledger.ApproveAlways}
			w.drop("plan.json", planText)
			w.drop("p.csv", products)
		}},
		{"proposed-and-approved", func(w *world) {
			w.Policy = ledger.Policy{Approval: ledger.ApproveAlways}
			w.drop("plan.json", planText)
			w.drop("p.csv", products)
			w.approve()
			w.sweep()
		}},
		{"proposed-and-rejected", func(w *world) {
			w.Policy = ledger.Policy{Approval: ledger.ApproveAlways}
			w.drop("plan.json", planText)
			w.drop("p.csv", products)
			w.reject()
			w.sweep()
		}},
		{"proposed-and-expired", func(w *world) {
			w.Policy = ledger.Policy{Approval: ledger.ApproveAlways}
			w.drop("plan.json", planText)
			w.drop("p.csv", products)
			w.pass(60 * 24 * time.Hour)
			w.sweep()
		}},
		{"proposed-and-superseded", func(w *world) {
			w.Policy = ledger.Policy{Approval: ledger.ApproveAlways}
			w.drop("plan.json", planText)
			w.drop("p.csv", products)
			w.drop("later.csv", products+"A4,Cups,1.00,true\n")
		}},
		{"scheduled", func(w *world) {
			w.drop("plan.json", strings.Replace(planText, `"operations"`, `"apply_at": "2026-03-02T00:00:00Z", "revert_at": "2026-03-03T00:00:00Z", "operations"`, 1))
			w.drop("p.csv", products)
			w.pass(24 * time.Hour)
			w.sweep()
			w.pass(24 * time.Hour)
			w.sweep()
		}},
		{"undone", func(w *world) {
			w.drop("plan.json", planText)
			w.drop("p.csv", products)
			w.undo()
			w.sweep()
		}},
		{"undone-of-an-edited-table", func(w *world) {
			w.drop("plan.json", planText)
			w.drop("p.csv", products)
			w.undo()
			w.dropInto(executed+"_undo", "edited.csv", edited)
			w.sweep()
		}},
	}
	directory := filepath.Join(golden.Folder(depth), "executions")
	var names []string
	for _, kind := range kinds {
		names = append(names, kind.name+".json")
		t.Run(kind.name, func(t *testing.T) {
			w := newWorld(t)
			kind.live(w)
			golden.Check(t, filepath.Join(directory, kind.name+".json"), w.picture())
		})
	}
	golden.Only(t, directory, names)
}

// world is an executor over a new folder.
type world struct {
	*execution.Executor
	t      *testing.T
	dir    string
	now    time.Time
	inbox  *folder.Bucket
	store  *sqlite.Store
	events map[string]execution.Event // by the object's name: the latest
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), events: map[string]execution.Event{}}
	store, err := sqlite.Open(t.Context(), filepath.Join(w.dir, "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	w.store, w.inbox = store, w.open("inbox")
	holders := 0
	w.Executor = &execution.Executor{
		Ledger: store, Buckets: execution.Buckets{Inbox: w.inbox, Outbox: w.open("outbox"), Audit: w.open("audit")},
		Engine: execution.Pricing{},
		Limits: execution.DefaultLimits,
		Now:    func() time.Time { return w.now },
		NewHolder: func() string {
			holders++
			return fmt.Sprint("holder ", holders)
		},
		Log: logging.Discard,
	}
	return w
}

func (w *world) open(name string) *folder.Bucket {
	w.t.Helper()
	opened, err := folder.Open(filepath.Join(w.dir, name), folder.Options{NoSync: true, Now: func() time.Time { return w.now }})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { opened.Close() })
	return opened
}

func (w *world) pass(d time.Duration) { w.now = w.now.Add(d) }

// check fails the test for an error. One that asks for another delivery is none.
func (w *world) check(err error) {
	w.t.Helper()
	if err != nil && !errs.Retryable(err) {
		w.t.Fatal(err)
	}
}

func (w *world) drop(name, content string) {
	w.t.Helper()
	w.dropInto(executed, name, content)
}

// dropInto puts a file into the inbox, and delivers it a minute later.
func (w *world) dropInto(executionID, name, content string) {
	w.t.Helper()
	name = executionID + "/" + name
	path := filepath.Join(w.dir, "inbox", filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		w.t.Fatal(err)
	}
	object, _, err := w.inbox.Ingest(w.t.Context(), name, folder.IngestOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	event := execution.Event{Bucket: "inbox", Object: name, Generation: object.Generation, Size: object.Size, CreatedAt: w.now}
	w.events[name] = event
	w.pass(time.Minute)
	w.check(w.Handle(w.t.Context(), event))
}

// deliver delivers a file again.
func (w *world) deliver(name string) {
	w.t.Helper()
	w.check(w.Handle(w.t.Context(), w.events[executed+"/"+name]))
}

func (w *world) sweep() {
	w.t.Helper()
	w.pass(time.Minute)
	if failed, err := w.Sweep(w.t.Context()); failed != 0 || err != nil {
		w.t.Fatalf("%d failed, %v", failed, err)
	}
}

func (w *world) record(executionID string) ledger.Execution {
	w.t.Helper()
	record, err := w.store.Execution(w.t.Context(), executionID)
	if err != nil {
		w.t.Fatal(err)
	}
	return record
}

func (w *world) approval() ledger.Approval {
	w.t.Helper()
	w.pass(time.Minute)
	return ledger.Approval{ProposalSHA256: w.record(executed).Proposal.ProposalSHA256, By: "ann@example.com", At: w.now, Note: "fine"}
}

func (w *world) approve() {
	w.t.Helper()
	_, err := ledger.Approve(w.t.Context(), w.store, executed, w.approval())
	w.check(err)
}

func (w *world) reject() {
	w.t.Helper()
	_, err := ledger.Reject(w.t.Context(), w.store, executed, ledger.Rejection{Approval: w.approval()})
	w.check(err)
}

func (w *world) undo() {
	w.t.Helper()
	w.pass(time.Minute)
	stored, err := plans.Load(w.t.Context(), w.store, executed)
	w.check(err)
	undo := plans.New(plans.Undo(stored.Plan, executed+"_undo", w.record(executed).Seal.Changes.SHA256, w.now))
	undo.CreatedAt = w.now
	_, err = ledger.Undo(w.t.Context(), w.store, executed, executed+"_undo", &undo.Record, w.now)
	w.check(err)
}

// execution is what a person may read of one execution in the golden file.
type shownExecution struct {
	ExecutionID string           `json:"execution_id"`
	Status      ledger.Status    `json:"status"`
	Messages    []string         `json:"messages,omitempty"`
	Proposal    *shownProposal   `json:"proposal,omitempty"`
	Plan        json.RawMessage  `json:"plan,omitempty"`
	Documents   []*shownDocument `json:"audit_documents"`
	Changes     []pricing.Change `json:"changes,omitempty"`
}

type shownProposal struct {
	ApprovalDue bool            `json:"approval_due"`
	ApplyAt     time.Time       `json:"apply_at,omitzero"`
	ExpiresAt   time.Time       `json:"expires_at"`
	Output      ledger.File     `json:"output"`
	Changes     ledger.File     `json:"changes"`
	Effect      json.RawMessage `json:"effect"`
}

// shownDocument is an audit document without its sentences. Its hashes are of them
// too, so that what is shown is whether they hold.
type shownDocument struct {
	Fields   string         `json:"fields"` // in the order of the line
	Chain    string         `json:"chain"`
	Document map[string]any `json:"document"`
}

// picture is all that an execution left, as text.
func (w *world) picture() string {
	w.t.Helper()
	shown := struct {
		Executions []shownExecution  `json:"executions"`
		Files      map[string]string `json:"files"` // notices by their names alone
	}{[]shownExecution{}, w.files()}
	for _, id := range []string{executed, executed + "_undo"} {
		if _, err := w.store.Execution(w.t.Context(), id); errs.KindOf(err) == errs.NotFound {
			continue
		}
		shown.Executions = append(shown.Executions, w.shown(id))
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(shown); err != nil {
		w.t.Fatal(err)
	}
	return text.String()
}

func (w *world) shown(id string) shownExecution {
	w.t.Helper()
	record := w.record(id)
	shown := shownExecution{ExecutionID: id, Status: record.Status, Messages: messages(record.Owed)}
	if stored, err := plans.Load(w.t.Context(), w.store, id); err == nil {
		shown.Plan = json.RawMessage(stored.Canonical)
	}
	if p := record.Proposal; p != nil {
		effect, err := json.Marshal(p.Effect)
		w.check(err)
		shown.Proposal = &shownProposal{p.ApprovalDue, p.ApplyAt, p.ExpiresAt, p.Output, p.Changes, effect}
	}
	documents, err := w.store.Audit(w.t.Context(), id, 100)
	w.check(err)
	slices.Reverse(documents)
	for _, document := range documents {
		shown.Documents = append(shown.Documents, w.document(document, documents))
	}
	changes, err := w.store.Changes(w.t.Context(), id, paging.Page{})
	w.check(err)
	shown.Changes = changes.Items
	return shown
}

// messages are those that the webhook is owed, by kind and code.
func messages(posts []ledger.Owed) (kinds []string) {
	for _, post := range posts {
		kinds = append(kinds, strings.TrimSpace(string(post.Kind)+" "+post.Code))
	}
	return kinds
}

// sentences are the fields of a document that people read, and hashes over them.
var sentences = []string{"error", "explanation", "sha256", "previous_sha256"}

func (w *world) document(d ledger.AuditDocument, all []ledger.AuditDocument) *shownDocument {
	w.t.Helper()
	shown := &shownDocument{Chain: "broken"}
	line := d.Line()
	if err := json.Unmarshal(line, &shown.Document); err != nil {
		w.t.Fatal(err)
	}
	before := slices.IndexFunc(all, func(other ledger.AuditDocument) bool { return other.SHA256 == d.PreviousSHA256 })
	switch {
	case d.Intact() && before >= 0:
		shown.Chain = fmt.Sprintf("intact, after document %d", before+1)
	case d.Intact() && d.PreviousSHA256 == "":
		shown.Chain = "intact, the first"
	}
	shown.Fields = strings.Join(fieldsOf(w.t, line), " ")
	result, _ := shown.Document["result"].(map[string]any)
	for _, field := range []string{"notice_sha256", "plan_record_sha256"} {
		delete(result, field)
	}
	for _, field := range sentences {
		delete(shown.Document, field)
	}
	withoutMessages(shown.Document)
	if proposal := result["approval"]; proposal != nil {
		delete(proposal.(map[string]any), "proposal_sha256")
	}
	return shown
}

// fieldsOf are the names of an object's fields, in their order.
func fieldsOf(t *testing.T, object []byte) (names []string) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(object))
	for depth, isName := 0, false; ; {
		token, err := decoder.Token()
		if err != nil {
			return names
		}
		switch delimiter, ok := token.(json.Delim); {
		case ok && (delimiter == '{' || delimiter == '['):
			depth++
			isName = depth == 1
		case ok:
			depth--
			isName = depth == 1
		case depth == 1 && isName:
			names = append(names, fmt.Sprint(token))
			isName = false
		case depth == 1:
			isName = true
		}
	}
}

// withoutMessages takes the sentences of faults and warnings out of a value.
func withoutMessages(value any) {
	switch value := value.(type) {
	case map[string]any:
		delete(value, "message")
		for _, part := range value {
			withoutMessages(part)
		}
	case []any:
		for _, part := range value {
			withoutMessages(part)
		}
	}
}

// files are those of outbox and audit, with the hashes of tables and changes.
func (w *world) files() map[string]string {
	w.t.Helper()
	found := map[string]string{}
	for _, bucket := range []string{"outbox", "audit"} {
		err := filepath.WalkDir(filepath.Join(w.dir, bucket), func(path string, entry os.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
				return filepath.SkipDir
			case entry.IsDir():
				return nil
			}
			name, err := filepath.Rel(w.dir, path)
			if err != nil {
				return err
			}
			content, err := os.ReadFile(path)
			found[w.named(filepath.ToSlash(name))] = w.content(filepath.ToSlash(name), content)
			return err
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return found
}

// named writes a proposal's hash as PROPOSAL: it is of sentences too.
func (w *world) named(name string) string {
	if !strings.Contains(name, ".proposed-") {
		return name
	}
	return name[:strings.LastIndex(name, "-")] + "-PROPOSAL.txt"
}

// content is the hash of a file, or what kind of file of sentences it is.
func (w *world) content(name string, content []byte) string {
	switch {
	case strings.HasSuffix(name, ".txt"):
		return "a notice"
	case strings.HasPrefix(name, "audit/executions/"):
		return "the line of the completed document: " + fmt.Sprint(w.isLine(content))
	default:
		return short(content)
	}
}

// isLine reports whether a text is the line of a document that the store has.
func (w *world) isLine(content []byte) bool {
	for _, id := range []string{executed, executed + "_undo"} {
		documents, err := w.store.Audit(context.WithoutCancel(w.t.Context()), id, 100)
		w.check(err)
		for _, document := range documents {
			if bytes.Equal(document.Line(), content) {
				return true
			}
		}
	}
	return false
}
