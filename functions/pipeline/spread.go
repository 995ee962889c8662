package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"golang.org/x/sync/errgroup"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution/ranges"
)

// workingEvery is how often the driver says that the workers work.
const workingEvery = time.Second

// spread has a work done by the runner.
func (f flags) spread(at places) ranges.Spread {
	return func(
		ctx context.Context, work ranges.Work, stretches []ranges.Stretch, working func() error,
	) error {
		fmt.Fprintf(os.Stderr, "%s: %d stretches, by %s ...\n", work.Object, len(stretches), f.runner)
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		done := make(chan error, 1)
		go func() { done <- f.do(ctx, task{at, work}, stretches) }()
		ticker := time.NewTicker(workingEvery)
		defer ticker.Stop()
		for {
			select {
			case err := <-done:
				if err != nil {
					return errs.Wrap(
						errs.Unavailable,
						err,
						"The workers could not do it; the lines above say why. Type the same command again: it goes on with what is stored.",
					)
				}
				return nil
			case <-ticker.C:
				if err := working(); err != nil {
					return err
				}
			}
		}
	}
}

// do runs one job, or on this machine a job for each worker process.
func (f flags) do(ctx context.Context, t task, stretches []ranges.Stretch) error {
	if f.workers == 0 {
		_, err := beam.Run(ctx, f.runner, whole(t, stretches))
		return err
	}
	client, err := prism.CreateJobServer(ctx, prism.Options{})
	if err != nil {
		return err
	}
	if err := inProcesses(ctx, client, stretches, f.workers,
		func(own []string) *beam.Pipeline { return surveys(t, own) }); err != nil {
		return err
	}
	w, err := t.worker(ctx)
	if err != nil {
		return err
	}
	_, made, err := w.Surveyed(ctx, stretches, ctx.Err) // what was found is stored by now
	if err != nil {
		return err
	}
	return inProcesses(
		ctx,
		client,
		made,
		f.workers,
		func(own []string) *beam.Pipeline { return runs(t, own) },
	)
}

// inProcesses shares elements among worker processes of Prism in this process.
// Each has a job of its own, for Prism starts one worker for a job.
func inProcesses[T any](
	ctx context.Context,
	client jobpb.JobServiceClient,
	elements []T,
	processes int,
	build func(own []string) *beam.Pipeline,
) error {
	shares := make([][]string, min(processes, len(elements)))
	for i, element := range elements {
		shares[i%len(shares)] = append(shares[i%len(shares)], text(element))
	}
	jobs, ctx := errgroup.WithContext(ctx)
	for _, own := range shares {
		p := build(own)
		jobs.Go(func() error { return inProcess(ctx, client, p) })
	}
	return jobs.Wait()
}

// inProcess runs a pipeline whose worker is this program in another process.
func inProcess(ctx context.Context, client jobpb.JobServiceClient, p *beam.Pipeline) error {
	edges, _, err := p.Build()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	address, err := watch(ctx, cancel)
	if err != nil {
		return err
	}
	command, err := json.Marshal(
		map[string]any{"command": self, "env": map[string]string{driverVariable: address}},
	)
	if err != nil {
		return err
	}
	environment, err := graphx.CreateEnvironment(
		ctx,
		graphx.URNEnvProcess,
		func(context.Context) string { return string(command) },
	)
	if err != nil {
		return err
	}
	pipeline, err := graphx.Marshal(edges, &graphx.Options{Environment: environment})
	if err != nil {
		return err
	}
	id, _, token, err := runnerlib.Prepare(ctx, client, pipeline, &runnerlib.JobOptions{Name: "planwright"})
	if err != nil {
		return err
	}
	job, err := runnerlib.Submit(ctx, client, id, token)
	if err != nil {
		return err
	}
	if err = runnerlib.WaitForCompletion(ctx, client, job); ctx.Err() != nil {
		_, _ = client.Cancel(context.WithoutCancel(ctx), &jobpb.CancelJobRequest{JobId: job})
		err = context.Cause(ctx)
	}
	return err
}

const (
	// startTime is more than a worker takes to start.
	startTime = 20 * time.Second
	// endTime is more than it takes to hear that a job is done after its worker
	// has ended.
	endTime = 2 * time.Second
)

// watch waits for a worker process at the address that it returns, and cancels
// where it does not come or dies: Prism would wait for it for ever.
func watch(ctx context.Context, cancel func(error)) (address string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	context.AfterFunc(ctx, func() { listener.Close() })
	late := time.AfterFunc(startTime, func() { cancel(errors.New("a worker did not start")) })
	go func() {
		conn, err := listener.Accept()
		late.Stop()
		if err != nil {
			return // the job is done
		}
		context.AfterFunc(ctx, func() { conn.Close() })
		_, _ = io.Copy(io.Discard, conn)
		time.AfterFunc(endTime, func() { cancel(errors.New("a worker died")) })
	}()
	return listener.Addr().String(), nil
}
