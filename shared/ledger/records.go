package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/faults"
)

// Upload is one generation of one object: what a delivery is about.
type Upload struct {
	Bucket     string `json:"bucket"`
	Object     string `json:"object"`
	Generation int64  `json:"generation,string"`
}

// ID names the upload: its generation in 20 digits, so that ids sort by age,
// and 8 hex digits that tell objects of equal generation apart.
func (u Upload) ID() string {
	sum := sha256.Sum256([]byte(u.Bucket + "/" + u.Object))
	return fmt.Sprintf("%020d-%s", u.Generation, hex.EncodeToString(sum[:4]))
}

func (u Upload) path() string { return u.Bucket + "/" + u.Object }

// Source is an upload with all that shapes how it is read, and what is to become of it.
type Source struct {
	Upload
	UploadedAt time.Time      `json:"uploaded_at"`
	Settings   table.Settings `json:"settings"`
	// ProposeOnly says that it was uploaded to be proposed: whatever the policy
	// says, it is applied only where somebody approves of it.
	ProposeOnly bool `json:"propose_only,omitempty"`
	// UploadedBy is who handed the table in, and ProposedBy who asked afterwards that
	// it be proposed; each is "" where nobody knows, or nobody did.
	UploadedBy string `json:"uploaded_by,omitempty"`
	ProposedBy string `json:"proposed_by,omitempty"`
	// PreparedBy are those beside UploadedBy who sent the table or said how it is read.
	PreparedBy []string `json:"prepared_by,omitempty"`
	// OutputOf is the execution that wrote the table, where it was not dropped.
	OutputOf string `json:"output_of,omitempty"`
	// Shop is the shop that the table was fetched from; nil where it was handed in. What
	// comes of such a table alone is written to a shop.
	Shop *postings.Shop `json:"shop,omitempty"`
	// ReadGeneration is the generation that is read, where another than the
	// upload's: a run of its own over an object whose upload has its outcome.
	ReadGeneration int64 `json:"read_generation,string,omitempty"`
	// FoundAt is when a look through the inbox found the upload, for which no event had come.
	FoundAt time.Time `json:"found_at,omitzero"`
	// Log is the file that gets a line of the outcome, where the upload names one.
	Log string `json:"log,omitempty"`
}

// Reads returns the generation of the object that is read.
func (s Source) Reads() int64 {
	if s.ReadGeneration != 0 {
		return s.ReadGeneration
	}
	return s.Generation
}

// FetchedFrom is the address of the shop that the table was fetched from for this very
// execution; "": it was not.
func (s Source) FetchedFrom() string {
	if !s.isFetched() {
		return ""
	}
	return s.Shop.URL
}

// isFetched reports whether the table was fetched from a shop for this very execution.
func (s Source) isFetched() bool { return s.Shop != nil && s.OutputOf == "" }

// isFetchedAgain reports whether both were fetched from the same shop.
func (s Source) isFetchedAgain(before Source) bool {
	return s.isFetched() && before.isFetched() && *s.Shop == *before.Shop
}

// FetchedBefore reports whether the table was fetched from a shop before a time.
func (s Source) FetchedBefore(at time.Time) bool { return s.isFetched() && s.UploadedAt.Before(at) }

// newerThan orders the uploads for one execution: a later one takes the place
// of an earlier one's proposal. A table that was dropped is newer than an
// output, whose generations count in another bucket.
func (s Source) newerThan(other Source) bool {
	if dropped, otherDropped := s.OutputOf == "", other.OutputOf == ""; dropped != otherDropped {
		return dropped
	}
	return s.Upload.ID() > other.Upload.ID()
}

// Status is where an execution, or the outcome of an upload, stands.
type Status string

const (
	Running   Status = "running"
	Proposed  Status = "proposed" // computed, and waiting for its approval or its time
	Completed Status = "completed"
	Failed    Status = "failed"
	Skipped   Status = "skipped" // of an outcome only
)

// Validate reports whether s is a status that an execution record can have.
func (s Status) Validate() error {
	switch s {
	case Running, Proposed, Completed, Failed:
		return nil
	}
	return fmt.Errorf("status %q is none of running, proposed, completed, failed", string(s))
}

// Execution is the record under executions/{execution_id}. Each of its fields is written
// even where it is empty: Firestore keeps a field that is not written as it was.
type Execution struct {
	ExecutionID string `json:"execution_id"`
	Status      Status `json:"status"`
	Attempts    `json:"attempts"`
	Source      Source `json:"source"`
	// Proposal is what the source would make, until it is sealed or has its outcome.
	// Approval is the one of this very proposal, and of what was sealed with it.
	Proposal *Proposal `json:"proposal"`
	Approval *Approval `json:"approval"`
	Seal     *Seal     `json:"seal"`
	Error    *Failure  `json:"error"`
	Links    `json:"links"`
	// AuditHead is the SHA-256 of the newest document in the chain.
	AuditHead string    `json:"audit_head"`
	CreatedAt time.Time `json:"created_at"`
	// DueAt is the next moment at which somebody should look at the record; zero is never.
	DueAt time.Time `json:"due_at"`
	// Owed are the notices that are not known to have arrived.
	Owed []Owed `json:"owed"`

	// SHA256 is of the record as it was written, but for what marks the work on it (its lease
	// and when it is due). Whoever edits a field without it is found out: see CheckWritten.
	SHA256 string `json:"sha256"`

	// Revision is the store's mark of this version of the record.
	Revision string `json:"-"`
}

// Attempts say who works on an execution, and how far the newest attempt has come.
type Attempts struct {
	Attempt    int       `json:"attempt"` // how often somebody has begun
	Holder     string    `json:"holder"`
	LeaseUntil time.Time `json:"lease_until"`
	Timeouts   int       `json:"timeouts"` // attempts on this source that ran out of time
	// how far the newest attempt has come, as of its last sign of life
	BytesRead int64              `json:"bytes_read"`
	Recorded  changelog.Recorded `json:"recorded"`
	// Delay says why the last attempt that was released had no outcome; "" where none was.
	Delay string `json:"delay"`
	// Rejected says that somebody rejected what an earlier attempt proposed:
	// every later one needs an approval, whatever the policy says.
	Rejected bool `json:"rejected"`
}

// Links lead to the executions that undo this one.
type Links struct {
	// UndoneBy is the newest execution that undid this one, and RowsLeft are the rows that
	// it left as they were: another can undo them. UndoneBefore are those that undid some of
	// its rows before.
	UndoneBy     string   `json:"undone_by"`
	UndoneBefore []string `json:"undone_before"`
	RowsLeft     int64    `json:"rows_left"`
	// UndoDue are the undos that the output is to be delivered to.
	UndoDue []UndoDue `json:"undo_due"`
}

// Undos are all that undid the execution, the newest last.
func (l Links) Undos() []string {
	if l.UndoneBy == "" {
		return nil
	}
	return append(slices.Clone(l.UndoneBefore), l.UndoneBy)
}

// Seal fixes what an execution will have done. Once it is in the record the
// execution can only complete, with these bytes.
type Seal struct {
	Result
	ExecutedAt     time.Time `json:"executed_at"`
	Attempt        int       `json:"attempt"`
	Explanation    []string  `json:"explanation"` // of the plan, as the audit document shows it
	EngineBuild    string    `json:"engine_build"`
	PreviousSHA256 string    `json:"previous_sha256"`
	// Policy is the one that it was held against.
	Policy Policy `json:"policy,omitzero"`
}

// Proposal is what an execution would do as long as it may not: all that its
// seal would hold, and what it waits for.
type Proposal struct {
	Seal
	ProposalSHA256 string `json:"proposal_sha256"` // Result.SHA256
	// ApprovalDue says that somebody has to approve of it, for these reasons.
	ApprovalDue bool     `json:"approval_due"`
	Reasons     []string `json:"reasons,omitempty"`
	// ApplyAt is the time before which it is not applied.
	ApplyAt time.Time `json:"apply_at,omitzero"`
	// ExpiresAt is when an approval that is due and missing comes too late.
	ExpiresAt time.Time `json:"expires_at"`
	// RemindedAt is when the approvers were told of it once more, the last time.
	RemindedAt time.Time `json:"reminded_at,omitzero"`
}

// Approval is somebody's leave for exactly what was proposed.
type Approval struct {
	ProposalSHA256 string    `json:"proposal_sha256"`
	By             string    `json:"by"`
	At             time.Time `json:"at"`
	Note           string    `json:"note,omitempty"`
	// ProposedAt is when what it approves of was computed.
	ProposedAt time.Time `json:"proposed_at,omitzero"`
	// Policy said who may decide when it was given.
	Policy Decisions `json:"policy,omitzero"`
}

// UndoDue says that an output is to be delivered to an undo, and when.
type UndoDue struct {
	ExecutionID string    `json:"execution_id"`
	At          time.Time `json:"at"`
	// Waits says that its time came while something was proposed under its id.
	Waits bool `json:"waits,omitempty"`
}

// File is an object that an execution reads or writes.
type File struct {
	Bucket     string `json:"bucket"`
	Object     string `json:"object"`
	Generation int64  `json:"generation,string,omitempty"` // of the upload that was read
	Size       int64  `json:"size"`
	CRC32C     uint32 `json:"crc32c"`
	BLAKE3     string `json:"blake3,omitempty"` // of the input, which with the plan decides all else
	SHA256     string `json:"sha256,omitempty"` // of the changes file
}

// String says where the object is.
func (f File) String() string { return f.Bucket + "/" + f.Object }

// Failure is why an execution failed.
type Failure struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Details []faults.Fault `json:"details,omitempty"` // the first rows at fault
	// Stale are the first rows that were changed since what is undone, under that code.
	Stale []pricing.StaleRow `json:"stale,omitempty"`
	// UnknownNames are those of the plan that no row has, under that code.
	UnknownNames []table.UnknownName `json:"unknown_names,omitempty"`
	// ReplacedBy is the plan that goes on in its place, where somebody who rejected it said so.
	ReplacedBy string `json:"replaced_by,omitempty"`
	// By is who decided it and At is when, where somebody did.
	By string    `json:"by,omitempty"`
	At time.Time `json:"at,omitzero"`
}

// InboxRound is how far the sweep has come with listing the inbox. Every object
// is looked at once in a round, plan files first.
type InboxRound struct {
	Tables bool `json:"tables"` // the plan files are done
	// Name is that of the first object that nobody has looked at; "": none was.
	Name string `json:"name"`
	// BeganAt and PreviousBeganAt are when this round began and the one before: an object
	// that nobody has looked at came after PreviousBeganAt.
	BeganAt         time.Time `json:"began_at"`
	PreviousBeganAt time.Time `json:"previous_began_at"`
}
