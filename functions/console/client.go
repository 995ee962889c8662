package console

import (
	"context"
	"net/http"
	"net/url"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
)

func queryOf(values url.Values) string {
	for name := range values {
		if values.Get(name) == "" {
			values.Del(name)
		}
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

// planPath is the path of a plan, with what follows it.
func planPath(id, rest string) string { return "/v1/plans/" + url.PathEscape(id) + rest }

// executionPath is the path of an execution, with what follows it.
func executionPath(id, rest string) string { return "/v1/executions/" + url.PathEscape(id) + rest }

// storedPlan reads a stored plan.
func (c *Console) storedPlan(ctx context.Context, id string) (planView, error) {
	var found planView
	return found, c.Planner.Get(ctx, planPath(id, ""), &found)
}

// store stores a plan under its own id, or under the next free one where
// another plan has that. The query says of which plan it is a copy, and over which
// table its instruction was asked about.
func (c *Console) store(ctx context.Context, query url.Values, p *plan.Plan) (id string, err error) {
	path := queryOf(query)
	for {
		err := c.Planner.Send(ctx, http.MethodPut, planPath(p.ExecutionID, path), p, &planView{})
		if errs.KindOf(err) != errs.Conflict {
			return p.ExecutionID, err
		}
		if p.ExecutionID, err = ledger.NextFree(ctx, stored{c}, p.ExecutionID); err != nil {
			return "", err
		}
	}
}

// stored are the plans behind a console, for the search for a free id.
type stored struct{ *Console }

// Plan reads a plan's id alone. NotFound: there is none.
func (s stored) Plan(ctx context.Context, id string) (ledger.PlanRecord, error) {
	_, err := s.storedPlan(ctx, id)
	return ledger.PlanRecord{ExecutionID: id}, err
}
