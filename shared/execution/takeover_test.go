package execution_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/pricing"
)

func TestWaitsForThePlan(t *testing.T) {
	s := open(t)
	event := s.drop(id+"/p.csv", products)
	if err := s.Handle(t.Context(), event); !errs.Retryable(err) {
		t.Fatalf("error = %v, want one that asks for another delivery", err)
	}
	s.storePlan()
	s.handle(event)
	s.completed()
}

func TestBusyWhileTheLeaseLives(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	other := s.executor()
	other.Engine = hooked{before: func() {
		if err := s.Handle(t.Context(), event); errs.KindOf(err) != errs.Unavailable {
			t.Errorf("a second delivery got %v, want unavailable", err)
		}
	}}
	if err := other.Handle(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	s.completed()
}

// hooked is the engine with something happening around its run.
type hooked struct {
	execution.Pricing
	build         string
	before, after func()
	spoil         []byte // written after the output
}

func (h hooked) Build() string { return h.build }

func (h hooked) Run(ctx context.Context, task execution.Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error) {
	if h.before != nil {
		h.before()
	}
	summary, err := h.Pricing.Run(ctx, task, in, out, changes...)
	if err == nil && h.spoil != nil {
		_, err = out.Write(h.spoil)
	}
	if h.after != nil {
		h.after()
	}
	return summary, err
}

// A worker that sleeps past its lease wakes to find the work done.
func TestZombieChangesNothing(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	zombie := s.executor()
	zombie.Engine = hooked{build: "zombie", after: func() {
		s.clock.advance(time.Hour)
		s.handle(event)
	}}
	if err := zombie.Handle(t.Context(), event); err != nil {
		t.Errorf("not acknowledged although the upload has its outcome: %v", err)
	}
	if done := s.completed(); done.Attempt != 2 || s.record().Seal.EngineBuild != pricing.Build {
		t.Errorf("completed by attempt %d, build %s", done.Attempt, s.record().Seal.EngineBuild)
	}
}

func TestRunningOutOfTimeIsCountedAndThenPermanent(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	event.Deadline = s.clock.Now().Add(time.Minute)
	for attempt := 1; attempt < s.Limits.Timeouts; attempt++ {
		event.Deadline = s.clock.Now().Add(time.Minute)
		s.Engine = hooked{before: func() { s.clock.advance(45 * time.Second) }}
		if err := s.Handle(t.Context(), event); errs.KindOf(err) != errs.Deadline {
			t.Fatalf("attempt %d: %v, want deadline", attempt, err)
		}
		if got := s.record().Timeouts; got != attempt {
			t.Errorf("timeouts = %d, want %d", got, attempt)
		}
	}
	event.Deadline = s.clock.Now().Add(time.Minute)
	s.handle(event)
	if record := s.record(); record.Status != ledger.Failed || record.Error.Code != "too_large" {
		t.Errorf("status %s, error %+v; want failed, too_large", record.Status, record.Error)
	}

	next := s.drop(id+"/p.csv", products) // another upload starts from nothing
	s.Engine = execution.Pricing{}
	s.handle(next)
	s.completed()
}

// Only the build that sealed an execution may finish what was lost of it.
func TestAnotherBuildWaitsForTheSealedOne(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	s.sealAndCrash(event)
	s.clock.advance(time.Hour)
	s.Engine = hooked{build: "other", spoil: []byte("x")}
	if err := s.Handle(t.Context(), event); err == nil || s.record().Status != ledger.Running {
		t.Fatalf("another build finished: %v", err)
	}
	if _, exists := s.files("outbox")[id+"/p.csv"]; exists {
		t.Fatal("bytes that were not sealed became visible")
	}
	s.clock.advance(time.Hour)
	s.Engine = execution.Pricing{}
	s.handle(event)
	s.completed()
}

// sealAndCrash delivers to a worker that is lost once the seal is stored.
func (s *shop) sealAndCrash(event execution.Event) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	crashing := s.executor()
	crashing.Computer = s.Computer
	crashing.Ledger = sealThenCrash{s.store, cancel}
	if err := crashing.Handle(ctx, event); err == nil {
		s.t.Fatal("the crash was not noticed")
	}
}

// sealThenCrash loses its worker once the seal is stored.
type sealThenCrash struct {
	ledger.Store
	crash func()
}

func (c sealThenCrash) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	record, err := c.Store.UpdateExecution(ctx, next, with)
	if next.Seal != nil {
		c.crash()
	}
	return record, err
}

// A delivery that takes a sealed execution over finishes the sealed upload and
// then settles its own.
func TestTakeoverFinishesTheSealedUploadFirst(t *testing.T) {
	s := open(t)
	s.storePlan()
	first := s.drop(id+"/p.csv", products)
	s.sealAndCrash(first)
	s.clock.advance(time.Hour)
	second := s.drop(id+"/p.csv", strings.ReplaceAll(products, "29.99", "99.99"))
	s.handle(second)
	if done := s.completed(); done.Upload.Generation != first.Generation {
		t.Errorf("upload %d was completed, want the sealed %d", done.Upload.Generation, first.Generation)
	}
	if skipped := s.history()[0]; skipped.Status != ledger.Skipped || skipped.Upload.Generation != second.Generation {
		t.Errorf("outcome of the second upload = %s for %d", skipped.Status, skipped.Upload.Generation)
	}
	s.handle(first)
}

// What was lost of a sealed execution is computed from the sealed input alone,
// also where another one has its size and CRC32C.
func TestAnInputThatChangedSinceTheSealIsNotUsed(t *testing.T) {
	for name, input := range map[string]string{"another row": strings.Replace(products, "B201,yoga", "B201,boxing", 1), "no table": broken} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.storePlan()
			event := s.drop(id+"/p.csv", products)
			s.sealAndCrash(event)
			s.clock.advance(time.Hour)
			s.Inbox = swapped{s.Inbox, input}
			err := s.Handle(t.Context(), event)
			if err == nil || !strings.Contains(err.Error(), "has changed since") || s.record().Status != ledger.Running {
				t.Fatalf("another input: %v, want one that says that it changed", err)
			}
			if _, exists := s.files("outbox")[id+"/p.csv"]; exists {
				t.Fatal("bytes that were not sealed became visible")
			}
		})
	}
}

// swapped gives every reader another text than the one that is there.
type swapped struct {
	bucket.Bucket
	text string
}

func (b swapped) Open(ctx context.Context, name string, generation int64) (io.ReadCloser, bucket.Object, error) {
	file, object, err := b.Bucket.Open(ctx, name, generation)
	if err != nil {
		return nil, object, err
	}
	return io.NopCloser(strings.NewReader(b.text)), object, file.Close()
}
