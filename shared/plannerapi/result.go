package plannerapi

import (
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/pricing"
)

// Summary is what an execution did, in numbers, with its warnings in words.
type Summary struct {
	pricing.Counts
	Warnings []string `json:"warnings,omitempty"`
	// Told are the warnings of the engine as codes and arguments.
	Told []pricing.Warning `json:"told,omitempty"`
}

// SummaryOf is the summary of a result.
func SummaryOf(r ledger.Result) Summary {
	return Summary{Counts: r.Summary, Warnings: r.Sentences(), Told: r.Warnings}
}

// SummaryOfRun is the summary of a run of the engine.
func SummaryOfRun(run pricing.Summary) Summary {
	var r ledger.Result
	r.Did(run)
	return SummaryOf(r)
}

// Proposal is what an execution would do as long as it may not, with its warnings in words.
type Proposal struct {
	ledger.Proposal
	ChangesSHA256 string            `json:"changes_sha256"`
	Summary       Summary           `json:"summary"`
	Warnings      []pricing.Warning `json:"warnings,omitempty"`
}

// ProposalOf is a proposal as it is answered; nil where there is none.
func ProposalOf(p *ledger.Proposal) *Proposal {
	if p == nil {
		return nil
	}
	shown := Proposal{Proposal: *p, ChangesSHA256: p.Changes.SHA256, Summary: SummaryOf(p.Result)}
	for _, warning := range p.Warnings {
		warning.Message, _ = warning.Sentence()
		shown.Warnings = append(shown.Warnings, warning)
	}
	return &shown
}
