package planner

import (
	"context"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/planning"
)

// maxVersions is how many plans may share a slug before the caller must choose
// an id.
const maxVersions = 500

// underSlug returns the plan of the order under an id made of its instruction:
// the first version that holds this order's plan and has not been executed, or
// the first that is free.
func (m *making) underSlug(ctx context.Context) (ledger.PlanRecord, bool, error) {
	slug := planning.Slug(m.order.instruction)
	for n := 1; n <= maxVersions; n++ {
		record, isNew, err := m.under(ctx, planning.Version(slug, n))
		if err != nil || isNew {
			return record, isNew, err
		}
		if !m.order.isFor(record) {
			continue
		}
		if done, err := m.executed(ctx, record.ExecutionID); err != nil || !done {
			return record, false, err
		}
	}
	return ledger.PlanRecord{}, false, errs.New(errs.Conflict,
		"There are %d plans of this instruction's name already. Give this one an execution_id of your own.", maxVersions)
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
