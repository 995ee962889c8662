package tree

import (
	"context"
	"fmt"
	"io"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/merkle"
)

// epochBucket shows an epoch's objects under the names of the first epoch's.
type epochBucket struct {
	bucket.Bucket
	root string
}

func inEpoch(b bucket.Bucket, epoch int64) bucket.Bucket {
	return epochBucket{b, epochRoot(epoch)}
}

func epochRoot(epoch int64) string {
	if epoch == 0 {
		return tileRoot
	}
	return fmt.Sprintf("%sepochs/%06d/", tileRoot, epoch)
}

func (e epochBucket) name(name string) string { return e.root + strings.TrimPrefix(name, tileRoot) }

func (e epochBucket) Stat(ctx context.Context, name string) (bucket.Object, error) {
	return e.Bucket.Stat(ctx, e.name(name))
}

func (e epochBucket) Open(
	ctx context.Context, name string, generation int64,
) (io.ReadCloser, bucket.Object, error) {
	return e.Bucket.Open(ctx, e.name(name), generation)
}

func (e epochBucket) Create(
	ctx context.Context, name string, options bucket.CreateOptions,
) (bucket.Upload, error) {
	return e.Bucket.Create(ctx, e.name(name), options)
}

// beginEpoch begins the tree of the epoch that was asked for, after the newest
// head that was signed in those before.
func (l *Log) beginEpoch(ctx context.Context, restored merkle.Tree) error {
	next := merkle.Tree{
		Epoch:       l.Epoch,
		After:       fmt.Sprintf("epoch %d", l.Epoch),
		Renumbering: true,
		Revision:    restored.Revision,
	}
	for epoch := l.Epoch; epoch >= 0; epoch-- {
		head, err := l.lastHead(ctx, epoch)
		if err != nil {
			return err
		}
		if head.N > 0 && epoch == l.Epoch {
			return l.beganBefore(ctx, restored)
		}
		if head.N > 0 {
			next.After = afterText(l.Epoch, epoch, head)
			break
		}
	}
	return l.renumber(ctx, next)
}

// beganBefore is why an epoch cannot begin of which a head was signed: another
// has just begun it, or the records were put back once more.
func (l *Log) beganBefore(ctx context.Context, restored merkle.Tree) error {
	now, err := l.Store.Tree(ctx)
	if err == nil && now.Revision != restored.Revision {
		err = errs.New(errs.Stale, "the tree was changed meanwhile")
	} else if err == nil {
		err = errs.New(errs.Internal,
			"the records were put back to before epoch %d began: raise AUDIT_EPOCH by one", l.Epoch)
	}
	return err
}

func afterText(epoch, before int64, last Head) string {
	return fmt.Sprintf("epoch %d after epoch %d size %d root %s", epoch, before, last.N, last.Hash)
}

func (l *Log) renumber(ctx context.Context, next merkle.Tree) error {
	store, ok := l.Store.(merkle.EpochStore)
	if !ok {
		return errs.New(errs.Internal, "these records have no epochs")
	}
	return store.Renumber(ctx, next)
}

// lastHead is the newest head of an epoch in the bucket, whatever the records
// say; the zero Head where there is none.
func (l *Log) lastHead(ctx context.Context, epoch int64) (Head, error) {
	lister, ok := l.Bucket.(bucket.Store)
	if !ok {
		return Head{}, errs.New(errs.Internal, "the signed heads cannot be listed")
	}
	folder, newest := epochRoot(epoch)+"heads/", ""
	for object, err := range bucket.Under(ctx, lister, folder) {
		if err != nil {
			return Head{}, err
		}
		newest = object.Name
	}
	if newest == "" {
		return Head{}, nil
	}
	signed, err := read(ctx, l.Bucket, newest)
	if err != nil {
		return Head{}, err
	}
	return OpenHead(string(signed), l.Key)
}

// Epoch returns how often the records were put back to an earlier state, as the
// tree knows it.
func (c *Checker) Epoch(ctx context.Context) (int64, error) {
	tree, err := c.Store.Tree(ctx)
	return tree.Epoch, err
}

// CheckRestored proves that what was signed before the records were put back is still
// there: the head that the newest epoch names is in the bucket, and each of its
// leaves is one of these.
func (c *Checker) CheckRestored(ctx context.Context, leaves []merkle.Leaf) error {
	newest, err := c.Newest(ctx)
	if err != nil {
		return err
	}
	var epoch, before, size int64
	var root string
	if _, err := fmt.Sscanf(newest.After, "epoch %d after epoch %d size %d root %s",
		&epoch, &before, &size, &root); err != nil {
		return errs.New(errs.Internal, "the newest head does not say what was signed before it")
	}
	b := inEpoch(c.Bucket, before)
	last, err := headIn(ctx, b, size, c.Key)
	if err != nil {
		return err
	}
	if afterText(epoch, before, last) != newest.After {
		return errs.New(errs.Internal, "the newest head is after another than the last one of epoch %d",
			before)
	}
	there := make(map[string]bool, len(leaves))
	for _, leaf := range leaves {
		there[leaf.Hash] = true
	}
	return missingOf(ctx, b, last, there)
}

// missingOf reads the hashes of all leaves that a head has signed and counts
// those that are not there any more.
func missingOf(ctx context.Context, b bucket.Bucket, head Head, there map[string]bool) error {
	reader := tlog.TileHashReader(head.Tree, tiles{ctx, b})
	missing := 0
	for from := int64(0); from < head.N; from += 1 << height {
		hashes, err := leafHashes(reader, from, min(from+1<<height, head.N))
		if err != nil {
			return err
		}
		for _, hash := range hashes {
			if !there[hash.String()] {
				missing++
			}
		}
	}
	if missing > 0 {
		return errs.New(errs.Internal,
			"%d of the %d documents that were signed before the records were put back are not there any more",
			missing, head.N)
	}
	return nil
}
