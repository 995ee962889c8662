package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/ledger"
)

// open reads the live generation of a file.
func (c *comparison) open(ctx context.Context, from bucket.Bucket, file ledger.File) (io.ReadCloser, error) {
	object, err := from.Stat(ctx, file.Object)
	if err != nil {
		return nil, err
	}
	reader, _, err := from.Open(ctx, file.Object, object.Generation)
	return reader, err
}

// measure reads a file for its size and checksum, passing it on to also.
func measure(file io.ReadCloser, also io.Writer) (bucket.Digest, error) {
	defer file.Close()
	var digest bucket.Digest
	_, err := io.Copy(io.MultiWriter(&digest, also), file)
	return digest, err
}

// input checks that the generation that was read still has its bytes.
func (c *comparison) input(ctx context.Context) error {
	file, _, err := c.Inbox.Open(ctx, c.record.Source.Object, c.record.Source.Generation)
	if err != nil {
		return err
	}
	digest, err := measure(file, io.Discard)
	if err != nil {
		return err
	}
	return sameFile(digest, c.seal.Input)
}

// recompute runs the engine over plan and input and compares the bytes that
// come of it with the seal. It writes nothing.
func (c *comparison) recompute(ctx context.Context) error {
	stored, err := c.storedPlan(ctx)
	if err != nil {
		return err
	}
	in, _, err := c.Inbox.Open(ctx, c.record.Source.Object, c.record.Source.Generation)
	if err != nil {
		return err
	}
	defer in.Close()
	var output, changes bucket.Digest
	summary, err := c.Engine.Run(ctx, stored.Plan, c.record.Source.Settings, in, &output, &changes)
	if err != nil {
		return err
	}
	if err := sameFile(output, c.seal.Output); err != nil {
		return err
	}
	if err := sameFile(changes, c.seal.Changes); err != nil {
		return err
	}
	if summary.RowsTotal != c.seal.Summary.RowsTotal || summary.RowsChanged != c.seal.Summary.RowsChanged {
		return differs("it has %d rows of which %d changed; sealed were %d and %d",
			summary.RowsTotal, summary.RowsChanged, c.seal.Summary.RowsTotal, c.seal.Summary.RowsChanged)
	}
	return nil
}

// output compares the published file with the seal.
func (c *comparison) output(ctx context.Context) error {
	return c.published(ctx, c.Outbox, c.seal.Output, io.Discard)
}

// changes compares the changes file with the seal, also by its SHA-256.
func (c *comparison) changes(ctx context.Context) error {
	hash := sha256.New()
	if err := c.published(ctx, c.Audit, c.seal.Changes, hash); err != nil {
		return err
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != c.seal.ChangesSHA256 {
		return differs("its SHA-256 is %s; sealed was %s", got, c.seal.ChangesSHA256)
	}
	return nil
}

func (c *comparison) published(ctx context.Context, from bucket.Bucket, sealed ledger.File, also io.Writer) error {
	file, err := c.open(ctx, from, sealed)
	if err != nil {
		return err
	}
	digest, err := measure(file, also)
	if err != nil {
		return err
	}
	return sameFile(digest, sealed)
}
