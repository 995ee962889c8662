package planning_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/reader"
)

// A planner makes a plan of a sentence.
func ExamplePlanner() {
	var planner planning.Planner = reader.New()
	planned, err := planner.Plan(context.Background(), planning.Request{
		Instruction: "Discount all yoga products by 5%.",
		ExecutionID: "plan_yoga_v1",
		CreatedAt:   time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		Names:       planning.Names{Categories: []string{"yoga", "fitness"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(planned.Planner.Model, planned.Plan.ExecutionID)
	for _, sentence := range plan.Explain(planned.Plan) {
		fmt.Println(sentence)
	}
	// Output:
	// grammar plan_yoga_v1
	// Decrease the price by 5% for products in category yoga; round to 2 decimals, or as many as the prices have.
}

// A planner that is not sure asks, and has a draft of what it understood.
func ExampleClarificationError() {
	_, err := reader.New().Plan(context.Background(), planning.Request{
		Instruction: "Raise mugs by 10.",
		ExecutionID: "plan_mugs_v1",
	})
	unclear, asks := errors.AsType[*planning.ClarificationError](err)
	if !asks {
		fmt.Println(err)
		return
	}
	fmt.Println(unclear.Class)
	for _, part := range unclear.Draft.Open {
		fmt.Printf("%q\n", part.Text)
		for _, choice := range part.Choices {
			fmt.Println(" ", choice.Label)
		}
	}
	// Output:
	// missing_unit
	// "Raise mugs by 10"
	//   Increase by 10%
	//   Increase by 10
}
