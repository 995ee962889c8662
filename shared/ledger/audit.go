package ledger

import (
	"encoding/json"
	"time"

	"github.com/planwright/planwright/shared/pricing"
)

// AuditDocument is the outcome of one upload: the fields of the first executor's record, and
// the rest under result. Documents of an execution form a chain: PreviousSHA256 is the SHA256
// of the one before, "" for the first.
type AuditDocument struct {
	ExecutionID       string           `json:"execution_id"`
	SourceInstruction string           `json:"source_instruction"`
	ExecutedAt        time.Time        `json:"executed_at"`
	Status            Status           `json:"status"` // completed, failed or skipped
	Error             *string          `json:"error"`  // null unless failed
	OperationsCount   int              `json:"operations_count"`
	RowsTotal         int64            `json:"rows_total"`
	RowsChanged       int64            `json:"rows_changed"`
	SKUsChanged       []string         `json:"skus_changed"`
	Changes           []pricing.Change `json:"changes"`
	PlanSnapshot      json.RawMessage  `json:"plan_snapshot"` // null where there was no plan
	Explanation       []string         `json:"explanation"`   // the plan in plain English
	Outcome           `json:"result"`
	PreviousSHA256    string `json:"previous_sha256"`
	SHA256            string `json:"sha256"` // of this document's JSON with sha256 ""
}

// Outcome says what became of an upload.
type Outcome struct {
	Upload    AuditUpload `json:"upload"`
	CreatedAt time.Time   `json:"created_at"` // of the execution
	Attempt   int         `json:"attempt"`
	// Result is what a completed execution did; of another outcome it has the hashes of the
	// plan alone.
	Result
	ChangesTruncated bool `json:"changes_truncated,omitempty"`
	// Undoes is the execution that the plan undoes, if it does.
	Undoes string `json:"undoes,omitempty"`
	// Policy said which executions need an approval when a completed one was
	// sealed; Approval is the one that it was given, if it needed one.
	Policy   Policy    `json:"policy,omitzero"`
	Approval *Approval `json:"approval,omitempty"`
	// EngineBuild is that of the engine that computed a completed one.
	EngineBuild string `json:"engine_build,omitempty"`
	// Failure is why a failed one failed; its message is the document's error. That of a
	// skipped one is CodeSuperseded or null.
	Failure      *Failure `json:"failure,omitempty"`
	NoticeSHA256 string   `json:"notice_sha256,omitempty"`
}

// Code is the code of a failure, or CodeSuperseded; "" of any other outcome.
func (o *Outcome) Code() string {
	if o.Failure == nil {
		return ""
	}
	return o.Failure.Code
}

// AuditUpload is the upload that a document settles.
type AuditUpload struct {
	ID string `json:"id"`
	Source
}
