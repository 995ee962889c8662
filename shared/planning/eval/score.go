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
