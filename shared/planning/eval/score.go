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
	Right       Outcome = "right"       // the expected plan, in one of its forms
	Wrong       Outcome = "wrong"       // a plan that does something else, or one where a question was due
	Asked       Outcome = "asked"       // a question where a question was due
	Overcareful Outcome = "overcareful" // a question where a plan was due
	Failed      Outcome = "failed"      // no answer
)

// Result is the outcome of one case, with what was answered.
type Result struct {
	Case    *Case
	Outcome Outcome
	Got     *plan.Plan // nil after a question
	// a question's draft has the rules of the expected plan, or of the one that it may well offer
	Filled bool
	Err    error
}

// good reports whether the outcome is the one the case asks for.
func (r *Result) good() bool { return r.Outcome == Right || r.Outcome == Asked }

// Run asks the planner about every case.
func Run(ctx context.Context, planner planning.Planner, cases []*Case) ([]*Result, error) {
	results := make([]*Result, len(cases))
	for i, c := range cases {
		draft, err := planner.Plan(ctx, c.Request())
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r := &Result{Case: c, Got: draft.Plan, Err: err}
		r.Outcome = judge(r)
		results[i] = r
	}
	return results, nil
}

func judge(r *Result) Outcome {
	var asked *planning.ClarificationError
	switch {
	case errors.As(r.Err, &asked):
		return judgeQuestion(r, asked)
	case r.Err != nil:
		return Failed
	case r.Case.Refuse:
		return Wrong
	}
	if !r.Case.IsWanted(r.Got) {
		return Wrong
	}
	return Right
}

func judgeQuestion(r *Result, asked *planning.ClarificationError) Outcome {
	want := r.Case.Want
	if r.Case.Refuse {
		want = r.Case.WantOffer
	}
	r.Filled = want != nil && asked.Draft != nil &&
		CountLeft(asked.Draft.Operations, want.Operations).Choices == 0
	if r.Case.Refuse || r.Case.either() {
		return Asked
	}
	return Overcareful
}

// Score counts the outcomes of one line of the report.
type Score struct {
	Name    string
	Least   float64 // the share of what has a plan that is to be planned, of mails also filled in
	fills   bool    // of mails
	ToPlan  int
	Planned int
	Filled  int // of what has a plan, and was asked about with the rules of that plan filled in
	ToAsk   int
	Asked   int
	Wrong   int
	Failed  int
}

// Met reports whether the score is one to ship: nothing planned wrong, every
// refusal refused, and as much planned as is asked for.
func (s *Score) Met() bool {
	planned := s.Planned
	if s.fills {
		planned += s.Filled
	}
	return s.Wrong == 0 && s.Asked == s.ToAsk && float64(planned) >= s.Least*float64(s.ToPlan)
}

func (s *Score) add(r *Result) {
	switch {
	case r.Case.either() && r.Outcome != Wrong && r.Outcome != Failed:
		return // whatever is done is fine
	case r.Case.Refuse:
		s.ToAsk++
	case !r.Case.either():
		s.ToPlan++
	}
	switch r.Outcome {
	case Right:
		s.Planned++
	case Overcareful:
		if r.Filled {
			s.Filled++
		}
	case Asked:
		s.Asked++
	case Wrong:
		s.Wrong++
	case Failed:
		s.Failed++
	}
}

// lines are those of the report, with the batches that each counts.
var lines = []struct {
	name  string
	file  string
	kind  Kind
	least float64
}{
	{"own", Own, Written, 1},
	{"own, reviewed candidates", Own, Reviewed, 0.74},
	{"open, plain", Open, Plain, 0.97},
	{"open, hard", Open, Hard, 0.75},
	{"open, names", Open, Names, 0.9},
	{"open, tables", Open, Tables, 0.5},
	{"open, mails", Open, Mails, 0.6},
	{"sealed, plain", Sealed, Plain, 0.97},
	{"sealed, hard", Sealed, Hard, 0.75},
	{"sealed, names", Sealed, Names, 0.85},
	{"sealed, tables", Sealed, Tables, 0.5},
	{"sealed, mails", Sealed, Mails, 0.3},
	{"refusals", Refusals, Refused, 1},
}

// Summarize counts the results, a score for each file and kind that has some.
func Summarize(results []*Result) []*Score {
	var scores []*Score
	for _, line := range lines {
		score := &Score{Name: line.name, Least: line.least, fills: line.kind == Mails}
		for _, r := range results {
			if by := r.Case.By; by.File == line.file && by.Kind == line.kind {
				score.add(r)
			}
		}
		if score.ToPlan+score.ToAsk > 0 {
			scores = append(scores, score)
		}
	}
	return scores
}

// Sum is the score of all results together.
func Sum(name string, results []*Result) *Score {
	score := &Score{Name: name}
	for _, r := range results {
		score.add(r)
	}
	return score
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
