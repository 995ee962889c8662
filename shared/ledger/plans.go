package ledger

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/internal/stored"
	"github.com/planwright/planwright/shared/plan"
)

// AgreementModel is the agreement of a plan that a model made and that no
// other reading of the instruction vouches for.
const AgreementModel = "model"

// NotVouchedFor is what is said of such a plan wherever it is shown.
const NotVouchedFor = "A model made this plan and our own reading of the instruction does not vouch for it: it is carried out only once a person approves of what it does."

// StoredPlan is a plan as it is stored and as it is read.
type StoredPlan struct {
	PlanRecord
	Plan *plan.Plan
}

// Caveats are what an explanation of a plan has to add to what the plan does.
func (by PlannedBy) Caveats() []string {
	caveats := slices.Clone(by.Assumes)
	if by.Confirmed != nil {
		caveats = append(caveats, by.Confirmed.String())
	}
	if by.Agreement == AgreementModel {
		caveats = append(caveats, NotVouchedFor)
	}
	return caveats
}

// WarnWithoutModel is the code of the warning of a plan that was made without the
// model that was asked first.
const WarnWithoutModel = "planned_without_model"

// Warnings are what there is to warn of about how a plan was made.
func (by PlannedBy) Warnings() []plan.Warning {
	if by.WithoutModel == "" {
		return nil
	}
	return []plan.Warning{{
		Code: WarnWithoutModel, OperationIDs: []string{},
		Message: "The model gave no plan (" + by.WithoutModel + "): this is the one way in which our own grammar reads the instruction.",
	}}
}

// Is reports whether a plan is the stored one: when it was made is no part of what
// it asks for.
func (p StoredPlan) Is(other *plan.Plan) bool {
	again := *other
	again.CreatedAt = p.Plan.CreatedAt
	return again.SHA256() == p.SHA256
}

// StorePlan stores a plan for ever, or finds that it is stored already; created
// says which. Conflict: the id has another plan, which is returned. Invalid: the
// id is kept for the plan that undoes another, or the plan is to be reverted at a
// time that is past as it is stored.
func StorePlan(ctx context.Context, store Store, p StoredPlan) (stored StoredPlan, created bool, err error) {
	if plan.IsUndoID(p.ExecutionID) {
		return StoredPlan{}, false, errs.New(errs.Invalid, "The id %s cannot be chosen: ids with that ending are kept for undos. Choose another.", p.ExecutionID)
	}
	refusal := p.Plan.CheckRevert(p.CreatedAt)
	if refusal != nil {
		if _, err := store.Plan(ctx, p.ExecutionID); errs.KindOf(err) == errs.NotFound {
			return StoredPlan{}, false, refusal
		}
	} else if refusal = store.CreatePlan(ctx, p.PlanRecord); errs.KindOf(refusal) != errs.Conflict {
		return p, refusal == nil, refusal
	}
	stored, err = LoadPlan(ctx, store, p.ExecutionID)
	switch {
	case err != nil:
		return StoredPlan{}, false, err
	case !stored.Is(p.Plan):
		return stored, false, Taken(ctx, store, p.ExecutionID)
	default:
		return stored, false, nil
	}
}

// LoadPlan reads a stored plan and checks that it is what was stored. NotFound:
// there is none. Internal: it is damaged.
func LoadPlan(ctx context.Context, store Store, executionID string) (StoredPlan, error) {
	record, err := store.Plan(ctx, executionID)
	if err != nil {
		return StoredPlan{}, err
	}
	return ReadPlan(record)
}

// ReadPlan reads a plan's record and checks that it is what was stored.
// Internal: it is damaged.
func ReadPlan(record PlanRecord) (StoredPlan, error) {
	p, err := plan.Decode(record.Canonical)
	if err == nil && p.SHA256() != record.SHA256 {
		err = errs.New(errs.Internal, "its hash is not the one it was stored with")
	}
	if err != nil {
		return StoredPlan{}, errs.Wrap(errs.Internal, err, "The stored plan %s is damaged.", record.ExecutionID)
	}
	return StoredPlan{PlanRecord: record, Plan: p}, nil
}

// NewStoredPlan is a plan as it will be stored, apart from how it came about.
func NewStoredPlan(p *plan.Plan) StoredPlan {
	canonical := p.Canonical()
	return StoredPlan{Plan: p, PlanRecord: PlanRecord{ExecutionID: p.ExecutionID, Canonical: canonical, SHA256: stored.SHA256(canonical)}}
}

// UndoPlan is the plan that undoes a sealed execution of another.
func UndoPlan(of *plan.Plan, undoID string, seal Seal, createdAt time.Time) *plan.Plan {
	return &plan.Plan{
		ExecutionID:       undoID,
		CreatedAt:         createdAt.Format(time.RFC3339),
		SourceInstruction: plan.CutInstruction("Undo: " + of.SourceInstruction),
		Undo:              &plan.Undo{ExecutionID: of.ExecutionID, ChangesSHA256: seal.Changes.SHA256},
	}
}

// RecordSHA256 is the hash of the record's JSON.
func (p PlanRecord) RecordSHA256() string {
	text, err := json.Marshal(p.Rounded())
	if err != nil {
		panic("ledger: a plan that is not JSON: " + err.Error()) // it was decoded before
	}
	return stored.SHA256(text)
}
