package planning_test

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// What a lead says of products is of all rules that follow it, in whatever form: no
// plan may have it for some of them only, whoever makes it.
func TestLeadsHoldForAllTheyLead(t *testing.T) {
	const (
		inStock, first, last, none = "Hats in stock up 5%. Mugs in stock up 7%.", "Hats in stock up 5%. Mugs up 7%.", "Hats up 5%. Mugs in stock up 7%.", "Hats up 5%. Mugs up 7%."
		cheap, cheapFirst          = "Hats under $20 up 5%. Mugs under $20 up 7%.", "Hats under $20 up 5%. Mugs up 7%."
	)
	leads := []string{
		"Only touch products ", "Touch only products ", "Only change prices of items ", "Only reprice products ", "Only update what's ", "Change products ", "Update only what is ",
		"Adjust prices ", "Reprice products ", "Adjust items as follows if ", "Raise everything ", "Raise products ", "Raise prices of products ", "Raise, for items ", "Increase only what is ",
		"Only items ", "Only ", "Just items ", "Items ", "All products ", "For items ", "For everything ", "Of the items ", "From the items ", "If ", "Only if ", "When ",
		"The following applies to items ", "This is for items ", "Limit this to items ", "Consider only items ",
	}
	for _, lead := range leads {
		for _, mark := range []string{":", ",", " -", " –", ".", ";", " only:", ":\n-"} {
			for _, joint := range []string{",", " and", ";", ".", "\n-"} {
				for _, condition := range []string{"in stock", "under $20"} {
					if pause := strings.ContainsAny(mark, ",-–") && !strings.Contains(mark, ":"); pause && strings.ContainsAny(joint, ".\n") {
						continue // which may hold for its sentence alone
					}
					rules := " hats up 5%" + joint + " mugs up 7%."
					if strings.Contains(lead, "Raise") || strings.Contains(lead, "Increase") {
						rules = strings.ReplaceAll(rules, "up", "by")
					}
					instruction := lead + condition + mark + rules
					right, wrong := inStock, []string{first, last, none}
					if condition != "in stock" {
						right, wrong = cheap, []string{cheapFirst, none}
					}
					for _, wrong := range wrong {
						if p := plainly(t, wrong); planning.Ground(instruction, p) == nil {
							t.Errorf("Ground(%q) accepts %v", instruction, plan.Explain(p))
						}
					}
					draft, err := grammar.Planner{}.Plan(t.Context(), planning.Request{ExecutionID: "plan_of_a_test", Instruction: instruction})
					if err == nil && !planning.Same(draft.Plan, plainly(t, right)) {
						t.Errorf("%q: %v", instruction, plan.Explain(draft.Plan))
					}
				}
			}
		}
	}
}
