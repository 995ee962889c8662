package ledger

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/internal/stored"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/strictjson"
)

// CompletedDocument is the outcome of a sealed upload. It depends on nothing
// but what was sealed and what never changes, so every delivery that finishes the execution writes the same one.
func CompletedDocument(e Execution, p plans.Stored, listing changelog.Listing) AuditDocument {
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
func FailedDocument(e Execution, failure Failure, at time.Time, p plans.Stored) AuditDocument {
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
func SkippedDocument(record Execution, source Source, at time.Time, p plans.Stored) AuditDocument {
	d := about(record, source, p, Skipped, at)
	if record.Status != Completed {
		d.Failure = &Failure{Code: CodeSuperseded}
	}
	return d.Chained(record.AuditHead)
}

func about(e Execution, source Source, p plans.Stored, status Status, at time.Time) AuditDocument {
	d := AuditDocument{
		ExecutionID: e.ExecutionID, Status: status, ExecutedAt: at,
		Outcome: Outcome{
			Upload:    AuditUpload{ID: source.Upload.ID(), Source: source},
			CreatedAt: e.CreatedAt,
			Attempt:   e.Attempt,
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

// Chained returns the document linked to the one whose hash is previous, with
// its own hash computed. Nil lists become empty ones, so that the same
// document has the same bytes however it was made, and times become such as every store keeps.
func (d AuditDocument) Chained(previous string) AuditDocument {
	d.SKUsChanged = strictjson.NotNil(d.SKUsChanged)
	d.Changes = strictjson.NotNil(d.Changes)
	d.Explanation = strictjson.NotNil(d.Explanation)
	if len(d.PlanSnapshot) == 0 {
		d.PlanSnapshot = json.RawMessage("null")
	}
	d = d.Rounded()
	if d.Status == Failed || d.Status == Skipped { // a completed upload speaks for itself
		d.NoticeSHA256 = stored.SHA256([]byte(d.Notice().Text()))
	}
	d.PreviousSHA256 = previous
	d.SHA256 = d.hash()
	return d
}

// Intact reports whether the document still has the content it was chained with.
func (d AuditDocument) Intact() bool { return d.SHA256 == d.hash() }

// IsWrittenAs reports whether a text is the line that the document was written as:
// without the hash in it, it has that hash.
func (d AuditDocument) IsWrittenAs(line string) bool {
	before, ends := strings.CutSuffix(line, d.SHA256+"\"}\n")
	return ends && d.SHA256 == stored.SHA256([]byte(before+"\"}\n"))
}

func (d AuditDocument) hash() string {
	d.SHA256 = ""
	return stored.SHA256(d.Line())
}

// Line returns the document as one line of JSON, the form of the audit file.
// The plan in it keeps the bytes that its hash is of, and was checked to be JSON
// where it was read.
func (d AuditDocument) Line() []byte { return strictjson.Line(d) }
