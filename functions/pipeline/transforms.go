package main

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/planwright/planwright/shared/execution/ranges"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/row"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&surveyFn{})
	register.DoFn4x1[context.Context, []byte, func(*string) bool, func(string), error](&rangesFn{})
	register.DoFn2x1[context.Context, string, error](&runFn{})
	register.Emitter1[string]()
	register.Iter1[string]()
}

// The elements of the pipeline are stretches, what was surveyed in them, and
// ranges, each as JSON; never rows.

// surveyed is what was found in a stretch.
type surveyed struct {
	Stretch ranges.Stretch
	Found   row.Survey
}

// task is what each transform knows of the work, as JSON.
type task struct {
	Places places
	Work   ranges.Work
}

func (t task) worker(ctx context.Context) (*ranges.Worker, error) {
	buckets, err := t.Places.buckets(ctx)
	if err != nil {
		return nil, err
	}
	return ranges.NewWorker(buckets, t.Work)
}

// surveyFn surveys stretches.
type surveyFn struct{ Task task }

// ProcessElement surveys one stretch.
func (f *surveyFn) ProcessElement(ctx context.Context, element string, emit func(string)) error {
	w, err := f.Task.worker(ctx)
	if err != nil {
		return err
	}
	var s surveyed
	if err := json.Unmarshal([]byte(element), &s.Stretch); err != nil {
		return err
	}
	found, err := w.Survey(ctx, s.Stretch)
	if err != nil {
		return err
	}
	s.Found = found.Survey
	emit(text(s))
	return nil
}

// rangesFn makes of what was found in all stretches the ranges.
type rangesFn struct{ Task task }

// ProcessElement is called once.
func (f *rangesFn) ProcessElement(
	ctx context.Context,
	_ []byte,
	next func(*string) bool,
	emit func(string),
) error {
	w, err := f.Task.worker(ctx)
	if err != nil {
		return err
	}
	var all []surveyed
	for element := ""; next(&element); {
		var s surveyed
		if err := json.Unmarshal([]byte(element), &s); err != nil {
			return err
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b surveyed) int { return cmp.Compare(a.Stretch.From, b.Stretch.From) })
	found := make([]row.Survey, len(all))
	for i, s := range all {
		found[i] = s.Found
	}
	made, err := w.Ranges(ctx, found)
	if err != nil {
		return err
	}
	for _, r := range made {
		emit(text(r))
	}
	return nil
}

// runFn runs ranges.
type runFn struct{ Task task }

// ProcessElement runs one range.
func (f *runFn) ProcessElement(ctx context.Context, element string) error {
	var r table.Range
	if err := json.Unmarshal([]byte(element), &r); err != nil {
		return err
	}
	w, err := f.Task.worker(ctx)
	if err == nil {
		_, err = w.Run(ctx, r)
	}
	return err
}

func text(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // of strings and numbers
	}
	return string(data)
}

// surveys is the pipeline of the first pass over some stretches.
func surveys(t task, stretches []string) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo(s, &surveyFn{t}, beam.Reshuffle(s, beam.CreateList(s, stretches)))
	return p
}

// runs is the pipeline of the second pass over some ranges.
func runs(t task, ranges []string) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, &runFn{t}, beam.Reshuffle(s, beam.CreateList(s, ranges)))
	return p
}

// whole is the pipeline of both passes. A reshuffle lets every element go to a
// worker of its own.
func whole(t task, stretches []ranges.Stretch) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	elements := make([]string, len(stretches))
	for i := range stretches {
		elements[i] = text(stretches[i])
	}
	found := beam.ParDo(s, &surveyFn{t}, beam.Reshuffle(s, beam.CreateList(s, elements)))
	made := beam.ParDo(s, &rangesFn{t}, beam.Impulse(s), beam.SideInput{Input: found})
	beam.ParDo0(s, &runFn{t}, beam.Reshuffle(s, made))
	return p
}
