package simulation

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/execution/ranges"
	"github.com/planwright/planwright/shared/pricing"
)

// InRanges is the product over real tables, half of whose executors have them
// computed in ranges, with the help of workers that are other processes.
var InRanges = Mutant{Name: "in ranges", ranges: true}

// TestInRanges runs executors that compute in ranges beside ordinary ones.
func TestInRanges(t *testing.T) {
	t.Logf("%+v", hold(t, InRanges, max(*flags.Schedules/5, 100)))
}

// priced is the real engine. It reads before it begins, because the worker's
// calls must come from one goroutine.
type priced struct{ execution.Pricing }

func (p priced) Run(ctx context.Context, task execution.Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return pricing.Summary{}, err
	}
	if task.Undone != nil {
		undone, err := io.ReadAll(task.Undone)
		if err != nil {
			return pricing.Summary{}, err
		}
		task.Undone = io.NopCloser(bytes.NewReader(undone))
	}
	return p.Pricing.Run(ctx, task, bytes.NewReader(data), out, changes...)
}

// engineOf is the engine of a build.
func engineOf(build string) execution.Engine {
	if build == pricing.Build {
		return priced{}
	}
	return engine{build}
}

// csv is the real table that a content stands for, with line breaks in quotes.
// Its first rows are long, so that it is cut between them and within them.
func csv(content string) string {
	var table strings.Builder
	table.WriteString("sku,category,price\n")
	var rows int
	if _, err := fmt.Sscanf(content, "good %d", &rows); err != nil {
		return table.String() + "A,\"x\n\",bad\n"
	}
	for row := range rows + 1 {
		fmt.Fprintf(&table, "S-%d,\"%s,\n\"\"\n%s\",%d.00\n", row, content, strings.Repeat("soft,\n", max(0, 3-row)*100), row)
	}
	return table.String()
}

// inRanges has a worker's executor compute in ranges, with the help of others,
// each a worker of its own: it may be lost, be late, and wake when all is done.
func (w *world) inRanges(executor *worker) *ranges.Computer {
	buckets := func(of *worker) execution.Buckets {
		return execution.Buckets{Inbox: of.bucket(w.inbox), Outbox: of.bucket(w.behind(w.outbox)), Audit: of.bucket(w.behind(w.audit))}
	}
	stretches, helpers := 1+w.rng.IntN(4), w.rng.IntN(3)
	return &ranges.Computer{Buckets: buckets(executor), Stretches: func(int64) int { return stretches },
		Spread: func(ctx context.Context, work ranges.Work, stretches []ranges.Stretch, working func() error) error {
			for range helpers {
				helper := w.hire()
				w.say("%s is helped by %s", executor.name, helper.name)
				w.begin(helper, func() error {
					return ranges.Here(buckets(helper))(ctx, work, stretches, func() error { return nil })
				})
			}
			return ranges.Here(buckets(executor))(ctx, work, stretches, working)
		}}
}

// dropParts removes what workers have stored, as a rule of the buckets does.
func (w *world) dropParts() {
	w.say("the parts are removed")
	for _, o := range []*objects{w.outbox, w.audit} {
		maps.DeleteFunc(o.generations, func(name string, _ []stored) bool { return strings.HasPrefix(name, ranges.Folder+"/") })
	}
}

var (
	_ bucket.Parts = workerBucket{}
	_ bucket.Parts = (*objects)(nil)
)

// OpenRange reads at once, because the engine reads in other goroutines.
func (b workerBucket) OpenRange(ctx context.Context, name string, generation, from, length int64) (r io.ReadCloser, err error) {
	var data []byte
	err = b.w.Call("read range of "+name, func() error {
		in, _, err := b.Bucket.Open(ctx, name, generation)
		if err == nil {
			data, err = io.ReadAll(in)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	data = slices.Clone(data[min(from, int64(len(data))):min(from+length, int64(len(data)))])
	if b.w.Spoilt() && len(data) > 0 {
		data[len(data)-1] ^= 1
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

func (b workerBucket) Compose(ctx context.Context, name string, options bucket.CreateOptions, parts []bucket.Object) (o bucket.Object, err error) {
	err = b.w.Call("compose "+name, func() (err error) {
		o, err = b.Bucket.(bucket.Parts).Compose(ctx, name, options, parts)
		return err
	})
	return o, err
}

// OpenRange implements bucket.Parts.
func (o *objects) OpenRange(ctx context.Context, name string, generation, from, length int64) (io.ReadCloser, error) {
	in, object, err := o.Open(ctx, name, generation)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	stretch := data[min(from, object.Size):min(from+length, object.Size)]
	return io.NopCloser(bytes.NewReader(stretch)), nil
}

// Compose implements bucket.Parts.
func (o *objects) Compose(ctx context.Context, name string, options bucket.CreateOptions, parts []bucket.Object) (bucket.Object, error) {
	return bucket.Concatenate(ctx, o, name, options, parts)
}
