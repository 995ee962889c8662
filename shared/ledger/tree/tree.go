// Package tree keeps one Merkle tree over all audit documents, of whatever
// execution and outcome: who deletes, adds or changes one afterwards changes a
// hash that was signed before.
//
// A leaf is the JSON line of a document. Objects in the audit bucket, all of
// them create-only:
//
//	log/key                    the public key, as package sumdb/note writes it
//	log/tile/8/...             the tree's hashes, as package sumdb/tlog cuts them
//	log/heads/{size, 20 digits} the signed head of the tree of that size
//
// The text of a head has four lines: what it is of, its size, its root hash in
// base64, and the size of the head before it.
//
// Records that were put back to an earlier state would give numbers twice. After
// a restore a new epoch begins, which is a tree of its own, of the same names
// below log/epochs/{epoch, 6 digits}/, over all outcomes that are there then. The
// first line of its heads says with which head the epoch before has ended.
//
// The commit that creates an outcome does not wait for its leaf. Afterwards
// Append numbers what has no leaf, in one compare-and-set on the tree, so that
// no number is given twice or left out, and publishes what follows from it:
// the same bytes, whoever does, so that anyone may go on where another was stopped.
package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/merkle"
	"github.com/planwright/planwright/shared/ledger/paging"
)

// Names of objects, and of the tree in a head and in a key.
const (
	Name      = "planwright"
	KeyObject = "log/key"
	tileRoot  = "log/"
	headRoot  = "log/heads/"
	origin    = "planwright audit documents"
	height    = 8 // of a tile: 256 hashes
)

// LeafHash is the hash of a document's leaf: of its line, without the newline.
func LeafHash(d ledger.AuditDocument) tlog.Hash {
	return tlog.RecordHash([]byte(strings.TrimSuffix(string(d.Line()), "\n")))
}

// Head is what a signed head says.
type Head struct {
	tlog.Tree
	Previous int64  // the size of the head before; 0: there is none
	After    string // with what the epoch before ended; "": this is the first
}

func (h Head) text() string {
	of := origin
	if h.After != "" {
		of += ", " + h.After
	}
	return fmt.Sprintf("%s\n%d\n%s\n%d\n", of, h.N, h.Hash, h.Previous)
}

// OpenHead reads a signed head. Internal: it is none, or not signed by the key.
func OpenHead(signed string, key note.Verifier) (Head, error) {
	opened, err := note.Open([]byte(signed), note.VerifierList(key))
	if err != nil {
		return Head{}, errs.Wrap(errs.Internal, err, "the head is not signed by the key %s", key.Name())
	}
	lines := strings.Split(opened.Text, "\n")
	var h Head
	if len(lines) == 5 {
		var size, previous int64
		_, sizeErr := fmt.Sscan(lines[1], &size)
		hash, hashErr := tlog.ParseHash(lines[2])
		_, previousErr := fmt.Sscan(lines[3], &previous)
		if errors.Join(sizeErr, hashErr, previousErr) == nil {
			h = Head{tlog.Tree{
				N:    size,
				Hash: hash,
			}, previous, strings.TrimPrefix(strings.TrimPrefix(lines[0], origin), ", ")}
		}
	}
	if h.text() != opened.Text || h.Previous < 0 || h.Previous >= h.N {
		return Head{}, errs.New(errs.Internal, "the head is none of this tree")
	}
	return h, nil
}

// HeadObject is the name of the head of that size.
func HeadObject(size int64) string { return fmt.Sprintf("%s%020d", headRoot, size) }

// Log is the tree with what it takes to go on with it.
type Log struct {
	Store  merkle.LeafStore
	Bucket bucket.Bucket // the audit bucket
	Signer note.Signer
	Key    note.Verifier // of the signer
	Epoch  int64         // how often the records were put back to an earlier state
	public string        // the key, as text

	passing atomic.Int32 // Appends in a row that failed for what passes by itself
}

// attempts bounds how often Append begins again after another was quicker.
const attempts = 200

// patience is how many Appends in a row may fail for what passes by itself
// before somebody is told: on a machine in the cloud some ten minutes.
const patience = 10

// passingError is what will pass by itself.
type passingError struct{ error }

func (e passingError) Unwrap() error { return e.error }

// Append numbers every outcome that has no leaf, and publishes tiles and head.
// It may run many times at once.
func (l *Log) Append(ctx context.Context) error {
	err := l.append(ctx)
	if !errs.Retryable(err) {
		l.passing.Store(0)
	} else if l.passing.Add(1) < patience {
		return passingError{err}
	}
	return err
}

func (l *Log) append(ctx context.Context) error {
	for range attempts {
		done, err := l.step(ctx)
		if err != nil && !errors.Is(err, errs.Stale) {
			return err
		}
		if done {
			return nil
		}
	}
	return errs.New(errs.Unavailable, "the tree of audit documents keeps changing")
}

// Report logs what an Append failed with, for somebody to be told. What is not
// in the tree yet the next Append adds, so that nothing else waits for it.
func Report(ctx context.Context, log *slog.Logger, err error) {
	var passing passingError
	switch {
	case errors.As(err, &passing):
		log.WarnContext(ctx, "the tree of audit documents is brought up to date by the next sweep",
			"cause", err.Error())
	case err != nil:
		log.ErrorContext(ctx, "the tree of audit documents is not up to date",
			"alert", "tree_behind", "cause", err.Error())
	}
}

// step does what is due first. The tree is read before what has no leaf: what
// is given a leaf in between changes the tree, which refuses ours then.
func (l *Log) step(ctx context.Context) (done bool, err error) {
	tree, err := l.Store.Tree(ctx)
	if err != nil {
		return false, err
	}
	switch {
	case tree.Epoch < l.Epoch:
		return false, l.beginEpoch(ctx, tree)
	case tree.Epoch > l.Epoch:
		return false, errs.New(errs.Unavailable, "the tree is in epoch %d, and AUDIT_EPOCH says %d",
			tree.Epoch, l.Epoch)
	case tree.Renumbering:
		return false, l.renumber(ctx, tree)
	}
	if tree.Published < tree.Size {
		return false, l.publish(ctx, tree)
	}
	documents, err := l.Store.Unlogged(ctx, merkle.MaxLeaves)
	if err != nil || len(documents) == 0 {
		return err == nil, err
	}
	slices.SortFunc(documents, func(a, b ledger.AuditDocument) int {
		return a.ExecutedAt.Compare(b.ExecutedAt)
	})
	leaves := make([]merkle.Leaf, len(documents))
	for i, d := range documents {
		leaves[i] = merkle.Leaf{
			Number:      tree.Size + int64(i),
			ExecutionID: d.ExecutionID,
			UploadID:    d.Upload.ID,
			Hash:        LeafHash(d).String(),
		}
	}
	tree.Size += int64(len(leaves))
	return false, l.Store.Grow(ctx, tree, leaves)
}

// publish writes the tiles that are new since the newest head, then the head of
// all leaves, and notes it.
func (l *Log) publish(ctx context.Context, tree merkle.Tree) error {
	old, b := Head{}, inEpoch(l.Bucket, tree.Epoch)
	if tree.Published > 0 {
		var err error
		if old, err = OpenHead(tree.Head, l.Key); err != nil {
			return err
		}
	} else if err := put(ctx, b, KeyObject, []byte(l.public+"\n")); err != nil {
		return err
	}
	hashes := newHashes(tlog.TileHashReader(old.Tree, tiles{ctx, b}))
	if _, err := hashes.extend(ctx, l.Store, old.N, tree.Size); err != nil {
		return err
	}
	for _, tile := range tlog.NewTiles(height, old.N, tree.Size) {
		data, err := tlog.ReadTileData(tile, hashes)
		if err != nil {
			return errs.Wrap(errs.Internal, err, "the tiles of the tree do not have the signed hash")
		}
		if err := put(ctx, b, tileRoot+tile.Path(), data); err != nil {
			return err
		}
	}
	root, err := tlog.TreeHash(tree.Size, hashes)
	if err != nil {
		return errs.Wrap(errs.Internal, err, "the tiles of the tree do not have the signed hash")
	}
	next := Head{tlog.Tree{N: tree.Size, Hash: root}, old.N, tree.After}
	signed, err := note.Sign(&note.Note{Text: next.text()}, l.Signer)
	if err != nil {
		return errs.Wrap(errs.Internal, err, "the head of the tree cannot be signed")
	}
	if err := put(ctx, b, HeadObject(next.N), signed); err != nil {
		return err
	}
	tree.Published, tree.Head = next.N, string(signed)
	return l.Store.Grow(ctx, tree, nil)
}

// extend adds the leaves of a store from one number up to another, and returns them.
func (h *hashes) extend(
	ctx context.Context, store merkle.LeafStore, from, to int64,
) (added []merkle.Leaf, err error) {
	for next := from; next < to; next = from + int64(len(added)) {
		more, err := store.Leaves(ctx, next, int(min(to-next, paging.MaxSize)))
		if err != nil {
			return nil, err
		}
		if len(more) == 0 {
			return nil, errs.New(errs.Internal, "there is no leaf %d", next)
		}
		for i, leaf := range more {
			if err := h.add(next+int64(i), leaf); err != nil {
				return nil, err
			}
		}
		added = append(added, more...)
	}
	return added, nil
}

// put creates an object. One that is there with the same bytes was put there
// by another that did the same.
func put(ctx context.Context, b bucket.Bucket, name string, data []byte) error {
	_, err := bucket.Put(
		ctx, b, name, bucket.CreateOptions{ContentType: "application/octet-stream"}, bytes.NewReader(data),
	)
	return err
}

// tiles reads tiles from a bucket.
type tiles struct {
	ctx context.Context
	b   bucket.Bucket
}

func (tiles) Height() int { return height }

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	found := make([][]byte, len(wanted))
	for i, tile := range wanted {
		var err error
		if found[i], err = read(t.ctx, t.b, tileRoot+tile.Path()); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// maxObject is more bytes than an object of the tree has.
const maxObject = 1 << 20

func read(ctx context.Context, b bucket.Bucket, name string) ([]byte, error) {
	return bucket.ReadLive(ctx, b, name, maxObject)
}

// hashes are those of a tree that has grown: the new ones, and behind them
// those of the tree before.
type hashes struct {
	added  map[int64]tlog.Hash
	before tlog.HashReader
}

func newHashes(before tlog.HashReader) *hashes { return &hashes{map[int64]tlog.Hash{}, before} }

func (h *hashes) add(number int64, leaf merkle.Leaf) error {
	hash, err := tlog.ParseHash(leaf.Hash)
	if err != nil || leaf.Number != number {
		return errs.New(errs.Internal, "there is no leaf %d", number)
	}
	stored, err := tlog.StoredHashesForRecordHash(number, hash, h)
	if err != nil {
		return errs.Wrap(errs.Internal, err, "the tiles of the tree do not have the signed hash")
	}
	first := tlog.StoredHashIndex(0, number)
	for i, storedHash := range stored {
		h.added[first+int64(i)] = storedHash
	}
	return nil
}

func (h *hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	var old, places []int64
	for i, index := range indexes {
		hash, ok := h.added[index]
		if !ok {
			old, places = append(old, index), append(places, int64(i))
		}
		found[i] = hash
	}
	if len(old) == 0 {
		return found, nil
	}
	before, err := h.before.ReadHashes(old)
	if err != nil {
		return nil, err
	}
	for i, place := range places {
		found[place] = before[i]
	}
	return found, nil
}
