package execution

import (
	"fmt"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// Approvals are the results that need somebody's approval.
type Approvals string

// What needs an approval. Plans and uploads may ask for one where the policy
// does not, and never the other way round.
const (
	ApproveNever  Approvals = "never"
	ApproveAlways Approvals = "always"
	ApproveOver   Approvals = "over" // those that pass a limit or have warnings
)

// Policy says which results are applied only with an approval. The zero value
// asks for none.
type Policy struct {
	Approval Approvals // "" is never
	// OverRows and OverPercent are the limits of ApproveOver: of rows changed,
	// where 0 is none, and of the move of one price.
	OverRows    int64
	OverPercent *plan.Decimal
}

// reasons says why a result needs an approval; none: it needs none.
func (p Policy) reasons(stored ledger.StoredPlan, source ledger.Source, seal ledger.Seal, effect *pricing.Effect) (reasons []string) {
	add := func(applies bool, format string, args ...any) {
		if applies {
			reasons = append(reasons, fmt.Sprintf(format, args...))
		}
	}
	add(p.Approval == ApproveAlways, "Every execution here needs an approval.")
	if p.Approval == ApproveOver {
		add(p.OverRows > 0 && seal.Summary.RowsChanged > p.OverRows, "%d rows change, more than %d.", seal.Summary.RowsChanged, p.OverRows)
		if p.OverPercent != nil {
			add(effect.ExceedsPercent(*p.OverPercent), "A price moves by more than %s%%.", p.OverPercent)
		}
		add(len(seal.Summary.Warnings) > 0, "There are warnings.")
	}
	add(stored.Plan.Approval == plan.ApprovalAlways, "The plan asks for an approval.")
	add(stored.Planner.Agreement == ledger.AgreementModel, ledger.NotVouchedFor)
	add(source.ProposeOnly, "The table was uploaded to be proposed.")
	return reasons
}
