package sweeper

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/web"
)

const (
	id       = "plan_swept_v1"
	planJSON = `{"execution_id": "plan_swept_v1", "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Set every price to 5.",
		"operations": [{"operation_id": "op_01", "filter": {}, "action": {"type": "set_price", "value": 5}}]}`
)

// shop is an executor whose events never come, and the sweeper over it.
type shop struct {
	Dependencies
	t      *testing.T
	dir    string
	listed ledger.InboxRound
	store  *sqlite.Store
	inbox  *folder.Bucket
}

func open(t *testing.T) *shop {
	t.Helper()
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "state.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	box := func(name string) *folder.Bucket {
		b, err := folder.Open(filepath.Join(dir, name), folder.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
	s := &shop{t: t, dir: dir, store: store, inbox: box("inbox")}
	x := execution.New(store, execution.Buckets{Inbox: s.inbox, Outbox: box("outbox"), Audit: box("audit")}, execution.Config{}, logging.Discard)
	s.Dependencies = Dependencies{Executor: x, Inbox: s.inbox.List, Round: s.round, SetRound: s.setRound}
	return s
}

func (s *shop) round(context.Context) (ledger.InboxRound, error) { return s.listed, nil }

func (s *shop) setRound(_ context.Context, round ledger.InboxRound) error {
	s.listed = round
	return nil
}

func (s *shop) drop(name, content string) {
	s.t.Helper()
	path := filepath.Join(s.dir, "inbox", name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		s.t.Fatal(err)
	}
	if _, _, err := s.inbox.Ingest(s.t.Context(), name, folder.IngestOptions{}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) call(path string, status int, want string) {
	s.t.Helper()
	recorder := httptest.NewRecorder()
	web.Service{Name: "sweeper", Log: logging.Discard}.Serve(NewHandler(s.Dependencies)).ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, path, nil))
	if got := recorder.Body.String(); recorder.Code != status || !strings.Contains(got, want) {
		s.t.Errorf("%s: %d %s, want %d and %s", path, recorder.Code, got, status, want)
	}
}

// TestATableWithoutAnEventHasItsOutcome is the executor's trigger switched off:
// the hourly call finds the table, the next minutes' do what is due.
func TestATableWithoutAnEventHasItsOutcome(t *testing.T) {
	s := open(t)
	signed := 0
	s.Sign = func(context.Context) error { signed++; return errors.New("not now") } // which fails no sweep
	s.drop(id+"/p.csv", "sku,category,price,in_stock\nA1,x,9.00,true\n")
	s.call("/inbox", http.StatusOK, `{"failed":1}`) // it waits for its plan
	s.call("/due", http.StatusOK, `{"failed":1}`)
	s.drop(id+"/plan.json", planJSON)
	s.call("/inbox", http.StatusOK, `{"failed":0}`)
	s.call("/due", http.StatusOK, `{"failed":0}`)
	record, err := s.store.Execution(t.Context(), id)
	if err != nil || record.Status != ledger.Completed || signed != 4 {
		t.Errorf("the record: %+v, %v; signed %d times", record, err, signed)
	}
	if output, err := os.ReadFile(filepath.Join(s.dir, "outbox", id, "p.csv")); err != nil || !strings.Contains(string(output), "A1,x,5.00,true") {
		t.Errorf("the output: %q, %v", output, err)
	}
}

func TestASweepThatCannotReadSaysSo(t *testing.T) {
	s := open(t)
	s.store.Close()
	s.call("/due", http.StatusServiceUnavailable, "unavailable")
	s.Round = func(context.Context) (ledger.InboxRound, error) { return ledger.InboxRound{}, errors.New("no answer") }
	s.call("/inbox", http.StatusServiceUnavailable, "unavailable")
}

func TestASweepWithLittleTimeBeginsNothing(t *testing.T) {
	s := open(t)
	s.drop(id+"/p.csv", "sku,category,price,in_stock\nA1,x,9.00,true\n")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if failed, err := s.Executor.SweepInbox(ctx, s.inbox.List); failed != 0 || err != nil {
		t.Errorf("%d, %v", failed, err)
	}
	if _, err := s.store.Execution(t.Context(), id); err == nil {
		t.Error("it was begun")
	}
}
