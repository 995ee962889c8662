package pricing_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// discount takes 5% off all yoga products.
var discount = &plan.Plan{
	ExecutionID: "plan_yoga_v1",
	Operations: []plan.Operation{{
		OperationID: "op_01",
		Filter:      plan.Filter{Categories: []string{"yoga"}},
		Action:      plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("5")},
	}},
}

const threeRows = `sku,category,price,note
B201,yoga,24.99,"soft, blue"
C301,mugs,9.99,
B202,yoga,10.00,hard
`

// A run writes the whole table. Only the prices that the plan changes are other bytes.
func ExampleEngine_Run() {
	engine, err := pricing.Compile(discount, table.Settings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	summary, err := engine.Run(context.Background(), strings.NewReader(threeRows), os.Stdout)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(summary.RowsChanged, "of", summary.RowsTotal, "rows changed")
	// Output:
	// sku,category,price,note
	// B201,yoga,23.74,"soft, blue"
	// C301,mugs,9.99,
	// B202,yoga,9.50,hard
	// 2 of 3 rows changed
}

// EachChange computes the changes and writes no table.
func ExampleEngine_EachChange() {
	engine, err := pricing.Compile(discount, table.Settings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	show := func(s pricing.Seen) error {
		fmt.Printf("row %d, %s: %s to %s (%s%%)\n", s.Row, s.SKU, *s.Before.Price, *s.After.Price, s.Percent())
		return nil
	}
	if _, err := engine.EachChange(context.Background(), strings.NewReader(threeRows), show); err != nil {
		fmt.Println(err)
	}
	// Output:
	// row 2, B201: 24.99 to 23.74 (-5.002%)
	// row 4, B202: 10.00 to 9.50 (-5%)
}
