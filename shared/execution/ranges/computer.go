package ranges

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// Computer computes in ranges.
type Computer struct {
	Buckets
	// Stretches says in how many stretches a table of a size is surveyed. It has
	// as many ranges, or fewer.
	Stretches func(size int64) int
	// Spread has Survey called of all the stretches of a work, and Run of all the
	// ranges that follow from them, anywhere and in any order.
	Spread Spread
}

// Spread has a work done. It calls working now and then, by one goroutine at a
// time, and ends with its error.
type Spread func(ctx context.Context, work Work, stretches []Stretch, working func() error) error

var _ execution.Computer = (*Computer)(nil)

// Compute implements execution.Computer. Parts that were made of bytes that came
// out wrong can only be left behind: it tries again with others.
func (c *Computer) Compute(ctx context.Context, job execution.Job) (result execution.Result, err error) {
	work := newWork(job)
	for ; work.Try < maxTries; work.Try++ {
		if result, err = c.compute(ctx, work, job); !errors.Is(err, pricing.ErrMisread) {
			break
		}
	}
	return result, err
}

const maxTries = 3

func (c *Computer) compute(ctx context.Context, work Work, job execution.Job) (execution.Result, error) {
	w, err := NewWorker(c.Buckets, work)
	if err != nil {
		return execution.Result{}, err
	}
	opened, beginning, err := w.open(ctx)
	if err != nil {
		return execution.Result{}, err
	}
	defer beginning.Close()
	body := opened.Body()
	stretches := cut(body, w.Size, opened.Unit(), c.Stretches(w.Size))
	if err := c.Spread(ctx, w.Work, stretches, job.Working); err != nil {
		return execution.Result{}, err
	}
	ranges, made, read, err := w.collect(ctx, stretches, job.Working)
	if err != nil {
		return execution.Result{}, err
	}
	if err := w.checkRead(ctx, body, read, job.Input); err != nil {
		return execution.Result{}, err
	}
	parts := make([]*pricing.Part, len(made))
	for i := range made {
		parts[i], read[i] = made[i].Part, made[i].Read // there are no more ranges than stretches
	}
	result := execution.Result{}
	result.Summary, err = w.engine.Join(ctx, opened, ranges, parts, func(at int64) (io.Reader, error) { return w.read(ctx, at, w.Size) })
	if err != nil {
		return execution.Result{}, err
	}
	if err := w.checkRead(ctx, body, read[:len(made)], job.Input); err != nil {
		return execution.Result{}, err
	}
	if result.Input, err = w.fingerprint(ctx, job.Input, job.Working); err != nil {
		return execution.Result{}, err
	}
	err = c.compose(ctx, job, made, &result)
	return result, err
}

// cut cuts a table behind its header, between units, into at most so many
// stretches.
func cut(body, size, unit int64, stretches int) []Stretch {
	length := (size - body + int64(stretches) - 1) / int64(stretches)
	length = max(length+unit-1, unit) / unit * unit
	var all []Stretch
	for from := body; from < size || len(all) == 0; from += length {
		all = append(all, Stretch{from, min(from+length, max(size, body))})
	}
	return all
}

// collect reads what the workers stored, and what was read of each stretch.
func (w *Worker) collect(ctx context.Context, stretches []Stretch, working func() error) (ranges []table.Range, made []Made, read []bucket.Digest, err error) {
	var found []Surveyed
	for _, s := range stretches {
		one, err := w.Survey(ctx, s)
		if err == nil {
			err = working()
		}
		if err != nil {
			return nil, nil, nil, err
		}
		found, read = append(found, one), append(read, one.Read)
	}
	if ranges, err = w.Ranges(ctx, found); err != nil {
		return nil, nil, nil, err
	}
	for _, r := range ranges {
		one, err := w.Run(ctx, r)
		if err == nil {
			err = working()
		}
		if err != nil {
			return nil, nil, nil, err
		}
		made = append(made, one)
	}
	return ranges, made, read, nil
}

// fingerprint reads the whole table: BLAKE3's tree has no part for a range that
// begins anywhere.
func (w *Worker) fingerprint(ctx context.Context, object bucket.Object, working func() error) (*bucket.Fingerprint, error) {
	in, _, err := w.source().Open(ctx, object.Name, object.Generation)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	read := bucket.NewFingerprint()
	return read, copyWorking(read, in, working)
}

// copyWorking copies, and says so.
func copyWorking(to io.Writer, from io.Reader, working func() error) error {
	_, err := io.CopyBuffer(to, workingReader{from, working}, make([]byte, 1<<20))
	return err
}

type workingReader struct {
	io.Reader
	working func() error
}

func (r workingReader) Read(p []byte) (int, error) {
	if err := r.working(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// checkRead holds what the workers read of the table, piece after piece, against
// its checksum.
func (w *Worker) checkRead(ctx context.Context, body int64, pieces []bucket.Digest, input bucket.Object) error {
	head, err := w.read(ctx, 0, body)
	if err != nil {
		return err
	}
	defer head.Close()
	var first bucket.Digest
	if _, err := io.Copy(&first, head); err != nil {
		return err
	}
	read := []bucket.Object{{Size: first.Size, CRC32C: first.CRC32C}}
	for _, piece := range pieces {
		read = append(read, bucket.Object{Size: piece.Size, CRC32C: piece.CRC32C})
	}
	if all := bucket.Composed(read); !all.Matches(input) {
		return pricing.ErrMisread
	}
	return nil
}

// compose makes the two uploads of the parts. The hash of the changes is of all
// their bytes in their order, so they are read once.
func (c *Computer) compose(ctx context.Context, job execution.Job, made []Made, result *execution.Result) error {
	outbox, ok := c.Outbox.(bucket.Composer)
	audit, too := c.Audit.(bucket.Composer)
	if !ok || !too {
		return errs.New(errs.Internal, "the buckets %s and %s cannot compose", c.Outbox.Name(), c.Audit.Name())
	}
	var outputs, changes []bucket.Object
	hash := sha256.New()
	for i := range made {
		outputs, changes = append(outputs, made[i].Output), append(changes, made[i].Changes)
		in, _, err := c.Audit.Open(ctx, made[i].Changes.Name, made[i].Changes.Generation)
		if err != nil {
			return err
		}
		err = copyWorking(hash, in, job.Working)
		in.Close()
		if err != nil {
			return err
		}
	}
	result.ChangesSHA256 = hex.EncodeToString(hash.Sum(nil))
	result.Output = bucket.Composition(ctx, outbox, job.Output, bucket.CreateOptions{ContentType: job.OutputType}, outputs)
	result.Changes = bucket.Composition(ctx, audit, job.Changes, bucket.CreateOptions{ContentType: execution.LinesType}, changes)
	return nil
}

// Here does a work in this process, one piece after the other.
func Here(buckets Buckets) Spread {
	return func(ctx context.Context, work Work, stretches []Stretch, working func() error) error {
		w, err := NewWorker(buckets, work)
		if err == nil {
			_, _, _, err = w.collect(ctx, stretches, working)
		}
		return err
	}
}
