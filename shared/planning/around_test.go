package planning_test

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/eval"
	"github.com/planwright/planwright/shared/planning/reader"
)

// What is said after a rule and is no part of a plan is asked about, and never
// dropped.
func TestWhatAPlanCannotDoIsNeverDropped(t *testing.T) {
	after := []string{" starting tomorrow", " until Friday", " for new customers only", " in the outlet store", ", or maybe not", " and email me the result", " unless it is too much",
		", except the ugly ones", " if the supplier agrees", " and then undo it", " twice", " per month", ". Wait, don't", ". On second thought, no", " for every second one", " where the colour is red", " and delete the rest",
		" but not too much", " like last year", " compared with Amazon", " and archive the old ones", " minus the usual", " for size M"}
	eachPlanned(t, after, func(t *testing.T, c *eval.Case, addition, instruction string) bool {
		r := c.Request()
		r.Instruction = strings.TrimRight(c.Instruction, " .!?\n") + addition
		if c.Categories == nil && strings.HasPrefix(addition, " in the") {
			return false // a category of that name, for who knows no list
		}
		draft, err := reader.New().Plan(t.Context(), r)
		if err == nil {
			t.Errorf("%q is planned as %v", r.Instruction, plan.Explain(draft.Plan))
		}
		return err == nil
	})
}

// What says nothing changes no plan. It may be asked about.
func TestCourtesyChangesNoPlan(t *testing.T) {
	around := []string{"Please | ", "Hi team, | Thanks!", "| Thank you.", "Could you please | ?", "Hello!\n\n|\n\nBest regards", "pls |", "| asap", "Good morning, | - cheers"}
	asked := 0
	eachPlanned(t, around, func(t *testing.T, c *eval.Case, addition, instruction string) bool {
		before, after, _ := strings.Cut(addition, "|")
		if before != "" && startsWithAName(c) {
			return false // its capital, kept as typed, is another name without a list
		}
		r := c.Request()
		r.Instruction = before + c.Instruction + after
		draft, err := reader.New().Plan(t.Context(), r)
		if err != nil {
			asked++
			return false
		}
		if !c.IsWanted(draft.Plan) {
			t.Errorf("%q is planned as %v", r.Instruction, plan.Explain(draft.Plan))
			return true
		}
		return false
	})
	t.Logf("%d asked about", asked)
}

func startsWithAName(c *eval.Case) bool {
	for _, op := range c.Want.Operations {
		for _, name := range op.Filter.Categories {
			if c.Categories == nil && strings.HasPrefix(strings.ToLower(c.Instruction), strings.ToLower(name)) {
				return true
			}
		}
	}
	return false
}

// eachPlanned tries additions on instructions that are planned, and logs how many
// failed.
func eachPlanned(t *testing.T, additions []string, try func(t *testing.T, c *eval.Case, addition, instruction string) bool) {
	t.Helper()
	t.Parallel()
	tried, failed := 0, map[string]int{}
	for _, c := range sample(t, 61, eval.Own, eval.Open) {
		if _, err := reader.New().Plan(t.Context(), c.Request()); err != nil {
			continue
		}
		for _, addition := range additions {
			tried++
			if try(t, c, addition, c.Instruction) {
				failed[addition]++
			}
		}
	}
	t.Logf("%d tried, failed: %v", tried, failed)
}
