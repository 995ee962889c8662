package ledger

import (
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// PreviewSHA256 is the hash of what a preview shows. Two with the same hash show the same,
// be it of a stored plan or of its rules before there was one.
func PreviewSHA256(
	rules []plan.Operation, settings table.Settings, tableBLAKE3 string, found *pricing.Summary,
) string {
	seen := Result{PlanSHA256: plan.RulesSHA256(rules), Settings: settings, Input: File{BLAKE3: tableBLAKE3}}
	seen.Did(*found)
	return seen.SHA256()
}
