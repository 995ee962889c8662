package planning_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/planning"
)

// model answers as the test says, and counts how often it is asked.
type model struct {
	asked  int
	answer func(ctx context.Context) error
}

func (m *model) Plan(ctx context.Context, _ planning.Request) (planning.Planned, error) {
	m.asked++
	return planning.Planned{}, m.answer(ctx)
}

func failing(kind errs.Kind, reason string) func(context.Context) error {
	return func(context.Context) error { return gemini.Failed(kind, reason, nil, "No plan.") }
}

func answers(context.Context) error { return nil }

func TestPatientRests(t *testing.T) {
	down := failing(errs.Unavailable, gemini.ServiceUnavailable)
	late := failing(errs.Deadline, gemini.TimedOut)
	nonsense := failing(errs.Unusable, gemini.UnusableAnswer)
	question := func(context.Context) error {
		return &planning.ClarificationError{Class: "missing_unit", Questions: []string{"Percent?"}}
	}
	type call struct {
		after  time.Duration // the call before
		answer func(context.Context) error
		asked  bool
	}
	tests := map[string][]call{
		"three failures in a row": {
			{0, down, true}, {0, late, true}, {0, down, true}, {0, answers, false}, {29 * time.Second, answers, false},
			{time.Second, answers, true}, {0, answers, true},
		},
		"two, then an answer":   {{0, down, true}, {0, down, true}, {0, answers, true}, {0, down, true}, {0, down, true}, {0, answers, true}},
		"two, then a question":  {{0, down, true}, {0, down, true}, {0, question, true}, {0, down, true}, {0, answers, true}},
		"answers without plans": {{0, nonsense, true}, {0, nonsense, true}, {0, nonsense, true}, {0, nonsense, true}},
		"the trial fails": {
			{0, down, true}, {0, down, true}, {0, down, true}, {30 * time.Second, down, true},
			{0, answers, false}, {29 * time.Second, answers, false}, {time.Second, answers, true}, {0, down, true}, {0, answers, true},
		},
	}
	for name, calls := range tests {
		t.Run(name, func(t *testing.T) {
			now, asked := time.Unix(1_767_322_800, 0), &model{}
			plans := planning.Patient(asked, func() time.Time { return now }, logging.Discard)
			for i, c := range calls {
				now, asked.answer = now.Add(c.after), c.answer
				before := asked.asked
				_, err := plans.Plan(t.Context(), planning.Request{})
				if got := asked.asked > before; got != c.asked {
					t.Fatalf("call %d: the model was asked: %t, want %t", i, got, c.asked)
				}
				if !c.asked && errs.KindOf(err) != errs.Unavailable {
					t.Errorf("call %d: %v, want the last failure", i, err)
				}
			}
		})
	}
}

// While the model rests, its last failure is told, and for how long.
func TestPatientTellsTheLastFailure(t *testing.T) {
	now, asked := time.Unix(1_767_322_800, 0), &model{answer: failing(errs.Deadline, gemini.TimedOut)}
	plans := planning.Patient(asked, func() time.Time { return now }, logging.Discard)
	for range 3 {
		_, _ = plans.Plan(t.Context(), planning.Request{})
	}
	now = now.Add(20 * time.Second)
	_, err := plans.Plan(t.Context(), planning.Request{})
	delayed, ok := err.(interface{ RetryAfter() time.Duration })
	if errs.KindOf(err) != errs.Deadline || !ok || delayed.RetryAfter() != 10*time.Second {
		t.Errorf("%v of kind %s", err, errs.KindOf(err))
	}
}

// Of many who come when the model has rested, one tries it.
func TestPatientTriesOnce(t *testing.T) {
	now, asked := time.Unix(1_767_322_800, 0), &model{answer: failing(errs.Unavailable, gemini.QuotaUsedUp)}
	plans := planning.Patient(asked, func() time.Time { return now }, logging.Discard)
	for range 3 {
		_, _ = plans.Plan(t.Context(), planning.Request{})
	}
	now = now.Add(30 * time.Second)
	asked.answer = func(ctx context.Context) error {
		asked.answer = answers // of whoever would be let through beside the trial
		for range 5 {
			if _, err := plans.Plan(ctx, planning.Request{}); err == nil {
				t.Error("another was let through during the trial")
			}
		}
		return nil
	}
	if _, err := plans.Plan(t.Context(), planning.Request{}); err != nil || asked.asked != 4 {
		t.Errorf("asked %d times, %v", asked.asked, err)
	}
}

// A caller who leaves says nothing of the model.
func TestPatientOfACallerWhoLeaves(t *testing.T) {
	asked := &model{}
	plans := planning.Patient(asked, nil, logging.Discard)
	for range 5 {
		ctx, leave := context.WithCancel(t.Context())
		asked.answer = func(ctx context.Context) error {
			leave()
			return ctx.Err()
		}
		_, _ = plans.Plan(ctx, planning.Request{})
	}
	asked.answer = answers
	if _, err := plans.Plan(t.Context(), planning.Request{}); err != nil || asked.asked != 6 {
		t.Errorf("asked %d times, %v", asked.asked, err)
	}
}

func TestPatientWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := &model{answer: func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		began := time.Now()
		_, err := planning.Patient(asked, nil, logging.Discard).Plan(t.Context(), planning.Request{})
		if took := time.Since(began); errs.KindOf(err) != errs.Deadline || took != 12*time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
}
