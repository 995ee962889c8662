package firestore_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/pricing"
)

var rewrite = flag.Bool("update", false, "rewrite the golden files")

// TestDocuments reads what is stored with Google's client alone: paths, field
// names and types are what other programs, indexes and Terraform rely on.
func TestDocuments(t *testing.T) {
	project := firestoretest.Project(t)
	store := open(t, project, &wire{})
	const id = "plan_fitness_v1"
	canonical := json.RawMessage(`{"execution_id":"plan_fitness_v1","note":"<&> 1.50"}`)
	must(t, store.CreatePlan(t.Context(), plans.Record{
		ExecutionID: id, Canonical: canonical, SHA256: "aa", Instruction: "Increase.", Categories: []string{"fitness"}, CreatedAt: noon,
		Planner: plans.PlannedBy{Model: "gemini-3.5-flash", PromptSHA256: "bb", Attempts: 1, Agreement: "both"}}))
	c := claimant(id, "holder", 1740830400000001)
	claim, err := ledger.Acquire(t.Context(), store, c)
	must(t, err)
	change := pricing.Change{Row: 2, SKU: "A101", OperationIDs: []string{"op_01"},
		Before: pricing.State{Price: new("29.99"), InStock: new(true)}, After: pricing.State{Price: new("32.99"), InStock: new(true)}}
	changed, err := json.Marshal([]pricing.Change{change})
	must(t, err)
	file := ledger.File{Bucket: "audit", Object: "changes/plan_fitness_v1.jsonl", Size: 140, CRC32C: 4294967295}
	counts := []pricing.OperationCount{{OperationID: "op_01", RowsMatched: 1, RowsChanged: 1}}
	result := ledger.Result{PlanSHA256: "aa", Output: file, Changes: file, Summary: pricing.Counts{RowsTotal: 7, RowsChanged: 1, Operations: counts}}
	result.Changes.SHA256 = "cc"
	must(t, claim.Lease.Seal(t.Context(), ledger.Seal{Result: result, ExecutedAt: noon, Attempt: 1, EngineBuild: "1"}, nil))
	outcome := ledger.AuditDocument{
		ExecutionID: id, SourceInstruction: "Increase.", ExecutedAt: noon, Status: ledger.Completed, OperationsCount: 1, RowsTotal: 7, RowsChanged: 1,
		SKUsChanged: []string{"A101"}, Changes: []pricing.Change{change}, PlanSnapshot: canonical, Explanation: []string{"Fitness costs 10% more."},
		Outcome: ledger.Outcome{Attempt: 1, Upload: ledger.AuditUpload{ID: c.Source.ID(), Source: c.Source}, Result: result}}.Chained("")
	must(t, claim.Lease.Complete(t.Context(), outcome, []changelog.Document{
		{ExecutionID: id, ExecutedAt: noon, Changes: changed}}, nil))

	client, err := firestore.NewClient(t.Context(), project)
	must(t, err)
	defer client.Close()
	stored := map[string]any{}
	for _, path := range []string{"plans/" + id, "executions/" + id,
		"executions/" + id + "/audit/" + c.Source.ID(), "executions/" + id + "/changes/000000"} {
		document, err := client.Doc(path).Get(t.Context())
		must(t, err)
		stored[path] = typed(document.Data())
	}
	golden(t, "documents.json", stored)

	for path, field := range map[string]string{"plans/" + id: "instruction", "executions/" + id: "attempts",
		"executions/" + id + "/audit/" + c.Source.ID(): "rows_total", "executions/" + id + "/changes/000000": "changes"} {
		_, err := client.Doc(path).Update(t.Context(), []firestore.Update{{Path: field, Value: true}})
		must(t, err)
	}
	_, plan := store.Plan(t.Context(), id)
	_, record := store.Execution(t.Context(), id)
	_, audit := store.Audit(t.Context(), id, 0)
	_, unlogged := store.Unlogged(t.Context(), 1)
	_, changes := store.Changes(t.Context(), id, paging.Page{})
	for what, err := range map[string]error{"Plan": plan, "Execution": record, "Audit": audit, "Unlogged": unlogged, "Changes": changes} {
		if errs.KindOf(err) != errs.Internal || !strings.Contains(errs.Message(err), "the database holds something else there") {
			t.Errorf("%s of what somebody damaged: %v", what, err)
		}
	}
}

// typed writes a value such that its type shows.
func typed(value any) any {
	switch value := value.(type) {
	case map[string]any:
		fields := map[string]any{}
		for name, field := range value {
			fields[name] = typed(field)
		}
		return fields
	case []any:
		elements := []any{}
		for _, element := range value {
			elements = append(elements, typed(element))
		}
		return elements
	case time.Time:
		return "timestamp " + value.UTC().Format(time.RFC3339Nano)
	case string, nil:
		return value
	default:
		return fmt.Sprintf("%T %v", value, value)
	}
}

func golden(t *testing.T, name string, value any) {
	t.Helper()
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	must(t, encoder.Encode(value))
	path := filepath.Join("testdata", name)
	if *rewrite {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(path, []byte(text.String()), 0o644))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", path, diff)
	}
}

// TestANewerRecordIsLeftAlone: a program that is older than a record, after a
// rollback or while a newer one is being deployed, does not write it back without
// what it knows nothing of.
func TestANewerRecordIsLeftAlone(t *testing.T) {
	project := firestoretest.Project(t)
	store := open(t, project, &wire{})
	c := claimant("plan_fitness_v1", "holder", 1740830400000001)
	_, err := ledger.Acquire(t.Context(), store, c)
	must(t, err)
	client, err := firestore.NewClient(t.Context(), project)
	must(t, err)
	defer client.Close()
	record := client.Doc("executions/plan_fitness_v1")
	_, err = record.Update(t.Context(), []firestore.Update{{Path: "record_version", Value: 4}, {Path: "newer", Value: "kept"}})
	must(t, err)

	_, acquiring := ledger.Acquire(t.Context(), store, c)
	_, listing := store.Executions(t.Context(), "", paging.Page{})
	for _, err := range []error{acquiring, listing} {
		if errs.KindOf(err) != errs.Unavailable || !strings.Contains(err.Error(), "record version 4, known here: 3") {
			t.Errorf("got %v, want Unavailable", err)
		}
	}
	after, err := record.Get(t.Context())
	must(t, err)
	if after.Data()["newer"] != "kept" {
		t.Errorf("the record is %v", after.Data())
	}
}
