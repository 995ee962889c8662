package firestore

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
)

const (
	planField = "plan" // of the canonical bytes
	lastField = "last" // of the greatest version of a name
	idField   = "execution_id"
)

func (s *Store) CreatePlan(ctx context.Context, plan plans.Record) error {
	c := s.commit("cannot store the plan of " + plan.ExecutionID)
	c.createPlan(plan)
	_, err := c.Run(ctx, errs.New(errs.Conflict, "there is a plan under %s already", plan.ExecutionID), nil)
	return err
}

func (c commit) createPlan(plan plans.Record) {
	if !c.check(plan.ExecutionID) {
		return
	}
	stored := plan.Rounded()
	stored.Canonical = nil
	fields := c.Fields(stored)
	fields[planField] = verbatim(plan.Canonical)
	c.Create(c.store.plan(plan.ExecutionID), fields)
	c.countVersion(plan)
}

// countVersion keeps what PlanVersions reads.
func (c commit) countVersion(plan plans.Record) {
	name, version, ok := plans.SplitVersion(plan.ExecutionID)
	if !ok {
		return
	}
	c.Raise(c.store.lastVersion(name), lastField, version)
	if plan.Instruction != "" {
		c.Set(c.store.latestVersion(name, plan.Request()), map[string]any{idField: plan.ExecutionID})
	}
}

func (s *Store) PlanVersions(
	ctx context.Context, name string, request plans.Request,
) (plans.Versions, error) {
	what := "cannot read the versions of " + name
	name = plans.VersionName(name)
	read, err := firestoredb.Get(ctx, s.client, what, s.lastVersion(name), s.latestVersion(name, request))
	if err != nil {
		return plans.Versions{}, err
	}
	var found struct {
		Last        int    `json:"last"`
		ExecutionID string `json:"execution_id"`
	}
	for _, snapshot := range read {
		if !snapshot.Exists() {
			continue
		}
		if err := firestoredb.Decode(snapshot.Data(), &found, what); err != nil {
			return plans.Versions{}, err
		}
	}
	return plans.Versions{Last: found.Last, Latest: found.ExecutionID}, nil
}

func (s *Store) Plan(ctx context.Context, executionID string) (plans.Record, error) {
	return get(ctx, s, executionID, "plan under "+executionID, s.plan, readPlan)
}

func (s *Store) ListPlans(ctx context.Context, page paging.Page) (paging.List[plans.Record], error) {
	query := s.client.Collection(plansCollection).OrderBy("created_at", firestore.Desc).OrderBy(
		firestore.DocumentID, firestore.Desc,
	)
	return list(ctx, query, "cannot list the plans", "plans", page, readPlan,
		func(last plans.Record) executionPlace {
			return executionPlace{last.CreatedAt, last.ExecutionID}
		})
}

func readPlan(snapshot *firestore.DocumentSnapshot) (plan plans.Record, err error) {
	fields := snapshot.Data()
	canonical := take(fields, planField)
	if err := firestoredb.Decode(fields, &plan, "cannot read the plan of "+snapshot.Ref.ID); err != nil {
		return plans.Record{}, err
	}
	plan.Canonical = canonical
	return plan, nil
}
