package ledger

import (
	"context"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

// PlanStore is the part of Store that keeps plans.
type PlanStore interface {
	CreatePlan(ctx context.Context, plan PlanRecord) error
	Plan(ctx context.Context, executionID string) (PlanRecord, error)
}

// StoredPlan is a plan as it is stored and as it is read.
type StoredPlan struct {
	PlanRecord
	Plan *plan.Plan
}

// StorePlan stores a plan for ever, or finds that it is stored already; created
// says which. Conflict: the id has another plan, which is returned.
func StorePlan(ctx context.Context, store PlanStore, p StoredPlan) (stored StoredPlan, created bool, err error) {
	refusal := store.CreatePlan(ctx, p.PlanRecord)
	if errs.KindOf(refusal) != errs.Conflict {
		return p, refusal == nil, refusal
	}
	stored, err = LoadPlan(ctx, store, p.ExecutionID)
	switch {
	case err != nil:
		return StoredPlan{}, false, err
	case stored.SHA256 != p.SHA256:
		return stored, false, errs.Wrap(errs.Conflict, refusal, "There is another plan with the id %s already, and a stored plan never changes. Use another execution_id.", p.ExecutionID)
	default:
		return stored, false, nil
	}
}

// LoadPlan reads a stored plan and checks that it is what was stored. NotFound:
// there is none. Internal: it is damaged.
func LoadPlan(ctx context.Context, store PlanStore, executionID string) (StoredPlan, error) {
	record, err := store.Plan(ctx, executionID)
	if err != nil {
		return StoredPlan{}, err
	}
	p, err := plan.Decode(record.Canonical)
	if err == nil && p.SHA256() != record.SHA256 {
		err = errs.New(errs.Internal, "its hash is not the one it was stored with")
	}
	if err != nil {
		return StoredPlan{}, errs.Wrap(errs.Internal, err, "The stored plan %s is damaged.", executionID)
	}
	return StoredPlan{PlanRecord: record, Plan: p}, nil
}

// NewStoredPlan is a plan as it will be stored, apart from how it came about.
func NewStoredPlan(p *plan.Plan) StoredPlan {
	return StoredPlan{Plan: p, PlanRecord: PlanRecord{ExecutionID: p.ExecutionID, Canonical: p.Canonical(), SHA256: p.SHA256()}}
}
