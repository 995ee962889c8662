package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

// TestAnInputThatChangedAfterTheSeal kills an apply after its seal and changes its input.
// The next run finishes what was sealed, from the input in the store.
func TestAnInputThatChangedAfterTheSeal(t *testing.T) {
	t.Parallel()
	table := goodTable
	d := newDesk(t, goodPlan, table)
	first := program(t.Context(), t, d.args()...)
	first.Env = append(first.Env, endsAt+"=kill sealed")
	if out, err := first.CombinedOutput(); !killedBySignal(err) || d.record().Seal == nil {
		t.Fatalf("it was not killed behind its seal: %v\n%s", err, out)
	}
	if err := os.RemoveAll(d.path("executions.db.d/outbox/plan_fitness_v1")); err != nil {
		t.Fatal(err)
	}
	write(t, d.path("in.csv"), "sku,category,price,in_stock\n")
	d.expect(exitDone, "is not written, for "+d.path("in.csv")+" is not the table that was read then: what the plan made is "+d.path("executions.db.d/outbox/plan_fitness_v1/in.csv"))
	if got := read(t, d.path("out.csv")); got != "" {
		t.Errorf("an output of %d bytes for another table", len(got))
	}
	write(t, d.path("in.csv"), table)
	d.expect(exitDone, "was missing: it is what the plan made then, copied from the store")
	if got, want := read(t, d.path("out.csv")), strings.ReplaceAll(table, "29.99", "32.99"); got != want {
		t.Errorf("output of %d bytes, want %d", len(got), len(want))
	}
	if code, stdout, stderr := cli(t, "verify", "--all", "--db", d.path("executions.db")); code != exitDone {
		t.Errorf("verify --all: %s%s", stdout, stderr)
	}
}

// TestALeaseOfTheFuture applies a plan whose record was last leased when the
// clock was a day ahead.
func TestALeaseOfTheFuture(t *testing.T) {
	t.Parallel()
	d := newDesk(t, goodPlan, goodTable)
	store, err := sqlite.Open(t.Context(), d.path("executions.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	tomorrow := time.Now().Add(24 * time.Hour)
	claim, err := ledger.Acquire(t.Context(), store, ledger.ClaimRequest{
		ExecutionID: "plan_fitness_v1", Holder: "gone", Now: tomorrow, LeaseUntil: tomorrow.Add(15 * time.Second),
		Source: ledger.Source{Upload: ledger.Upload{Bucket: "input", Object: d.path("in.csv"), Generation: 1}, UploadedAt: tomorrow},
	})
	if err != nil || claim.Decision != ledger.Granted {
		t.Fatalf("%+v, %v", claim, err)
	}
	begun := time.Now()
	d.expect(exitDone, "completed")
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}
