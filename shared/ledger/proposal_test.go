package ledger_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// What stood before figures had a hash, and what stands now, keeps its hash
// whatever fields are added: both records were written by earlier builds.
func TestWhatStandsKeepsItsHash(t *testing.T) {
	for _, name := range []string{"bytes", "figures"} {
		text, err := os.ReadFile("testdata/proposed_" + name + ".json")
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
		plan, err := ledger.ReadPlan(stored.Plan)
		if err != nil {
			t.Fatal(err)
		}
		shown, err := stored.Record.ShownProposal(plan)
		if err != nil || shown.FiguresSHA256 == "" != (name == "bytes") {
			t.Errorf("%s: %v", name, err)
		}
		// Nor is it shown beside another plan, or as one that another made.
		another, byAnother := plan, plan
		another.SHA256, byAnother.CreatedBy = "ab", "ben"
		if _, err := stored.Record.ShownProposal(another); errs.KindOf(err) != errs.Internal {
			t.Errorf("%s, of another plan: %v", name, err)
		}
		if _, err := stored.Record.ShownProposal(byAnother); name == "figures" && errs.KindOf(err) != errs.Internal {
			t.Errorf("%s, of another who made it: %v", name, err)
		}
		if name == "bytes" {
			continue // its figures have no hash
		}
		for what, edit := range map[string]func(*ledger.Proposal){
			"another number of rows": func(p *ledger.Proposal) { p.Summary.RowsChanged++ },
			"a smaller effect":       func(p *ledger.Proposal) { p.Effect.RowsRaised-- },
			"a warning less":         func(p *ledger.Proposal) { p.Warnings = p.Warnings[1:] },
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
}
