package emulator

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
)

// Several commands use one store at a time, and a server does not beside them.
func TestCommandsShareAStore(t *testing.T) {
	data := t.TempDir()
	db := filepath.Join(data, StateName)
	first, err := Use(t.Context(), db, true)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Use(t.Context(), db, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hold(t.Context(), data, logging.Discard); errs.KindOf(err) != errs.Conflict || !strings.Contains(err.Error(), "a command that ends soon") {
		t.Errorf("a server beside two commands: %v", err)
	}
	if Serving(first.Place) {
		t.Error("two commands are taken for a server")
	}
	first.Close()
	second.Close()
	server, err := hold(t.Context(), data, logging.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if err := writeHolder(server.lock, "http://127.0.0.1:8080"); err != nil {
		t.Fatal(err)
	}
	if _, err := Use(t.Context(), db, true); errs.KindOf(err) != errs.Conflict || !strings.Contains(err.Error(), "The server at http://127.0.0.1:8080 uses") {
		t.Errorf("a command beside a server: %v", err)
	}
}

// What lies beside the file of an earlier build is refused with one sentence.
func TestUseRefusesAnOlderSet(t *testing.T) {
	for _, suffix := range []string{".tree", ".key", ".inputs"} {
		db := filepath.Join(t.TempDir(), "executions.db")
		if err := os.WriteFile(db+suffix, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Use(t.Context(), db, true)
		if errs.KindOf(err) != errs.Invalid || !strings.HasPrefix(errs.Message(err), "executions.db"+suffix+" lies beside executions.db and is of an earlier build") {
			t.Errorf("%s: %v", suffix, err)
		}
		if _, err := os.Stat(db); !os.IsNotExist(err) {
			t.Errorf("%s: something was made: %v", suffix, err)
		}
	}
}

// run has a command carry a plan out over a table.
func run(t *testing.T, c *Command, id, text string) ledger.Upload {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	imported, event, err := c.Import(t.Context(), id+"/p.csv", file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer imported.Close()
	if err := c.Executor(c.Buckets(imported), ledger.Policy{}, nil).Handle(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	return ledger.Upload{Bucket: event.Bucket, Object: event.Object, Generation: event.Generation}
}

// An input is there for a week once its execution has completed, and goes at once where
// nothing was made of it.
func TestInputsAreRemoved(t *testing.T) {
	c, err := Use(t.Context(), filepath.Join(t.TempDir(), "executions.db"), true)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const done, failed = "plan_done_v1", "plan_failed_v1"
	for _, id := range []string{done, failed} {
		p, err := plan.Decode([]byte(`{"execution_id": "` + id + `", "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Increase all prices by 10%.",
			"operations": [{"operation_id": "op_01", "filter": {}, "action": {"type": "percent_increase", "value": 10}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := plans.Save(t.Context(), c.Records, plans.New(p)); err != nil {
			t.Fatal(err)
		}
	}
	uploads := map[string]ledger.Upload{
		done: run(t, c, done, "sku,price\nA,1.00\n"), failed: run(t, c, failed, "sku,price\nA,cheap\n"),
	}
	there := func(id string) bool {
		t.Helper()
		in, _, err := c.Buckets(nil).Inbox.Open(t.Context(), uploads[id].Object, uploads[id].Generation)
		if errs.KindOf(err) == errs.NotFound {
			return false
		} else if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, in)
		in.Close()
		return err == nil
	}
	now := time.Now()
	for _, at := range []struct {
		now          time.Time
		done, failed bool
	}{{now, true, false}, {now.Add(execution.InputsKept - time.Hour), true, false}, {now.Add(execution.InputsKept + time.Hour), false, false}} {
		if err := c.RemoveInputs(t.Context(), at.now); err != nil {
			t.Fatal(err)
		}
		if there(done) != at.done || there(failed) != at.failed {
			t.Errorf("after %v: of the completed one %t, of the failed one %t", at.now.Sub(now), there(done), there(failed))
		}
	}
}
