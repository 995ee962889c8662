package console

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/web"
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
	var answer json.RawMessage
	var found planView
	if err := c.Planner.Get(ctx, planPath(id, ""), &answer); err != nil {
		return found, err
	}
	var stored struct{ Plan json.RawMessage }
	if err := errors.Join(json.Unmarshal(answer, &found), json.Unmarshal(answer, &stored)); err != nil {
		return found, errs.Wrap(errs.Unusable, err, "The planner's plan cannot be read.")
	}
	found.StoredPlan.Plan = stored.Plan
	return found, nil
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
		if p.ExecutionID, err = c.nextFree(ctx, p.ExecutionID); err != nil {
			return "", err
		}
	}
}

// nextFree returns an id of the same name as a taken one that has no plan. Versions follow
// each other, so it doubles its steps to a free one and halves them back to the first.
func (c *Console) nextFree(ctx context.Context, executionID string) (string, error) {
	name, taken, versioned := plans.SplitVersion(executionID)
	if !versioned {
		taken = 1 // the first has no number
	}
	free := 0
	for step := 1; free == 0 || free-taken > 1; step *= 2 {
		n := taken + step
		if free > 0 {
			n = taken + (free-taken)/2
		}
		_, err := c.storedPlan(ctx, plans.Version(name, n))
		switch {
		case errs.KindOf(err) == errs.NotFound:
			free = n
		case err != nil:
			return "", err
		default:
			taken = n
		}
	}
	return plans.Version(name, free), nil
}

// maxForm is the most that a form without a table may hold.
const maxForm = 1 << 20

// field reads one field of a form that is bounded.
func field(w http.ResponseWriter, r *http.Request, name string) string {
	r.Body = web.Limited(w, r, maxForm)
	return r.PostFormValue(name)
}

// seeOther leads from what was done to the page that shows it.
func seeOther(w http.ResponseWriter, r *http.Request, path string, query url.Values) {
	http.Redirect(w, r, path+queryOf(query), http.StatusSeeOther)
}
