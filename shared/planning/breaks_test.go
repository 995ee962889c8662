package planning_test

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/eval"
	"github.com/planwright/planwright/shared/planning/reader"
)

// An instruction that breaks off is asked about, wherever it does.
func TestABrokenOffInstructionIsAQuestion(t *testing.T) {
	t.Parallel()
	tried, wrong := 0, map[string]int{}
	for _, c := range sample(t, 41, eval.Own, eval.Open) {
		for _, rest := range []string{" and", " but", ", but not", " except", ", all but", " only for", " apart from", " unless", " if", " other than", ", and the", " or", ", never below", ", while", " whenever", " excluding", " from", " then", ", then raise"} {
			r := c.Request()
			r.Instruction = strings.TrimRight(c.Instruction, " .!?\n") + rest
			tried++
			if draft, err := reader.New().Plan(t.Context(), r); err == nil {
				if wrong[rest]++; wrong[rest] <= 3 {
					t.Errorf("%q is planned as %v", r.Instruction, plan.Explain(draft.Plan))
				}
			}
		}
	}
	t.Logf("%d that break off, planned: %v", tried, wrong)
}
