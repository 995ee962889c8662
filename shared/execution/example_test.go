package execution_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
)

const examplePlan = `{
	"execution_id": "plan_yoga_v1", "created_at": "2026-03-01T12:00:00Z",
	"source_instruction": "Discount all yoga products by 5%.",
	"operations": [{
		"operation_id": "op_01", "filter": {"categories": ["yoga"]},
		"action": {"type": "percent_decrease", "value": 5}
	}]
}`

// An executor is handed an event for each file of the inbox: first for the plan, then for the
// table, which it changes once however often the event comes.
func ExampleExecutor_Handle() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example")
	check(err)
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "state.db"), sqlite.Options{})
	check(err)
	defer store.Close()
	inbox, outbox, audit := exampleFolder(dir, "inbox"), exampleFolder(dir, "outbox"), exampleFolder(dir, "audit")
	x := &execution.Executor{
		Ledger:    store,
		Buckets:   execution.Buckets{Inbox: inbox, Outbox: outbox, Audit: audit},
		Engine:    execution.Pricing{},
		Limits:    execution.DefaultLimits,
		Now:       time.Now,
		NewHolder: rand.Text,
		Log:       logging.Discard,
	}
	exampleDrop(ctx, x, dir, inbox, "plan_yoga_v1/plan.json", examplePlan)
	exampleDrop(ctx, x, dir, inbox, "plan_yoga_v1/products.csv", "sku,category,price,in_stock\nB201,yoga,24.99,true\nC301,mugs,9.99,true\n")

	record, err := store.Execution(ctx, "plan_yoga_v1")
	check(err)
	fmt.Println(record.Status)
	output, err := os.ReadFile(filepath.Join(dir, "outbox", "plan_yoga_v1", "products.csv"))
	check(err)
	fmt.Print(string(output))
	// Output:
	// completed
	// sku,category,price,in_stock
	// B201,yoga,23.74,true
	// C301,mugs,9.99,true
}

func exampleFolder(dir, name string) *folder.Bucket {
	b, err := folder.Open(filepath.Join(dir, name), folder.Options{})
	check(err)
	return b
}

// exampleDrop writes a file into the inbox and hands its event to the executor.
func exampleDrop(ctx context.Context, x *execution.Executor, dir string, inbox *folder.Bucket, name, content string) {
	path := filepath.Join(dir, "inbox", filepath.FromSlash(name))
	check(os.MkdirAll(filepath.Dir(path), 0o755))
	check(os.WriteFile(path, []byte(content), 0o644))
	object, _, err := inbox.Ingest(ctx, name, folder.IngestOptions{})
	check(err)
	check(x.Handle(ctx, execution.Event{
		Bucket: "inbox", Object: name, Generation: object.Generation, Size: object.Size, CreatedAt: time.Now(),
	}))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
