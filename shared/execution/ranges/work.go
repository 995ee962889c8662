// Package ranges carries a plan out over a table in ranges, by many workers at
// the same time: each surveys stretches of it, then each runs ranges of it, and
// one joins what they made. It gives the bytes and the numbers that the engine
// gives of the whole table.
//
// What a worker makes it stores under a name that is made of what it was made
// of, and nothing else: the plan, the settings, the generation of the table, the
// engine's build and the range. So a worker that dies is replaced, one that runs
// twice finds what it stored, and one that wakes late stores the same again.
// These names begin with Folder, which no execution's do.
package ranges

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/planwright/planwright/shared/blake3"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/row"
)

// Folder holds the parts of all executions, in outbox and audit bucket.
const Folder = "_parts"

// Work is what is to be done to a table, as workers are told of it.
type Work struct {
	ExecutionID string          `json:"execution_id"`
	Plan        json.RawMessage `json:"plan"`
	Settings    table.Settings  `json:"settings"`
	Object      string          `json:"object"`
	Generation  int64           `json:"generation"`
	Size        int64           `json:"size"`
	Build       string          `json:"build"`
	OutputOf    string          `json:"output_of,omitempty"`
	Opened      bucket.Digest   `json:"opened"`        // of the table's beginning, which everyone opens
	Try         int             `json:"try,omitempty"` // after tries that read wrong bytes
}

func newWork(job execution.Job) Work {
	return Work{
		ExecutionID: job.ExecutionID,
		Plan:        job.Plan.Canonical,
		Settings:    job.Source.Settings,
		Object:      job.Input.Name,
		Generation:  job.Input.Generation,
		Size:        job.Input.Size,
		Build:       pricing.Build,
		OutputOf:    job.Source.OutputOf,
	}
}

// folder is where what is made of the work is stored.
func (w Work) folder() string {
	text, err := json.Marshal(w)
	if err != nil {
		panic(err) // of strings and numbers
	}
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%s/%s/%s", Folder, w.ExecutionID, hex.EncodeToString(sum[:12]))
}

// Stretch is a stretch of a table's bytes. It begins with one of BLAKE3's chunks.
type Stretch struct {
	From, To int64
}

// Worker does one piece of a work at a time.
type Worker struct {
	execution.Buckets
	Work
	engine *pricing.Engine
}

// NewWorker returns a worker for a work. Invalid: it is another build's, or
// cannot be done in ranges.
func NewWorker(buckets execution.Buckets, work Work) (*Worker, error) {
	if work.Build != pricing.Build {
		return nil, errs.New(errs.Invalid, "The work is for build %s of the engine, and this is build %s.",
			work.Build, pricing.Build)
	}
	p, err := plan.Decode(work.Plan)
	if err != nil {
		return nil, err
	}
	engine, err := pricing.Compile(p, work.Settings)
	return &Worker{buckets, work, engine}, err
}

// read reads the table from a place to another.
func (w *Worker) read(ctx context.Context, from, to int64) (io.ReadCloser, error) {
	if from >= to {
		return io.NopCloser(bytes.NewReader(nil)), nil
	}
	source := w.Input(ledger.Source{OutputOf: w.OutputOf})
	stretches, ok := source.(bucket.Parts)
	if !ok {
		return nil, errs.New(errs.Internal, "no ranges can be read of the bucket %s", source.Name())
	}
	return stretches.OpenRange(ctx, w.Object, w.Generation, from, to-from)
}

// opening is a table whose beginning has been read. It reads on from there until
// it is closed.
type opening struct {
	*table.Table
	io.Closer
	read bucket.Digest
}

// open reads the beginning of the table.
func (w *Worker) open(ctx context.Context) (*opening, error) {
	in, err := w.read(ctx, 0, w.Size)
	if err != nil {
		return nil, err
	}
	var read bucket.Digest
	opened, err := w.engine.Open(ctx, io.TeeReader(in, &read))
	if err != nil {
		in.Close()
		return nil, err
	}
	return &opening{opened, in, read}, nil
}

func isRefused(err error) bool {
	_, refused := errors.AsType[*table.InputError](err)
	return refused
}

// openAgain opens a table that the driver has opened. Of that reading there is no
// other checksum: it must be of the same bytes.
func (w *Worker) openAgain(ctx context.Context) (*opening, error) {
	opened, err := w.open(ctx)
	if isRefused(err) {
		return nil, row.ErrMisread
	}
	if err == nil && opened.read != w.Opened {
		opened.Close()
		return nil, row.ErrMisread
	}
	return opened, err
}

// openPiece opens the table, and a piece of it to be read.
func (w *Worker) openPiece(ctx context.Context, from, to int64) (*opening, io.ReadCloser, error) {
	opened, err := w.openAgain(ctx)
	if err != nil {
		return nil, nil, err
	}
	in, err := w.read(ctx, from, to)
	if err != nil {
		opened.Close()
	}
	return opened, in, err
}

// Surveyed is what was found in a stretch.
type Surveyed struct {
	row.Survey
	Hashed blake3.Hashed
	Read   bucket.Digest
}

// Survey surveys a stretch, unless it was surveyed before.
func (w *Worker) Survey(ctx context.Context, s Stretch) (found Surveyed, err error) {
	name := fmt.Sprintf("%s/survey-%020d-%020d.json", w.folder(), s.From, s.To)
	err = w.once(ctx, name, &found, func() error { return w.survey(ctx, s, &found) })
	return found, err
}

func (w *Worker) survey(ctx context.Context, s Stretch, found *Surveyed) error {
	opened, in, err := w.openPiece(ctx, s.From, s.To)
	if err != nil {
		return err
	}
	defer opened.Close()
	defer in.Close()
	hash := blake3.NewAt(s.From)
	read := io.TeeReader(in, io.MultiWriter(&found.Read, hash))
	if s.From == 0 {
		_, err = io.CopyN(io.Discard, read, opened.Body())
	}
	if err == nil {
		found.Survey, err = opened.Survey(read)
	}
	if err == io.EOF || err == nil && found.Read.Size != s.To-s.From {
		err = errs.New(errs.Unavailable, "%d of %d bytes were read of a stretch",
			found.Read.Size, s.To-s.From)
	}
	found.Hashed = hash.Stretch()
	return err
}

// Ranges returns the ranges of the table, by the surveys of all stretches.
func (w *Worker) Ranges(ctx context.Context, surveys []row.Survey) ([]table.Range, error) {
	opened, err := w.openAgain(ctx)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return opened.Ranges(surveys), nil
}

// Made is what was made of a range: where it has a fault, nothing.
type Made struct {
	Part            *pricing.Part
	Output, Changes bucket.Object
	Read            bucket.Digest
}

// Run runs a range, unless it was run before.
func (w *Worker) Run(ctx context.Context, r table.Range) (made Made, err error) {
	name := fmt.Sprintf("%s/%020d-%020d-%d", w.folder(), r.From, r.To, r.Row)
	err = w.once(ctx, name+".json", &made, func() error { return w.run(ctx, r, name, &made) })
	return made, err
}

func (w *Worker) run(ctx context.Context, r table.Range, name string, made *Made) error {
	opened, in, err := w.openPiece(ctx, r.From, r.To)
	if err != nil {
		return err
	}
	defer opened.Close()
	defer in.Close()
	output, err := w.Outbox.Create(ctx, name+".table", bucket.CreateOptions{})
	if err != nil {
		return err
	}
	defer output.Abandon()
	changes, err := w.Audit.Create(ctx, name+".jsonl", bucket.CreateOptions{ContentType: execution.LinesType})
	if err != nil {
		return err
	}
	defer changes.Abandon()
	if made.Part, err = w.engine.RunRange(ctx, opened.Table, r, io.TeeReader(in, &made.Read), output,
		changes); err != nil || made.Part.Fault {
		return err
	}
	if made.Output, err = bucket.Publish(output); err != nil {
		return err
	}
	made.Changes, err = bucket.Publish(changes)
	return err
}

// once reads a result that is stored, or has it made and stores it. Where
// another has stored it meanwhile, that one counts: it says the same.
func (w *Worker) once(ctx context.Context, name string, result any, make func() error) error {
	err := w.load(ctx, name, result)
	if errs.KindOf(err) != errs.NotFound {
		return err
	}
	if err := make(); err != nil {
		return err
	}
	data, err := json.Marshal(result)
	if err != nil {
		return err
	}
	_, err = bucket.Put(
		ctx, w.Outbox, name, bucket.CreateOptions{ContentType: "application/json"}, bytes.NewReader(data),
	)
	if errs.KindOf(err) == errs.Conflict {
		return w.load(ctx, name, result)
	}
	return err
}

func (w *Worker) load(ctx context.Context, name string, result any) error {
	data, err := bucket.ReadLive(ctx, w.Outbox, name, maxResult)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, result)
}

// maxResult is more bytes than what is said of a stretch or a range has.
const maxResult = 1 << 30
