package emulator

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/plan"
)

// Every plan that is stored wakes the tables that wait for one; a plan that is
// refused wakes none.
func TestAStoredPlanIsAnnounced(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), StateName), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "example_plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	stored := 0
	records := &observed{Store: store, stored: func() { stored++ }}
	record := plans.Record{ExecutionID: p.ExecutionID, Canonical: p.Canonical(), SHA256: p.SHA256()}
	if err := records.CreatePlan(t.Context(), record); err != nil || stored != 1 {
		t.Errorf("the first: %v, told %d times", err, stored)
	}
	if err := records.CreatePlan(t.Context(), record); errs.KindOf(err) != errs.Conflict || stored != 1 {
		t.Errorf("the second: %v, told %d times in all", err, stored)
	}
}
