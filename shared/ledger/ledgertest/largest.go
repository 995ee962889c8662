package ledgertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	rules "github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/test/expect"
)

// largestTests prove that what can be sealed can be completed: the largest outcome and the largest
// change document that the rules allow are stored, in one commit.
var largestTests = []test{
	{"the largest settlement is stored", largestSettlement},
}

// longSKU is as long as the engine lets a SKU be, in text that takes as many
// bytes in a document as it does in JSON.
func longSKU(i int) string { return fmt.Sprintf("%04d", i) + strings.Repeat("é", 254) }

// largestChanges are changes of long SKUs, each with as many operation ids as make bytes.
func largestChanges(t *testing.T, count, bytes int) []pricing.Change {
	t.Helper()
	changes := make([]pricing.Change, count)
	for i := range changes {
		c := pricing.Change{
			Row:          int64(i + 2),
			SKU:          longSKU(i),
			OperationIDs: []string{},
			Before:       pricing.State{Price: new("999999999999999999.999999999"), InStock: new(false)},
			After:        pricing.State{Price: new("999999999999999999.999999"), InStock: new(false)},
		}
		for len(line(t, c)) < bytes {
			c.OperationIDs = append(c.OperationIDs, fmt.Sprintf("operation_%022d", len(c.OperationIDs)))
		}
		changes[i] = c
	}
	return changes
}

func line(t *testing.T, c pricing.Change) []byte {
	t.Helper()
	return append(expect.Result(json.Marshal(c))(t), '\n')
}

func changesFile(t *testing.T, changes []pricing.Change) io.Reader {
	t.Helper()
	var file bytes.Buffer
	for _, c := range changes {
		file.Write(line(t, c))
	}
	return &file
}

func largestSettlement(t *testing.T, store ledger.Store) {
	all := largestChanges(
		t, changelog.MaxDocumentChanges, changelog.MaxDocumentBytes/changelog.MaxDocumentChanges-40,
	)
	var documents []changelog.Document
	for document, err := range changelog.NewDocumentReader(changesFile(t, all), executionID, noon).All() {
		expect.NoError(t, err)
		documents = append(documents, document)
	}
	if len(documents) != 1 {
		t.Fatalf("%d documents", len(documents))
	}
	with := largestOutcome(
		expect.Result(changelog.List(changesFile(t, largestChanges(t, changelog.MaxListed, 0))))(t),
	)
	next := create(t, store, record(executionID))
	next.Status = ledger.Completed
	next.Seal.Explanation = with.Explanation
	stored := update(t, store, next, ledger.Settlement{Outcome: &with, Changes: documents})
	found := expect.Result(store.Snapshot(t.Context(), executionID, source(1).ID()))(t)
	expect.Equal(t, "record and outcome", ledger.Snapshot{Execution: &stored, Outcome: &with}, found)
	expect.Equal(t, "the changes", all,
		expect.Result(store.Changes(t.Context(), executionID, paging.Page{Size: paging.MaxSize}))(t).Items)
}

func largestOutcome(listing changelog.Listing) ledger.AuditDocument {
	document := outcome(executionID, 1, ledger.Completed, noon)
	document.SourceInstruction = strings.Repeat("😀", rules.MaxInstructionLength)
	document.SKUsChanged = listing.SKUs
	document.Changes = listing.Changes
	document.ChangesTruncated = listing.Truncated
	document.PlanSnapshot = []byte(`"` + strings.Repeat("x", rules.MaxCanonicalBytes-2) + `"`)
	document.Explanation = []string{strings.Repeat("x", plans.MaxExplanationBytes+200)}
	document.Summary.Operations, document.Warnings = nil, nil
	for i := range rules.MaxOperations {
		id := fmt.Sprintf("operation_%022d", i)
		document.Summary.Operations = append(document.Summary.Operations, pricing.OperationCount{
			OperationID: id,
			RowsMatched: 1 << 50,
		})
	}
	return document.Chained("previous")
}
