package firestore

import (
	"cmp"
	"context"
	"slices"

	"cloud.google.com/go/firestore"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/merkle"
)

var _ merkle.EpochStore = (*Store)(nil)

// The collections of the Merkle tree over all outcomes. A leaf is there from
// the commit that creates its outcome, and has no number at first: nothing has
// to be removed, which the executor may not.
const (
	trees  = "tree"
	leaves = "leaves"
)

func (s *Store) tree() *firestore.DocumentRef { return s.client.Collection(trees).Doc("tree") }

func (s *Store) leaf(executionID, uploadID string) *firestore.DocumentRef {
	return s.client.Collection(leaves).Doc(executionID + "." + uploadID)
}

func (s *Store) Unlogged(ctx context.Context, limit int) ([]ledger.AuditDocument, error) {
	const what = "cannot list the outcomes without a leaf"
	notes, err := collect(
		ctx, s.client.Collection(leaves).Where("number", "==", nil).Limit(limit), what, readLeaf,
	)
	if err != nil || len(notes) == 0 {
		return nil, err
	}
	var places []*firestore.DocumentRef
	for _, note := range notes {
		places = append(places, s.outcome(note.ExecutionID, note.UploadID))
	}
	found, err := firestoredb.Get(ctx, s.client, what, places...)
	if err != nil {
		return nil, err
	}
	documents := make([]ledger.AuditDocument, len(found))
	for i, snapshot := range found {
		if documents[i], err = readOutcome(snapshot); err != nil {
			return nil, err
		}
	}
	return documents, nil
}

func (s *Store) Tree(ctx context.Context) (merkle.Tree, error) {
	const what = "cannot read the state of the tree"
	found, err := firestoredb.Get(ctx, s.client, what, s.tree())
	if err != nil || !found[0].Exists() {
		return merkle.Tree{}, err
	}
	tree := merkle.Tree{Revision: firestoredb.Revision(found[0].UpdateTime)}
	return tree, firestoredb.Decode(found[0].Data(), &tree, what)
}

func (s *Store) Grow(ctx context.Context, next merkle.Tree, added []merkle.Leaf) error {
	return s.changeTree(ctx, next, added, func(leaf merkle.Leaf) any { return leaf.Number })
}

func (s *Store) Renumber(ctx context.Context, next merkle.Tree) error {
	numbered, err := s.Leaves(ctx, 0, merkle.MaxLeaves)
	if err != nil {
		return err
	}
	for i := range numbered {
		numbered[i].Hash = ""
	}
	next.Renumbering = len(numbered) == merkle.MaxLeaves
	return s.changeTree(ctx, next, numbered, func(merkle.Leaf) any { return nil })
}

// changeTree replaces the tree and changes leaves in one commit.
func (s *Store) changeTree(
	ctx context.Context, next merkle.Tree, leaves []merkle.Leaf, number func(merkle.Leaf) any,
) error {
	changed := stale("the tree")
	c := s.commit("cannot write the state of the tree")
	for _, leaf := range leaves {
		c.Change(s.leaf(leaf.ExecutionID, leaf.UploadID),
			firestore.Update{Path: "number", Value: number(leaf)},
			firestore.Update{Path: "hash", Value: leaf.Hash})
	}
	if fields := c.Fields(next); next.Revision == "" {
		c.Create(s.tree(), fields)
	} else {
		c.Replace(s.tree(), fields, next.Revision, changed)
	}
	_, err := c.Run(ctx, changed, changed)
	return err
}

func (s *Store) Leaves(ctx context.Context, from int64, limit int) ([]merkle.Leaf, error) {
	query := s.client.Collection(leaves).Where("number", ">=", from).OrderBy(
		"number", firestore.Asc,
	).Limit(limit)
	return collect(ctx, query, "cannot list the leaves", readLeaf)
}

func (s *Store) LeavesOf(ctx context.Context, executionID string) ([]merkle.Leaf, error) {
	query := s.client.Collection(leaves).Where("execution_id", "==", executionID)
	found, err := collect(ctx, query, "cannot list the leaves of "+executionID, readLeaf)
	// not numbered yet
	found = slices.DeleteFunc(found, func(leaf merkle.Leaf) bool { return leaf.Hash == "" })
	slices.SortFunc(found, func(a, b merkle.Leaf) int { return cmp.Compare(a.Number, b.Number) })
	return found, err
}

func readLeaf(snapshot *firestore.DocumentSnapshot) (leaf merkle.Leaf, err error) {
	return leaf, firestoredb.Decode(snapshot.Data(), &leaf, "cannot read the leaf "+snapshot.Ref.ID)
}
