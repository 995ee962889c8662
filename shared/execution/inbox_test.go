package execution_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/ledger"
)

// crowded is an inbox with very many objects, of which every one but the last
// has its outcome. To look at one takes a while by the shop's clock.
type crowded struct {
	*shop
	objects int
	breaks  string // the list breaks off before this name, once
}

const lookTakes = 15 * time.Millisecond

func (c *crowded) List(ctx context.Context, from string) iter.Seq2[bucket.Object, error] {
	first := 0
	fmt.Sscanf(from, "plan_crowd_%d", &first)
	return func(yield func(bucket.Object, error) bool) {
		for i := first; i < c.objects; i++ {
			name := fmt.Sprintf("plan_crowd_%06d/p.csv", i)
			if name == c.breaks {
				c.breaks = ""
				yield(bucket.Object{}, errUnlisted)
				return
			}
			if !yield(bucket.Object{Bucket: c.inbox.Name(), Name: name, Generation: int64(i + 1), CreatedAt: c.clock.Now()}, nil) {
				return
			}
		}
		for object, err := range c.inbox.List(ctx, "") {
			if object.Name >= from && !yield(object, err) {
				return
			}
		}
	}
}

// crowdStore is a store in which the crowd's tables have their outcomes.
type crowdStore struct {
	ledger.Store
	c *crowded
}

func (l crowdStore) Snapshot(ctx context.Context, executionID, uploadID string) (ledger.Snapshot, error) {
	l.c.clock.advance(lookTakes)
	if strings.HasPrefix(executionID, "plan_crowd_") {
		return ledger.Snapshot{Outcome: &ledger.AuditDocument{}}, nil
	}
	return l.Store.Snapshot(ctx, executionID, uploadID)
}

// within ends at a time of the shop's clock.
type within struct {
	context.Context
	at time.Time
}

func (w within) Deadline() (time.Time, bool) { return w.at, true }

// rounds keeps how far the listing came, where it outlives a sweep.
type rounds struct {
	round ledger.InboxRound
	fails error
}

func (r *rounds) note(_ context.Context, round ledger.InboxRound) error {
	r.round = round
	return r.fails
}

func (c *crowded) sweepHourly(t *testing.T, kept *rounds) {
	t.Helper()
	ctx := within{t.Context(), c.clock.Now().Add(29 * time.Minute)}
	began := c.clock.Now()
	if failed, err := c.SweepInboxOn(ctx, c.List, kept.round, kept.note); failed != 0 || err != nil && !errors.Is(err, errUnlisted) {
		t.Fatalf("failed %d times, %v", failed, err)
	}
	if took := c.clock.Now().Sub(began); took > 21*time.Minute {
		t.Fatalf("a sweep took %v, and no time was left for a table", took)
	}
	c.clock.advance(time.Hour - c.clock.Now().Sub(began))
}

// TestTheSweepReachesTheLastOfManyObjects: a sweep has time for 80,000 of
// 500,000, and the next goes on behind them.
func TestTheSweepReachesTheLastOfManyObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs beside it, and it is slow under the race detector")
	}
	var log bytes.Buffer
	c := &crowded{shop: open(t), objects: 500_000, breaks: "plan_crowd_123456/p.csv"}
	c.Log = slog.New(slog.NewJSONHandler(io.Writer(&log), nil))
	c.storePlan()
	c.drop(id+"/p.csv", products) // "plan_crowd_" comes before it
	c.Ledger = crowdStore{c.store, c}
	kept := &rounds{}
	hours := 0
	for ; hours < 12; hours++ {
		c.sweepHourly(t, kept)
		if record, err := c.store.Execution(t.Context(), id); err == nil && record.Status == ledger.Completed {
			break
		}
	}
	if hours < 3 || hours > 9 {
		t.Errorf("the last object was found after %d hours", hours)
	}
	if strings.Contains(log.String(), "inbox_unfinished") {
		t.Errorf("somebody was told within a day: %s", log.String())
	}
	began := kept.round.BeganAt
	for kept.round.BeganAt.Equal(began) { // and a round comes to its end
		c.sweepHourly(t, kept)
	}

	c.objects = 2_100_000
	for range 27 {
		c.sweepHourly(t, kept)
	}
	if !strings.Contains(log.String(), `"alert":"inbox_unfinished"`) || !strings.Contains(log.String(), `"unlisted_seconds":`) {
		t.Errorf("nobody was told that the listing does not end: %s", log.String())
	}
}

func TestTheSweepDoesNotForgetHowFarItCame(t *testing.T) {
	c := &crowded{shop: open(t), objects: 2_500}
	c.Ledger = crowdStore{c.store, c}
	kept := &rounds{fails: errUnlisted}
	if _, err := c.SweepInboxOn(t.Context(), c.List, kept.round, kept.note); !errors.Is(err, errUnlisted) || kept.round.Name == "" {
		t.Errorf("what cannot be noted: %v, %+v", err, kept.round)
	}
	kept.fails = nil
	c.breaks = "plan_crowd_002100/p.csv"
	_, err := c.SweepInboxOn(t.Context(), c.List, kept.round, kept.note)
	if !errors.Is(err, errUnlisted) || kept.round.Name != "plan_crowd_002099/p.csv" || kept.round.Tables {
		t.Errorf("broken off: %v, %+v", err, kept.round)
	}
	if _, err := c.SweepInboxOn(t.Context(), c.List, kept.round, kept.note); err != nil || kept.round.Name != "" || kept.round.Tables || kept.round.BeganAt.IsZero() {
		t.Errorf("finished: %v, %+v", err, kept.round)
	}
}
