package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// input checks that the generation that was read still has its bytes.
func (c *comparison) input(ctx context.Context) error {
	if sealed, source := c.seal.Input, c.record.Source; sealed.Bucket != source.Bucket ||
		sealed.Object != source.Object {
		return differs("what was sealed was read from %s; the upload is %s/%s",
			sealed, source.Bucket, source.Object)
	}
	file, _, err := c.openTable(ctx)
	if errs.KindOf(err) == errs.NotFound && c.Now().Sub(c.seal.ExecutedAt) > execution.InputsKept {
		c.removed = true
		c.note("it is gone, as an input may be after %d days: output and changes are compared by their checksums", int(execution.InputsKept.Hours()/24))
		return nil
	} else if err != nil {
		return err
	}
	defer file.Close()
	read := bucket.NewFingerprint()
	if _, err := io.Copy(read, file); err != nil {
		return err
	}
	if err := sameSize(read.Digest, c.seal.Input); err != nil {
		return err
	}
	if got := read.BLAKE3(); got != c.seal.Input.BLAKE3 {
		return differs("it has the BLAKE3 %s; sealed was %s (%s)",
			got, c.seal.Input.BLAKE3, c.seal.Input.Object)
	}
	return nil
}

// openTable opens the generation of the table that was read.
func (c *comparison) openTable(ctx context.Context) (io.ReadCloser, bucket.Object, error) {
	return c.Input(c.record.Source).Open(ctx, c.record.Source.Object, c.record.Source.Reads())
}

// recompute runs the engine over plan and input and compares what comes of it
// with the seal, and byte by byte with the published files. It writes nothing.
func (c *comparison) recompute(ctx context.Context) error {
	if c.removed {
		return errNotKept
	}
	if sealed, build := c.seal.EngineBuild, c.Engine.Build(); sealed != build {
		c.note("engine build %s made it; this is build %s", sealed, build)
	}
	return c.ofBuild(c.seal.EngineBuild, c.recomputeSealed(ctx))
}

func (c *comparison) recomputeSealed(ctx context.Context) error {
	stored, err := c.storedPlan(ctx)
	if err != nil {
		return err
	}
	var output bucket.Digest
	changes := sha256.New()
	summary, err := c.compute(
		ctx, stored.Plan, &c.seal, io.MultiWriter(&output, c.outputFile), changes, c.changesFile,
	)
	if err != nil {
		return err
	}
	if err := sameSize(output, c.seal.Output); err != nil {
		return err
	}
	if err := c.sameChanges(changes); err != nil {
		return err
	}
	c.computed = true
	return c.sameResult(stored, summary, changes, c.seal.Result)
}

// compute runs the engine over the plan and its table, with the changes that it undoes,
// if any, as it was sealed or is proposed.
func (c *comparison) compute(
	ctx context.Context, p *plan.Plan, as *ledger.Seal, output io.Writer, changes ...io.Writer,
) (pricing.Summary, error) {
	in, _, err := c.openTable(ctx)
	if err != nil {
		return pricing.Summary{}, err
	}
	defer in.Close()
	var undone *ledger.Execution
	if p.Undo != nil {
		record, err := c.Ledger.Execution(ctx, p.Undo.ExecutionID)
		if err != nil {
			return pricing.Summary{}, err
		}
		undone = &record
	}
	task, err := c.NewTask(ctx, p, c.record.Source, as, undone)
	if err != nil {
		return pricing.Summary{}, err
	}
	defer task.Close()
	return c.Engine.Run(ctx, task, in, output, changes...)
}

// output compares the published file with the seal and with what was computed.
func (c *comparison) output(context.Context) error {
	if err := c.outputFile.end(c.computed); err != nil {
		return err
	}
	return sameSize(c.outputFile.read, c.seal.Output)
}

// changes compares the changes file with the seal and with what was computed.
func (c *comparison) changes(context.Context) error {
	if err := c.changesFile.end(c.computed); err != nil {
		return err
	}
	if err := sameSize(c.changesFile.read, c.seal.Changes); err != nil {
		return err
	}
	return c.sameChanges(c.changesFile.hash)
}

// ownFiles compares the files that command lines named, where there are any.
func (c *comparison) ownFiles(ctx context.Context) error {
	if c.OwnFiles == nil {
		return errNotKept
	}
	count, notes, err := c.OwnFiles(ctx, c.record)
	if count == 0 && err == nil {
		return errNotKept
	}
	c.notes = append(c.notes, notes...)
	return err
}

func (c *comparison) sameChanges(hash hash.Hash) error {
	if got := hex.EncodeToString(hash.Sum(nil)); got != c.seal.Changes.SHA256 {
		return differs("the changes have the SHA-256 %s; sealed was %s", got, c.seal.Changes.SHA256)
	}
	return nil
}

// published is a file that is there. It is read as what should be in it is
// computed: written to it are the bytes that it must have.
type published struct {
	file   io.ReadCloser
	err    error // why it cannot be read
	read   bucket.Digest
	hash   hash.Hash
	same   int64 // bytes that are as computed, from the beginning on
	piece  []byte
	differ bool
}

func (c *comparison) published(ctx context.Context, from bucket.Bucket, file ledger.File) *published {
	p := &published{hash: sha256.New()}
	p.file, _, p.err = bucket.OpenLive(ctx, from, file.Object)
	return p
}

// Write compares. It never fails: what differs is said in the end.
func (p *published) Write(computed []byte) (int, error) {
	if p.err != nil || p.differ {
		return len(computed), nil
	}
	if len(p.piece) < len(computed) {
		p.piece = make([]byte, len(computed))
	}
	n, err := io.ReadFull(p.file, p.piece[:len(computed)])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		p.err = err
		return len(computed), nil
	}
	found := p.piece[:n]
	p.read.Write(found)
	p.hash.Write(found)
	for i := range found {
		if found[i] != computed[i] {
			n, p.differ = i, true
			break
		}
	}
	p.same += int64(n)
	p.differ = p.differ || n < len(computed)
	return len(computed), nil
}

// end reads the rest. Where all of it was computed there must be none.
func (p *published) end(computed bool) error {
	if p.err != nil {
		return p.err
	}
	rest, err := io.Copy(io.MultiWriter(&p.read, p.hash), p.file)
	switch {
	case err != nil:
		return err
	case computed && (p.differ || rest > 0):
		return differs("it is not what plan and input make: byte %d is the first that differs", p.same+1)
	default:
		return nil
	}
}

func (p *published) close() {
	if p.file != nil {
		p.file.Close()
	}
}
