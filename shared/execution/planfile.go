package execution

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
)

// MaxPlanFileBytes is the most that is read of a plan file: the canonical form
// may be half of it, so that a generously indented plan still fits.
const MaxPlanFileBytes = 2 * plan.MaxCanonicalBytes

// storePlan stores a plan that was written by hand. One that cannot be stored
// is answered by a notice beside where the results go.
func (x *Executor) storePlan(ctx context.Context, event Event, target target) error {
	err := x.readAndStorePlan(ctx, event, target)
	if err == nil {
		return nil
	}
	failure := x.permanent(err, x.age(event.CreatedAt))
	if failure == nil {
		return err
	}
	x.Log.WarnContext(ctx, "plan refused", "code", failure.Code, "cause", err.Error())
	name := fmt.Sprintf("%s/plan.json.failed-%d.txt", target.executionID, event.Generation)
	return x.writeNotice(ctx, name, notices.Paragraphs("This plan was not stored.",
		"File", event.Bucket+"/"+event.Object,
		"What is wrong", failure.Message,
		"What to do", "Correct what is named above and drop the plan again."))
}

// readAndStorePlan stores the plan of a file; an identical one that is there is success.
func (x *Executor) readAndStorePlan(ctx context.Context, event Event, target target) error {
	p, err := x.readPlanFile(ctx, event, target)
	if err != nil {
		return err
	}
	made := plans.New(p)
	made.CreatedAt = x.now()
	_, created, err := plans.Save(ctx, x.Ledger, made)
	if errs.KindOf(err) == errs.Conflict {
		return refuse("plan_conflict", "%s", errs.Message(err))
	} else if past, ok := errors.AsType[*plan.InvalidError](err); ok {
		return refuse("invalid_plan", "%s", listed(past.Problems))
	} else if err != nil {
		return err
	}
	x.Log.InfoContext(ctx, "plan stored", "plan_sha256", made.SHA256, "new", created)
	return nil
}

func (x *Executor) readPlanFile(ctx context.Context, event Event, target target) (*plan.Plan, error) {
	in, _, err := x.Inbox.Open(ctx, event.Object, event.Generation)
	if errs.KindOf(err) == errs.NotFound {
		return nil, refuse("generation_gone", "The file was deleted before it could be read. Drop it again.")
	} else if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, MaxPlanFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxPlanFileBytes {
		return nil, refuse("invalid_plan", "The plan is larger than %d bytes.", MaxPlanFileBytes)
	}
	p, err := plan.Decode(data)
	if invalid, ok := errors.AsType[*plan.InvalidError](err); ok {
		return nil, refuse("invalid_plan", "%s", listed(invalid.Problems))
	} else if err != nil {
		return nil, err
	}
	if p.ExecutionID != target.executionID {
		return nil, refuse("invalid_plan",
			"The plan's execution_id is %s but its folder is %s: they must be the same.",
			p.ExecutionID, target.executionID)
	}
	return p, nil
}

func listed(problems []strictjson.Problem) string {
	var lines strings.Builder
	for _, problem := range problems {
		fmt.Fprintf(&lines, "%s: %s\n", problem.Path, problem.Message)
	}
	return lines.String()
}
