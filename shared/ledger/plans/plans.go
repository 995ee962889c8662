// Package plans keeps plans as they are stored: canonical bytes with their hash, how the plan
// came about, and the versions of a name. A stored plan never changes and is never removed.
// It makes no plan and carries none out.
package plans

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/internal/stored"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/plan"
)

// MaxExplanationBytes are the most that an explanation has. With what is listed of the
// changes and the largest plan it leaves an audit document below Firestore's limit of 1 MiB:
// an outcome that could not be stored would leave a sealed execution without an end.
const MaxExplanationBytes = 64 << 10

// Explanation is the plan in plain English, with its caveats. Where the sentences of the
// operations would be too long, one says in their place how many are left out.
func (p Stored) Explanation() []string {
	sentences := append(plan.Explain(p.Plan), p.Planner.Caveats()...)
	operations := len(p.Plan.Operations)
	room := MaxExplanationBytes
	for i, sentence := range sentences[:operations] {
		if room -= len(sentence); room < 0 {
			left := fmt.Sprintf("The plan says the rest: %d of its %d operations are too long to be explained here.", operations-i, operations)
			return append(append(sentences[:i:i], left), sentences[operations:]...)
		}
	}
	return sentences
}

// Store is the part of a store that keeps plans.
type Store interface {
	// CreatePlan stores a plan for ever. Conflict: the id has one already,
	// identical or not; the caller reads it and compares.
	CreatePlan(ctx context.Context, plan Record) error
	// Plan reads a plan. NotFound: there is none.
	Plan(ctx context.Context, executionID string) (Record, error)

	// Versions reads, in one round trip however many there are, which versions
	// (Version) of a name have plans, and which of them was stored last for a request.
	PlanVersions(ctx context.Context, name string, request Request) (Versions, error)

	// ListPlans lists plans, the newest by created_at first.
	ListPlans(ctx context.Context, page paging.Page) (paging.List[Record], error)
}

// Stored is a plan as it is stored and as it is read.
type Stored struct {
	Record
	Plan *plan.Plan
}

// Is reports whether a plan is the stored one: when it was made is no part of what
// it asks for.
func (p Stored) Is(other *plan.Plan) bool {
	again := *other
	again.CreatedAt = p.Plan.CreatedAt
	return again.SHA256() == p.SHA256
}

// Save stores a plan for ever, or finds that it is stored already; created
// says which. Conflict: the id has another plan, which is returned. Invalid: the
// id is kept for the plan that undoes another, or the plan is to be reverted at a
// time that is past as it is stored.
func Save(ctx context.Context, store Store, p Stored) (stored Stored, created bool, err error) {
	if plan.IsUndoID(p.ExecutionID) {
		return Stored{}, false, errs.New(errs.Invalid,
			"The id %s cannot be chosen: ids with that ending are kept for undos. Choose another.",
			p.ExecutionID)
	}
	refusal := p.Plan.CheckRevert(p.CreatedAt)
	if refusal != nil {
		if _, err := store.Plan(ctx, p.ExecutionID); errs.KindOf(err) == errs.NotFound {
			return Stored{}, false, refusal
		}
	} else if refusal = store.CreatePlan(ctx, p.Record); errs.KindOf(refusal) != errs.Conflict {
		return p, refusal == nil, refusal
	}
	stored, err = Load(ctx, store, p.ExecutionID)
	switch {
	case err != nil:
		return Stored{}, false, err
	case !stored.Is(p.Plan):
		return stored, false, Taken(ctx, store, p.ExecutionID)
	default:
		return stored, false, nil
	}
}

// Load reads a stored plan and checks that it is what was stored. NotFound:
// there is none. Internal: it is damaged.
func Load(ctx context.Context, store Store, executionID string) (Stored, error) {
	record, err := store.Plan(ctx, executionID)
	if err != nil {
		return Stored{}, err
	}
	return Read(record)
}

// Read reads a plan's record and checks that it is what was stored.
// Internal: it is damaged.
func Read(record Record) (Stored, error) {
	p, err := plan.Decode(record.Canonical)
	if err == nil && p.SHA256() != record.SHA256 {
		err = errs.New(errs.Internal, "its hash is not the one it was stored with")
	}
	if err != nil {
		return Stored{}, errs.Wrap(errs.Internal, err, "The stored plan %s is damaged.", record.ExecutionID)
	}
	return Stored{Record: record, Plan: p}, nil
}

// New is a plan as it will be stored, apart from how it came about.
func New(p *plan.Plan) Stored {
	canonical := p.Canonical()
	return Stored{
		Plan:   p,
		Record: Record{ExecutionID: p.ExecutionID, Canonical: canonical, SHA256: stored.SHA256(canonical)},
	}
}

// Undo is the plan that undoes a sealed execution of another, by the hash of its changes file.
func Undo(of *plan.Plan, undoID, changesSHA256 string, createdAt time.Time) *plan.Plan {
	return &plan.Plan{
		ExecutionID:       undoID,
		CreatedAt:         createdAt.Format(time.RFC3339),
		SourceInstruction: plan.CutInstruction("Undo: " + of.SourceInstruction),
		Undo:              &plan.Undo{ExecutionID: of.ExecutionID, ChangesSHA256: changesSHA256},
	}
}

// RecordSHA256 is the hash of the record's JSON.
func (p Record) RecordSHA256() string {
	text, err := json.Marshal(p.Rounded())
	if err != nil {
		panic("ledger: a plan that is not JSON: " + err.Error()) // it was decoded before
	}
	return stored.SHA256(text)
}

// Record is a stored plan: its canonical bytes and where they came from.
type Record struct {
	ExecutionID string          `json:"execution_id"`
	Canonical   json.RawMessage `json:"plan"` // canonical JSON
	SHA256      string          `json:"plan_sha256"`
	Planner     PlannedBy       `json:"planner"`
	Instruction string          `json:"instruction"` // as it was asked; "" for a plan written by hand
	Categories  []string        `json:"categories,omitempty"`
	CreatedAt   time.Time       `json:"created_at"`
	// the caller who had it stored; "" where nobody knows
	CreatedBy string `json:"created_by,omitempty"`
}

// Rounded returns the record with its times in UTC and whole microseconds.
// Every store writes it, so that what is read back equals it.
func (p Record) Rounded() Record {
	p.CreatedAt = stored.Time(p.CreatedAt)
	return p
}

// Request is what the plan was asked for with.
func (p Record) Request() Request {
	r := Request{Instruction: p.Instruction, Categories: p.Categories}
	if p.Planner.Table != nil {
		r.Table = p.Planner.Table.Table
	}
	_ = json.Unmarshal(p.Canonical, &r.Terms) // a damaged plan, which whoever reads it refuses, has none
	return r
}
