package firestore

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
)

const planField = "plan" // of the canonical bytes

func (s *Store) CreatePlan(ctx context.Context, plan ledger.PlanRecord) error {
	c := s.commit("cannot store the plan of " + plan.ExecutionID)
	c.createPlan(plan)
	_, err := c.Run(ctx, errs.New(errs.Conflict, "there is a plan under %s already", plan.ExecutionID), nil)
	return err
}

func (c commit) createPlan(plan ledger.PlanRecord) {
	if !c.check(plan.ExecutionID) {
		return
	}
	canonical := plan.Canonical
	plan.Canonical = nil
	fields := c.Fields(plan.Rounded())
	fields[planField] = verbatim(canonical)
	c.Create(c.store.plan(plan.ExecutionID), fields)
}

func (s *Store) Plan(ctx context.Context, executionID string) (ledger.PlanRecord, error) {
	return get(ctx, s, executionID, "plan under "+executionID, s.plan, readPlan)
}

func (s *Store) ListPlans(ctx context.Context, page ledger.Page) (ledger.List[ledger.PlanRecord], error) {
	query := s.client.Collection(plans).OrderBy("created_at", firestore.Desc).OrderBy(firestore.DocumentID, firestore.Desc)
	return list(ctx, query, "cannot list the plans", "plans", page, readPlan, func(last ledger.PlanRecord) executionPlace {
		return executionPlace{last.CreatedAt, last.ExecutionID}
	})
}

func readPlan(snapshot *firestore.DocumentSnapshot) (plan ledger.PlanRecord, err error) {
	fields := snapshot.Data()
	canonical := take(fields, planField)
	if err := firestoredb.Decode(fields, &plan, "cannot read the plan of "+snapshot.Ref.ID); err != nil {
		return ledger.PlanRecord{}, err
	}
	plan.Canonical = canonical
	return plan, nil
}
