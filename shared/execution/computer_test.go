package execution_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/execution/ranges"
	"github.com/planwright/planwright/shared/ledger"
)

// inRanges computes in so many ranges, in this process.
func (s *shop) inRanges(n int) *ranges.Computer {
	buckets := ranges.Buckets{Inbox: s.inbox, Outbox: s.outbox, Audit: s.audit}
	return &ranges.Computer{Buckets: buckets, Stretches: func(int64) int { return n }, Spread: ranges.Here(buckets)}
}

// dropParts removes what workers have stored, as a rule of the bucket does.
func (s *shop) dropParts() {
	for _, name := range []string{"outbox", "audit"} {
		if err := os.RemoveAll(filepath.Join(s.dir, name, ranges.Folder)); err != nil {
			s.t.Fatal(err)
		}
	}
}

// Everything but the times is the same in ranges as in one piece.
func TestRangesMakeTheSameSeal(t *testing.T) {
	seal := func(compute func(*shop)) ledger.Seal {
		s := open(t)
		s.storePlan()
		compute(s)
		s.handle(s.drop(id+"/p.csv", products))
		s.completed()
		return *s.record().Seal
	}
	whole := seal(func(*shop) {})
	for n := 1; n <= 9; n++ {
		got := seal(func(s *shop) { s.Computer = s.inRanges(n) })
		if got.Input != whole.Input || got.Output != whole.Output || got.Changes != whole.Changes || got.ChangesSHA256 != whole.ChangesSHA256 {
			t.Errorf("in %d ranges %+v, whole %+v", n, got, whole)
		}
	}
}

// A table with a fault is refused in the same words.
func TestRangesRefuseAlike(t *testing.T) {
	refusal := func(compute func(*shop)) ledger.Failure {
		s := open(t)
		s.storePlan()
		compute(s)
		s.handle(s.drop(id+"/p.csv", products+"A104,fitness,cheap,true\nA105,fitness,dear,true\n"))
		return *s.record().Error
	}
	whole := refusal(func(*shop) {})
	got := refusal(func(s *shop) { s.Computer = s.inRanges(4) })
	if got.Code != "invalid_csv" || got.Message != whole.Message || !strings.Contains(got.Message, "row 6") {
		t.Errorf("in ranges %+v, whole %+v", got, whole)
	}
}

// What was sealed in ranges is finished from its parts, and where these are
// gone, or it is an ordinary executor that finishes, they are made again.
func TestSealedInRangesIsFinished(t *testing.T) {
	for name, finish := range map[string]func(s *shop) *execution.Executor{
		"from its parts":    func(s *shop) *execution.Executor { x := s.executor(); x.Computer = s.inRanges(3); return x },
		"with other ranges": func(s *shop) *execution.Executor { x := s.executor(); x.Computer = s.inRanges(2); return x },
		"its parts are gone": func(s *shop) *execution.Executor {
			s.dropParts()
			x := s.executor()
			x.Computer = s.inRanges(3)
			return x
		},
		"in one piece": func(s *shop) *execution.Executor { return s.executor() },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.storePlan()
			s.Computer = s.inRanges(3)
			event := s.drop(id+"/p.csv", products)
			s.sealAndCrash(event)
			s.clock.advance(time.Hour)
			x := finish(s)
			if err := x.Handle(t.Context(), event); err != nil {
				t.Fatal(err)
			}
			s.completed()
		})
	}
}

// What is too large here and sealed or proposed elsewhere is left to elsewhere.
func TestTooLargeIsLeftToElsewhere(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.Computer = s.inRanges(3)
	event := s.drop(id+"/p.csv", products)
	s.sealAndCrash(event)
	s.clock.advance(time.Hour)
	here := s.executor()
	here.Limits.TableBytes = 1
	if err := here.Handle(t.Context(), event); !errors.Is(err, errs.Unavailable) || !strings.Contains(err.Error(), "planwright-pipeline") {
		t.Errorf("Handle = %v", err)
	}
	s.clock.advance(time.Hour)
	s.handle(event)
	s.completed()
}

// An execution that has gone to another is given up while it is computed.
func TestWorkEndsWithTheExecution(t *testing.T) {
	s := open(t)
	s.storePlan()
	event := s.drop(id+"/p.csv", products)
	computer := s.inRanges(2)
	s.Computer = computer
	spread := computer.Spread
	computer.Spread = func(ctx context.Context, work ranges.Work, stretches []ranges.Stretch, working func() error) error {
		s.clock.advance(time.Hour)
		other := s.executor()
		if err := other.Handle(ctx, event); err != nil {
			t.Error(err)
		}
		s.clock.advance(time.Hour)
		return spread(ctx, work, stretches, working)
	}
	if err := s.Handle(t.Context(), event); !errors.Is(err, errs.Stale) {
		t.Errorf("Handle = %v", err)
	}
	s.completed()
}
