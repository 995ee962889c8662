package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/plan"
)

// CompletedDocument is the outcome of a sealed upload. It depends on nothing
// but what was sealed and what never changes, so every delivery that finishes the execution writes the same one.
func CompletedDocument(e Execution, p StoredPlan, listing Listing) AuditDocument {
	seal := *e.Seal
	e.Attempt = seal.Attempt
	d := about(e, e.Source, p, Completed, seal.ExecutedAt)
	d.Explanation = seal.Explanation
	d.RowsTotal, d.RowsChanged = seal.Summary.RowsTotal, seal.Summary.RowsChanged
	d.SKUsChanged, d.Changes, d.ChangesTruncated = listing.SKUs, listing.Changes, listing.Truncated
	d.Result, d.EngineBuild = seal.Result, seal.EngineBuild
	d.Policy, d.Approval = seal.Policy, e.Approval
	return d.Chained(seal.PreviousSHA256)
}

// FailedDocument is the outcome of an upload that nothing was done with. The
// plan is zero where there was none.
func FailedDocument(e Execution, failure Failure, at time.Time, p StoredPlan) AuditDocument {
	d := about(e, e.Source, p, Failed, at)
	message := failure.Message
	failure.Message = ""
	d.Error, d.Failure = &message, &failure
	return d.Chained(e.AuditHead)
}

// Codes of failures that are no fault of the file.
const (
	CodeRejected  = "rejected"  // by somebody who decided about what was proposed
	CodeWithdrawn = "withdrawn" // by who had asked for it
	// CodeUndoneAlready: another undo has taken it back.
	CodeUndoneAlready = "undone_already"
	CodeExpired       = "expired"
	CodePlanMissing   = "plan_missing"
)

// IsRejection reports whether a failure is somebody's decision against what was proposed.
func IsRejection(code string) bool { return code == CodeRejected || code == CodeWithdrawn }

// CodeSuperseded is of a skipped document in whose upload's place another is
// proposed.
const CodeSuperseded = "superseded"

// SkippedDocument is the outcome of an upload that came after the execution
// had completed, or in whose place a newer one is proposed. It points at the
// head of the chain as it is and has no successor.
func SkippedDocument(record Execution, source Source, at time.Time, p StoredPlan) AuditDocument {
	d := about(record, source, p, Skipped, at)
	if record.Status != Completed {
		d.Failure = &Failure{Code: CodeSuperseded}
	}
	return d.Chained(record.AuditHead)
}

func about(e Execution, source Source, p StoredPlan, status Status, at time.Time) AuditDocument {
	d := AuditDocument{
		ExecutionID: e.ExecutionID, Status: status, ExecutedAt: at,
		Outcome: Outcome{
			Upload: AuditUpload{ID: source.Upload.ID(), Source: source}, CreatedAt: e.CreatedAt, Attempt: e.Attempt,
		},
	}
	if p.Plan != nil {
		d.SourceInstruction = p.Plan.SourceInstruction
		d.OperationsCount = len(p.Plan.Operations)
		d.PlanSnapshot = p.Canonical
		d.Result.PlanSHA256 = p.SHA256
		d.Result.PlanRecordSHA256 = p.RecordSHA256()
		d.Explanation = p.Explanation()
		if undo := p.Plan.Undo; undo != nil {
			d.Undoes = undo.ExecutionID
		}
	}
	return d
}

// Explanation is the plan in plain English, with its caveats. Where the sentences of the
// operations would be too long, one says in their place how many are left out.
func (p StoredPlan) Explanation() []string {
	sentences := append(plan.Explain(p.Plan), p.Planner.Caveats()...)
	operations := len(p.Plan.Operations)
	room := MaxExplanationBytes
	for i, sentence := range sentences[:operations] {
		if room -= len(sentence); room < 0 {
			left := fmt.Sprintf("The plan says the rest: %d of its %d operations are too long to be explained here.", operations-i, operations)
			return append(append(sentences[:i:i], left), sentences[operations:]...)
		}
	}
	return sentences
}

// SameTable warns of an execution on a table on which others completed that are not
// undone, and of not knowing that: it is no reason for anything to fail.
func SameTable(ctx context.Context, store Store, input File, executionID string) []plan.Warning {
	return carriedOutOn(ctx, store, WarnSameTable, input, executionID, time.Time{},
		"The plan %s was carried out on this very table. What comes of this plan is made of the table as it was, without what %[1]s changed: where both are meant, take the output of that one and go on with it.",
		"The plans %s were carried out on this very table. What comes of this plan is made of the table as it was, without what they changed: where several are meant, carry out each on the output of the one before.")
}

// OutputUsed warns of undoing an execution on its output, on which others completed since,
// and once that was done, of what came of it.
func OutputUsed(ctx context.Context, store Store, record Execution) []plan.Warning {
	if record.Status != Completed || record.Seal == nil {
		return nil
	}
	sentence := "The plan %s was carried out on what this one wrote. Undone on that output, the table is as it was before both, without what %[1]s changed: undo %[1]s first, or undo this one on a table that is exported now."
	several := "The plans %s were carried out on what this one wrote. Undone on that output, the table is as it was before all of them, without what they changed: undo them first, or undo this one on a table that is exported now."
	if record.UndoneBy != "" {
		several = "The plans %s were carried out on what " + record.ExecutionID + " wrote, of which the table was made that takes it back: that is as it was before all of them, without what they changed. Where that is to stay, import it only after copies of them were carried out on it, one after the other."
		sentence = "The plan %s was carried out on what " + record.ExecutionID + " wrote, of which the table was made that takes it back: that is as it was before both, without what %[1]s changed. Where that is to stay, import it only after a copy of %[1]s was carried out on it."
	}
	return carriedOutOn(ctx, store, WarnOutputUsed, record.Seal.Output, record.ExecutionID, record.Seal.ExecutedAt, sentence, several)
}

// ChangedBefore are the executions other than one that changed something on this table and
// stand, the oldest first.
func ChangedBefore(ctx context.Context, store Store, input File, executionID string) ([]Execution, error) {
	found, err := store.ExecutionsOn(ctx, input)
	found = slices.DeleteFunc(found, func(e Execution) bool { return !e.changedAndStands(executionID) })
	slices.SortFunc(found, func(a, b Execution) int { return a.Seal.ExecutedAt.Compare(b.Seal.ExecutedAt) })
	return found, err
}

// changedAndStands reports whether an execution other than one changed something of a table
// that somebody sent, and was not undone.
func (e Execution) changedAndStands(but string) bool {
	stands := e.Status == Completed && e.UndoneBy == "" && e.ExecutionID != but && e.Source.OutputOf == ""
	return stands && e.Seal.Summary.RowsChanged > 0
}

// carriedOutOn says one sentence of the other execution that changed something on a table
// since then and stands, or one of several, but for undos of what wrote it.
func carriedOutOn(ctx context.Context, store Store, code string, input File, executionID string, since time.Time, one, several string) []plan.Warning {
	warning := plan.Warning{Code: code, OperationIDs: []string{}}
	found, err := store.ExecutionsOn(ctx, input)
	if err != nil {
		warning.Message = "It could not be looked up whether another plan was carried out on this very table."
		return []plan.Warning{warning}
	}
	var ids []string
	for _, other := range found {
		if other.changedAndStands(executionID) && !other.Seal.ExecutedAt.Before(since) {
			ids = append(ids, other.ExecutionID)
		}
	}
	slices.Sort(ids)
	warning.Arguments = ids
	switch last := len(ids) - 1; last {
	case -1:
		return nil
	case 0:
		warning.Message = fmt.Sprintf(one, ids[0])
	default:
		warning.Message = fmt.Sprintf(several, strings.Join(ids[:last], ", ")+" and "+ids[last])
	}
	return []plan.Warning{warning}
}

// Codes of warnings of other executions on the same bytes, which are the arguments; none
// where they could not be looked up.
const (
	WarnSameTable  = "same_table"
	WarnOutputUsed = "output_used"
)
