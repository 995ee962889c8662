package ledgertest

import (
	"errors"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/test/expect"
)

var leafTests = []test{
	{"an outcome waits for its leaf, however it was stored", leavesWait},
	{"leaves are listed in order", leavesOrder},
	{"a tree that was changed is not changed again", leavesStale},
	{"of many that grow a tree at once one does", leavesRace},
}

func leafStore(t *testing.T, store ledger.Store) ledger.LeafStore {
	t.Helper()
	leaves, ok := store.(ledger.LeafStore)
	if !ok {
		t.Fatal("the store numbers no leaves")
	}
	return leaves
}

// leavesOf returns the leaves that documents get from a number on.
func leavesOf(from int64, documents ...ledger.AuditDocument) (leaves []ledger.Leaf) {
	for i, d := range documents {
		leaves = append(leaves, ledger.Leaf{Number: from + int64(i), ExecutionID: d.ExecutionID, UploadID: d.Upload.ID, Hash: "hash"})
	}
	return leaves
}

func grow(t *testing.T, store ledger.LeafStore, documents ...ledger.AuditDocument) {
	t.Helper()
	tree := expect.Result(store.Tree(t.Context()))(t)
	from := tree.Size
	tree.Size += int64(len(documents))
	expect.NoError(t, store.Grow(t.Context(), tree, leavesOf(from, documents...)))
}

func leavesWait(t *testing.T, store ledger.Store) {
	leaves := leafStore(t, store)
	if found, err := leaves.Unlogged(t.Context(), 10); err != nil || len(found) != 0 {
		t.Fatalf("of an empty store: %d documents, %v", len(found), err)
	}
	tree, err := leaves.Tree(t.Context())
	if err != nil || tree.Size != 0 || tree.Published != 0 || tree.Head != "" {
		t.Fatalf("of an empty store: %+v, %v", tree, err)
	}
	skipped := outcome(otherID, 2, ledger.Skipped, noon)
	expect.NoError(t, store.CreateOutcome(t.Context(), skipped))
	if err := store.CreateOutcome(t.Context(), skipped); !errors.Is(err, errs.Conflict) {
		t.Fatalf("a second time: %v, want Conflict", err)
	}
	record := expect.Result(store.CreateExecution(t.Context(),
		ledger.Execution{ExecutionID: executionID, Status: ledger.Running, Source: source(1), CreatedAt: noon}))(t)
	record.Status = ledger.Failed
	failed := outcome(executionID, 1, ledger.Failed, noon)
	expect.NoError(t, expect.ErrorOf(store.UpdateExecution(t.Context(), record, ledger.Settlement{Outcome: &failed})))
	found := expect.Result(leaves.Unlogged(t.Context(), 10))(t)
	if len(found) != 2 || !found[0].Intact() || !found[1].Intact() {
		t.Fatalf("%d documents wait, want 2 as they were stored", len(found))
	}
	if unlogged, err := leaves.Unlogged(t.Context(), 1); err != nil || len(unlogged) != 1 {
		t.Errorf("one was asked for: %d, %v", len(unlogged), err)
	}
	if numbered, err := leaves.LeavesOf(t.Context(), otherID); err != nil || len(numbered) != 0 {
		t.Errorf("of an execution whose outcome waits: %+v, %v", numbered, err)
	}
	grow(t, leaves, skipped)
	found = expect.Result(leaves.Unlogged(t.Context(), 10))(t)
	expect.ErrorIf(t, len(found) != 1 || found[0].ExecutionID != executionID, "with one in the tree %d wait", len(found))
}

func leavesOrder(t *testing.T, store ledger.Store) {
	leaves := leafStore(t, store)
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
	if got, err := leaves.Leaves(t.Context(), 12, 4); err != nil || len(got) != 0 {
		t.Errorf("behind the last: %d, %v", len(got), err)
	}
	got = expect.Result(leaves.LeavesOf(t.Context(), otherID))(t)
	expect.ErrorIf(t, len(got) != 6 || got[0].Number != 1 || got[5].Number != 11, "of one execution: %+v", got)
}

func leavesStale(t *testing.T, store ledger.Store) {
	leaves := leafStore(t, store)
	d := outcome(otherID, 1, ledger.Skipped, noon)
	expect.NoError(t, store.CreateOutcome(t.Context(), d))
	before := expect.Result(leaves.Tree(t.Context()))(t)
	grow(t, leaves, d)
	if err := leaves.Grow(t.Context(), before, nil); !errors.Is(err, errs.Stale) {
		t.Errorf("from the state before: %v, want Stale", err)
	}
	now := expect.Result(leaves.Tree(t.Context()))(t)
	now.Size, now.Published, now.Head = 2, 1, "signed\n"
	if err := leaves.Grow(t.Context(), now, leavesOf(0, outcome(otherID, 2, ledger.Skipped, noon))); !errors.Is(err, errs.Stale) {
		t.Errorf("a number that is taken: %v, want Stale", err)
	}
	now.Size = 1
	expect.NoError(t, leaves.Grow(t.Context(), now, nil))
	if got, err := leaves.Tree(t.Context()); err != nil || got.Size != 1 || got.Published != 1 || got.Head != "signed\n" {
		t.Errorf("the tree is %+v, %v", got, err)
	}
}

func leavesRace(t *testing.T, store ledger.Store) {
	leaves := leafStore(t, store)
	d := outcome(otherID, 1, ledger.Skipped, noon)
	expect.NoError(t, store.CreateOutcome(t.Context(), d))
	tree := expect.Result(leaves.Tree(t.Context()))(t)
	tree.Size = 1
	wantOneWinner(t, race(8, func(int) error { return leaves.Grow(t.Context(), tree, leavesOf(0, d)) }), errs.Stale)
}
