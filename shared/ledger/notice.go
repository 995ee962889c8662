package ledger

import (
	"fmt"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/faults"
)

// NoticeOf is the notice of a step of the execution. The plan is zero where there was none.
func (e Execution) NoticeOf(step notices.Step, p plans.Stored) notices.Notice {
	n := notices.New(step, e.ExecutionID, instructionOf(p), e.effectOf(step))
	if n.Effect != "" || strings.Contains(step.ID, e.Source.ID()) {
		n.File = e.Source.Upload.path()
	}
	return n
}

// ProposalNotice is the notice of what the execution proposes.
func (e Execution) ProposalNotice(p plans.Stored) notices.Notice {
	return e.NoticeOf(e.proposalStep(e.Proposal.ExecutedAt, ""), p)
}

// proposalStep is that of the proposal; again tells one that people are told once more.
func (e Execution) proposalStep(at time.Time, again string) notices.Step {
	kind := notices.Scheduled
	if e.Proposal.ApprovalDue {
		kind = notices.Proposed
	}
	return notices.Step{ID: stepID(e.ExecutionID, e.Proposal.ProposalSHA256+again, kind), Kind: kind, At: at}
}

// instructionOf is the plan's; "" where there is no plan.
func instructionOf(p plans.Stored) string {
	if p.Plan == nil {
		return ""
	}
	return p.Plan.SourceInstruction
}

// effectOf says in one line what the result does that a step is about; "" where it is
// about none, or its result is not there any more.
func (e Execution) effectOf(step notices.Step) string {
	switch {
	case e.Seal != nil &&
		(step.Kind == notices.Completed || strings.Contains(step.ID, e.Seal.Result.SHA256())):
		return e.Seal.Line()
	case e.Proposal != nil && strings.Contains(step.ID, e.Proposal.ProposalSHA256):
		return e.Proposal.Line()
	}
	return ""
}

// Notice is what people are told of the outcome of an upload.
func (d AuditDocument) Notice() notices.Notice {
	failure := Failure{}
	if d.Failure != nil {
		failure = *d.Failure
	}
	kind := notices.KindOf(failure.Code, notices.Kind(d.Status))
	step := notices.Step{
		ID: stepID(d.ExecutionID, d.Upload.ID, kind), Kind: kind, At: d.ExecutedAt,
		By: failure.By, Code: failure.Code,
	}
	n := notices.New(step, d.ExecutionID, d.SourceInstruction, "")
	n.File = d.Upload.Upload.path()
	switch d.Status {
	case Failed:
		n.Details = []string{
			"What is wrong", d.message(), "Changed since", changedSince(failure.Stale), "What to do",
			notices.Words[d.remedy()],
		}
	case Skipped:
		n.Details = []string{"What to do", notices.Words[d.remedy()]}
	case Completed:
		n.Effect = d.Result.Line()
	}
	return n
}

// message is why it failed.
func (d AuditDocument) message() string {
	if d.Error == nil {
		return ""
	}
	return *d.Error
}

// remedy is what is said of what to do about an upload that was not applied.
func (d AuditDocument) remedy() string {
	switch code := d.Code(); {
	case code == CodeSuperseded:
		return "take the place"
	case d.Status == Skipped:
		return "plan again"
	case d.Upload.OutputOf != "":
		return "undo again"
	case notices.KindOf(code, notices.Failed) != notices.Failed:
		return "drop again"
	case code == CodePlanMissing:
		return "make the plan"
	case code == table.CodeUnknownNames:
		return "name what is"
	}
	return "correct it"
}

// maxNoticeRows is how many rows a notice lists.
const maxNoticeRows = 20

// changedSince lists the first rows that an undo would have left alone.
func changedSince(rows []pricing.StaleRow) string {
	var lines []string
	for _, stale := range rows[:min(len(rows), maxNoticeRows)] {
		found := notices.Words["stale row is gone"]
		if stale.Found != nil {
			found = fmt.Sprintf(notices.Words["stale row has"], stale.Found)
		}
		lines = append(lines,
			fmt.Sprintf(notices.Words["stale row"], faults.Shown(stale.SKU), stale.Given, found))
	}
	return strings.Join(lines, "\n")
}
