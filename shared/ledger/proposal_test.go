package ledger_test

import (
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// What is proposed is shown as it was computed, beside its own plan, or not at all: nobody
// approves of what somebody has edited since.
func TestShownProposal(t *testing.T) {
	stored := plans.New(&plan.Plan{
		ExecutionID: "plan_fitness_v1", CreatedAt: "2026-03-01T10:00:00Z", SourceInstruction: "Increase all prices by 10%.",
		Operations: []plan.Operation{{OperationID: "op_01", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}},
	})
	result := ledger.Result{PlanSHA256: stored.SHA256, PlanRecordSHA256: stored.RecordSHA256()}
	result.Did(pricing.Summary{
		Counts:   pricing.Counts{RowsTotal: 7, RowsChanged: 2},
		Warnings: []pricing.Warning{{Code: pricing.WarnNoPrice, Rows: 1, FirstRows: []int64{3}, OperationIDs: []string{"op_01"}}},
		Effect:   pricing.Effect{RowsRaised: 2},
	})
	made := ledger.Execution{
		ExecutionID: "plan_fitness_v1", Status: ledger.Proposed,
		Proposal: &ledger.Proposal{Seal: ledger.Seal{Result: result, ExecutedAt: time.Unix(0, 0)}, ProposalSHA256: result.SHA256()},
	}.Rounded()
	if shown, err := made.ShownProposal(stored); err != nil || len(shown.Explanation) == 0 {
		t.Errorf("%+v, %v", shown, err)
	}
	another, byAnother := stored, stored
	another.SHA256, byAnother.CreatedBy = "ab", "ben"
	for what, beside := range map[string]plans.Stored{"another plan": another, "another who made it": byAnother} {
		if _, err := made.ShownProposal(beside); errs.KindOf(err) != errs.Internal {
			t.Errorf("beside %s: %v", what, err)
		}
	}
	for what, edit := range map[string]func(*ledger.Execution){
		"another number of rows": func(e *ledger.Execution) { e.Proposal.Summary.RowsChanged++ },
		"a smaller effect":       func(e *ledger.Execution) { e.Proposal.Effect.RowsRaised-- },
		"a warning less":         func(e *ledger.Execution) { e.Proposal.Warnings = nil },
		"another output":         func(e *ledger.Execution) { e.Proposal.Output.CRC32C++ },
		"other settings":         func(e *ledger.Execution) { e.Proposal.Settings.Profile = "plain" },
		"another upload":         func(e *ledger.Execution) { e.Source.Generation++ },
	} {
		edited := made
		proposal := *made.Proposal
		edited.Proposal = &proposal
		edit(&edited)
		if _, err := edited.ShownProposal(stored); errs.KindOf(err) != errs.Internal {
			t.Errorf("with %s: %v", what, err)
		}
		if _, err := edited.Rounded().ShownProposal(stored); errs.KindOf(err) != errs.Internal {
			t.Errorf("with %s, and the record's hash made anew: %v", what, err)
		}
	}
}

// A sentence that is worded anew makes no other hash.
func TestResultHasNoSentences(t *testing.T) {
	var one, other ledger.Result
	warning := pricing.Warning{Code: pricing.WarnNoPrice, Rows: 1, FirstRows: []int64{3}, OperationIDs: []string{"op_01"}}
	one.Did(pricing.Summary{Warnings: []pricing.Warning{warning}})
	warning.Message = "in other words"
	other.Did(pricing.Summary{Warnings: []pricing.Warning{warning}})
	if one.SHA256() != other.SHA256() {
		t.Error("the words are in the hash")
	}
	if len(one.Sentences()) != 1 || one.Sentences()[0] == "" {
		t.Errorf("%q", one.Sentences())
	}
}
