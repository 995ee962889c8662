package ledgertest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger"
	rules "github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// What can be sealed can be completed: the largest outcome and the largest
// change document that the rules allow are stored, in one commit.
var largestTests = []test{
	{"the largest settlement is stored", largestSettlement},
}

// longSKU is as long as the engine lets a SKU be, in text that takes as many
// bytes in a document as it does in JSON.
func longSKU(i int) string { return fmt.Sprintf("%04d", i) + strings.Repeat("é", 254) }

// largestLines are changes of long SKUs, each with as many operation ids as
// make bytes.
func largestLines(t *testing.T, count, bytes int) []ledger.Line {
	t.Helper()
	lines := make([]ledger.Line, count)
	for i := range lines {
		c := ledger.Change{Row: int64(i + 2), SKU: longSKU(i), OperationIDs: []string{},
			Before: pricing.State{Price: "999999999999999999.999999999"}, After: pricing.State{Price: "999999999999999999.999999"}}
		for lineBytes(t, c) < bytes {
			c.OperationIDs = append(c.OperationIDs, fmt.Sprintf("operation_%022d", len(c.OperationIDs)))
		}
		lines[i] = ledger.Line{Change: c, Bytes: lineBytes(t, c)}
	}
	return lines
}

func lineBytes(t *testing.T, c ledger.Change) int {
	t.Helper()
	text, err := json.Marshal(c)
	must(t, err)
	return len(text)
}

func largestSettlement(t *testing.T, store ledger.Store) {
	var documents []ledger.ChangeDocument
	for document, err := range ledger.Documents(executionID, noon, sequenceOf(largestLines(t, ledger.MaxDocumentChanges, ledger.MaxDocumentBytes/ledger.MaxDocumentChanges-40))) {
		must(t, err)
		documents = append(documents, document)
	}
	if len(documents) != 1 || len(documents[0].SKUs) != ledger.MaxDocumentChanges {
		t.Fatalf("%d documents; the first has %d SKUs", len(documents), len(documents[0].SKUs))
	}
	var listing ledger.Listing
	for _, line := range largestLines(t, ledger.MaxAuditChanges, 0) {
		listing.Add(line)
	}
	with := largestOutcome(listing)
	next := create(t, store, record(executionID))
	next.Status = ledger.Completed
	next.Seal.Explanation = with.Explanation
	stored := update(t, store, next, ledger.Settlement{Outcome: &with, Changes: documents})
	found, err := store.Look(t.Context(), executionID, source(1).ID())
	must(t, err)
	equal(t, "record and outcome", ledger.Snapshot{Execution: &stored, Outcome: &with}, found)
	changes, err := store.Changes(t.Context(), executionID, ledger.Page{Size: ledger.MaxPageSize})
	must(t, err)
	equal(t, "the changes", documents[0].Changes, changes.Changes)
}

func largestOutcome(listing ledger.Listing) ledger.AuditDocument {
	document := outcome(executionID, 1, ledger.Completed, noon)
	document.SourceInstruction = strings.Repeat("😀", rules.MaxInstructionLength)
	document.SKUsChanged, document.Changes, document.ChangesTruncated = listing.SKUs, listing.Changes, listing.Truncated
	document.PlanSnapshot = []byte(`"` + strings.Repeat("x", rules.MaxCanonicalBytes-2) + `"`)
	document.Explanation = []string{strings.Repeat("x", ledger.MaxExplanationBytes+200)}
	document.Operations, document.Warnings = nil, nil
	for i := range rules.MaxOperations {
		id := fmt.Sprintf("operation_%022d", i)
		document.Operations = append(document.Operations, ledger.OperationCount{OperationID: id, RowsMatched: 1 << 50})
		document.Warnings = append(document.Warnings, "Operation "+id+" matched no row.")
	}
	return document.Chained("previous")
}

func sequenceOf(lines []ledger.Line) func(func(ledger.Line, error) bool) {
	return func(yield func(ledger.Line, error) bool) {
		for _, line := range lines {
			if !yield(line, nil) {
				return
			}
		}
	}
}
