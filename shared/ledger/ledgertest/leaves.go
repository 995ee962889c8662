package ledgertest

import (
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/merkle"
	"github.com/planwright/planwright/shared/test/expect"
)

var leafTests = []test{
	{"an outcome waits for its leaf, however it was stored", leavesWait},
	{"leaves are listed in order", leavesOrder},
	{"a tree that was changed is not changed again", leavesStale},
	{"of many that grow a tree at once one does", leavesRace},
}

// leavesOf returns the leaves that documents get from a number on.
func leavesOf(from int64, documents ...ledger.AuditDocument) (leaves []merkle.Leaf) {
	for i, d := range documents {
		leaves = append(leaves, merkle.Leaf{
			Number:      from + int64(i),
			ExecutionID: d.ExecutionID,
			UploadID:    d.Upload.ID,
			Hash:        "hash",
		})
	}
	return leaves
}

func grow(t *testing.T, store merkle.LeafStore, documents ...ledger.AuditDocument) {
	t.Helper()
	tree := expect.Result(store.Tree(t.Context()))(t)
	from := tree.Size
	tree.Size += int64(len(documents))
	expect.NoError(t, store.Grow(t.Context(), tree, leavesOf(from, documents...)))
}

func leavesWait(t *testing.T, store ledger.Store) {
	leaves := as[merkle.LeafStore](t, store)
	waiting := func(limit int) []ledger.AuditDocument {
		t.Helper()
		return expect.Result(leaves.Unlogged(t.Context(), limit))(t)
	}
	expect.Equal(t, "what waits in an empty store", 0, len(waiting(10)))
	tree := expect.Result(leaves.Tree(t.Context()))(t)
	expect.ErrorIf(t, tree.Size != 0 || tree.Published != 0 || tree.Head != "", "of an empty store: %+v",
		tree)
	skipped := outcome(otherID, 2, ledger.Skipped, noon)
	expect.NoError(t, store.CreateOutcome(t.Context(), skipped))
	wantKind(t, store.CreateOutcome(t.Context(), skipped), errs.Conflict)
	record := expect.Result(store.CreateExecution(t.Context(),
		ledger.Execution{
			ExecutionID: executionID,
			Status:      ledger.Running,
			Source:      source(1),
			CreatedAt:   noon,
		}))(t)
	record.Status = ledger.Failed
	failed := outcome(executionID, 1, ledger.Failed, noon)
	expect.NoError(
		t, expect.ErrorOf(store.UpdateExecution(t.Context(), record, ledger.Settlement{Outcome: &failed})),
	)
	found := waiting(10)
	if len(found) != 2 || !found[0].Intact() || !found[1].Intact() {
		t.Fatalf("%d documents wait, want 2 as they were stored", len(found))
	}
	expect.Equal(t, "one of what waits", 1, len(waiting(1)))
	numbered := expect.Result(leaves.LeavesOf(t.Context(), otherID))(t)
	expect.ErrorIf(t, len(numbered) != 0, "of an execution whose outcome waits: %+v", numbered)
	grow(t, leaves, skipped)
	found = waiting(10)
	expect.ErrorIf(t, len(found) != 1 || found[0].ExecutionID != executionID, "with one in the tree %d wait",
		len(found))
}

func leavesOrder(t *testing.T, store ledger.Store) {
	leaves := as[merkle.LeafStore](t, store)
	var documents []ledger.AuditDocument
	for generation := range int64(12) {
		d := outcome([]string{executionID, otherID}[generation%2], 1+generation, ledger.Skipped, noon)
		expect.NoError(t, store.CreateOutcome(t.Context(), d))
		documents = append(documents, d)
	}
	grow(t, leaves, documents[:5]...)
	grow(t, leaves, documents[5:]...)
	want := leavesOf(0, documents...)
	got := expect.Result(leaves.Leaves(t.Context(), 3, 4))(t)
	expect.Equal(t, "four from the fourth on", want[3:7], got)
	expect.Equal(t, "behind the last", 0, len(expect.Result(leaves.Leaves(t.Context(), 12, 4))(t)))
	got = expect.Result(leaves.LeavesOf(t.Context(), otherID))(t)
	expect.ErrorIf(t, len(got) != 6 || got[0].Number != 1 || got[5].Number != 11, "of one execution: %+v",
		got)
}

func leavesStale(t *testing.T, store ledger.Store) {
	leaves := as[merkle.LeafStore](t, store)
	d := outcome(otherID, 1, ledger.Skipped, noon)
	expect.NoError(t, store.CreateOutcome(t.Context(), d))
	before := expect.Result(leaves.Tree(t.Context()))(t)
	grow(t, leaves, d)
	wantKind(t, leaves.Grow(t.Context(), before, nil), errs.Stale)
	now := expect.Result(leaves.Tree(t.Context()))(t)
	now.Size, now.Published, now.Head = 2, 1, "signed\n"
	taken := leavesOf(0, outcome(otherID, 2, ledger.Skipped, noon))
	wantKind(t, leaves.Grow(t.Context(), now, taken), errs.Stale)
	now.Size = 1
	expect.NoError(t, leaves.Grow(t.Context(), now, nil))
	got := expect.Result(leaves.Tree(t.Context()))(t)
	expect.ErrorIf(t, got.Size != 1 || got.Published != 1 || got.Head != "signed\n", "the tree is %+v", got)
}

func leavesRace(t *testing.T, store ledger.Store) {
	leaves := as[merkle.LeafStore](t, store)
	d := outcome(otherID, 1, ledger.Skipped, noon)
	expect.NoError(t, store.CreateOutcome(t.Context(), d))
	tree := expect.Result(leaves.Tree(t.Context()))(t)
	tree.Size = 1
	expect.OneWinner(t, 8, errs.Stale, func(int) error {
		return leaves.Grow(t.Context(), tree, leavesOf(0, d))
	})
}
