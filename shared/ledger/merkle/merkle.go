// Package merkle is what a store keeps for the one Merkle tree over all outcomes: which of
// them has which number, and how far the tree has come. It computes no hash and signs
// nothing: package tree does.
package merkle

import (
	"context"

	"github.com/planwright/planwright/shared/ledger"
)

// LeafStore is the part of a store that numbers the outcomes of all executions
// for the one Merkle tree over them. The commit that creates an outcome notes
// beside it that it has no leaf yet, under a name of its own, so that nobody
// waits for anybody; the numbers are given afterwards.
type LeafStore interface {
	// Unlogged returns up to limit outcomes that have no leaf, in no order.
	Unlogged(ctx context.Context, limit int) ([]ledger.AuditDocument, error)
	// Tree reads how far the tree has come: the zero Tree where nothing has been numbered.
	Tree(ctx context.Context) (Tree, error)
	// Grow replaces the tree whose revision is next.Revision and, in the same
	// commit, stores the leaves, which are numbered from the size before, and
	// removes the notes that they were missing. Stale: the tree is not at that
	// revision, or an outcome has its leaf already. Nothing is written then.
	Grow(ctx context.Context, next Tree, leaves []Leaf) error
	// Leaves lists leaves from a number on, in order.
	Leaves(ctx context.Context, from int64, limit int) ([]Leaf, error)
	// LeavesOf lists the leaves of one execution, in order.
	LeavesOf(ctx context.Context, executionID string) ([]Leaf, error)
}

// EpochStore is a store whose documents can be put back to an earlier state,
// after which the leaves that are there are numbered anew, in another tree.
type EpochStore interface {
	LeafStore
	// Renumber replaces the tree whose revision is next.Revision and, in the same
	// commit, takes the numbers of up to MaxLeaves leaves away, which are then
	// Unlogged. The tree that it stores is Renumbering where there may be more.
	// Stale: the tree is not at that revision. Nothing is written then.
	Renumber(ctx context.Context, next Tree) error
}

// Tree is how far the tree has come.
type Tree struct {
	// Epoch counts the trees that were begun because the records were put back to
	// an earlier state, After says with what the one before ended, and
	// Renumbering that leaves may still have numbers of it.
	Epoch       int64  `json:"epoch,omitempty"`
	After       string `json:"after,omitempty"`
	Renumbering bool   `json:"renumbering,omitempty"`

	Size int64 `json:"size"` // leaves that are numbered
	// Published is how many of them the newest signed head is of, and Head is its text.
	Published int64  `json:"published"`
	Head      string `json:"head"`

	// Revision is the store's mark of this version of the tree.
	Revision string `json:"-"`
}

// Leaf is the place of one outcome in the tree.
type Leaf struct {
	Number      int64  `json:"number"`
	ExecutionID string `json:"execution_id"`
	UploadID    string `json:"upload_id"`
	Hash        string `json:"hash"` // the leaf's, in base64
}

// MaxLeaves is the most that one Grow takes, well inside a commit of Firestore.
const MaxLeaves = 100
