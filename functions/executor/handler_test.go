package executor

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	cloudevents "github.com/cloudevents/sdk-go/v2"

	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/web"
)

const (
	id       = "plan_fitness_v1"
	products = "sku,category,price,in_stock\nA101,fitness,29.99,true\n"
	plan     = `{"execution_id":"plan_fitness_v1","created_at":"2026-03-01T10:00:00Z","source_instruction":"Increase fitness prices by 10%.",
		"operations":[{"operation_id":"op_01","filter":{"categories":["fitness"]},"action":{"type":"percent_increase","value":10}}]}`
)

// world is an executor behind HTTP, over a real ledger and real folders.
type world struct {
	t        testing.TB
	executor *execution.Executor
	url      string
	store    *sqlite.Store
	dir      string
	inbox    *folder.Bucket
}

func start(t testing.TB) *world {
	t.Helper()
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "state.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	open := func(name string) *folder.Bucket {
		b, err := folder.Open(filepath.Join(dir, name), folder.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
	inbox := open("inbox")
	x := execution.New(store, execution.Buckets{Inbox: inbox, Outbox: open("outbox"), Audit: open("audit")}, execution.Config{}, logging.Discard)
	router := web.NewRouter()
	router.Handle("POST /executor", NewHandler(x))
	server := httptest.NewServer(web.Service{Name: "executor"}.Serve(router))
	t.Cleanup(server.Close)
	return &world{t: t, executor: x, url: server.URL + "/executor", store: store, dir: dir, inbox: inbox}
}

// drop puts a file into the inbox and returns the data of its event.
func (w *world) drop(name, content string) string {
	w.t.Helper()
	path := filepath.Join(w.dir, "inbox", filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		w.t.Fatal(err)
	}
	object, _, err := w.inbox.Ingest(w.t.Context(), name, folder.IngestOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	data, err := json.Marshal(map[string]any{
		"kind": "storage#object", "bucket": "inbox", "name": name, "etag": "a field that came later",
		"generation": strconv.FormatInt(object.Generation, 10), "size": strconv.FormatInt(object.Size, 10),
		"timeCreated": time.Now().UTC().Format(time.RFC3339Nano),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

func binary(data string) *http.Request {
	r, _ := http.NewRequest(http.MethodPost, "", strings.NewReader(data))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Ce-Id", "1")
	r.Header.Set("Ce-Source", "//storage.googleapis.com/projects/_/buckets/inbox")
	r.Header.Set("Ce-Specversion", "1.0")
	r.Header.Set("Ce-Type", finalizedType)
	return r
}

func structured(data string) *http.Request {
	body := `{"specversion":"1.0","id":"1","source":"//storage.googleapis.com/projects/_/buckets/inbox","type":"` + finalizedType + `","datacontenttype":"application/json","data":` + data + `}`
	r, _ := http.NewRequest(http.MethodPost, "", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/cloudevents+json")
	return r
}

// notified is the event that the functions framework makes of a notification
// of Cloud Storage.
func notified(data string) *http.Request { return notification("OBJECT_FINALIZE", data) }

func notification(eventType, data string) *http.Request {
	body, _ := json.Marshal(map[string]any{"message": map[string]any{
		"messageId": "1", "attributes": map[string]string{"eventType": eventType}, "data": []byte(data),
	}})
	r := binary(string(body))
	r.Header.Set("Ce-Type", Published)
	return r
}

// post sends the request and returns the status.
func (w *world) post(r *http.Request) int {
	w.t.Helper()
	target, err := http.NewRequestWithContext(w.t.Context(), r.Method, w.url, r.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	target.Header = r.Header
	response, err := http.DefaultClient.Do(target)
	if err != nil {
		w.t.Error(err)
		return 0
	}
	response.Body.Close()
	return response.StatusCode
}

func TestTakesEachFormOfAnEvent(t *testing.T) {
	for name, form := range map[string]func(string) *http.Request{"binary": binary, "structured": structured, "notification": notified} {
		t.Run(name, func(t *testing.T) {
			w := start(t)
			if status := w.post(form(w.drop(id+"/plan.json", plan))); status != http.StatusNoContent {
				t.Fatalf("the plan: %d", status)
			}
			if status := w.post(form(w.drop(id+"/p.csv", products))); status != http.StatusNoContent {
				t.Fatalf("the table: %d", status)
			}
			w.completedOnce()
		})
	}
}

func (w *world) completedOnce() {
	w.t.Helper()
	outcomes, err := w.store.Audit(w.t.Context(), id, 100)
	if err != nil || len(outcomes) != 1 || outcomes[0].Status != ledger.Completed {
		w.t.Errorf("outcomes = %+v, %v; want one completed", outcomes, err)
	}
}

func TestCopiesOfOneEventAtOnceChangeNothingTwice(t *testing.T) {
	w := start(t)
	w.post(binary(w.drop(id+"/plan.json", plan)))
	data := w.drop(id+"/p.csv", products)
	var wait sync.WaitGroup
	for range 10 {
		wait.Go(func() {
			for status := 0; status != http.StatusNoContent; {
				if status = w.post(binary(data)); status != http.StatusNoContent && status != http.StatusServiceUnavailable {
					t.Errorf("status = %d, want 204 or 503", status)
					return
				}
			}
		})
	}
	wait.Wait()
	w.completedOnce()
}

func TestRefusesWhatIsNoEventOfTheInbox(t *testing.T) {
	object := func(edit func(map[string]any)) string {
		data := map[string]any{"bucket": "inbox", "name": id + "/p.csv", "generation": "7", "size": "1", "timeCreated": "2026-03-01T10:00:00Z"}
		edit(data)
		text, _ := json.Marshal(data)
		return string(text)
	}
	headers := func(key, value string) *http.Request {
		r := binary(object(func(map[string]any) {}))
		r.Header.Set(key, value)
		return r
	}
	tests := []struct {
		name    string
		request *http.Request
		want    int
	}{
		{"no CloudEvent", headers("Ce-Specversion", ""), http.StatusBadRequest},
		{"unknown version", headers("Ce-Specversion", "9.9"), http.StatusBadRequest},
		{"other media type", headers("Content-Type", "text/plain"), http.StatusUnsupportedMediaType},
		{"other type", headers("Ce-Type", "google.cloud.storage.object.v1.deleted"), http.StatusUnprocessableEntity},
		{"other bucket", binary(object(func(o map[string]any) { o["bucket"] = "other" })), http.StatusUnprocessableEntity},
		{"no name", binary(object(func(o map[string]any) { delete(o, "name") })), http.StatusUnprocessableEntity},
		{"no generation", binary(object(func(o map[string]any) { delete(o, "generation") })), http.StatusUnprocessableEntity},
		{"generation as a number", binary(object(func(o map[string]any) { o["generation"] = 7 })), http.StatusUnprocessableEntity},
		{"negative generation", binary(object(func(o map[string]any) { o["generation"] = "-7" })), http.StatusUnprocessableEntity},
		{"data of another shape", binary(`["inbox"]`), http.StatusUnprocessableEntity},
		{"notification of a deletion", notification("OBJECT_DELETE", object(func(map[string]any) {})), http.StatusUnprocessableEntity},
		{"notification without an object", notified(""), http.StatusUnprocessableEntity},
		{"notification about another bucket", notified(object(func(o map[string]any) { o["bucket"] = "other" })), http.StatusUnprocessableEntity},
		{"broken structured body", structured(`{"bucket":`), http.StatusBadRequest},
		{"too large", binary(`"` + strings.Repeat("a", maxEventBytes) + `"`), http.StatusRequestEntityTooLarge},
	}
	w := start(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := w.post(test.request); got != test.want {
				t.Errorf("status = %d, want %d", got, test.want)
			}
		})
	}
}

func TestAsksForAnotherDelivery(t *testing.T) {
	w := start(t)
	data := w.drop(id+"/p.csv", products) // its plan is not there yet
	if status := w.post(binary(data)); status != http.StatusServiceUnavailable {
		t.Errorf("status = %d, want 503", status)
	}
}

// The deployed function acknowledges what is not for it and asks for another
// delivery of what failed, without a back end's text.
func TestDeployedAcknowledges(t *testing.T) {
	w := start(t)
	waiting := w.drop(id+"/p.csv", products) // its plan is not there yet
	broken := *w.executor
	broken.Ledger = secretLedger{w.executor.Ledger}
	tests := []struct {
		name     string
		executor *execution.Executor
		data     string
		want     bool // acknowledged
	}{
		{"of another bucket", w.executor, strings.Replace(waiting, `"inbox"`, `"other"`, 1), true},
		{"no event of the inbox", w.executor, "{}", true},
		{"not yet", w.executor, waiting, false},
		{"a back end that fails", &broken, waiting, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			event := cloudevents.NewEvent()
			event.SetType(finalizedType)
			if err := event.SetData(cloudevents.ApplicationJSON, json.RawMessage(test.data)); err != nil {
				t.Fatal(err)
			}
			got := handle(t.Context(), test.executor, event, logging.Discard)
			if (got == nil) != test.want {
				t.Errorf("handle = %v", got)
			}
			if got != nil && strings.Contains(got.Error(), "secret") {
				t.Errorf("%v tells a back end's text", got)
			}
		})
	}
}

// secretLedger fails with a text that is not for others.
type secretLedger struct{ ledger.Store }

func (secretLedger) CreateExecution(context.Context, ledger.Execution) (ledger.Execution, error) {
	return ledger.Execution{}, errors.New("rpc error: secret host")
}
