package console

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
)

// against finds the products that would move against the direction of a rule, where
// somebody looks at them.
func (l rulesPreview) against(ctx context.Context, found *result) (err error) {
	n := found.state.againstRule()
	if n < 0 {
		return nil
	}
	query := maps.Clone(l.query)
	if found.rules[n].raises() {
		query.Set("moved_to", "-0.0001")
	} else {
		query.Set("moved_from", "0.0001")
	}
	found.Against, err = l.further(ctx, l.with(n, "keep_direction", nil), query)
	return err
}

// belowCost counts the products that would end below their cost, where the table says
// what they cost and no limit is set already: those that such a limit would leave alone.
func (l rulesPreview) belowCost(ctx context.Context, found *result) error {
	if found.state.Get("costed") == "" {
		return nil
	}
	guarded := slices.Clone(l.operations)
	var of []int
	for _, r := range found.rules {
		if !r.Prices() || r.Limited() || r.raises() {
			continue
		}
		limited := l.with(r.N, "not_below_cost", true)[r.N]
		limited["options"].(map[string]any)["outside_limits"] = "leave"
		guarded[r.N] = limited
		of = append(of, r.N)
	}
	if len(of) == 0 {
		return nil
	}
	seen, err := l.further(ctx, guarded, l.query)
	if err != nil {
		return err
	}
	found.BelowCost = map[int]int64{}
	for _, n := range of {
		for _, left := range seen.Rules[n].LeftAlone {
			if left.Code == pricing.LeftOutsideLimits {
				found.BelowCost[n] = left.Rows
			}
		}
	}
	return nil
}

// scheduledOverlap is a change that is scheduled, and has products in common with the rules.
type scheduledOverlap struct {
	plannerapi.Execution
	Rows int64
}

// maxScheduled is how many scheduled changes the rules are held against: those that come
// first.
const maxScheduled = 3

// scheduled finds the scheduled changes whose rules are for the same products.
func (l rulesPreview) scheduled(ctx context.Context, found *result) error {
	all, err := l.scheduledChanges(ctx)
	if err != nil {
		return err
	}
	for _, change := range all {
		theirs, err := l.rulesOf(ctx, change.ExecutionID)
		if err != nil {
			return err
		}
		if len(theirs)+len(l.operations) > plan.MaxOperations {
			continue
		}
		rows, err := l.sharedRows(ctx, theirs)
		switch {
		case errs.KindOf(err) == errs.Invalid: // it is for another table
		case err != nil:
			return err
		case rows > 0:
			found.Scheduled = append(found.Scheduled, scheduledOverlap{change, rows})
		}
	}
	return nil
}

// scheduledChanges are the next ones.
func (l rulesPreview) scheduledChanges(ctx context.Context) ([]plannerapi.Execution, error) {
	var list plannerapi.Executions
	err := l.Planner.Get(ctx,
		"/v1/executions"+queryOf(url.Values{"status": {"proposed"}, "page_size": {"100"}}), &list)
	if errs.KindOf(err) == errs.Denied {
		return nil, nil
	}
	waiting := slices.DeleteFunc(list.Executions,
		func(e plannerapi.Execution) bool { return e.ApplyAt == nil || e.ApplyAt.Before(time.Now()) })
	slices.SortFunc(waiting, func(a, b plannerapi.Execution) int { return a.ApplyAt.Compare(*b.ApplyAt) })
	return waiting[:min(len(waiting), maxScheduled)], err
}

// rulesOf are the rules of a stored plan, without their ids; none where it takes another
// one back.
func (l rulesPreview) rulesOf(ctx context.Context, id string) ([]map[string]any, error) {
	found, err := l.storedPlan(ctx, id)
	if err != nil {
		return nil, err
	}
	var rules struct{ Operations []map[string]any }
	if err := decodeNumbers(found.StoredPlan.Plan, &rules); err != nil {
		return nil, errs.Wrap(errs.Unusable, err, "The planner's plan cannot be read.")
	}
	return withoutIDs(rules.Operations), nil
}

func withoutIDs(operations []map[string]any) (all []map[string]any) {
	for _, operation := range operations {
		operation = maps.Clone(operation)
		delete(operation, "operation_id")
		all = append(all, operation)
	}
	return all
}

// sharedRows counts the products that the rules and others have in common: the most that
// two of them share.
func (l rulesPreview) sharedRows(ctx context.Context, theirs []map[string]any) (rows int64, err error) {
	seen, err := l.further(ctx, slices.Concat(theirs, withoutIDs(l.operations)), l.allowed())
	if err != nil {
		return 0, err
	}
	place := func(id string) int {
		return slices.IndexFunc(seen.Rules, func(r pricing.Rule) bool { return r.OperationID == id })
	}
	for _, shared := range seen.Overlaps {
		if place(shared.OperationIDs[0]) < len(theirs) && place(shared.OperationIDs[1]) >= len(theirs) {
			rows = max(rows, shared.Rows)
		}
	}
	return rows, nil
}
