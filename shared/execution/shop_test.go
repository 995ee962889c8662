package execution_test

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/sqlitedb"
)

const (
	id = "plan_fitness_v1"

	planJSON = `{
		"execution_id": "plan_fitness_v1",
		"created_at": "2026-03-01T10:00:00Z",
		"source_instruction": "Increase prices by 10% for all in-stock fitness products.",
		"operations": [{
			"operation_id": "op_01",
			"filter": {"categories": ["fitness"], "in_stock": true},
			"action": {"type": "percent_increase", "value": 10}
		}]
	}`

	products = "sku,category,price,in_stock\nA101,fitness,29.99,true\nA102,fitness,39.99,true\nA103,fitness,49.99,false\nB201,yoga,19.99,false\n"
	updated  = "sku,category,price,in_stock\nA101,fitness,32.99,true\nA102,fitness,43.99,true\nA103,fitness,49.99,false\nB201,yoga,19.99,false\n"
	broken   = "sku,category,price,in_stock\nA101,fitness,cheap,true\n"
)

// clock is a clock that stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// shop is an executor over a real ledger and real folders.
type shop struct {
	*execution.Executor
	t      *testing.T
	clock  *clock
	dir    string
	store  ledger.Store
	inbox  *folder.Bucket
	outbox *folder.Bucket
	audit  *folder.Bucket
}

func open(t *testing.T) *shop {
	t.Helper()
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return openOn(t, store, dir)
}

// onEachStore runs a test over SQLite and over Google's Firestore emulator, each time with
// what opens an empty shop.
func onEachStore(t *testing.T, test func(t *testing.T, open func(*testing.T) *shop)) {
	t.Run("SQLite", func(t *testing.T) { test(t, open) })
	t.Run("Firestore", func(t *testing.T) {
		firestoretest.Project(t) // or there is no emulator, which is said here
		test(t, func(t *testing.T) *shop {
			t.Helper()
			store, err := firestore.Open(t.Context(), firestoretest.Project(t), "")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { store.Close() })
			return openOn(t, store, t.TempDir())
		})
	})
}

func openOn(t *testing.T, store ledger.Store, dir string) *shop {
	t.Helper()
	s := &shop{
		t: t, dir: dir, store: store,
		clock: &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)},
	}
	for name, b := range map[string]**folder.Bucket{"inbox": &s.inbox, "outbox": &s.outbox, "audit": &s.audit} {
		*b = openFolder(t, dir, name, s.clock)
	}
	s.Executor = s.executor()
	return s
}

func openFolder(t *testing.T, dir, name string, at *clock) *folder.Bucket {
	t.Helper()
	b, err := folder.Open(filepath.Join(dir, name), folder.Options{NoSync: true, Now: at.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// executor is another worker of the same shop.
func (s *shop) executor() *execution.Executor {
	return &execution.Executor{
		Ledger: s.store, Buckets: execution.Buckets{Inbox: s.inbox, Outbox: s.outbox, Audit: s.audit},
		Engine:    execution.Pricing{},
		Limits:    execution.DefaultLimits,
		Now:       s.clock.Now,
		NewHolder: rand.Text,
		Log:       logging.Discard,
	}
}

// drop puts a file into the inbox and returns the event of it.
func (s *shop) drop(name, content string) execution.Event {
	s.t.Helper()
	path := filepath.Join(s.dir, "inbox", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
	object, _, err := s.inbox.Ingest(s.t.Context(), name, folder.IngestOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	return execution.Event{
		Bucket: "inbox", Object: name, Generation: object.Generation, Size: object.Size, CreatedAt: s.clock.Now(),
	}
}

func (s *shop) storePlan() {
	s.t.Helper()
	if err := s.Handle(s.t.Context(), s.drop(id+"/plan.json", planJSON)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) handle(event execution.Event) {
	s.t.Helper()
	if err := s.Handle(s.t.Context(), event); err != nil {
		s.t.Fatalf("not acknowledged: %v", err)
	}
}

// files returns the visible files of a bucket with their content.
func (s *shop) files(name string) map[string]string {
	s.t.Helper()
	found := map[string]string{}
	root := filepath.Join(s.dir, name)
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case entry.IsDir():
			return nil
		}
		content, err := os.ReadFile(path)
		relative, _ := filepath.Rel(root, path)
		found[filepath.ToSlash(relative)] = string(content)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

func (s *shop) record() ledger.Execution {
	s.t.Helper()
	record, err := s.store.Execution(s.t.Context(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	return record
}

// undoPlan is a plan of that id that undoes what was done.
func (s *shop) undoPlan(undoID string) *plan.Plan {
	s.t.Helper()
	done := &plan.Plan{ExecutionID: id, SourceInstruction: "Change it."}
	return plans.Undo(done, undoID, s.record().Seal.Changes.SHA256, s.clock.Now())
}

// history returns the audit documents, newest first.
func (s *shop) history() []ledger.AuditDocument {
	s.t.Helper()
	documents, err := s.store.Audit(s.t.Context(), id, 100)
	if err != nil {
		s.t.Fatal(err)
	}
	return documents
}

// completed asserts all that a completed execution promises.
func (s *shop) completed() ledger.AuditDocument {
	s.t.Helper()
	return s.completedWith(updated)
}

// completedWith is completed, with another output.
func (s *shop) completedWith(output string) ledger.AuditDocument {
	s.t.Helper()
	record := s.record()
	if record.Status != ledger.Completed {
		s.t.Fatalf("status = %s, want completed", record.Status)
	}
	if diff := cmp.Diff(output, s.files("outbox")[id+"/p.csv"]); diff != "" {
		s.t.Errorf("output (-want +got):\n%s", diff)
	}
	line := s.files("audit")["executions/"+id+".jsonl"]
	var document ledger.AuditDocument
	for _, d := range s.history() {
		if d.Status == ledger.Completed {
			document = d
		}
	}
	if diff := cmp.Diff(line, string(document.Line())); diff != "" || !document.Intact() {
		s.t.Errorf("audit file and document differ (-file +document):\n%s", diff)
	}
	if document.SHA256 != record.AuditHead {
		s.t.Errorf("the head of the chain is not the completed document")
	}
	changes, err := s.store.Changes(s.t.Context(), id, paging.Page{})
	if err != nil {
		s.t.Fatal(err)
	}
	if diff := cmp.Diff(document.Changes, changes.Items); diff != "" {
		s.t.Errorf("change documents (-audit +stored):\n%s", diff)
	}
	return document
}

// put writes a file past all ports.
func (s *shop) put(name, content string) {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		s.t.Fatal(err)
	}
}
