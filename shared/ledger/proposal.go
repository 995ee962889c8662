package ledger

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/internal/stored"
	"github.com/planwright/planwright/shared/ledger/plans"
)

// ShownProposal is what a record proposes as people are to see it: a result that
// has the hash, and sentences that are made of it and of the plan. Nil where
// it proposes nothing. Internal: one of them was edited since it was computed.
func (e Execution) ShownProposal(stored plans.Stored) (*Proposal, error) {
	if e.Proposal == nil {
		return nil, nil
	}
	p := *e.Proposal
	switch {
	case e.CheckWritten() != nil,
		p.ProposalSHA256 != p.Result.SHA256(),
		p.Shop == "" && p.Input.Generation != e.Source.Generation,
		p.PlanSHA256 != stored.SHA256,
		p.PlanRecordSHA256 != stored.RecordSHA256():
		return nil, e.edited()
	}
	p.Explanation, p.ApplyAt = stored.Explanation(), stored.Plan.ApplyTime()
	if reasons := e.Reasons(p.Seal, stored); reasons != nil {
		p.Reasons = reasons
	}
	return &p, nil
}

// hash is the SHA-256 of the record without what marks the work on it, which stores change
// by themselves.
func (e Execution) hash() string {
	e.SHA256, e.LeaseUntil, e.DueAt = "", time.Time{}, time.Time{}
	text, err := json.Marshal(e)
	if err != nil {
		panic("ledger: a record that is not JSON: " + err.Error()) // all of it is read from JSON
	}
	// Bytes that are no UTF-8 are escaped here, and are read back as the character that stands for them.
	return stored.SHA256(bytes.ReplaceAll(text, []byte(`\ufffd`), []byte("\ufffd")))
}

// CheckWritten returns nil where the record is as Planwright wrote it. Internal: somebody
// edited a field in the database.
func (e Execution) CheckWritten() error {
	if e.SHA256 == e.hash() {
		return nil
	}
	return errs.New(errs.Internal,
		"the record of %s is not as it was written: somebody edited it in the database", e.ExecutionID)
}

func (e Execution) edited() error {
	return errs.New(errs.Internal, "What execution %s proposes is not what was computed: somebody changed it, or its plan, in the database since. Nothing of it is shown or can be approved. Reject the proposal %s, and drop the table again to have it computed anew.",
		e.ExecutionID, e.Proposal.ProposalSHA256)
}
