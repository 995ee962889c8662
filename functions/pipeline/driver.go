package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/execution/ranges"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/tree"
)

const (
	rangeBytes = 256 << 20
	maxRanges  = 1_000 // of which the driver reads the results one after the other

	// localLease is how long it takes on one machine until what a dead process
	// began is begun again.
	localLease = 15 * time.Second
)

// stretches says in how many stretches a table is surveyed.
func (f flags) stretches(size int64) int {
	if f.ranges > 0 {
		return f.ranges
	}
	return int(min(size/rangeBytes+1, maxRanges))
}

// run carries the plan out over the table and says what came of it.
func (f flags) run(ctx context.Context, name string, log *slog.Logger) (string, error) {
	s, err := f.openShop(ctx, os.LookupEnv)
	if err != nil {
		return "", err
	}
	defer s.close()
	object, err := s.find(ctx, name)
	if err != nil {
		return "", err
	}
	x := execution.New(s.ledger, s.Buckets, s.config, log)
	x.Limits.TableBytes = 0
	if s.at.Data != "" {
		x.Limits.Lease = localLease
	}
	x.Computer = &ranges.Computer{Buckets: s.Buckets, Stretches: f.stretches, Spread: f.spread(s.at)}
	event, err := s.event(ctx, object)
	if err != nil {
		return "", err
	}
	if err := f.handle(ctx, x, event, log); err != nil {
		return "", err
	}
	// What is not in the tree yet the next outcome, or the next sweep, adds.
	tree.Report(ctx, log, s.sign(ctx))
	return s.outcome(ctx, event)
}

// handle delivers the table until it is acknowledged.
func (f flags) handle(
	ctx context.Context,
	x *execution.Executor,
	event execution.Event,
	log *slog.Logger,
) error {
	for tries := 0; ; tries++ {
		err := x.Handle(ctx, event)
		if err == nil || ctx.Err() != nil || tries == f.retries {
			return err
		}
		log.WarnContext(ctx, "begun again", "cause", err.Error())
		select {
		case <-time.After(min(time.Second<<min(tries, 5), 20*time.Second)):
		case <-ctx.Done():
			return err
		}
	}
}

// executionID is the id of the folder that an object lies in, or the one that it
// was uploaded with.
func executionID(object bucket.Object) string {
	if id := object.Metadata[execution.ExecutionIDKey]; id != "" {
		return id
	}
	id, _, _ := strings.Cut(object.Name, "/")
	return id
}

// event is the delivery of a table. Where its upload has failed already, such as
// for its size, it is a run of its own over the same bytes; where the record is
// about such a run that has no outcome yet, it is this one.
func (s *shop) event(ctx context.Context, object bucket.Object) (execution.Event, error) {
	event := execution.Event{
		Bucket: object.Bucket, Object: object.Name, Generation: object.Generation, Size: object.Size,
		Metadata: object.Metadata, CreatedAt: object.CreatedAt,
	}
	upload := ledger.Upload{Bucket: object.Bucket, Object: object.Name, Generation: object.Generation}
	found, err := s.ledger.Snapshot(ctx, executionID(object), upload.ID())
	if err != nil || found.Outcome == nil || found.Outcome.Status != ledger.Failed {
		return event, err
	}
	event.ReadGeneration, event.Generation = object.Generation, time.Now().UnixMicro()
	if record := found.Execution; record.Status != ledger.Failed &&
		record.Source.ReadGeneration == object.Generation &&
		record.Source.Object == object.Name {
		event.Generation = record.Source.Generation
	}
	return event, nil
}

// outcome is what came of a delivery that was acknowledged.
func (s *shop) outcome(ctx context.Context, event execution.Event) (string, error) {
	id := executionID(bucket.Object{Name: event.Object, Metadata: event.Metadata})
	upload := ledger.Upload{Bucket: event.Bucket, Object: event.Object, Generation: event.Generation}
	found, err := s.ledger.Snapshot(ctx, id, upload.ID())
	switch {
	case err != nil:
		return "", err
	case found.Execution == nil:
		return "", errs.New(
			errs.Invalid,
			"%s names no execution: it must lie in a folder that has an execution id for its name.",
			event.Object,
		)
	case found.Outcome == nil && found.Execution.Status == ledger.Proposed:
		return "", errs.New(
			errs.Unavailable,
			"proposed %s: it changes %d of %d rows and waits; the notice beside the output says for what. Run the same command again then.",
			id,
			found.Execution.Proposal.Summary.RowsChanged,
			found.Execution.Proposal.Summary.RowsTotal,
		)
	case found.Outcome == nil:
		return "", errs.New(errs.Internal, "%s ended without an outcome", id)
	case found.Outcome.Status == ledger.Failed:
		return "", errs.New(errs.Invalid, "failed %s: %s", id, *found.Outcome.Error)
	case found.Outcome.Status == ledger.Skipped:
		return fmt.Sprintf("skipped %s: it has completed before", id), nil
	default:
		done := found.Execution.Seal
		completed := fmt.Sprintf(
			"completed %s: %d of %d rows changed\noutput  %s/%s\nchanges %s/%s",
			id, done.Summary.RowsChanged, done.Summary.RowsTotal,
			done.Output.Bucket, done.Output.Object, done.Changes.Bucket, done.Changes.Object,
		)
		return completed, s.dropParts(id)
	}
}
