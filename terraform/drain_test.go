package terraform_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/logging"
)

// An older engine, and a ledger whose worker is lost once a seal is stored.
type (
	older      struct{ execution.Pricing }
	lostSealed struct {
		ledger.Store
		lose func()
	}
)

func (older) Build() string { return "older" }

func (l lostSealed) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	record, err := l.Store.UpdateExecution(ctx, next, with)
	if next.Seal != nil {
		l.lose()
	}
	return record, err
}

// TestDrain deploys another engine while an execution is sealed by the older one
// and not finished: what Terraform runs before waits until the older engine has
// finished it, gives up after its patience, and does not take a Firestore that
// does not answer for one in which nothing waits.
func TestDrain(t *testing.T) {
	if testing.Short() {
		t.Skip("starts gcloud")
	}
	if _, err := exec.LookPath("gcloud"); err != nil {
		t.Skip("SKIPPED, NOT TESTED WITH GCLOUD: it is not installed")
	}
	project := firestoretest.Project(t)
	store, err := firestore.Open(t.Context(), project, "shop-pricing")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	now := time.Now()
	dir := t.TempDir()
	x := drained(t, store, dir, func() time.Time { return now })
	run := func(deployed string, variables ...string) *exec.Cmd {
		command := exec.CommandContext(t.Context(), "./drain")
		command.Env = append(withToken(t), append([]string{"PROJECT=" + project, "DATABASE=shop-pricing", "ENGINE=" + deployed, "PATIENCE=0"}, variables...)...)
		return command
	}
	if output, err := run("newer").CombinedOutput(); err != nil {
		t.Fatalf("nothing is sealed: %v\n%s", err, output)
	}

	event := execution.Event{Bucket: "inbox", Object: drainedID + "/p.csv", CreatedAt: now}
	event.Generation = ingest(t, x, dir, event.Object, "sku,category,price,in_stock\nA101,fitness,29.99,true\n")
	losing, lose := context.WithCancel(t.Context())
	x.Ledger = lostSealed{store, lose}
	if err := x.Handle(losing, event); err == nil {
		t.Fatal("the worker was not lost")
	}
	if output, err := run("newer").CombinedOutput(); err == nil || !strings.Contains(string(output), drainedID+" of build older") {
		t.Errorf("it does not wait for the older engine: %v\n%s", err, output)
	}
	if output, err := run("older").CombinedOutput(); err != nil {
		t.Errorf("it waits for the engine that it deploys: %v\n%s", err, output)
	}
	if output, err := run("newer", "FIRESTORE_EMULATOR_HOST=127.0.0.1:1").CombinedOutput(); err == nil {
		t.Errorf("without an answer it deploys: %s", output)
	}

	waiting := run("newer", "PATIENCE=600")
	said, err := waiting.StdoutPipe()
	if err := errors.Join(err, waiting.Start()); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(said).ReadString('\n'); err != nil || !strings.Contains(line, drainedID) {
		t.Errorf("it waits for %q, %v", line, err)
	}
	now = now.Add(time.Hour) // the lease of the lost worker is over
	x.Ledger = store
	if err := x.Handle(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if err := waiting.Wait(); err != nil {
		t.Errorf("the older engine has finished it, and it ended with %v", err)
	}
}

const drainedID = "plan_drained_v1"

// drained is an executor of the older engine, which has a plan.
func drained(t *testing.T, store *firestore.Store, dir string, now func() time.Time) *execution.Executor {
	t.Helper()
	box := func(name string) *folder.Bucket {
		b, err := folder.Open(filepath.Join(dir, name), folder.Options{NoSync: true, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
	x := &execution.Executor{
		Ledger: store, Buckets: execution.Buckets{Inbox: box("inbox"), Outbox: box("outbox"), Audit: box("audit")}, Engine: older{},
		Limits: execution.DefaultLimits, Now: now, NewHolder: func() string { return now().String() }, Log: logging.Discard,
	}
	event := execution.Event{Bucket: "inbox", Object: drainedID + "/plan.json", CreatedAt: now()}
	event.Generation = ingest(t, x, dir, event.Object, `{"execution_id":"`+drainedID+`","created_at":"2026-03-01T10:00:00Z","source_instruction":"Increase fitness prices by 10%.",
		"operations":[{"operation_id":"op_01","filter":{"categories":["fitness"]},"action":{"type":"percent_increase","value":10}}]}`)
	if err := x.Handle(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	return x
}

func ingest(t *testing.T, x *execution.Executor, dir, name, content string) int64 {
	t.Helper()
	file := filepath.Join(dir, "inbox", name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
	object, _, err := x.Inbox.(*folder.Bucket).Ingest(t.Context(), name, folder.IngestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return object.Generation
}

// withToken is an environment in which gcloud has a token and a configuration
// of its own. Owner is what Firestore's emulator takes for one.
func withToken(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "token"), []byte("owner"), 0o600); err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), "CLOUDSDK_CONFIG="+filepath.Join(dir, "config"), "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE="+filepath.Join(dir, "token"), "CLOUDSDK_CORE_DISABLE_PROMPTS=1")
}
