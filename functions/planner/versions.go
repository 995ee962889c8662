package planner

import (
	"context"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
)

// underSlug returns the plan of the request under an id made of its instruction:
// the first version that holds this request's plan, over the same table, and has not been
// executed, or the first that is free.
func (c *planCreation) underSlug(ctx context.Context) (ledger.StoredPlan, bool, error) {
	slug := plan.Slug(c.request.instruction)
	for n := 1; n <= ledger.MaxVersions; n++ {
		stored, created, err := c.under(ctx, ledger.Version(slug, n))
		if err != nil || created {
			return stored, created, err
		}
		if !c.isOver(stored) {
			continue // who asked of that table, and when, is not who asks of this one
		}
		switch is, err := c.isFor(ctx, stored); {
		case err != nil:
			return ledger.StoredPlan{}, false, err
		case !is:
			continue
		}
		if done, err := c.executed(ctx, stored.ExecutionID); err != nil || !done {
			return stored, false, err
		}
	}
	return ledger.StoredPlan{}, false, errs.New(errs.Conflict,
		"There are %d plans of this instruction's name already. Give this one an execution_id of your own.", ledger.MaxVersions)
}

// isOver reports whether a stored plan was made in the words of the request's table.
func (c *planCreation) isOver(stored ledger.StoredPlan) bool {
	if stored.Planner.Table == nil {
		return c.request.table == ""
	}
	return c.request.table == stored.Planner.Table.Table
}

// executed reports whether a plan was carried out, or is being so. One that
// failed changed nothing, and its plan can be tried again.
func (h handler) executed(ctx context.Context, executionID string) (bool, error) {
	execution, err := h.Store.Execution(ctx, executionID)
	if errs.KindOf(err) == errs.NotFound {
		return false, nil
	}
	return execution.Status != ledger.Failed, err
}
