package eval

import (
	"context"
	"errors"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// Outcome is what a planner made of one case.
type Outcome string

const (
	Exact       Outcome = "exact"       // the expected plan
	SameEffect  Outcome = "equivalent"  // another that does the same to every catalogue
	Wrong       Outcome = "wrong"       // a plan that does something else, or one where a question was due
	Refused     Outcome = "refused"     // a question where a question was due
	Overcareful Outcome = "overcareful" // a question where a plan was due
	Failed      Outcome = "failed"      // no answer
)

// Result is the outcome of one case, with what was answered.
type Result struct {
	Case    *Case
	Outcome Outcome
	Class   string     // of the question
	Got     *plan.Plan // nil after a question
	Err     error
}

// Good reports whether the outcome is the one the case asks for.
func (r *Result) Good() bool {
	return r.Outcome == Exact || r.Outcome == SameEffect || r.Outcome == Refused
}

// Run asks the planner about every case.
func Run(ctx context.Context, planner planning.Planner, cases []*Case) ([]*Result, error) {
	results := make([]*Result, len(cases))
	for i, c := range cases {
		r := &Result{Case: c}
		draft, err := planner.Plan(ctx, c.Request())
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r.Got, r.Err = draft.Plan, err
		if r.Outcome, err = judge(ctx, r); err != nil {
			return nil, err
		}
		results[i] = r
	}
	return results, nil
}

func judge(ctx context.Context, r *Result) (Outcome, error) {
	var asked *planning.ClarificationError
	switch {
	case errors.As(r.Err, &asked):
		r.Class = asked.Class
		if r.Case.Refuse {
			return Refused, nil
		}
		return Overcareful, nil
	case r.Err != nil:
		return Failed, nil
	case r.Case.Refuse:
		return Wrong, nil
	case planning.Same(r.Got, r.Case.Want):
		return Exact, nil
	}
	same, err := Equivalent(ctx, r.Got, r.Case.Want)
	if err != nil || !same {
		return Wrong, err
	}
	return SameEffect, nil
}

// Tally counts outcomes.
type Tally struct {
	Exact, Equivalent, Wrong, Refused, Overcareful, Failed int
}

// Add counts one result.
func (t *Tally) Add(o Outcome) {
	switch o {
	case Exact:
		t.Exact++
	case SameEffect:
		t.Equivalent++
	case Wrong:
		t.Wrong++
	case Refused:
		t.Refused++
	case Overcareful:
		t.Overcareful++
	case Failed:
		t.Failed++
	}
}

// Cases is how many were counted.
func (t Tally) Cases() int {
	return t.Exact + t.Equivalent + t.Wrong + t.Refused + t.Overcareful + t.Failed
}

// Report is the score of one planner over a corpus.
type Report struct {
	Planned      Tally            // the cases that have a plan
	ToRefuse     Tally            // the cases that need a question
	FrozenPlans  Tally            // of the frozen third alone
	FrozenRefuse Tally            //
	ByClass      map[string]Tally // what is tried, or the question that is due
	Groups       int              // groups of paraphrases
	GroupsAlike  int              // whose members all got the expected plan
}

// Summarize counts the results.
func Summarize(results []*Result) Report {
	report := Report{ByClass: map[string]Tally{}}
	groups := map[string]bool{}
	for _, r := range results {
		whole, frozen := &report.Planned, &report.FrozenPlans
		if r.Case.Refuse {
			whole, frozen = &report.ToRefuse, &report.FrozenRefuse
		}
		whole.Add(r.Outcome)
		if r.Case.Frozen {
			frozen.Add(r.Outcome)
		}
		class := report.ByClass[r.Case.Class]
		class.Add(r.Outcome)
		report.ByClass[r.Case.Class] = class
		if group := r.Case.Group; group != "" {
			alike, seen := groups[group]
			groups[group] = (alike || !seen) && r.Good()
		}
	}
	for _, alike := range groups {
		report.Groups++
		if alike {
			report.GroupsAlike++
		}
	}
	return report
}

// Met reports whether the score is one to ship: no wrong plan, and at least
// 98% of what has a plan planned and of what needs a question refused.
func (r Report) Met() bool { return r.MetWith(0.98) }

// OtherHand is a corpus written by others than the authors of the grammar. Its
// first run is the score on what they had never seen; they have learned from
// it since. What is still asked about stays in the corpus as it was written.
type OtherHand struct {
	File  string  // in testdata
	Name  string  // in tables
	Least float64 // the share planned to be met now
	Apart bool    // its rows are not printed, so that nothing learns from them
}

// OtherHands are all of them.
var OtherHands = []OtherHand{
	// The first run planned 96 of 122 (79%), asked about the other 26, and
	// planned 1 of 108 that had to be refused.
	{"instructions_other_hand.jsonl", "by another hand", 0.98, false},
	// The first run planned 101 of 120 (84%), 1 of them wrong besides, asked
	// about the other 18, and planned 2 of 80 that had to be refused.
	{"instructions_third_hand.jsonl", "by a third hand", 0.98, false},
	// The first run planned 74 of 90 (82%), 1 wrong besides, asked
	// about the other 15, and planned 1 of 60 that had to be refused.
	{"instructions_fourth_hand.jsonl", "by a fourth hand", 0.98, false},
	// The first run planned 66 of 90 (73%), 1 wrong besides, and asked about
	// the other 23. Three plans that were expected were not as this project
	// plans a limit that stands alone.
	{"instructions_fifth_hand.jsonl", "by a fifth hand", 0.98, false},
	// The first run planned 58 of 90 (64%), 2 wrong besides, and asked about
	// the other 30. Three expected plans were put right as in the fifth.
	{"instructions_sixth_hand.jsonl", "by a sixth hand", 0.97, false},
	// While nobody who widened the grammar had seen it, it planned 87 of 100, and 1
	// wrong of 160. The 13 it asked about have been seen since, and the wording of
	// most was widened for, so that its score is no longer one on unseen wording.
	// Two expected plans were put right as in the fifth.
	{"instructions_seventh_hand.jsonl", "by a seventh hand", 0.93, true},
	// Spoken English of many countries. The first run planned 53 of 100, none
	// wrong, and asked about the other 47. Three expected plans were put right as
	// in the fifth.
	{"instructions_eighth_hand.jsonl", "by an eighth hand", 0.97, false},
	// The first run planned 71 of 94 (76%), 4 wrong besides, and asked about the
	// other 19. Three of the four differed in a capital alone, which begins a
	// sentence and which this project takes off an unknown name: put right.
	{"instructions_ninth_hand.jsonl", "by a ninth hand", 0.92, false},
	// The first run planned 46 of 94 (49%), 3 wrong besides, all by such a capital,
	// and asked about the other 45.
	{"instructions_tenth_hand.jsonl", "by a tenth hand", 0.82, false},
	// The first run planned 66 of 95 (69%), 1 wrong besides by such a capital, and
	// asked about the other 28.
	{"instructions_eleventh_hand.jsonl", "by an eleventh hand", 0.95, false},
	// Nobody who has widened the grammar has seen it: the first run planned 83 of
	// 100, none wrong, and asked about the other 17.
	{"instructions_twelfth_hand.jsonl", "by a twelfth hand", 0.8, true},
	// The first run planned 68 of 100, 4 wrong besides, all by such a capital, and
	// asked about the other 28.
	{"instructions_thirteenth_hand.jsonl", "by a thirteenth hand", 0.88, false},
	// The first run planned 68 of 99 (69%), none wrong, asked about the other 31,
	// and planned 1 of 61 that had to be refused.
	{"instructions_fourteenth_hand.jsonl", "by a fourteenth hand", 0.94, false},
}

// MetWith is Met with another least share of what has a plan.
func (r Report) MetWith(leastPlanned float64) bool {
	planned := float64(r.Planned.Exact+r.Planned.Equivalent) / float64(max(1, r.Planned.Cases()))
	refused := float64(r.ToRefuse.Refused) / float64(max(1, r.ToRefuse.Cases()))
	const leastRefused = 0.98
	return r.Planned.Wrong == 0 && r.ToRefuse.Wrong == 0 && planned >= leastPlanned && refused >= leastRefused
}

// Stable counts the cases that got the same answer in every run.
func Stable(runs [][]*Result) int {
	stable := 0
	for i := range runs[0] {
		same := true
		for _, run := range runs[1:] {
			same = same && alike(runs[0][i], run[i])
		}
		if same {
			stable++
		}
	}
	return stable
}

func alike(a, b *Result) bool {
	if a.Got == nil || b.Got == nil {
		return a.Got == nil && b.Got == nil && a.Outcome == b.Outcome
	}
	return planning.Same(a.Got, b.Got)
}
