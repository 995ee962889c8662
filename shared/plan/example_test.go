package plan_test

import (
	"errors"
	"fmt"

	"github.com/planwright/planwright/shared/plan"
)

func ExampleDecode() {
	_, err := plan.Decode([]byte(`{
		"execution_id": "plan_yoga_v1",
		"created_at": "2024-06-01T10:00:00Z",
		"source_instruction": "Discount all yoga products by 5%.",
		"operations": [{
			"operation_id": "op_01",
			"filter": {"categories": ["yoga"], "price_gte": -1},
			"action": {"type": "percent_decrease", "value": "5"}
		}]
	}`))
	var invalid *plan.InvalidError
	if errors.As(err, &invalid) {
		for _, problem := range invalid.Problems {
			fmt.Println(problem)
		}
	}
	// Output:
	// operations[0].filter.price_gte: must not be negative, but is -1
	// operations[0].action.value: must be a number, but is a string
}

func ExampleExplain() {
	p := &plan.Plan{
		Operations: []plan.Operation{{
			OperationID: "op_01",
			Filter:      plan.Filter{Categories: []string{"fitness"}, InStock: new(true)},
			Action:      plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
		}},
	}
	for _, sentence := range plan.Explain(p) {
		fmt.Println(sentence)
	}
	// Output:
	// Increase the price by 10% for products in category fitness that are in stock; round to 2 decimals, or as many as the prices have.
}
