package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/plan"
)

// planIDs are the execution ids that were used on this machine: those of the
// plans in --db. Without a file none is.
type planIDs struct{ store *sqlite.Store }

func openPlanIDs(ctx context.Context, db string) (planIDs, error) {
	if _, err := os.Stat(db); os.IsNotExist(err) {
		return planIDs{}, checkRecords(ctx, db, nil)
	}
	store, err := sqlite.Open(ctx, db, sqlite.Options{})
	if err != nil {
		return planIDs{}, errs.Wrap(errs.KindOf(err), err, "--db %s: %s", db, errs.Message(err))
	}
	return planIDs{store}, nil
}

func (ids planIDs) Close() error {
	if ids.store == nil {
		return nil
	}
	return ids.store.Close()
}

// usedPlan is a plan with its id, and the execution where it was carried out.
type usedPlan struct {
	*plan.Plan
	completed *ledger.Execution
}

// versioned returns the plan under the first version of the name that no other
// plan has used. Where this very plan has, it is the one that was stored.
func (ids planIDs) versioned(ctx context.Context, made *plan.Plan, name string) (usedPlan, error) {
	for n := 1; ; n++ { // a read each, of a file: a plan that was carried out here must be found
		used, err := ids.under(ctx, made, plans.Version(name, n))
		if errs.KindOf(err) != errs.Conflict {
			return used, err
		}
	}
}

// under returns the plan under the id. Conflict: another plan has used it.
func (ids planIDs) under(ctx context.Context, made *plan.Plan, executionID string) (usedPlan, error) {
	named := *made
	named.ExecutionID = executionID
	if ids.store == nil {
		return usedPlan{Plan: &named}, nil
	}
	stored, err := plans.Load(ctx, ids.store, executionID)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		return usedPlan{Plan: &named}, nil
	case err != nil:
		return usedPlan{}, err
	case !stored.Is(&named):
		return usedPlan{}, plans.Taken(ctx, ids.store, executionID)
	}
	record, err := ids.store.Execution(ctx, executionID)
	switch {
	case errs.KindOf(err) == errs.NotFound || err == nil && record.Status != ledger.Completed:
		return usedPlan{Plan: stored.Plan}, nil
	case err != nil:
		return usedPlan{}, err
	default:
		return usedPlan{stored.Plan, &record}, nil
	}
}

// tellCompleted says that the plan was carried out before, and how to have it
// carried out again.
func tellCompleted(ctx context.Context, out io.Writer, db string, p usedPlan) error {
	if p.completed == nil {
		return nil
	}
	ids, err := openPlanIDs(ctx, db)
	if err != nil {
		return err
	}
	defer ids.Close()
	free, err := plans.NextFree(ctx, ids.store, p.ExecutionID)
	if err != nil {
		return err
	}
	fmt.Fprintf(
		out,
		"  %s\n  To carry it out again, plan it with --execution-id %s.\n",
		carriedOut(*p.completed),
		free,
	)
	return nil
}
