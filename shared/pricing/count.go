package pricing

import (
	"context"
	"fmt"
	"io"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// CountRows returns how many rows of a table each filter matches, in one pass. It is nil where the
// table cannot be read so: a filter names what the table does not have.
func CountRows(
	ctx context.Context, open func() (io.ReadCloser, error), s table.Settings, filters []plan.Filter,
) []int64 {
	operations := make([]plan.Operation, len(filters))
	for i, f := range filters {
		operations[i] = plan.Operation{
			OperationID: fmt.Sprintf("op_%02d", i+1),
			Filter:      f,
			// It changes no price, so that each filter sees the table as it is.
			Action:  plan.Action{Type: plan.PercentIncrease},
			Options: plan.Options{RoundTo: new(plan.MaxRoundTo)},
		}
	}
	p := &plan.Plan{Operations: operations}
	engine, err := Compile(p, s)
	if err != nil {
		return nil
	}
	in, err := open()
	if err != nil {
		return nil
	}
	defer in.Close()
	preview, err := engine.Preview(ctx, in, nil, nil)
	if err != nil {
		return nil
	}
	rows := make([]int64, len(preview.Rules))
	for i, rule := range preview.Rules {
		rows[i] = rule.RowsMatched
	}
	return rows
}
