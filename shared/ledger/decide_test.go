package ledger

import (
	"context"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// unwilling is a store with one record, which refuses to change it.
type unwilling struct {
	Store
	kinds []errs.Kind // why, one time after the other
	asked int
}

func (u *unwilling) Execution(context.Context, string) (Execution, error) { return Execution{}, nil }

func (u *unwilling) UpdateExecution(_ context.Context, next Execution, _ Settlement) (Execution, error) {
	if u.asked++; u.asked <= len(u.kinds) {
		return Execution{}, errs.New(u.kinds[u.asked-1], "refused")
	}
	return next, nil
}

// A decision is tried again where the record has changed or the store did not
// answer, and not where it is refused.
func TestDecisionsAreTriedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		kinds []errs.Kind
		asked int
		ok    bool
	}{
		"at once":  {nil, 1, true},
		"changed":  {[]errs.Kind{errs.Stale}, 2, true},
		"silent":   {[]errs.Kind{errs.Unavailable}, 2, true},
		"refused":  {[]errs.Kind{errs.Denied}, 1, false},
		"restless": {[]errs.Kind{errs.Stale, errs.Stale, errs.Stale, errs.Stale, errs.Stale, errs.Stale, errs.Stale, errs.Stale, errs.Stale, errs.Stale, errs.Stale, errs.Stale}, maxDecisions, false},
	} {
		store := &unwilling{kinds: c.kinds}
		_, err := decide(t.Context(), store, "plan_one_v1", func(e Execution) (Execution, Settlement, error) { return e, Settlement{}, nil })
		if (err == nil) != c.ok || store.asked != c.asked {
			t.Errorf("%s: asked %d times, %v", name, store.asked, err)
		}
	}
}

type onePlan struct {
	Store
	record plans.Record
}

func (p onePlan) CreatePlan(context.Context, plans.Record) error {
	return errs.New(errs.Conflict, "it is there")
}

func (p onePlan) Plan(context.Context, string) (plans.Record, error) { return p.record, nil }

func (p onePlan) PlanVersions(context.Context, string, plans.Request) (plans.Versions, error) {
	return plans.Versions{Last: 1}, nil
}

type noPlan struct{ onePlan }

func (noPlan) CreatePlan(context.Context, plans.Record) error { return nil }

// A stored plan is taken for what was stored only where it has its hash.
func TestAStoredPlanKeepsItsHash(t *testing.T) {
	p := &plan.Plan{
		ExecutionID: "plan_one_v1", CreatedAt: "2026-03-01T12:00:00Z", SourceInstruction: "Set all to 5.",
		Operations: []plan.Operation{{OperationID: "op_01", Action: plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal("5")}}},
	}
	stored := plans.New(p)
	if found, created, err := plans.Save(t.Context(), onePlan{record: stored.Record}, stored); err != nil || created || found.SHA256 != stored.SHA256 {
		t.Errorf("the same plan: created %t, %v", created, err)
	}
	if _, created, err := plans.Save(t.Context(), noPlan{}, stored); err != nil || !created {
		t.Errorf("a new plan: created %t, %v", created, err)
	}
	p.SourceInstruction = "Set all to 6."
	other := plans.New(p)
	if _, _, err := plans.Save(t.Context(), onePlan{record: stored.Record}, other); errs.KindOf(err) != errs.Conflict {
		t.Errorf("another plan: %v", err)
	}
	damaged := stored.Record
	damaged.Canonical = other.Canonical
	if _, err := plans.Load(t.Context(), onePlan{record: damaged}, "plan_one_v1"); errs.KindOf(err) != errs.Internal {
		t.Errorf("a plan with the hash of another: %v", err)
	}
	damaged.Canonical = damaged.Canonical[1:]
	if _, err := plans.Load(t.Context(), onePlan{record: damaged}, "plan_one_v1"); errs.KindOf(err) != errs.Internal {
		t.Errorf("what is no plan: %v", err)
	}
	if _, _, err := plans.Save(t.Context(), onePlan{record: damaged}, stored); errs.KindOf(err) != errs.Internal {
		t.Errorf("beside a damaged plan: %v", err)
	}
}

// A record that somebody edited can be said to be proposed and hold nothing
// that is. It can be shown all the same.
func TestNothingProposedNeedsNoApproval(t *testing.T) {
	if (Execution{Status: Proposed}).NeedsApproval() {
		t.Error("it waits for an approval of nothing")
	}
}
