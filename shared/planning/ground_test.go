package planning_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/english"
	"github.com/planwright/planwright/shared/planning/eval"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// forEachCase runs a test for each case that has a plan, or for each that has none,
// of all files but the sealed one, whose rows a failure would print. In short
// runs a sample is enough.
func forEachCase(t *testing.T, planned bool, test func(t *testing.T, c *eval.Case)) {
	t.Helper()
	cases, err := eval.Load(eval.Own, eval.Open, eval.Refusals)
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		cases = eval.Every(20, cases)
	}
	for _, c := range cases {
		if (c.Want != nil) == planned {
			test(t, c)
		}
	}
}

// Where the grammar reads the instruction, Ground must not stand in its way. A
// right plan that it refuses all the same costs a question.
func TestGroundAcceptsEveryRightPlan(t *testing.T) {
	right, alarms := 0, 0
	forEachCase(t, true, func(t *testing.T, c *eval.Case) {
		right++
		fault := ground(c, c.Want)
		if fault == nil {
			return
		}
		alarms++
		if _, err := (grammar.Planner{}).Plan(t.Context(), c.Request()); err == nil {
			t.Errorf("%s: Ground(%q) = %v\n%v", c.ID, c.Instruction, errs.Message(fault), plan.Explain(c.Want))
		}
	})
	t.Logf("%d right plans, %d refused", right, alarms)
	if alarms*100 > right {
		t.Errorf("Ground refuses %d of %d right plans", alarms, right)
	}
}

// Gaps are cases of which Ground accepts a plan that means something else, by what is
// missing. One that is closed is taken out of its list.
type gaps map[string]string

// accepts fails the test for a plan that is accepted, but notes it as open where the
// case is known.
func (g gaps) accepts(t *testing.T, c *eval.Case, open map[string]bool, how string, p *plan.Plan) {
	t.Helper()
	if _, known := g[c.ID]; known {
		open[c.ID] = true
		return
	}
	t.Errorf("%s%s: Ground(%q) accepts %v", c.ID, how, c.Instruction, plan.Explain(p))
}

// closed fails the test for a known case of which nothing was accepted.
func (g gaps) closed(t *testing.T, open map[string]bool) {
	t.Helper()
	for id, what := range g {
		if !open[id] && !testing.Short() {
			t.Errorf("%s is no gap any more: %s", id, what)
		}
	}
}

func TestGroundRejectsEveryMutation(t *testing.T) {
	known := gaps{"lj081": "what stays as it is after a rule that \"except that\" begins is left out of that rule too"}
	tried, open := map[string]int{}, map[string]bool{}
	forEachCase(t, true, func(t *testing.T, c *eval.Case) {
		for i := range c.Want.Operations {
			for k := range c.Want.Operations {
				for _, m := range mutations {
					mutant := copied(c.Want)
					if !m.mutate(mutant, &mutant.Operations[i], &mutant.Operations[k]) || mutant.Validate() != nil || planning.Same(mutant, c.Want) {
						continue
					}
					tried[m.name]++
					if ground(c, mutant) == nil && !equivalent(t, mutant, c.Want) {
						known.accepts(t, c, open, ", "+m.name, mutant)
					}
				}
			}
		}
	})
	known.closed(t, open)
	total := 0
	for _, m := range mutations {
		if tried[m.name] == 0 && !testing.Short() {
			t.Errorf("no plan has a %s", m.name)
		}
		total += tried[m.name]
		t.Logf("%6d %s", tried[m.name], m.name)
	}
	t.Logf("%6d in all", total)
}

// ground is what the planners ask of a plan, who know the categories.
func ground(c *eval.Case, p *plan.Plan) error {
	return planning.GroundAmong(c.Instruction, p, english.NewCategories(c.Categories))
}

func equivalent(t *testing.T, a, b *plan.Plan) bool {
	t.Helper()
	same, err := planning.Equivalent(t.Context(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	return same
}

// copied returns a plan that shares nothing with p.
func copied(p *plan.Plan) *plan.Plan {
	c := *p
	c.Operations = slices.Clone(p.Operations)
	for i := range c.Operations {
		op := &c.Operations[i]
		for _, list := range []names{categoriesOf, skusOf, excludedCategoriesOf, excludedSKUsOf} {
			*list(op) = slices.Clone(*list(op))
		}
		for _, f := range []field{lowerOf, upperOf, floorOf, capOf, endingOf} {
			if d := *f(op); d != nil {
				value := *d
				*f(op) = &value
			}
		}
	}
	return &c
}

func ExampleGround() {
	p := &plan.Plan{Operations: []plan.Operation{{
		OperationID: "op_01", Filter: plan.Filter{Categories: []string{"toys"}},
		Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
	}}}
	fmt.Println(errs.Message(planning.Ground("Discount yoga by 10%.", p)))
	// Output:
	// op_01: the instruction does not ask for percent_increase 10. op_01: toys is not in the instruction. The plan does not do what "10%" asks for. The plan says nothing of "yoga".
}
