package sqlite

import (
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// TestStatesOfOldChanges reads changes that were stored before their states were whole.
func TestStatesOfOldChanges(t *testing.T) {
	path, old := filepath.Join(t.TempDir(), "state.db"), fstest.MapFS{}
	entries, err := scripts.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() < "011" {
			text, _ := scripts.ReadFile(entry.Name())
			old[entry.Name()] = &fstest.MapFile{Data: text}
		}
	}
	db, err := sqlitedb.Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := sqlitedb.Migrate(t.Context(), db, "ledger", old); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`INSERT INTO execution_records (execution_id, revision, status, created_at, document) VALUES ('plan_old_v1', 1, 'completed', '2026-03-01T12:00:00.000000Z', '{}')`,
		`INSERT INTO changes VALUES
			('plan_old_v1', 0, 2, '2026-03-01T12:00:00.000000Z', 'A', '["op"]', '1.00', NULL, '1,10', NULL, NULL, NULL, 1),
			('plan_old_v1', 0, 3, '2026-03-01T12:00:00.000000Z', 'B', '["op"]', NULL, 0, NULL, 1, 'no', 'yes', 0)`,
		`INSERT INTO indexed VALUES ('plan_old_v1')`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	db.Close()
	store, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	found, err := store.Changes(t.Context(), "plan_old_v1", ledger.Page{})
	want := []ledger.Change{
		{Row: 2, SKU: "A", OperationIDs: []string{"op"}, Before: pricing.State{Price: new("1.00")}, After: pricing.State{Price: new("1,10"), Quoted: true}},
		{Row: 3, SKU: "B", OperationIDs: []string{"op"}, Before: pricing.State{InStock: new(false), Stock: new("no")}, After: pricing.State{InStock: new(true), Stock: new("yes")}},
	}
	if diff := cmp.Diff(want, found.Items); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	if again, err := store.Indexed(t.Context(), "plan_old_v1"); err != nil || again {
		t.Errorf("what was taken from a file is not taken from it again: %v, %v", again, err)
	}
}
