package ranges

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"github.com/planwright/planwright/shared/blake3"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/row"
)

// Computer computes in ranges.
type Computer struct {
	execution.Buckets
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
		if result, err = c.compute(ctx, work, job); !errors.Is(err, row.ErrMisread) {
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
	opened, err := w.open(ctx)
	if isRefused(err) {
		opened, err = w.open(ctx) // it may have been misread: a refusal is for good
	}
	if err != nil {
		return execution.Result{}, err
	}
	defer opened.Close()
	w.Opened = opened.read
	stretches := cut(opened.Body(), w.Size, c.Stretches(w.Size))
	if err := c.Spread(ctx, w.Work, stretches, job.Working); err != nil {
		return execution.Result{}, err
	}
	found, ranges, made, err := w.collect(ctx, stretches, job.Working)
	if err != nil {
		return execution.Result{}, err
	}
	result := execution.Result{Input: bucket.Digest{Size: job.Input.Size, CRC32C: job.Input.CRC32C}}
	if result.BLAKE3, err = hashOf(found, result.Input); err != nil {
		return execution.Result{}, err
	}
	if result.Summary, err = w.join(ctx, opened, ranges, made, result.Input); err != nil {
		return execution.Result{}, err
	}
	err = c.compose(ctx, job, made, &result)
	return result, err
}

// cut cuts a table between BLAKE3's chunks into at most so many stretches, of
// which the first has the header.
func cut(body, size int64, stretches int) []Stretch {
	length := max((size+int64(stretches)-1)/int64(stretches), body, 1)
	length = (length + blake3.ChunkBytes - 1) / blake3.ChunkBytes * blake3.ChunkBytes
	var all []Stretch
	for from := int64(0); from < size || len(all) == 0; from += length {
		all = append(all, Stretch{from, min(from+length, size)})
	}
	return all
}

// Surveyed surveys all stretches that were not surveyed before, and returns the
// ranges of the table. After each it says that it works.
func (w *Worker) Surveyed(
	ctx context.Context, stretches []Stretch, working func() error,
) (found []Surveyed, ranges []table.Range, err error) {
	surveys := make([]row.Survey, len(stretches))
	for i, s := range stretches {
		survey, err := w.Survey(ctx, s)
		if err == nil {
			err = working()
		}
		if err != nil {
			return nil, nil, err
		}
		found, surveys[i] = append(found, survey), survey.Survey
	}
	ranges, err = w.Ranges(ctx, surveys)
	return found, ranges, err
}

// collect reads what the workers stored.
func (w *Worker) collect(
	ctx context.Context, stretches []Stretch, working func() error,
) (found []Surveyed, ranges []table.Range, made []Made, err error) {
	if found, ranges, err = w.Surveyed(ctx, stretches, working); err != nil {
		return nil, nil, nil, err
	}
	for _, r := range ranges {
		result, err := w.Run(ctx, r)
		if err == nil {
			err = working()
		}
		if err != nil {
			return nil, nil, nil, err
		}
		made = append(made, result)
	}
	return found, ranges, made, nil
}

// hashOf returns the BLAKE3 of a table that was surveyed, and holds what was read
// of it against the table's digest.
func hashOf(found []Surveyed, input bucket.Digest) (string, error) {
	var all blake3.Tree
	var read bucket.Digest
	for i := range found {
		all.Join(found[i].Hashed)
		read = read.Followed(found[i].Read)
	}
	if read != input {
		return "", row.ErrMisread
	}
	return all.Sum(), nil
}

// join joins what the workers did in all ranges, and holds what they read for it
// against the table's digest.
func (w *Worker) join(
	ctx context.Context, opened *opening, ranges []table.Range, made []Made, input bucket.Digest,
) (pricing.Summary, error) {
	var read bucket.Digest
	_, _ = opened.Writer(&read).Write(opened.Head) // a digest has no errors
	parts := make([]*pricing.Part, len(made))
	for i := range made {
		parts[i], read = made[i].Part, read.Followed(made[i].Read)
	}
	summary, err := w.engine.Join(ctx, opened.Table, ranges, parts, func(at int64) (io.ReadCloser, error) {
		return w.read(ctx, at, w.Size)
	})
	_, unknown := errors.AsType[*names.UnknownNamesError](err) // or misread
	refused, is := errors.AsType[*table.InputError](err)
	dated := is && refused.Code() == row.CodeDatedSales // so too
	if (err == nil || unknown || dated) && read != input {
		err = row.ErrMisread
	}
	return summary, err
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

// compose makes the two uploads of the parts. The hash of the changes is of all
// their bytes in their order, so they are read once.
func (c *Computer) compose(
	ctx context.Context, job execution.Job, made []Made, result *execution.Result,
) error {
	outbox, ok := c.Outbox.(bucket.Parts)
	audit, too := c.Audit.(bucket.Parts)
	if !ok || !too {
		return errs.New(errs.Internal, "the buckets %s and %s cannot compose",
			c.Outbox.Name(), c.Audit.Name())
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
	result.Output = bucket.Composition(
		ctx, outbox, job.Output, bucket.CreateOptions{ContentType: job.OutputType}, outputs,
	)
	result.Changes = bucket.Composition(
		ctx, audit, job.Changes, bucket.CreateOptions{ContentType: execution.LinesType}, changes,
	)
	return nil
}

// Here does a work in this process, one piece after the other.
func Here(buckets execution.Buckets) Spread {
	return func(ctx context.Context, work Work, stretches []Stretch, working func() error) error {
		w, err := NewWorker(buckets, work)
		if err == nil {
			_, _, _, err = w.collect(ctx, stretches, working)
		}
		return err
	}
}
