package ledger

import (
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
)

// seen is everything that decides what a preview shows, and the figures that it shows.
type seen struct {
	Rules    string         `json:"rules"` // the hash of their canonical form
	Settings table.Settings `json:"settings"`
	Table    string         `json:"table"` // the BLAKE3 of its bytes
	Summary  Summary        `json:"summary"`
	Effect   pricing.Effect `json:"effect"`
}

// PreviewSHA256 is the hash of what a preview shows. Two with the same hash show the same,
// be it of a stored plan or of its rules before there was one.
func PreviewSHA256(rules []plan.Operation, settings table.Settings, tableBLAKE3 string, found *pricing.Summary) string {
	return hexSHA256(strictjson.Line(seen{
		Rules: plan.RulesSHA256(rules), Settings: settings, Table: tableBLAKE3,
		Summary: NewSummary(*found), Effect: found.Effect,
	}))
}
