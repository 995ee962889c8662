package tree

import (
	"bytes"
	"context"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/merkle"
)

// Checker checks a tree. It changes nothing.
type Checker struct {
	Store  merkle.LeafStore
	Bucket bucket.Bucket
	Key    note.Verifier

	epoch int64 // of the newest head
}

// NewChecker checks with a public key, or, where it is "", with the one in the
// bucket: who can write there can put another in its place.
func NewChecker(
	ctx context.Context, store merkle.LeafStore, audit bucket.Bucket, key string,
) (*Checker, error) {
	if key == "" {
		text, err := read(ctx, audit, KeyObject)
		if err != nil {
			return nil, err
		}
		key = string(text)
	}
	verifier, err := publicKey(key)
	if err != nil {
		return nil, err
	}
	return &Checker{Store: store, Bucket: audit, Key: verifier}, nil
}

// Newest returns the newest head, which the records and the bucket must both
// have.
func (c *Checker) Newest(ctx context.Context) (Head, error) {
	tree, err := c.Store.Tree(ctx)
	if err != nil {
		return Head{}, err
	}
	if tree.Size == 0 || tree.Published != tree.Size {
		return Head{}, errs.New(errs.Internal, "the tree has %d leaves, and its newest signed head is of %d",
			tree.Size, tree.Published)
	}
	c.epoch = tree.Epoch
	head, err := c.head(ctx, tree.Published)
	if err != nil {
		return Head{}, err
	}
	noted, err := OpenHead(tree.Head, c.Key)
	if err == nil && noted != head {
		err = errs.New(errs.Internal, "the records have another newest head than the audit bucket")
	}
	return head, err
}

// objects are those of the newest head's epoch.
func (c *Checker) objects() bucket.Bucket { return inEpoch(c.Bucket, c.epoch) }

func (c *Checker) head(ctx context.Context, size int64) (Head, error) {
	return headIn(ctx, c.objects(), size, c.Key)
}

func headIn(ctx context.Context, b bucket.Bucket, size int64, key note.Verifier) (Head, error) {
	signed, err := read(ctx, b, HeadObject(size))
	if err != nil {
		return Head{}, err
	}
	head, err := OpenHead(string(signed), key)
	if err == nil && head.N != size {
		err = errs.New(errs.Internal, "the head of %d leaves says that it is of %d", size, head.N)
	}
	return head, err
}

// Includes proves that a document is a leaf of the tree that was signed.
func (c *Checker) Includes(ctx context.Context, head Head, document ledger.AuditDocument) error {
	leaves, err := c.Store.LeavesOf(ctx, document.ExecutionID)
	if err != nil {
		return err
	}
	for _, leaf := range leaves {
		if leaf.UploadID == document.Upload.ID {
			return c.includes(ctx, head, leaf, document)
		}
	}
	return errs.New(errs.Internal, "the %s document of upload %s has no leaf",
		document.Status, document.Upload.ID)
}

func (c *Checker) includes(
	ctx context.Context, head Head, leaf merkle.Leaf, document ledger.AuditDocument,
) error {
	other := errs.New(errs.Internal, "leaf %d is not the %s document of upload %s",
		leaf.Number, document.Status, document.Upload.ID)
	hash := LeafHash(document)
	if leaf.Hash != hash.String() || leaf.Number < 0 || leaf.Number >= head.N {
		return other
	}
	proof, err := tlog.ProveRecord(
		head.N, leaf.Number, tlog.TileHashReader(head.Tree, tiles{ctx, c.objects()}),
	)
	if err != nil {
		return errs.Wrap(errs.Internal, err, "the tiles of the tree do not have the signed hash")
	}
	if tlog.CheckRecord(proof, head.N, head.Hash, leaf.Number, hash) != nil {
		return other
	}
	return nil
}

// All proves that every head that was ever signed is of the beginning of the
// same tree, and that every tile is there with its bytes. It returns the leaves.
func (c *Checker) All(ctx context.Context) ([]merkle.Leaf, error) {
	newest, err := c.Newest(ctx)
	if err != nil {
		return nil, err
	}
	for size := newest.N + 1; size <= newest.N+merkle.MaxLeaves; size++ {
		if _, err := c.objects().Stat(ctx, HeadObject(size)); errs.KindOf(err) != errs.NotFound {
			return nil, errs.Wrap(errs.Internal, err, "the records end at %d leaves, and a head of %d was signed: they were put back to an earlier state", newest.N, size)
		}
	}
	heads := []Head{newest}
	for heads[0].Previous > 0 {
		previous, err := c.head(ctx, heads[0].Previous)
		if err != nil {
			return nil, err
		}
		heads = append([]Head{previous}, heads...)
	}
	hashes := newHashes(nil)
	var leaves []merkle.Leaf
	for _, head := range heads {
		more, err := hashes.extend(ctx, c.Store, int64(len(leaves)), head.N)
		if err != nil {
			return nil, err
		}
		leaves = append(leaves, more...)
		if err := c.same(ctx, head, hashes); err != nil {
			return nil, err
		}
	}
	if beyond, err := c.Store.Leaves(ctx, newest.N, 1); err != nil || len(beyond) > 0 {
		return nil, errs.Wrap(errs.Internal, err, "there are leaves behind the newest head")
	}
	return leaves, nil
}

// same compares the root and the new tiles of a head with the leaves' hashes.
func (c *Checker) same(ctx context.Context, head Head, hashes *hashes) error {
	root, err := tlog.TreeHash(head.N, hashes)
	if err != nil {
		return errs.Wrap(errs.Internal, err, "the tree of %d leaves has no root", head.N)
	}
	if root != head.Hash {
		return errs.New(errs.Internal, "the %d leaves do not have the root that was signed", head.N)
	}
	for _, tile := range tlog.NewTiles(height, head.Previous, head.N) {
		want, err := tlog.ReadTileData(tile, hashes)
		if err != nil {
			return errs.Wrap(errs.Internal, err, "the tile %s cannot be computed", tile.Path())
		}
		got, err := read(ctx, c.objects(), tileRoot+tile.Path())
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return errs.New(errs.Internal, "the tile %s has other hashes than the leaves", tile.Path())
		}
	}
	return nil
}

// Noted proves that the tree goes on from a signed head that somebody noted
// elsewhere: one that was put back to an earlier state, or that went another way
// since, does not. A head of an epoch before must be the one that is kept of it.
func (c *Checker) Noted(ctx context.Context, signed string) error {
	noted, err := OpenHead(signed, c.Key)
	if err != nil {
		return err
	}
	newest, err := c.Newest(ctx)
	switch {
	case err != nil:
		return err
	case noted.After != newest.After:
		return c.notedBefore(ctx, noted)
	case noted.N > newest.N:
		return errs.New(errs.Internal,
			"a head of %d leaves was noted, and the tree has %d: it was put back to an earlier state",
			noted.N, newest.N)
	}
	hashes := newHashes(nil)
	if _, err := hashes.extend(ctx, c.Store, 0, noted.N); err != nil {
		return err
	}
	root, err := tlog.TreeHash(noted.N, hashes)
	if err == nil && root != noted.Hash {
		err = errs.New(errs.Internal,
			"the first %d leaves are not those of the head that was noted: the tree went another way",
			noted.N)
	}
	return err
}

func (c *Checker) notedBefore(ctx context.Context, noted Head) error {
	for epoch := range c.epoch {
		if kept, err := headIn(ctx, inEpoch(c.Bucket, epoch), noted.N, c.Key); err == nil && kept == noted {
			return nil
		}
	}
	return errs.New(errs.Internal,
		"the head of %d leaves that was noted is none of this tree: it went another way, or began anew",
		noted.N)
}
