package planner

import (
	"context"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// underSlug returns the plan of the request under an id made of its instruction: the one
// that was stored last for it, if that has not been executed, or a new one under the next
// version. An asker who finds the version taken by another's sentence looks again.
func (c *planCreation) underSlug(ctx context.Context) (plans.Stored, bool, error) {
	slug := plan.Slug(c.request.instruction)
	for {
		versions, err := c.Store.PlanVersions(ctx, slug, c.request.key())
		if err != nil {
			return plans.Stored{}, false, err
		}
		if versions.Latest != "" {
			stored, is, err := c.again(ctx, versions.Latest)
			if err != nil || is {
				return stored, false, err
			}
		}
		stored, created, err := c.create(ctx, plans.Version(slug, versions.Last+1))
		if err != nil || created {
			return stored, created, err
		}
		if is, err := c.isFor(ctx, stored); err != nil || is {
			return stored, false, err
		}
	}
}

// again returns a plan that was stored for the request, and whether it still is its
// answer: the same words may mean something else today, and a plan is executed once.
func (c *planCreation) again(ctx context.Context, executionID string) (plans.Stored, bool, error) {
	stored, err := plans.Load(ctx, c.Store, executionID)
	if err != nil {
		return stored, false, err
	}
	if is, err := c.isFor(ctx, stored); err != nil || !is {
		return stored, false, err
	}
	done, err := c.executed(ctx, executionID)
	return stored, !done, err
}

// key is what the ledger knows the request by.
func (p planRequest) key() plans.Request {
	return plans.Request{
		Instruction: p.instruction,
		Categories:  p.categories,
		Table:       p.table,
		Terms:       p.terms,
	}
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
