package ledger_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// What stands keeps its hash whatever fields are added: the record was written by an
// earlier program.
func TestWhatStandsKeepsItsHash(t *testing.T) {
	text, err := os.ReadFile("testdata/proposed_figures.json")
	if err != nil {
		t.Fatal(err)
	}
	var stored struct {
		Record ledger.Execution  `json:"record"`
		Plan   ledger.PlanRecord `json:"plan"`
	}
	if err := json.Unmarshal(text, &stored); err != nil {
		t.Fatal(err)
	}
	if err := stored.Record.CheckWritten(); err != nil {
		t.Error(err)
	}
	plan, err := ledger.ReadPlan(stored.Plan)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stored.Record.ShownProposal(plan); err != nil {
		t.Error(err)
	}
	// Nor is it shown beside another plan, or as one that another made.
	another, byAnother := plan, plan
	another.SHA256, byAnother.CreatedBy = "ab", "ben"
	for what, plan := range map[string]ledger.StoredPlan{"another plan": another, "another who made it": byAnother} {
		if _, err := stored.Record.ShownProposal(plan); errs.KindOf(err) != errs.Internal {
			t.Errorf("of %s: %v", what, err)
		}
	}
	for what, edit := range map[string]func(*ledger.Proposal){
		"another number of rows": func(p *ledger.Proposal) { p.Summary.RowsChanged++ },
		"a smaller effect":       func(p *ledger.Proposal) { p.Effect.RowsRaised-- },
		"a warning less":         func(p *ledger.Proposal) { p.Warnings = p.Warnings[1:] },
		"no hash of figures":     func(p *ledger.Proposal) { p.FiguresSHA256 = "" },
	} {
		edited := *stored.Record.Proposal
		edit(&edited)
		record := stored.Record
		record.Proposal = &edited
		if _, err := record.ShownProposal(plan); errs.KindOf(err) != errs.Internal {
			t.Errorf("with %s: %v", what, err)
		}
	}
}
