package planner_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/web"
)

const (
	raise    = "Increase prices by 10% for all in-stock fitness products."
	products = "sku,category,price,in_stock\nA101,fitness,29.99,true\nA102,fitness,39.99,true\nA103,fitness,49.99,false\nB201,yoga,19.99,false\n"
)

// shop is the planner over a real ledger, with a planner that knows one plan.
type shop struct {
	*httptest.Server
	store   *sqlite.Store
	planner *scripted
	clock   atomic.Int64 // seconds
}

// scripted makes the same operations of any instruction, or fails.
type scripted struct {
	mu    sync.Mutex
	err   error
	asked []planning.Request
	more  []plan.Operation // after the one that it always plans
	wait  func()           // before it answers
}

func (s *scripted) Plan(_ context.Context, r planning.Request) (planning.Planned, error) {
	s.mu.Lock()
	s.asked = append(s.asked, r)
	err, wait := s.err, s.wait
	s.mu.Unlock()
	if wait != nil {
		wait()
	}
	if err != nil {
		return planning.Planned{}, err
	}
	inStock := true
	made := &plan.Plan{
		ExecutionID: r.ExecutionID, CreatedAt: r.CreatedAt.UTC().Format(time.RFC3339), SourceInstruction: r.Instruction,
		Operations: append([]plan.Operation{{
			OperationID: "op_01", Filter: plan.Filter{Categories: []string{"fitness"}, InStock: &inStock},
			Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
		}}, s.more...),
	}
	return planning.Planned{Plan: made, Planner: plans.PlannedBy{Model: "scripted", PromptSHA256: "abc", Attempts: 2, Agreement: "both"}}, nil
}

func open(t testing.TB) *shop {
	t.Helper()
	store, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s := &shop{store: store, planner: &scripted{}}
	s.clock.Store(1_767_322_800) // 2026-01-02T03:00:00Z
	handler := planner.NewHandler(planner.Dependencies{Store: store, Planner: s.planner, InboxBucket: "shop-inbox", Now: s.now})
	s.Server = httptest.NewServer(web.Service{NewID: func() string { return "r1" }}.Serve(handler))
	t.Cleanup(s.Close)
	return s
}

// now is a clock that ticks a second each time it is read.
func (s *shop) now() time.Time { return time.Unix(s.clock.Add(1), 0).UTC() }

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// field returns a value of the answer by a path such as "plan.execution_id".
func (a answer) field(t *testing.T, path string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(a.body), &value); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
	for _, name := range strings.Split(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			t.Fatalf("no %s in %s", path, a.body)
		}
		value = object[name]
	}
	return value
}

func (s *shop) call(t *testing.T, method, path, body string) answer {
	t.Helper()
	contentType := "application/json"
	if strings.Contains(path, ":preview") || strings.HasPrefix(path, "/v1/tables?") {
		contentType = "text/csv"
	}
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", contentType)
	got := answerOf(t, request)
	described := describe(t)
	described.check(t, method, described.route(t, path), got)
	return got
}

// answerOf sends a request.
func answerOf(t *testing.T, request *http.Request) answer {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(data)}
}

// plan orders a plan and returns its execution id.
func (s *shop) plan(t *testing.T, instruction string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"instruction": instruction})
	if err != nil {
		t.Fatal(err)
	}
	got := s.call(t, "POST", "/v1/plans", string(body))
	if got.status != 201 && got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	return got.field(t, "plan.execution_id").(string)
}

// execute carries a plan out over a table, as the executor does.
func (s *shop) execute(t *testing.T, executionID, table string) {
	t.Helper()
	s.executeObject(t, executionID+"/products.csv", table, nil)
}

// executeObject does it with an object of that name and metadata.
func (s *shop) executeObject(t *testing.T, name, table string, metadata map[string]string) {
	t.Helper()
	bucket := func(name string) *folder.Bucket {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		opened, err := folder.Open(dir, folder.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		return opened
	}
	inbox := bucket("inbox")
	upload, err := inbox.Create(t.Context(), name, createOptions)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(upload, bytes.NewBufferString(table)); err != nil {
		t.Fatal(err)
	}
	object, err := upload.Commit()
	if err != nil {
		t.Fatal(err)
	}
	x := &execution.Executor{
		Ledger: s.store, Buckets: execution.Buckets{Inbox: inbox, Outbox: bucket("outbox"), Audit: bucket("audit")}, Engine: execution.Pricing{},
		Limits: execution.DefaultLimits, Now: s.now, NewHolder: rand.Text, Log: logging.Discard,
	}
	event := execution.Event{Bucket: object.Bucket, Object: object.Name, Generation: object.Generation, Size: object.Size, Metadata: metadata, CreatedAt: s.now()}
	if err := x.Handle(t.Context(), event); err != nil && !errs.Retryable(err) {
		t.Fatal(err)
	}
}
