package execution

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
)

// maxPlanFileBytes is the most that is read of a plan file: the canonical form
// may be half of it, so that a generously indented plan still fits.
const maxPlanFileBytes = 2 * plan.MaxCanonicalBytes

// storePlan stores a plan that was written by hand. One that cannot be stored
// is answered by a notice beside where the results go.
func (x *Executor) storePlan(ctx context.Context, event Event, target target) error {
	p, err := x.readPlanFile(ctx, event, target)
	if err == nil {
		err = x.createPlan(ctx, p)
	}
	switch errs.KindOf(err) {
	case "":
		x.Log.InfoContext(ctx, "plan stored", "plan_sha256", p.SHA256())
		return nil
	case errs.Invalid, errs.Conflict, errs.NotFound:
		x.Log.WarnContext(ctx, "plan refused", "cause", err.Error())
		name := fmt.Sprintf("%s/plan.json.failed-%d.txt", target.executionID, event.Generation)
		return x.writeNotice(ctx, name, refusedPlanNotice(event, err))
	default:
		return err
	}
}

func (x *Executor) readPlanFile(ctx context.Context, event Event, target target) (*plan.Plan, error) {
	in, _, err := x.Inbox.Open(ctx, event.Object, event.Generation)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxPlanFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxPlanFileBytes {
		return nil, errs.New(errs.Invalid, "the plan is larger than %d bytes", maxPlanFileBytes)
	}
	p, err := plan.Decode(data)
	if err != nil {
		return nil, err
	}
	if p.ExecutionID != target.executionID {
		return nil, errs.New(errs.Invalid, "the plan's execution_id is %s but its folder is %s: they must be the same", p.ExecutionID, target.executionID)
	}
	return p, nil
}

// createPlan stores a plan; an identical one that is there is success.
func (x *Executor) createPlan(ctx context.Context, p *plan.Plan) error {
	err := x.Ledger.CreatePlan(ctx, ledger.PlanRecord{
		ExecutionID: p.ExecutionID, Canonical: p.Canonical(), SHA256: p.SHA256(), CreatedAt: x.now(),
	})
	if errs.KindOf(err) != errs.Conflict {
		return err
	}
	stored, readErr := x.Ledger.Plan(ctx, p.ExecutionID)
	switch {
	case readErr != nil:
		return errs.Wrap(errs.Unavailable, readErr, "the stored plan %s cannot be compared", p.ExecutionID)
	case stored.SHA256 == p.SHA256():
		return nil
	default:
		return errs.Wrap(errs.Conflict, err, "there is another plan with the id %s already, and a stored plan never changes: use another execution_id", p.ExecutionID)
	}
}

func refusedPlanNotice(event Event, err error) string {
	reason := errs.Message(err)
	var invalid *plan.InvalidError
	if errors.As(err, &invalid) {
		reason = ""
		for _, problem := range invalid.Problems {
			reason += fmt.Sprintf("%s: %s\n", problem.Path, problem.Message)
		}
	}
	return notice("This plan was not stored.",
		"File", event.Bucket+"/"+event.Object,
		"What is wrong", reason,
		"What to do", "Mend what is named above and drop the plan again.")
}
