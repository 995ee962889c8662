package ledger

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
)

// Limits of what an audit document says of its changes and its plan; the
// changes file and the plan itself are complete. Together with the largest
// plan they leave the document below Firestore's limit of 1 MiB: an outcome
// that could not be stored would leave a sealed execution without an end.
const (
	MaxAuditChanges      = 1_000
	MaxAuditChangesBytes = 256 << 10 // of changes, as JSON, and of the SKUs listed beside them
	MaxExplanationBytes  = 64 << 10
)

// AuditDocument is the outcome of one upload. Documents of an execution form a
// chain: PreviousSHA256 is the SHA256 of the one before, "" for the first.
type AuditDocument struct {
	ExecutionID       string              `json:"execution_id"`
	SourceInstruction string              `json:"source_instruction"`
	CreatedAt         time.Time           `json:"created_at"` // of the execution
	ExecutedAt        time.Time           `json:"executed_at"`
	Status            Status              `json:"status"` // completed, failed or skipped
	Error             *string             `json:"error"`  // null unless failed
	ErrorCode         string              `json:"error_code,omitempty"`
	ErrorDetails      []table.Fault       `json:"error_details,omitempty"`
	UnknownNames      []table.UnknownName `json:"unknown_names,omitempty"`
	OperationsCount   int                 `json:"operations_count"`
	RowsTotal         int64               `json:"rows_total"`
	RowsChanged       int64               `json:"rows_changed"`
	SKUsChanged       []string            `json:"skus_changed"`
	Changes           []Change            `json:"changes"`
	ChangesTruncated  bool                `json:"changes_truncated,omitempty"`
	PlanSnapshot      json.RawMessage     `json:"plan_snapshot"` // null where there was no plan
	Explanation       []string            `json:"explanation"`   // the plan in plain English
	Attempt           int                 `json:"attempt"`
	Upload            AuditUpload         `json:"upload"`
	Outputs           []File              `json:"outputs"`
	Operations        []OperationCount    `json:"operations"`
	Warnings          []string            `json:"warnings"`
	Told              []pricing.Warning   `json:"told,omitempty"` // the engine's warnings, as codes and arguments
	NoticeSHA256      string              `json:"notice_sha256,omitempty"`
	// Table is what a completed execution's table was found to be.
	Table *table.Recognized `json:"table,omitempty"`
	// Undoes is the execution that the plan undoes, if it does; the stale rows
	// are those that it left, for they were changed since.
	Undoes    string             `json:"undoes,omitempty"`
	RowsStale int64              `json:"rows_stale,omitempty"`
	Stale     []pricing.StaleRow `json:"stale,omitempty"`
	// Policy said which executions need an approval when a completed one was
	// sealed; Approval is the one that it was given, if it needed one.
	Policy     Policy    `json:"policy,omitzero"`
	Approval   *Approval `json:"approval,omitempty"`
	PlanSHA256 string    `json:"plan_sha256"`
	// PlanRecordSHA256 is of all that is stored with the plan: who made it,
	// when, and of which words.
	PlanRecordSHA256 string `json:"plan_record_sha256,omitempty"`
	// EngineBuild is that of the engine that computed a completed one.
	EngineBuild    string `json:"engine_build,omitempty"`
	ChangesSHA256  string `json:"changes_sha256"`
	PreviousSHA256 string `json:"previous_sha256"`
	SHA256         string `json:"sha256"` // of this document's JSON with sha256 ""
}

// AuditUpload is the upload that a document settles.
type AuditUpload struct {
	ID string `json:"id"`
	Source
	Size   int64  `json:"size,omitempty"` // of what was read, in a completed document
	CRC32C uint32 `json:"crc32c,omitempty"`
	BLAKE3 string `json:"blake3,omitempty"`
}

// Chained returns the document linked to the one whose hash is previous, with
// its own hash computed. Nil lists become empty ones, so that the same
// document has the same bytes however it was made, and times become such as every store keeps.
func (d AuditDocument) Chained(previous string) AuditDocument {
	d.SKUsChanged = strictjson.NotNil(d.SKUsChanged)
	d.Changes = strictjson.NotNil(d.Changes)
	d.Explanation = strictjson.NotNil(d.Explanation)
	d.Outputs = strictjson.NotNil(d.Outputs)
	d.Operations = strictjson.NotNil(d.Operations)
	d.Warnings = strictjson.NotNil(d.Warnings)
	if len(d.PlanSnapshot) == 0 {
		d.PlanSnapshot = json.RawMessage("null")
	}
	d = d.Rounded()
	if notice := d.Notice(); notice != "" {
		d.NoticeSHA256 = hexSHA256([]byte(notice))
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
	return ends && d.SHA256 == hexSHA256([]byte(before+"\"}\n"))
}

func (d AuditDocument) hash() string {
	d.SHA256 = ""
	return hexSHA256(d.Line())
}

// Line returns the document as one line of JSON, the form of the audit file.
// The plan in it keeps the bytes that its hash is of, and was checked to be JSON
// where it was read.
func (d AuditDocument) Line() []byte { return strictjson.Line(d) }
